/** The life of the language server: started, started anew, ended, and what it last said. */

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  State,
  type MessageActionItem,
  type ShowMessageRequestParams,
} from "vscode-languageclient/node";

import { Client } from "./client";
import { commandLine, failure, located, Missing } from "./program";
import { OFF, type Status } from "./status";

const BUTTONS = 3; // of a message: more of them cover what they are about

export class Server {
  private client: Client | undefined;
  private changing: Promise<void> = Promise.resolve();
  private readonly told = new vscode.EventEmitter<Status>();
  private readonly began = new vscode.EventEmitter<Client>();
  private readonly failed = new vscode.EventEmitter<string>();

  /** What the daemon's state is now. */
  readonly onStatus = this.told.event;
  /** A server runs. */
  readonly onStarted = this.began.event;
  /** It could not be started; the reason in one line. */
  readonly onFailed = this.failed.event;

  status: Status = OFF;

  /** `show` opens a page of ours, by its address. */
  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly show: (address: string) => Promise<void>,
  ) {}

  /** The client, while its server runs. */
  get running(): Client | undefined {
    return this.client?.isRunning() ? this.client : undefined;
  }

  /** Start the server, anew if it runs, with the command of the settings. */
  restart(): Promise<void> {
    this.changing = this.changing.then(() => this.renew());
    return this.changing;
  }

  async end(): Promise<void> {
    await this.changing;
    await this.client?.end();
  }

  /** Have the server carry out one of its commands; without a server the user is told so. */
  async execute<T>(command: string, argument: object): Promise<T | undefined> {
    const client = this.running;
    if (!client) {
      void vscode.window.showWarningMessage("reverie: the language server does not run.");
      return undefined;
    }
    return client.sendRequest("workspace/executeCommand", { command, arguments: [argument] });
  }

  private async renew(): Promise<void> {
    await this.client?.end();
    this.client = undefined;
    this.tell({ ...OFF, state: "starting" });
    const [named] = commandLine(setting());
    try {
      const [path, args] = program();
      await this.start(new Client(path, args, this.log, this.show));
    } catch (problem) {
      const reason = failure(named, problem);
      this.log.error(reason);
      this.tell({ ...OFF, detail: reason });
      this.failed.fire(reason);
    }
  }

  private async start(client: Client): Promise<void> {
    this.client = client;
    client.onNotification("reverie/status", (status: Status) => this.tell(status));
    client.onRequest("reverie/ask", async (about: { prompt: string }) =>
      (await vscode.window.showInputBox(about)) ?? null,
    );
    client.onRequest("window/showMessageRequest", choose); // in place of the library's
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped && this.client === client) {
        this.tell(OFF);
      } else if (newState === State.Running) {
        this.began.fire(client); // also when the library began it anew after a crash
      }
    });
    await client.start();
  }

  private tell(status: Status): void {
    this.status = status;
    this.told.fire(status);
  }
}

/** The program of the settings, where it is, and its arguments. Throws `Missing`. */
export function program(): [string, string[]] {
  const [named, args] = commandLine(setting());
  const path = located(named, process.env["PATH"] ?? "", homedir(), isProgram);
  if (!path) {
    throw new Missing();
  }
  return [path, args];
}

function setting(): unknown {
  return vscode.workspace.getConfiguration("reverie").get("command");
}

/** Have one of a few choices made in a message, one of many in a list. */
async function choose(asked: ShowMessageRequestParams): Promise<MessageActionItem | null> {
  const titles = (asked.actions ?? []).map(({ title }) => title);
  const title = await (titles.length > BUTTONS
    ? vscode.window.showQuickPick(titles, { title: asked.message })
    : vscode.window.showInformationMessage(asked.message, ...titles));
  return title === undefined ? null : { title };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
