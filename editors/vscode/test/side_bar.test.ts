/** The side bar after a session, a dream and a plan; the page of the plan; the walkthrough. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";

import { pause, Rig } from "./rig";

// The archivist proposes at once what was shown and not used.
const settings = {
  REVERIE_ARCHIVIST_EVERY: "0.5",
  REVERIE_ARCHIVIST_AGE_DAYS: "1e-9",
  REVERIE_ARCHIVIST_SHOWN: "1",
};
const rig = new Rig({ files: { "pay.py": "import httpx\n" }, installed: true, settings });
before(async () => {
  rig.reverie("remember", "--project", ".", "The staging database listens on port 5433.");
  rig.reverie("remember", "--project", ".", "The linter is ruff: it reads pay.py and the tests.");
  rig.reverie("remember", "--project", ".", "Retries of a payment have a budget of three.");
  rig.reverie("remember", "--project", ".", "A payment is never retried at night: the staging database is down.");
  rig.reverie("intend", "--on-file", "*.sql", "Ask Ann to look at the migration.");
  // A hook is silent when the answer is late, as on a busy machine.
  const isTold = () => rig.say("which port is the staging database on?").includes("5433");
  assert.ok([1, 2, 3, 4, 5, 6, 7, 8].some(isTold), "the hook told nothing in eight prompts");
  await rig.begin();
  await rig.open("pay.py");
});
afterEach((context) => rig.shotOfFailure(context));
after(() => rig.end());

const row = (text: string) => rig.page.locator(".pane-body .monaco-list-row", { hasText: text });

test("the side bar has what a session attends to, the plans and dreams, and what is intended", async () => {
  await rig.command("reverie: Dream now");
  await rig.page.locator(".notifications-toasts", { hasText: /Dream \d+/ }).waitFor();
  await rig.page.locator(".activitybar .action-label[aria-label='reverie']").click();
  await row("listens on port 5433").waitFor();
  await row("Dream 1").waitFor();
  await row("Plan 1").waitFor();
  await row("Ask Ann").waitFor();
  await rig.command("Notifications: Clear All Notifications");
  await pause(500); // the palette fades out
  await rig.shot("side-bar");
});

test("a plan is a page with buttons", async () => {
  await row("Plan 1").click();
  const page = rig.page.frameLocator("iframe.webview").frameLocator("iframe");
  await page.locator("button", { hasText: "Apply" }).waitFor();
  await rig.shot("page-of-a-plan");
});

test("an intention that was carried out is gone", async () => {
  await row("Ask Ann").hover();
  await row("Ask Ann").locator("[aria-label='Done']").click();
  await row("Ask Ann").waitFor({ state: "detached" });
});

test("a side bar that nobody answers says so", async () => {
  rig.reverie("down");
  await rig.page.locator(".welcome-view-content", { hasText: "reverie does not run" }).waitFor();
  await rig.shot("side-bar-stopped");
});

test("the walkthrough shows the first steps", async () => {
  await rig.command("View: Close All Editors");
  await rig.command("View: Toggle Primary Side Bar Visibility"); // a narrow page has no pictures
  await rig.command("reverie: Show the first steps");
  await rig.page.locator(".getting-started-step", { hasText: "A decision at its line" }).click();
  await rig.page.locator(".getting-started-media img").waitFor();
  await rig.shot("walkthrough");
});
