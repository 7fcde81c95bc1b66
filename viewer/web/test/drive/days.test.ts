// A day and the health of the memory, before a real browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { BrowserContext } from "playwright-core";
import { open, PATIENCE, Stage, toast } from "./stage";

let stage: Stage;
let context: BrowserContext;

before(async () => {
  stage = await Stage.open(process.env.DATA ?? "test/history");
  context = await stage.context();
  context.setDefaultTimeout(PATIENCE);
});

after(() => stage?.close());

test("a day has what was learnt, with the words that it comes from", async () => {
  const page = await open(stage, context, "today");

  assert.ok((await page.locator("#learnt .entry").count()) > 0);
  assert.ok((await page.locator("#learnt blockquote").count()) > 0);

  await page.keyboard.press("ArrowLeft");
  await page.locator("h1", { hasText: "Yesterday" }).waitFor();
  await page.locator("#learnt .entry").first().waitFor();
  await page.close();
});

test("a day says why a prompt was told nothing", async () => {
  const page = await open(stage, context, "today");
  const silent = page.locator(".telling", { has: page.locator(".mark", { hasText: "silent" }) }).first();
  await silent.locator("summary").click();

  assert.match(await silent.locator(".weighed p").first().innerText(), /^Told nothing: .+\.$/);
  await page.close();
});

test("a correction is taken back on the day it was made, and that is undone", async () => {
  const page = await open(stage, context, "today");
  const entry = page.locator("#corrected .entry", { has: page.locator("button") }).first();
  const before = await entry.locator("a", { hasText: "What it said before" }).getAttribute("href");
  const old = decodeURIComponent(before?.split("/").pop() ?? "");
  await entry.locator("button").first().click();
  await toast(page, "The former one is back");

  const revived = await stage.json<{ memory: { ended: string | null } }>("show", old);
  await page.keyboard.press("u");
  await toast(page, "Undone");
  const again = await stage.json<{ memory: { ended: string | null } }>("show", old);

  assert.equal(revived.memory.ended, null);
  assert.notEqual(again.memory.ended, null);
  await page.close();
});

test("what is forgotten on its day comes back by a key", async () => {
  const page = await open(stage, context, "today");
  const { id } = await stage.json<{ id: string }>("remember", "The bell is rung at noon.", "--project", "ferry");
  await page.locator(`#learnt [data-entry="${id}"]`).focus();
  const ended = async () => (await stage.json<{ memory: { ended: string | null } }>("show", id)).memory.ended;
  await page.keyboard.press("d");
  await toast(page, "Forgotten");

  const gone = await ended();
  await page.keyboard.press("u");
  await toast(page, "Undone: Forgotten");
  const back = await ended();

  assert.deepEqual([gone, back], ["forgotten", null]);
  await page.close();
});

test("recording is paused and resumed", async () => {
  const page = await open(stage, context, "health");
  await page.locator("button", { hasText: "Pause for 30 minutes" }).click();
  await page.locator("h2", { hasText: "Recording is off" }).waitFor();
  assert.ok((await stage.json<{ recording: string[] }>("status")).recording.length > 0);
  await page.locator("button", { hasText: "Record again" }).click();
  await page.locator("h2", { hasText: "Recording is on" }).waitFor();

  assert.deepEqual((await stage.json<{ recording: string[] }>("status")).recording, []);
  await page.close();
});

test("a backup is made by a button", async () => {
  const page = await open(stage, context, "health");
  const before = (await stage.json<{ backups: unknown[] }>("backup", "list")).backups.length;
  await page.locator(".card button", { hasText: "Back up now" }).click();
  await toast(page, "Backed up");

  assert.ok((await stage.json<{ backups: unknown[] }>("backup", "list")).backups.length >= Math.max(1, before));
  await page.close();
});

test("the browser had nothing to complain of", () => {
  assert.deepEqual(stage.problems, []);
});
