import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "../../src/diff";
import { ago, bytes, distinctNames, toYou, dayName, daysLater, fromIsoDay, inert, isoDay, midnight, titleSaysMore } from "../../src/words";

const NOON = new Date(2026, 10, 29, 12, 0, 0).getTime() / 1000;

test("a moment is said as one would say it", () => {
  const said = [-30, 10, 90, 7_200, 86_400, 3 * 86_400, 40 * 86_400, 400 * 86_400].map((before) => ago(NOON - before, NOON));

  assert.deepEqual(said, [
    "just now", "just now", "1 minute ago", "2 hours ago", "yesterday at 12:00", "Thursday at 12:00", "20 October", "25 October 2025",
  ]);
});

test("a moment to come is said ahead", () => {
  assert.equal(ago(NOON + 3 * 86_400, NOON), "in 3 days");
});

test("a day has a name and comes back from its address", () => {
  const yesterday = daysLater(midnight(NOON), -1);

  assert.equal(dayName(NOON, NOON), "Today");
  assert.equal(dayName(yesterday, NOON), "Yesterday");
  assert.equal(fromIsoDay(isoDay(yesterday)), yesterday);
  assert.equal(fromIsoDay("yesterday"), null);
});

test("characters that steer or turn are shown as such", () => {
  assert.equal(inert("a\u202eb\u0007c\n\td"), "a\ufffdb\ufffdc\n\td");
});

test("a title that only begins the text says nothing more", () => {
  assert.equal(titleSaysMore("Use port 5433…", "Use port 5433 in staging"), false);
  assert.equal(titleSaysMore("Staging", "Use port 5433 in staging"), true);
  assert.equal(titleSaysMore("", "Use port 5433"), false);
});

test("sizes are short", () => {
  assert.deepEqual([1, 999, 1_500, 2_500_000, 14_610_896].map(bytes), ["1 byte", "999 bytes", "2 kB", "2.5 MB", "15 MB"]);
});

test("a difference gives both texts back", () => {
  const before = "The staging database listens on port 5432.";
  const after = "The staging database now listens on port 5433.";

  const pieces = difference(before, after);

  assert.ok(pieces);
  assert.equal(pieces.filter((one) => one.how !== "new").map((one) => one.text).join(""), before);
  assert.equal(pieces.filter((one) => one.how !== "gone").map((one) => one.text).join(""), after);
});

test("texts that share little have no difference word by word", () => {
  assert.equal(difference("one two three four five", "alpha beta gamma delta"), null);
});

test("a text without an end is not compared", () => {
  assert.equal(difference("word ".repeat(50_000), "word"), null);
});

test("the user is you on these pages, but not in what is quoted", () => {
  assert.equal(toYou("a standing rule of the user"), "a standing rule of yours");
  assert.equal(toYou("read in a session, as the user said it"), "read in a session, as you said it");
  assert.equal(toYou("The user said: “the user decided it”."), "You said: “the user decided it”.");
});

test("projects of one name are told apart by where they lie", () => {
  const names = distinctNames(["/home/dev/ferry", "ferry", "/home/ada/ferry", "/home/dev/charts", ""]);

  assert.deepEqual([...names.values()], ["dev/ferry", "ferry", "ada/ferry", "charts", "every project"]);
});
