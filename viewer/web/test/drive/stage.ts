// A real daemon over a home in which sessions were lived, a real view, and a real browser before it.

import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

const run = promisify(execFile);
const ROOT = resolve("..", "..");
const BIN = join(ROOT, ".venv", "bin");
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
// Where it is about noon now: what was lived in the last hours is of today, whenever a test runs.
const AHEAD = 12 - new Date().getUTCHours();
const ZONE = AHEAD ? `Etc/GMT${AHEAD > 0 ? "-" : "+"}${Math.abs(AHEAD)}` : "Etc/UTC";
export const PAGES = ["inbox", "today", "memories", "start", "health"] as const;

export class Stage {
  private view: ChildProcess | null = null;
  private browser: Browser | null = null;
  readonly problems: string[] = [];
  address = "";

  private constructor(readonly home: string) {}

  /** `history`: the sessions to be lived; null: an empty home. */
  static async open(history: string | null): Promise<Stage> {
    const stage = new Stage(mkdtempSync(join(tmpdir(), "reverie-view-")));
    if (history) {
      await run(join(BIN, "python"), ["-m", "tests.viewer.life", stage.home, resolve(history), "--words"], { cwd: ROOT, env: stage.environment });
    }
    await stage.reverie("up");
    await stage.serve();
    stage.browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
    return stage;
  }

  async close(): Promise<void> {
    await this.browser?.close();
    this.view?.kill("SIGINT");
    await this.reverie("down").catch(() => undefined);
    rmSync(this.home, { recursive: true, force: true });
  }

  private get environment(): NodeJS.ProcessEnv {
    return { ...process.env, REVERIE_HOME: this.home, TZ: ZONE };
  }

  async reverie(...words: string[]): Promise<string> {
    const done = await run(join(BIN, "reverie"), words, { env: this.environment, cwd: this.home, maxBuffer: 1 << 26 });
    return done.stdout;
  }

  /** What an agent of a session in the project `ferry` is told to a prompt, through the hook. */
  async prompt(text: string): Promise<string> {
    const event = { session_id: "view-stage", transcript_path: "", cwd: "/home/dev/ferry", hook_event_name: "UserPromptSubmit", prompt: text };
    const done = run(join(BIN, "reverie"), ["hook", "claude"], { env: this.environment, cwd: this.home });
    done.child.stdin?.end(JSON.stringify(event));
    return (await done).stdout;
  }

  async json<T>(...words: string[]): Promise<T> {
    return JSON.parse(await this.reverie(...words, "--json")) as T;
  }

  private async serve(): Promise<void> {
    const view = spawn(join(BIN, "reverie"), ["view", "--no-open"], { env: this.environment, stdio: ["ignore", "pipe", "inherit"] });
    this.view = view;
    this.address = await new Promise<string>((found, failed) => {
      let said = "";
      view.stdout?.on("data", (part: Buffer) => {
        said += part.toString();
        const address = /http:\/\/\S+/.exec(said);
        if (address) found(address[0]);
      });
      view.on("exit", () => failed(new Error(`the view ended: ${said}`)));
    });
  }

  /** A browser that was let in; further pages of it need no token. */
  async context(theme: "light" | "dark" = "light", size = { width: 1280, height: 860 }): Promise<BrowserContext> {
    assert.ok(this.browser);
    const context = await this.browser.newContext({ colorScheme: theme, viewport: size, reducedMotion: "reduce", timezoneId: ZONE });
    context.on("page", (page) => {
      page.on("pageerror", (error) => this.problems.push(`${page.url()}: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error") this.problems.push(`${page.url()}: ${message.text()}`);
      });
    });
    if (!this.cookies) {
      const page = await context.newPage();
      await page.goto(this.address);
      this.cookies = await context.cookies();
      await page.close();
    } else {
      await context.addCookies(this.cookies);
    }
    return context;
  }

  private cookies: Awaited<ReturnType<BrowserContext["cookies"]>> | null = null;

  get origin(): string {
    return new URL(this.address).origin;
  }

  async page(context: BrowserContext, hash: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${this.origin}/#${hash}`);
    return page;
  }
}

/** What each page shows when it is there. */
export const THERE: Record<(typeof PAGES)[number], string> = {
  inbox: ".note",
  today: ".entry",
  memories: ".row-title",
  start: ".told-row",
  health: ".card.reader",
};

export function settle(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

export const PATIENCE = 20_000; // ms; the machine may be busy

/** A page of which the content is there. */
export async function open(stage: Stage, context: BrowserContext, name: (typeof PAGES)[number]): Promise<Page> {
  const page = await stage.page(context, name);
  await page.waitForSelector(THERE[name]);
  return page;
}

/** Wait until what was done is told. */
export async function toast(page: Page, words: string | RegExp): Promise<void> {
  await page.locator(".toast", { hasText: words }).waitFor();
}
