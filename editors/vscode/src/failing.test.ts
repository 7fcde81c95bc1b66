import assert from "node:assert/strict";
import { test } from "node:test";

import { failing, Told } from "./failing";

const at = (line: number, severity = 0) => ({ severity, range: { start: { line } } });

test("errors are told by their lines, each once and in order, and warnings are none", () => {
  assert.deepEqual(failing([at(9), at(2), at(9), at(4, 1), at(5, 3)]), [2, 9]);
  assert.deepEqual(failing([]), []);
});

test("a file is news when its lines are others than were told", () => {
  const told = new Told();

  assert.equal(told.isNew("a", []), false);
  assert.equal(told.isNew("a", [2, 9]), true);
  assert.equal(told.isNew("a", [2, 9]), false);
  assert.equal(told.isNew("b", [2, 9]), true);
  assert.equal(told.isNew("a", []), true);
  told.forget("b");
  assert.equal(told.isNew("b", [2, 9]), true);
});
