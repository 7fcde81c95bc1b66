import assert from "node:assert/strict";
import { test } from "node:test";

import { edited, painted, width, type Hint } from "./paint";

const at = (line: number): Hint => ({ line, label: `· ${line}`, stale: false, tooltip: "" });
const lines = (hints: Hint[]) => hints.map(({ line }) => line);

test("a hint goes with the first key on its line, and no other does", () => {
  const left = edited([at(1), at(4), at(9)], { first: 4, last: 4, lines: 1 });

  assert.deepEqual(lines(left), [1, 9]);
});

test("hints below added and removed lines move with their lines", () => {
  assert.deepEqual(lines(edited([at(1), at(9)], { first: 3, last: 3, lines: 4 })), [1, 12]);
  assert.deepEqual(lines(edited([at(1), at(9)], { first: 3, last: 6, lines: 1 })), [1, 6]);
});

test("a hint is what the server says", () => {
  const position = { line: 3, character: 20 };

  assert.deepEqual(painted({ position, label: "· a", tooltip: { value: "b" }, data: { stale: true } }), {
    line: 3,
    label: "· a",
    stale: true,
    tooltip: "b",
  });
  assert.deepEqual(painted({ position, label: "· a" }), { ...at(3), label: "· a" });
});

test("a hint is wide as it is long, but makes no line wider than 80 or by 16", () => {
  const label = "x".repeat(40);

  assert.deepEqual([0, 40, 50, 70, 200].map((column) => width(label, column)), [40, 40, 30, 16, 16]);
  assert.equal(width("· short", 70), 7);
});
