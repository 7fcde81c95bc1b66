/** Many memories: 60 about one name, 2,000 whose phrases stand in one file. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";

import { Rig } from "./rig";

const WINDOW = 50; // lines in which there are at most three hints
const phrase = (n: number) => `ledger${n}`;
const MENTIONS = Array.from({ length: 2000 }, (_, n) => `${phrase(n)} = ${n}`).join("\n");
const SHARED = "def charge_card(order):\n    return order\n\n\ncharge_card(1)\ncharge_card(2)\n";

const rig = new Rig({ files: { "shared.py": SHARED, "mentions.py": MENTIONS }, installed: true });
before(async () => {
  const project = rig.at("project");
  const sixty = Array.from({ length: 60 }, (_, n) => ({
    text: `charge_card rule ${n}: order ${n * 7} of customer ${n * 13} is booked on day ${n}.`,
    project,
  }));
  const thousands = Array.from({ length: 2000 }, (_, n) => ({
    text: `Account ${n} is closed every ${n + 2} days.`,
    project,
    triggers: [phrase(n)],
  }));
  const rows = [...sixty, ...thousands].map((row) => JSON.stringify(row));
  writeFileSync(rig.at("rows.jsonl"), rows.join("\n"));
  rig.reverie("import", "--no-gate", "--no-embed", rig.at("rows.jsonl"));
  await rig.begin();
});
afterEach((context) => rig.shotOfFailure(context));
after(() => rig.end());

test("60 memories that share a name have one hint, at its definition", async () => {
  await rig.open("shared.py");
  const hints = await rig.see((found) => found.length > 0);
  assert.equal(hints.length, 1);
  await rig.shot("sixty-share-a-name");
});

test("of 2,000 memories that a file mentions at most three are shown in a window", async () => {
  await rig.open("mentions.py");
  await rig.goTo(48); // the newest three of these 50 lines
  const hints = await rig.see((found) => found.length > 0 && found[0]?.includes("Account") === true);
  const shown = await rig.page.locator(".view-line").count();
  assert.ok(shown <= WINDOW && hints.length <= 3, `${hints.length} hints on ${shown} lines`);
  await rig.shot("two-thousand-match");
});
