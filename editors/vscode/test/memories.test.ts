/** A file with memories: painted, typed over, hovered, searched, and through a daemon's death. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";

import { pause, Rig } from "./rig";

const RULE = "charge_card must never be retried: the bank books every call, and twice was paid back";
const CODE = [
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
].join("\n");

const rig = new Rig({ files: { "pay.py": CODE }, installed: true });
before(async () => {
  rig.reverie("remember", "--project", ".", RULE);
  rig.reverie("remember", "--project", ".", "refund_card waits a day, accounting asked for it.");
  await rig.begin();
  await rig.open("pay.py");
});
afterEach((context) => rig.shotOfFailure(context));
after(() => rig.end());

test("a memory is painted once, behind its definition", async () => {
  const hints = await rig.see((found) => found.length === 2);
  assert.match(hints[0] ?? "", /^· must never be retried/);
  await rig.shot("hints");
});

test("the first key on the line takes its hint away, and quiet brings it back", async () => {
  await rig.goTo(4);
  await rig.page.keyboard.press("End");
  await rig.page.keyboard.type("  ");
  await rig.see((found) => found.length === 1);
  await rig.shot("while-typing");
  await rig.page.keyboard.press("Backspace");
  await rig.page.keyboard.press("Backspace");
  await rig.see((found) => found.length === 2);
  await rig.shot("after-typing");
});

test("a memory about what was changed is amber", async () => {
  await rig.goTo(9);
  await rig.page.keyboard.press("End");
  await rig.page.keyboard.type("  # another day");
  await rig.see((found) => found.some((hint) => hint.includes("stale")));
  await rig.shot("stale");
});

test("a hover says what is remembered, and its links work", async () => {
  await rig.goTo(4);
  const word = rig.page.locator(".view-line", { hasText: "def charge_card" });
  const box = await word.boundingBox();
  assert.ok(box);
  await rig.page.mouse.move(box.x + 60, box.y + box.height / 2);
  const hover = rig.page.locator(".monaco-hover:not(.hidden)", { hasText: "must never be retried" });
  await hover.first().waitFor();
  await rig.shot("hover");
  await hover.locator("a", { hasText: "Useful" }).first().click();
  await rig.page.locator(".notifications-toasts", { hasText: "Noted: useful." }).waitFor();
  await rig.shot("hover-useful");
});

test("a hover over the end of the hint says the same", async () => {
  const box = (text: string) => rig.page.locator(".view-line > span", { hasText: text }).boundingBox();
  const [code, line] = ["    return httpx.post(order)", "def charge_card(order):"];
  const [plain, hinted] = [await box(code.trim()), await box(line)];
  assert.ok(plain && hinted);
  const [label = ""] = await rig.hints();
  const end = (`${line}  ${label}`.length - 2) * (plain.width / code.length);
  await rig.page.keyboard.press("Escape"); // the hover of the name has the keys since the press
  await rig.page.mouse.move(700, 500);
  await rig.page.locator(".monaco-hover:visible").waitFor({ state: "detached" });
  await rig.page.mouse.move(hinted.x + end, hinted.y + hinted.height / 2, { steps: 4 });
  await rig.page
    .locator(".monaco-hover:not(.hidden)", { hasText: "must never be retried" })
    .first()
    .waitFor();
  await rig.shot("hover-of-the-hint");
  await rig.page.mouse.move(700, 500);
});

test("what to do about a memory is chosen from a list, and not from a row of buttons", async () => {
  await rig.goTo(4);
  await rig.command("Quick Fix...");
  await rig.page.locator(".action-widget", { hasText: "Memory: “charge_card must never" }).waitFor();
  await rig.page.keyboard.press("Enter");
  await rig.page.locator(".quick-input-title", { hasText: "Memory: “charge_card must" }).waitFor();
  assert.equal(await rig.page.locator(".quick-input-list .monaco-list-row").count(), 6);
  await rig.shot("what-to-do-about-a-memory");
  await rig.row("Pin").click();
  await rig.page.locator(".notifications-toasts", { hasText: "Pinned: it does not fade." }).waitFor();
});

test("why a memory is shown is a page with buttons, and a press is kept", async () => {
  await rig.goTo(4);
  await rig.command("reverie: Why this memory?");
  await rig.page.locator(".tab", { hasText: "charge_card must never be retried" }).waitFor();
  const page = rig.page.frameLocator("iframe.webview").frameLocator("iframe");
  await page.locator("h1", { hasText: "charge_card must never be retried" }).waitFor();
  await rig.shot("page-of-a-memory");
  await page.locator("button", { hasText: "Useful" }).first().click();
  await rig.page.locator(".notifications-toasts", { hasText: "Noted: useful." }).waitFor();
  await rig.command("View: Close All Editors"); // while the page has the keys, Ctrl+P is its own
  await rig.open("pay.py");
});

test("a search is a page of what is remembered about the words", async () => {
  await rig.command("reverie: Search memories");
  await rig.input.fill("twice was paid");
  await rig.page.keyboard.press("Enter");
  const page = rig.page.frameLocator("iframe.webview").frameLocator("iframe");
  await page.locator("code", { hasText: "must never be retried" }).first().waitFor();
  await rig.shot("search");
  await rig.command("View: Close All Editors");
  await rig.open("pay.py");
});

test("the status item opens a menu", async () => {
  await rig.status("2").click();
  await rig.row("Search memories").waitFor();
  await rig.shot("menu");
  await rig.page.keyboard.press("Escape");
});

test("a daemon that is killed while 200 keys are typed is back within seconds", async () => {
  await rig.goTo(1);
  await rig.page.keyboard.press("End");
  const { pid } = JSON.parse(rig.reverie("status", "--json")) as { pid: number };
  process.kill(pid, "SIGKILL");
  await rig.page.keyboard.type(`  # ${"reverie ".repeat(25)}`.slice(0, 200));
  await rig.see((found) => found.length === 2);
  await rig.page.keyboard.press("Control+Home");
  await rig.command("Notifications: Clear All Notifications");
  await rig.shot("killed-while-typing");
  const after = JSON.parse(rig.reverie("status", "--json")) as { pid: number };
  assert.notEqual(after.pid, pid);
});

test("a daemon that was told to leave stays away until it is wanted", async () => {
  rig.reverie("down");
  await rig.see((found) => found.length === 0);
  await pause(5_000);
  await rig.status("–").waitFor();
  await rig.shot("told-to-leave");
  await rig.command("reverie: Restart the language server");
  await rig.see((found) => found.length === 2);
});
