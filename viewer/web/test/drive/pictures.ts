// Pictures of every page in both themes, of an invented history, into docs/pictures.
//
//     make viewer-pictures

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { packed } from "./png";
import { settle, Stage, THERE } from "./stage";

const FOLDER = resolve("..", "..", "docs", "pictures");
const MOST = 150_000; // bytes of a picture
const ANSWERS = 24;
const SIZE = { width: 1280, height: 860 };

// Said in a session of today through the real hook: answers of a lived history take no time.
const PROMPTS = ["What do passengers get back when a storm cancels their sailing?", "Until when does somebody move up from the waiting list?", "Thanks!"];

const BEFORE: Record<string, (page: Page) => Promise<void>> = {
  inbox: async (page) => {
    await page.keyboard.press("j");
  },
  today: async (page) => {
    await page.locator(".telling", { has: page.locator(".mark.warn, .mark.good") }).first().locator("summary").click().catch(() => undefined);
    await page.evaluate(() => scrollTo(0, 0));
  },
  memories: async (page) => {
    await page.locator(".row", { hasText: "Refunds" }).first().click();
    await page.waitForSelector(".detail canvas");
  },
  start: async () => undefined,
  health: async (page) => {
    await page.waitForSelector(".verdict:not(.looking)");
  },
};

async function main(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const stage = await Stage.open("test/history");
  try {
    await stage.reverie("backup", "now");
    for (const prompt of PROMPTS) await stage.prompt(prompt);
    await taken(stage, ["inbox", "today", "memories", "start"]);
    // More real answers than lived ones, so that it is these that the figures are of.
    for (let turn = 0; turn < ANSWERS; turn += 1) await stage.prompt(PROMPTS[turn % PROMPTS.length] as string);
    await taken(stage, ["health"]);
  } finally {
    await stage.close();
  }
}

async function taken(stage: Stage, names: (keyof typeof THERE)[]): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    const context = await stage.context(theme, SIZE);
    for (const name of names) {
      const page = await stage.page(context, name);
      await page.waitForSelector(THERE[name]);
      await settle(500);
      await BEFORE[name]?.(page);
      await settle(500);
      const path = join(FOLDER, `view-${name}-${theme}.png`);
      const picture = packed(await page.screenshot());
      writeFileSync(path, picture);
      const size = picture.length;
      if (size > MOST) throw new Error(`${path} has ${size} bytes`);
      console.log(`${name}, ${theme}: ${size} bytes`);
      await page.close();
    }
    await context.close();
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
