import assert from "node:assert/strict";
import { test } from "node:test";
import type { Happened, Undo } from "../../src/shapes";
import { again } from "../../src/taken";

function happened(name: string, body: Record<string, unknown>): Happened {
  const undo: Undo = { name, body, words: "" };
  return {
    id: "m2", at: 0, title: "", text: "As it is now.", kind: "", project: null, session: null, said_by: "", origin: "", quotation: "",
    how: "", before: "", before_id: null, ended: null, undo,
  };
}

const WAYS: [string, Record<string, unknown>, string, Record<string, unknown>][] = [
  ["forget", { ids: ["m2"] }, "unforget", { ids: ["m2"] }],
  ["unforget", { ids: ["m2"] }, "forget", { ids: ["m2"] }],
  ["confirm", { ids: ["m2"] }, "refute", { ids: ["m2"] }],
  ["inbox-judge", { verdict: "dropped", ids: ["m2"] }, "inbox-judge", { verdict: "", ids: ["m2"] }],
  ["inbox-judge", { verdict: "", ids: ["m2"] }, "inbox-judge", { verdict: "dropped", ids: ["m2"] }],
  ["reinstate", { ids: ["m1"] }, "reinstate", { ids: ["m1"], by: ["m2"], again: true }],
  ["edit", { id: "m2", undo: true }, "edit", { id: "m2", text: "As it is now." }],
];

for (const [name, body, back, fields] of WAYS) {
  test(`what ${name} ${JSON.stringify(body)} took back on a day is had again by ${back}`, () => {
    assert.deepEqual(again(happened(name, body)), { name: back, fields });
  });
}

test("of a request that the pages do not know there is no way back", () => {
  assert.equal(again(happened("surprise", {})), null);
});
