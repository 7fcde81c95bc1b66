import assert from "node:assert/strict";
import { test } from "node:test";

import { OFF, shown } from "./status";

test("a ready daemon is its number of memories", () => {
  const { text, tooltip } = shown({ state: "ready", memories: 1, vectors: "ready" });

  assert.equal(text, "$(history) 1");
  assert.equal(tooltip, "reverie: 1 memory");
});

test("a daemon without meanings says so in its tooltip", () => {
  const building = shown({ state: "degraded", memories: 7, vectors: "building" });
  const off = shown({ state: "degraded", memories: 7, vectors: "off" });

  assert.deepEqual(building, {
    text: "$(history) 7",
    tooltip: "reverie: 7 memories, found by their words until their meanings are ready",
  });
  assert.deepEqual(off, {
    text: "$(history) 7",
    tooltip: "reverie: 7 memories, found by their words only: “reverie model setup” adds their meanings",
  });
});

test("who has no memory yet is told so, and not how they are found", () => {
  const { text, tooltip } = shown({ state: "degraded", memories: 0, vectors: "off" });

  assert.equal(text, "$(history) 0");
  assert.equal(tooltip, "reverie: nothing is remembered yet");
});

test("a daemon that is away has no number", () => {
  assert.equal(shown({ state: "away", memories: 0, vectors: "off" }).text, "$(history) –");
});

test("what does not run says why when it is known", () => {
  assert.equal(shown(OFF).tooltip, "reverie does not run");
  assert.equal(shown({ ...OFF, detail: "no program" }).tooltip, "reverie does not run: no program");
});
