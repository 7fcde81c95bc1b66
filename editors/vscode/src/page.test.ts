import assert from "node:assert/strict";
import { test } from "node:test";

import { about, buttons, html, titled } from "./page";

const labels = (kind: string, id: string) => buttons({ kind, id }).map(({ label }) => label);

test("an address says what its page is about", () => {
  assert.deepEqual(about("memory", "/m%207.md"), { kind: "memory", id: "m 7" });
  assert.deepEqual(about("recall", "/why.md"), { kind: "recall", id: "why" });
});

test("a page has the buttons of what can be done", () => {
  assert.deepEqual(labels("memory", "m1"), ["Useful", "Not useful here", "Forget"]);
  assert.deepEqual(labels("recall", "why"), []);
});

test("a tab is the first heading, without marks", () => {
  assert.equal(titled("# charge\\_card is \\*once\\*\n\n## Why"), "charge_card is *once*");
  assert.equal(titled(`# ${"long ".repeat(20)}`).length, 40);
  assert.equal(titled("This cannot be shown now."), "reverie");
});

test("a page loads nothing and runs no script but ours", () => {
  const page = html('<img src="http://a/b">', [], "n1");

  assert.match(page, /default-src 'none'; style-src 'nonce-n1'; script-src 'nonce-n1'/);
  assert.equal(page.match(/<script/g)?.length, 1);
});
