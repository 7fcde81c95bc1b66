/** A file that decisions are about: the quiet line, its page, a line that is edited, what is said of a selection. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, afterEach, before, test } from "node:test";

import { pause, Rig } from "./rig";

const CODE = [
  '"""Payments."""',
  "",
  "import httpx",
  "",
  "",
  "def charge_card(order):",
  "    return httpx.post(order)",
  "",
  "",
  "def refund_card(order):",
  "    return httpx.put(order)",
  "",
  ...Array.from({ length: 300 }, (_, n) => `limit_${n} = ${n}`),
  "",
].join("\n");

const rig = new Rig({ files: { "pay.py": CODE }, installed: true });
before(async () => {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: rig.at("project") });
  git("add", ".");
  const why = "refund_card waits a day\n\nWe decided so because accounting closes its books at night.";
  git("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "-qm", why);
  rig.reverie("learn", "--git", "--yes");
  rig.reverie("remember", "--project", ".", "charge_card must never be retried: the bank books every call.");
  rig.reverie("remember", "--project", ".", "pay.py is read by the auditors: no clever code in it.");
  await rig.begin();
  await rig.open("pay.py");
});
afterEach((context) => rig.shotOfFailure(context));
after(() => rig.end());

const page = () => rig.page.frameLocator("iframe.webview").frameLocator("iframe");

test("the first line says how many decisions are about the file", async () => {
  await rig.see((found) => found.length === 3 && found[0] === "· 3 decisions about this file");
  await rig.shot("quiet-line");
});

test("an edit of what a decision is about counts at once, in amber", async () => {
  await rig.goTo(7);
  await rig.page.keyboard.press("End");
  await rig.page.keyboard.type("  # twice");
  await rig.see((found) => found[0] === "· 3 decisions about this file · 1 no longer true");
  await rig.shot("quiet-line-stale");
});

test("About this file is a page beside it, with who, when, the commit and a line to go to", async () => {
  await rig.command("reverie: About this file");
  await page().locator("h1", { hasText: "About pay.py" }).waitFor();
  await page().locator("p", { hasText: /from commit [0-9a-f]{7} by Ann/ }).waitFor();
  await page().locator("strong", { hasText: "No longer true?" }).waitFor();
  await rig.shot("about-this-file");
  await page().locator("a", { hasText: "pay.py:10" }).click();
  await rig.page.locator("[id='status.editor.selection']", { hasText: "Ln 10," }).waitFor();
});

test("a press on the page is kept, and the page follows", async () => {
  await page().locator("a", { hasText: "Forget" }).last().click();
  const told = () => page().locator("p", { hasText: "2 decisions about this file" }).count();
  for (let tries = 0; (await told().catch(() => 0)) === 0; tries++) {
    assert.ok(tries < 100, "the page did not follow"); // its frame is another one when it does
    await pause(200);
  }
  await rig.shot("about-after-forget");
  await rig.page.locator(".view-line").first().click(); // a page that follows lets no key through
  await rig.command("Notifications: Clear All Notifications");
});

test("what is said about a selection is remembered at its line", async () => {
  await rig.command("View: Close All Editors");
  await rig.open("pay.py");
  await rig.goTo(3);
  await rig.page.keyboard.press("Shift+End");
  await rig.command("reverie: Remember selection");
  await rig.page.locator(".quick-input-widget", { hasText: "What about it?" }).waitFor();
  await rig.input.fill("Only here: the bank knows this client alone.");
  await pause(500); // it fades in
  await rig.shot("remember-selection");
  await rig.page.keyboard.press("Enter");
  await rig.see((found) => found.some((hint) => hint.includes("Only here")));
  await rig.shot("remembered-selection");
});
