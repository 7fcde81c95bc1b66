import assert from "node:assert/strict";
import { test } from "node:test";

import { commandLine, failure, located, Missing } from "./program";

const there = (...files: string[]) => (file: string) => files.includes(file);

test("a command line is the setting's, and the default for anything else", () => {
  assert.deepEqual(commandLine(["/opt/reverie", "lsp", "-v"]), ["/opt/reverie", ["lsp", "-v"]]);
  assert.deepEqual(commandLine([]), ["reverie", ["lsp"]]);
  assert.deepEqual(commandLine("reverie"), ["reverie", ["lsp"]]);
  assert.deepEqual(commandLine([1]), ["reverie", ["lsp"]]);
});

test("a program is looked for on the path, then where its installers put it", () => {
  const both = there("/usr/bin/reverie", "/home/me/.local/bin/reverie");

  assert.equal(located("reverie", "/bin:/usr/bin", "/home/me", both), "/usr/bin/reverie");
  assert.equal(located("reverie", "/bin:", "/home/me", both), "/home/me/.local/bin/reverie");
  assert.equal(located("reverie", "", "/home/you", both), undefined);
});

test("a program with a path is that one and no other", () => {
  const one = there("/opt/reverie", "/usr/bin/reverie");

  assert.equal(located("/opt/reverie", "/usr/bin", "/home/me", one), "/opt/reverie");
  assert.equal(located("/away/reverie", "/usr/bin", "/home/me", one), undefined);
});

test("a failure is one line that says what is wrong", () => {
  assert.match(failure("reverie", new Missing()), /not on the PATH/);
  assert.equal(failure("/opt/reverie", new Missing()), "There is no program /opt/reverie.");
  assert.equal(
    failure("reverie", new Error("it ended\nat x")),
    "“reverie” could not be started: it ended",
  );
});
