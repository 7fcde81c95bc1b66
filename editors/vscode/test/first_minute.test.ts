/** The first minute: the program is not there, is named, is ended and comes back. */

import { after, afterEach, before, test } from "node:test";

import { Rig } from "./rig";

const CODE = "import httpx\n\n\ndef charge_card(order):\n    return httpx.post(order)\n";

const rig = new Rig({ files: { "pay.py": CODE }, installed: false });
before(() => rig.begin());
afterEach((context) => rig.shotOfFailure(context));
after(() => rig.end());

test("without the program there is one message with what to do", async () => {
  await rig.open("pay.py");
  await rig.button("Locate…").waitFor();
  await rig.button("How to install").waitFor();
  await rig.status("reverie").waitFor();
  await rig.shot("first-start-without-the-program");
});

test("how to install is a page of the extension", async () => {
  await rig.button("How to install").click();
  const page = rig.page.frameLocator("iframe.webview").frameLocator("iframe");
  await page.locator("h1", { hasText: "How to install reverie" }).waitFor();
  await rig.shot("how-to-install");
});

test("locating the program starts it without a reload", async () => {
  await rig.command("reverie: Locate the program");
  await rig.page.locator(".quick-input-title", { hasText: "The program reverie" }).waitFor();
  await rig.replace(rig.input, rig.program);
  await rig.row("reverie").first().waitFor();
  await rig.shot("locating");
  await rig.page.keyboard.press("Enter");
  await rig.status("0").waitFor();
  await rig.shot("located");
});

test("a memory that is kept is shown at its definition", async () => {
  rig.reverie("remember", "--project", ".", "charge_card must never be retried: the bank books every call.");
  await rig.command("View: Close All Editors"); // while the page has the keys, Ctrl+P is its own
  await rig.open("pay.py");
  await rig.see((hints) => hints.length === 1 && /must never be retried/.test(hints[0] ?? ""));
  await rig.shot("a-hint");
});
