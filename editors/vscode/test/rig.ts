/**
 * A real VS Code (code-server) in a headless Chromium, with the extension as it is packaged, the real
 * language server and the real daemon, in folders of its own. `docs/testing.md` says how to get the
 * programs; `CODE_SERVER`, `CHROMIUM`, `REVERIE` and `SHOTS` say where they are and pictures go.
 */

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

import { chromium, type Browser, type Locator, type Page } from "playwright-core";

const { CODE_SERVER = "", CHROMIUM = "/usr/bin/chromium", REVERIE = "", SHOTS = "shots" } = process.env;
const HOOK = resolve("../../hooks/hook.sh");
const EXTENSION = resolve("reverie-0.1.0.vsix");
export const PATIENCE = 40_000; // milliseconds: a busy machine needs half a minute to begin

// A string: it runs in the page.
const PAINTED = `[...document.querySelectorAll(".view-line span")]
  .map((one) => getComputedStyle(one, "::after").content)
  .filter((text) => text.includes("· "))
  .map((text) => text.replace(/^"|"$/g, "").replaceAll("\u00a0", " ").trim())`;

export interface Wanted {
  files: Record<string, string>;
  /** Whether the program is where its installers put it, from the beginning. */
  installed: boolean;
  /** Settings of the daemon: `REVERIE_…`. */
  settings?: Record<string, string>;
}

export class Rig {
  readonly folder = mkdtempSync(join(tmpdir(), "rvc-"));
  readonly program: string;
  private readonly env: NodeJS.ProcessEnv;
  private server: ChildProcess | undefined;
  private browser: Browser | undefined;
  private opened: Page | undefined;

  constructor(wanted: Wanted) {
    this.program = this.at(wanted.installed ? "home/.local/bin" : "tools", "reverie");
    this.env = {
      HOME: this.at("home"),
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      LANG: "C.UTF-8",
      REVERIE_HOME: this.at("data"),
      ...wanted.settings,
      // A gallery that nobody serves: else it asks one on the internet.
      EXTENSIONS_GALLERY: '{"serviceUrl":"http://127.0.0.1:9"}',
    };
    for (const name of ["home/.local/bin", "data", "tools", "project", "user/User"]) {
      mkdirSync(this.at(name), { recursive: true });
    }
    writeFileSync(this.program, `#!/bin/sh\nexec ${REVERIE} "$@"\n`, { mode: 0o755 });
    for (const [name, text] of Object.entries(wanted.files)) {
      writeFileSync(this.at("project", name), text);
    }
    execFileSync("git", ["init", "-q"], { cwd: this.at("project") });
    const settings = {
      "editor.minimap.enabled": false,
      "files.simpleDialog.enable": true,
      "telemetry.telemetryLevel": "off",
      "workbench.secondarySideBar.defaultVisibility": "hidden",
      "workbench.startupEditor": "none",
      "workbench.tips.enabled": false,
    };
    writeFileSync(this.at("user/User/settings.json"), JSON.stringify(settings));
    writeFileSync(this.at("config.yaml"), "");
  }

  at(...names: string[]): string {
    return join(this.folder, ...names);
  }

  get page(): Page {
    if (!this.opened) {
      throw new Error("VS Code is not open");
    }
    return this.opened;
  }

  get input(): Locator {
    return this.page.locator(".quick-input-widget input.input");
  }

  /** Run `reverie` in the project; its output. */
  reverie(...args: string[]): string {
    const { env, program: file } = this;
    return execFileSync(file, args, { cwd: this.at("project"), env, encoding: "utf8" });
  }

  /** Say something in an agent's session in the project, as its hook does; what the agent is told. */
  say(prompt: string): string {
    const cwd = this.at("project");
    const event = { hook_event_name: "UserPromptSubmit", session_id: "s1", cwd, prompt };
    const hook = [HOOK, "claude"];
    const options = { cwd, env: this.env, input: JSON.stringify(event), encoding: "utf8" } as const;
    return execFileSync("/bin/sh", hook, options);
  }

  async begin(): Promise<void> {
    const port = await freePort();
    const entry = join(CODE_SERVER, "node_modules/code-server/out/node/entry.js");
    const folders = ["--user-data-dir", this.at("user"), "--extensions-dir", this.at("extensions")];
    const base = [entry, "--config", this.at("config.yaml"), ...folders];
    execFileSync(process.execPath, [...base, "--install-extension", EXTENSION], { env: this.env });
    const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
    const serving = ["--bind-addr", `127.0.0.1:${port}`, "--auth", "none"];
    this.server = spawn(process.execPath, [...base, ...serving, ...quiet], {
      env: this.env,
      stdio: "ignore",
      detached: true, // a group of its own, which is ended as one
    });
    this.browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    });
    this.opened = await this.browser.newPage({ viewport: { width: 1100, height: 640 } });
    this.opened.setDefaultTimeout(PATIENCE);
    const url = `http://127.0.0.1:${port}/?folder=${this.at("project")}`;
    for (let tries = 0; !(await this.opened.goto(url).catch(() => null))?.ok(); tries++) {
      if (tries > 100) {
        throw new Error("code-server does not serve");
      }
      await pause(300);
    }
    await this.page.locator(".monaco-workbench").waitFor();
  }

  async end(): Promise<void> {
    await this.browser?.close();
    if (this.server?.pid) {
      process.kill(-this.server.pid, "SIGKILL");
    }
    this.reverie("down");
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async open(file: string): Promise<void> {
    await this.page.keyboard.press("Control+P");
    await this.input.fill(file);
    await this.row(file).first().waitFor();
    await this.page.keyboard.press("Enter");
    await this.page.locator(".tab.active", { hasText: file }).waitFor();
    await this.page.locator(".editor-instance .view-lines:visible").first().waitFor();
  }

  /** Carry out a command of the palette by its title. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press("F1");
    await this.input.fill(`>${title}`);
    await this.row(title).first().waitFor();
    await this.page.keyboard.press("Enter");
  }

  /** Go to a line, from 1. */
  async goTo(line: number): Promise<void> {
    await this.page.keyboard.press("Control+G");
    await this.input.fill(`:${line}`);
    await this.page.keyboard.press("Enter");
  }

  /** Fill a box that VS Code fills first, once it has done so. */
  async replace(input: Locator, text: string): Promise<void> {
    for (let before = ""; !before; before = await input.inputValue()) {
      await pause(100);
    }
    await input.fill(text);
  }

  row(text: string): Locator {
    return this.page.locator(".quick-input-list .monaco-list-row", { hasText: text });
  }

  button(text: string): Locator {
    return this.page.locator(".notifications-toasts .monaco-button", { hasText: text });
  }

  status(text: string | RegExp): Locator {
    return this.page.locator("[id='reverie.reverie.reverie']", { hasText: text });
  }

  /** Texts of the hints that are painted now, from the top. */
  async hints(): Promise<string[]> {
    return this.page.evaluate<string[]>(PAINTED);
  }

  /** Wait until the painted hints are these. */
  async see(check: (hints: string[]) => boolean): Promise<string[]> {
    const until = Date.now() + PATIENCE;
    let found = await this.hints();
    while (!check(found)) {
      if (Date.now() > until) {
        throw new Error(`the hints are ${JSON.stringify(found)}`);
      }
      await pause(50);
      found = await this.hints();
    }
    return found;
  }

  async shotOfFailure(context: { name: string; passed?: boolean }): Promise<void> {
    if (context.passed === false) {
      await this.shot(`failed-${context.name.replaceAll(/\W+/g, "-")}`);
    }
  }

  /** Keep a picture of the window. */
  async shot(name: string): Promise<void> {
    mkdirSync(SHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SHOTS, `${name}.png`) });
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}
