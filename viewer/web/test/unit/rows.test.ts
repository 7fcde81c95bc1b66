import assert from "node:assert/strict";
import { test } from "node:test";
import type { ask } from "../../src/api";
import { blocks } from "../../src/page_text";
import { PAGE, Rows } from "../../src/rows";
import type { Considered, Telling } from "../../src/shapes";
import { outcome } from "../../src/telling";
import { windowOf } from "../../src/windows";

type Asked = { name: string; fields: Record<string, unknown> };

/** A store of so many memories, and what it was asked. */
function store(many: number): { asked: Asked[]; question: typeof ask } {
  const asked: Asked[] = [];
  const question = ((name: string, fields: Record<string, unknown>) => {
    asked.push({ name, fields });
    const from = Number(fields.offset ?? fields.after ?? 0);
    const last = Math.min(many, from + Number(fields.limit));
    const memories = Array.from({ length: last - from }, (_, place) => ({ id: `m${from + place}` }));
    const isFiltered = "query" in fields;
    return Promise.resolve({ memories, after: last < many ? String(last) : null, total: isFiltered || from ? null : many, at: 0 });
  }) as unknown as typeof ask;
  return { asked, question };
}

const settled = () => new Promise((done) => setTimeout(done, 0));

test("any place of all memories is asked for by itself", async () => {
  const { asked, question } = store(100_000);
  const rows = new Rows({}, () => undefined, question);
  await settled();
  rows.need(50_000, 50_020);
  await settled();

  assert.equal(rows.length, 100_000);
  assert.equal(rows.at(50_010)?.id, "m50010");
  assert.equal(rows.place("m50010"), 50_010);
  assert.equal(asked.length, 2);
});

test("who scrolls faster than answers come sees at last where they stopped", async () => {
  const { question } = store(100_000);
  const rows = new Rows({}, () => undefined, question);
  await settled();
  for (let place = 10_000; place <= 80_000; place += 10_000) rows.need(place, place + 20);
  await settled();
  await settled();

  assert.equal(rows.at(80_010)?.id, "m80010");
});

test("what is narrowed down is asked for page by page, until its end", async () => {
  const { asked, question } = store(PAGE + 30);
  const rows = new Rows({ query: "quay" }, () => undefined, question);
  await settled();
  assert.equal(rows.many, null);
  rows.need(0, PAGE);
  await settled();
  rows.need(PAGE, PAGE + 30);
  await settled();

  assert.equal(rows.many, PAGE + 30);
  assert.equal(rows.length, PAGE + 30);
  assert.equal(rows.at(PAGE + 29)?.id, `m${PAGE + 29}`);
  assert.equal(asked.length, 2);
});

test("a list that was left says nothing any more", async () => {
  const { question } = store(10);
  let times = 0;
  const rows = new Rows({}, () => (times += 1), question);
  rows.leave();
  await settled();

  assert.equal(times, 0);
});

test("of a long list only what is in sight is there", () => {
  const seen = windowOf(50_000 * 66, 600, 66, 100_000);

  assert.ok(seen.first < 50_000 && seen.first > 49_900);
  assert.ok(seen.last > 50_009 && seen.last - seen.first < 40);
  assert.deepEqual(windowOf(0, 600, 66, 3), { first: 0, last: 3 });
});

test("a page of a start is cut into its items, each with its note", () => {
  const page = [
    "<reverie-notes>", "Standing wishes of the user.", "- No abbreviations (m7: the user, today)", "- Two lines", "  of one item (m8: the user, 2 days ago)",
    "</reverie-notes>", "<reverie-notes>", "Further notes.", "- m1v Changes go on a branch", "</reverie-notes>",
  ].join("\n");

  const found = blocks(page);

  assert.deepEqual(found.map((block) => block.intro), ["Standing wishes of the user.", "Further notes."]);
  assert.deepEqual(found[0]?.items, [
    { text: "No abbreviations", id: "m7", about: "the user, today" },
    { text: "Two lines\nof one item", id: "m8", about: "the user, 2 days ago" },
  ]);
  assert.deepEqual(found[1]?.items, [{ text: "Changes go on a branch", id: "m1v", about: "" }]);
});

function telling(fates: string[], became = "nothing yet", answered = true): Telling {
  const considered = fates.map((fate, place) => ({ id: `m${place}`, fate, became, reason: "", confidence: 0.5, title: "", characters: 0, used: null }) as Considered);
  return { session: "s", agent: "claude", project: null, at: 0, place: "prompt", text: "", answered, characters: 0, milliseconds: 1, mode: "both", considered };
}

test("a prompt that was told something was told it with or without use", () => {
  assert.equal(outcome(telling(["told"], "cited")).used.length, 1);
  assert.equal(outcome(telling(["told"])).used.length, 0);
  assert.equal(outcome(telling(["told"])).why, "");
});

test("a prompt that was told nothing has its reason", () => {
  assert.equal(outcome(telling([], "", false)).why, "nothing was looked for");
  assert.equal(outcome(telling([])).why, "nothing known comes close");
  assert.equal(outcome(telling(["known in this session"], "")).why, "the session knows already what bears on it");
  assert.equal(outcome(telling(["over the budget"], "")).why, "over the budget");
});
