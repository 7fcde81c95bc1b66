import assert from "node:assert/strict";
import { test } from "node:test";
import type { Considered, Telling } from "../../src/shapes";
import { outcome, reason } from "../../src/telling";

function weighed(fate: string, why: string, became = ""): Considered {
  return { id: "m1", title: "A note", confidence: 0.996, reason: why, fate, characters: 0, used: null, became };
}

function telling(place: string, ...considered: Considered[]): Telling {
  return { session: "s", agent: "claude", project: null, at: 0, place, text: "", answered: true, characters: 0, milliseconds: 0, mode: "both", considered };
}

test("what was not told has its reason once, and no figure beside it", () => {
  const lines = [
    weighed("not close enough", "not close enough"),
    weighed("not close enough", "other notes of its project are as close"),
    weighed("not close enough", "shares words, but is not close in meaning"),
    weighed("left out of the page", "no room"),
    weighed("known in this session", "close in meaning and words"),
  ].map((one) => reason(telling("prompt", one), one));

  assert.deepEqual(lines, [
    "not told: not close enough", "not told: other notes of its project are as close",
    "not told: shares words, but is not close in meaning", "not told: no room", "not told: known in this session",
  ]);
});

test("a figure stands only beside what was told to a prompt: at a start it is no sureness", () => {
  const told = weighed("told", "the user decided it", "nothing yet");
  const lines = ["prompt", "session_start"].map((place) => reason(telling(place, told), told));

  assert.deepEqual(lines, ["told: you decided it; not used · 100 % sure", "told: you decided it; not used"]);
});

test("a silence is told by what the closest lacks", () => {
  const whys = [
    telling("prompt"),
    telling("prompt", weighed("not close enough", "not close enough")),
    telling("prompt", weighed("not close enough", "only an outright question is told it")),
    telling("prompt", weighed("known in this session", "close in meaning and words")),
    { ...telling("prompt"), answered: false },
  ].map((one) => outcome(one).why);

  assert.deepEqual(whys, [
    "nothing known comes close",
    "nothing known is close enough",
    "only an outright question (what is, was or why) is told what comes close",
    "the session knows already what bears on it",
    "nothing was looked for",
  ]);
});
