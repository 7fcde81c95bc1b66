import assert from "node:assert/strict";
import { test } from "node:test";

import { addressIn, commandLine, failure, located, Missing, viewLine } from "./program";

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

test("the pages are served by the program that serves the editor", () => {
  const served = ["view", "--no-open", "--page", "inbox"];

  assert.deepEqual(viewLine(["lsp"], "inbox"), served);
  assert.deepEqual(viewLine(["-m", "daemon.cli", "lsp", "-v"], "inbox"), ["-m", "daemon.cli", ...served]);
  assert.deepEqual(viewLine([], "inbox"), served);
});

test("an address is read once its line is whole", () => {
  const line = "http://127.0.0.1:4711/?token=a-b_c&page=inbox";

  assert.equal(addressIn(`starting the daemon\n${line}`), undefined);
  assert.equal(addressIn(`starting the daemon\n${line}\n`), line);
  assert.equal(addressIn("http://evil.example/?token=a\n"), undefined);
});
