/**
 * reverie in VS Code. What is known and shown is decided by the language server; this starts it,
 * paints its hints, shows the daemon's state, and gives its commands names in the palette.
 */

import * as vscode from "vscode";

import { commands } from "./commands";
import { locate, offerHelp, showInstalling } from "./help";
import { Hints } from "./hints";
import { showMenu } from "./menu";
import { Pages } from "./pages";
import { Server } from "./server";
import { shown, type Status } from "./status";
import { openView } from "./view";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const { registerCommand } = vscode.commands;
  const log = vscode.window.createOutputChannel("reverie", { log: true });
  const hints = new Hints();
  const own: Server = new Server(log, (address) => pages.show(address));
  const pages = new Pages(own);
  server = own;
  context.subscriptions.push(
    log,
    hints,
    pages,
    statusItem(own),
    ...commands(own),
    own.onStarted((client) => {
      hints.attach(client);
      client.onHintsChanged(() => pages.changed());
    }),
    own.onStatus(() => pages.changed()),
    own.onStatus(({ state }) => ["starting", "off"].includes(state) && hints.clear()),
    own.onFailed((reason) => void offerHelp(reason, context, log)),
    registerCommand("reverie.menu", () => showMenu(own)),
    registerCommand("reverie.openInbox", () => openView("inbox")),
    registerCommand("reverie.openView", () => openView("today")),
    registerCommand("reverie.restart", () => own.restart()),
    registerCommand("reverie.locate", locate),
    registerCommand("reverie.howToInstall", () => showInstalling(context)),
    registerCommand("reverie.showFirstSteps", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", "reverie.reverie#begin"),
    ),
    registerCommand("reverie.showLog", () => log.show()),
    // On a fresh profile the settings can arrive after the activation: look again.
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("reverie.command")) {
        void own.restart();
      }
    }),
  );
  await own.restart();
}

export async function deactivate(): Promise<void> {
  await server?.end();
}

function statusItem(from: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("reverie", vscode.StatusBarAlignment.Right, 10);
  item.name = "reverie";
  item.command = "reverie.menu";
  const show = (status: Status) => {
    Object.assign(item, shown(status));
    item.show();
  };
  show(from.status);
  return vscode.Disposable.from(item, from.onStatus(show));
}
