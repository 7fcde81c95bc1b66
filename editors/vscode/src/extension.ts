/**
 * reverie in VS Code. Everything is decided by the language server; this starts it, shows
 * the daemon's state, and gives the server's commands names in the palette.
 */

import * as vscode from "vscode";
import { LanguageClient, State } from "vscode-languageclient/node";

import { decide, type PlanState } from "./plans";
import { search } from "./search";
import { commandLine, shown, type Status } from "./status";

const OFF: Status = { state: "off", memories: 0, vectors: "off" };

let client: LanguageClient | undefined;
let changing: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const item = vscode.window.createStatusBarItem("reverie", vscode.StatusBarAlignment.Right, 10);
  item.name = "reverie";
  item.command = "reverie.showLog";
  const log = vscode.window.createOutputChannel("reverie", { log: true });
  const tell = (status: Status) => {
    Object.assign(item, shown(status));
    item.show();
  };
  const restart = () => {
    changing = changing.then(() => start(log, tell));
    return changing;
  };
  context.subscriptions.push(
    item,
    log,
    ...commands(restart, log),
    // On a fresh profile the settings can arrive after the activation: look again.
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("reverie.command")) {
        void restart();
      }
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await changing;
  await client?.dispose();
}

/** Start the server anew with the command of the settings. */
async function start(log: vscode.LogOutputChannel, tell: (status: Status) => void): Promise<void> {
  await client?.dispose();
  const [command, args] = commandLine(vscode.workspace.getConfiguration("reverie").get("command"));
  const fresh = new LanguageClient(
    "reverie",
    "reverie",
    { command, args },
    {
      documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
      initializationOptions: { documents: true, undoPrompt: true },
      outputChannel: log,
    },
  );
  client = fresh;
  tell(OFF);
  fresh.onNotification("reverie/status", tell);
  fresh.onDidChangeState(({ newState }) => {
    if (newState === State.Stopped) {
      tell(OFF);
    }
  });
  try {
    await fresh.start();
  } catch (problem) {
    log.error(`The language server could not be started: ${String(problem)}`);
  }
}

/** The palette: each command takes the place of the cursor as its argument. */
function commands(restart: () => Promise<void>, log: vscode.LogOutputChannel): vscode.Disposable[] {
  const here = () => {
    const editor = vscode.window.activeTextEditor;
    return editor && { uri: editor.document.uri.toString(), line: editor.selection.active.line };
  };
  const selected = () => {
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      return undefined;
    }
    const { document, selection } = editor;
    const range = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
    return { uri: document.uri.toString(), text: document.getText(range) };
  };
  const named: [string, string, () => object | undefined][] = [
    ["reverie.rememberSelection", "reverie.remember", selected],
    ["reverie.markUseful", "reverie.useful", here],
    ["reverie.markNotUseful", "reverie.notUseful", here],
    ["reverie.forgetHere", "reverie.forget", here],
    ["reverie.undoForget", "reverie.unforget", () => ({})],
    ["reverie.whyHere", "reverie.why", here],
    ["reverie.switchHints", "reverie.toggleHints", () => ({})],
    ["reverie.dreamNow", "reverie.dream", () => ({})],
    ["reverie.showLastDream", "reverie.showDream", () => ({})],
    ["reverie.showOpenPlans", "reverie.showPlans", () => ({})],
  ];
  const deciding: [string, string, PlanState][] = [
    ["reverie.applyPlanChosen", "reverie.applyPlan", "open"],
    ["reverie.undoPlanChosen", "reverie.undoPlan", "applied"],
    ["reverie.dismissPlanChosen", "reverie.dismissPlan", "open"],
  ];
  return [
    ...named.map(([name, command, argument]) =>
      vscode.commands.registerCommand(name, () => run(command, argument())),
    ),
    ...deciding.map(([name, command, state]) =>
      vscode.commands.registerCommand(name, () => client?.isRunning() && decide(client, command, state)),
    ),
    vscode.commands.registerCommand("reverie.search", () => client && search(client)),
    vscode.commands.registerCommand("reverie.restart", restart),
    vscode.commands.registerCommand("reverie.showLog", () => log.show()),
  ];
}

/** Have the server carry out one of its commands. */
async function run(command: string, argument: object | undefined): Promise<unknown> {
  if (!client?.isRunning()) {
    void vscode.window.showWarningMessage("reverie: the language server does not run.");
    return undefined;
  }
  if (!argument) {
    return undefined;
  }
  return client.sendRequest("workspace/executeCommand", { command, arguments: [argument] });
}
