import assert from "node:assert/strict";
import { test } from "node:test";

import { commandLine, shown } from "./status";

test("a ready daemon is its number of memories", () => {
  const { text, tooltip } = shown({ state: "ready", memories: 1, vectors: "ready" });

  assert.equal(text, "$(history) 1");
  assert.equal(tooltip, "reverie: 1 memory");
});

test("a daemon without vectors says so", () => {
  const { tooltip } = shown({ state: "degraded", memories: 7, vectors: "building" });

  assert.match(tooltip, /7 memories, found by words only \(vectors: building\)/);
});

test("a daemon that is away has no number", () => {
  assert.equal(shown({ state: "away", memories: 0, vectors: "off" }).text, "$(history) –");
});

test("a command line is the setting's, and the default for anything else", () => {
  assert.deepEqual(commandLine(["/opt/reverie", "lsp", "-v"]), ["/opt/reverie", ["lsp", "-v"]]);
  assert.deepEqual(commandLine([]), ["reverie", ["lsp"]]);
  assert.deepEqual(commandLine("reverie"), ["reverie", ["lsp"]]);
  assert.deepEqual(commandLine([1]), ["reverie", ["lsp"]]);
});
