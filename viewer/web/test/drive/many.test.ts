// A hundred thousand memories: how soon the list is there, and whether it scrolls without a stutter.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { settle, Stage } from "./stage";

const MANY = Number(process.env.MEMORIES ?? 100_000);
const FRAME = 8; // ms of CPU that the page may take for a frame: half of a display's
const KINDS = ["fact", "decision", "convention", "discovery", "bugfix"];
const THINGS = ["quay", "sailing", "timetable", "refund", "harbour", "passenger", "crew", "mail", "tide", "chart"];

let stage: Stage;

before(async () => {
  stage = await Stage.open(null);
  const file = join(stage.home, "many.jsonl");
  const rows = Array.from({ length: MANY }, (_, place) => {
    const one = THINGS[place % THINGS.length];
    const other = THINGS[(place * 7 + 3) % THINGS.length];
    return JSON.stringify({
      text: `Number ${place}: the ${one} has to do with the ${other}, as settled on day ${place % 997}.`,
      project: place % 3 ? "ferry" : "tide-charts",
      type: KINDS[place % KINDS.length],
    });
  });
  writeFileSync(file, `${rows.join("\n")}\n`);
  await stage.reverie("import", file, "--no-gate", "--no-embed");
});

after(() => stage?.close());

interface Work {
  frames: number;
  longest: number; // ms between two frames, other work of the machine included
  each: number; // ms of CPU a frame: script, style and layout
}

/** The work of the page's thread while something is done. */
async function work(page: Page, done: () => Promise<void>): Promise<Work> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.filter((one) => /^(Script|Layout|RecalcStyle)Duration$/.test(one.name)).reduce((sum, one) => sum + one.value, 0);
  };
  const before = await spent();
  await page.evaluate(() => {
    const seen = window as unknown as { pauses: number[]; looks: boolean };
    seen.pauses = [];
    seen.looks = true;
    let last = performance.now();
    const look = (at: number) => {
      seen.pauses.push(at - last);
      last = at;
      if (seen.looks) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await done();
  const pauses = await page.evaluate(() => {
    const seen = window as unknown as { pauses: number[]; looks: boolean };
    seen.looks = false;
    return seen.pauses.slice(2);
  });
  const each = ((await spent()) - before) * 1000 / pauses.length;
  await session.detach();
  return { frames: pauses.length, longest: Math.round(Math.max(...pauses)), each: Number(each.toFixed(2)) };
}

test("the list of all is there, jumps anywhere and scrolls", async () => {
  const context = await stage.context();
  context.setDefaultTimeout(60_000);
  const warm = await stage.page(context, "memories");
  await warm.waitForSelector(".row-title");
  await warm.close();
  const began = Date.now();
  const page = await stage.page(context, "memories");
  await page.waitForSelector(".row-title");
  const there = Date.now() - began;
  const asked = await page.evaluate(() =>
    performance.getEntriesByType("resource").filter((one) => one.name.includes("/api/")).map((one) => `${one.name.split("/").pop()} ${Math.round(one.duration)} ms`),
  );
  const list = page.locator(".virtual");
  await list.hover();

  const scrolled = await work(page, async () => {
    for (let turn = 0; turn < 60; turn += 1) {
      await page.mouse.wheel(0, 900);
      await settle(16);
    }
  });
  const jumped = await work(page, async () => {
    for (const share of [0.5, 0.9, 0.2, 1]) {
      await list.evaluate((box, at) => (box.scrollTop = (box.scrollHeight - box.clientHeight) * at), share);
      await page.waitForFunction(() => !document.querySelector(".virtual .empty-row"));
    }
  });
  const rows = await page.locator(".virtual li").count();
  const said = await page.locator(".many").innerText();

  console.log(`# ${MANY} memories: there after ${there} ms (${asked.join(", ")}), load ${loadavg()[0]?.toFixed(0)}; scrolling ${JSON.stringify(scrolled)}; jumping ${JSON.stringify(jumped)}; ${rows} rows in the page`);
  assert.match(said, new RegExp(MANY.toLocaleString("en")));
  assert.ok(rows < 60);
  assert.ok(scrolled.each < FRAME, `${scrolled.each} ms`);
  assert.ok(jumped.each < FRAME, `${jumped.each} ms`);
  await context.close();
});

test("words that are typed find among all", async () => {
  const context = await stage.context();
  const page = await stage.page(context, "memories");
  await page.waitForSelector(".row-title");
  await page.keyboard.press("/");
  const began = Date.now();
  await page.keyboard.type("number 4711");
  await page.waitForFunction(() => /Number 4711/.test(document.querySelector(".row-title")?.textContent ?? ""));

  console.log(`# found ${Date.now() - began} ms after the first key of eleven`);
  await context.close();
});
