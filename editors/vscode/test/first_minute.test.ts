/** The first minute: the program is not there, is named, is ended and comes back. */

import assert from "node:assert/strict";
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
  await rig.page.locator(".tab", { hasText: "Preview INSTALL.md" }).waitFor();
  await rig.shot("how-to-install");
});

test("locating the program starts it without a reload", async () => {
  await rig.command("reverie: Locate the program");
  await rig.page.locator(".quick-input-title", { hasText: "The program reverie" }).waitFor();
  await rig.replace(rig.input, rig.program);
  await rig.row("reverie").first().waitFor();
  await rig.shot("locating");
  await rig.page.keyboard.press("Enter");
  await rig.status("0 · words").waitFor();
  await rig.shot("located");
});

test("a memory that is kept is shown at its definition", async () => {
  rig.reverie("remember", "--project", ".", "charge_card must never be retried: the bank books every call.");
  await rig.open("pay.py");
  const [hint] = await rig.see((hints) => hints.length === 1);
  assert.match(hint ?? "", /must never be retried/);
  await rig.shot("a-hint");
});
