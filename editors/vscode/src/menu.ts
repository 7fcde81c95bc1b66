/** The menu of the status bar's item: how reverie is, and what can be done from here. */

import * as vscode from "vscode";

import type { Server } from "./server";
import { shown } from "./status";

interface Entry extends vscode.QuickPickItem {
  command?: string;
}

const separator: Entry = { label: "", kind: vscode.QuickPickItemKind.Separator };

/** Let one be chosen, and do it. */
export async function showMenu(server: Server): Promise<void> {
  const chosen = await vscode.window.showQuickPick(entries(server), {
    title: shown(server.status).tooltip,
    placeHolder: "What do you want to do?",
  });
  if (chosen?.command) {
    await vscode.commands.executeCommand(chosen.command);
  }
}

function entries(server: Server): Entry[] {
  const life: Entry[] = [
    { label: "$(debug-restart) Restart", command: "reverie.restart" },
    { label: "$(output) Show the log", command: "reverie.showLog" },
  ];
  if (!server.running) {
    return [
      { label: "$(folder-opened) Locate the program…", command: "reverie.locate" },
      { label: "$(question) How to install", command: "reverie.howToInstall" },
      separator,
      ...life,
    ];
  }
  if (server.status.state === "away") {
    return life;
  }
  return [
    { label: "$(search) Search memories…", command: "reverie.search" },
    { label: "$(file) About this file", command: "reverie.aboutFile" },
    { label: "$(eye) Hints on or off", command: "reverie.switchHints" },
    separator,
    { label: "$(inbox) Inbox of the reader, in the browser", command: "reverie.openInbox" },
    { label: "$(browser) What was learnt today, in the browser", command: "reverie.openView" },
    separator,
    ...life,
  ];
}
