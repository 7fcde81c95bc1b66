/** The palette: each command of the server by a name of our own, with the cursor's place. */

import * as vscode from "vscode";

import type { Server } from "./server";

type Argument = () => object | undefined;

export function commands(server: Server): vscode.Disposable[] {
  const named: [string, string, Argument][] = [
    ["reverie.rememberSelection", "reverie.remember", selected],
    ["reverie.markUseful", "reverie.useful", here],
    ["reverie.markNotUseful", "reverie.notUseful", here],
    ["reverie.muteHere", "reverie.mute", here],
    ["reverie.pinHere", "reverie.pin", here],
    ["reverie.forgetHere", "reverie.forget", here],
    ["reverie.undoForget", "reverie.unforget", nothing],
    ["reverie.whyHere", "reverie.why", here],
    ["reverie.aboutFile", "reverie.about", here],
    ["reverie.switchHints", "reverie.toggleHints", nothing],
  ];
  const { registerCommand } = vscode.commands;
  return [
    ...named.map(([name, command, argument]) =>
      registerCommand(name, () => {
        const about = argument();
        return about && server.execute(command, about);
      }),
    ),
    registerCommand("reverie.search", () => search(server)),
    registerCommand("reverie.goToLine", goToLine),
  ];
}

/** Show a line of a file, from 0, where the file is open already, else beside the page. */
async function goToLine({ uri, line }: { uri: string; line: number }): Promise<void> {
  const file = vscode.Uri.parse(uri, true);
  const { visibleTextEditors } = vscode.window;
  const shown = visibleTextEditors.find(({ document }) => document.uri.toString() === file.toString());
  await vscode.window.showTextDocument(file, {
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
    selection: new vscode.Range(line, 0, line, 0),
  });
}

/** Ask for words, and open the page of what is remembered about them. */
async function search(server: Server): Promise<unknown> {
  const query = await vscode.window.showInputBox({ title: "Memories", prompt: "What do you look for?" });
  return query?.trim() && server.execute("reverie.find", { query });
}

function nothing(): object {
  return {};
}

function here(): object | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && { uri: editor.document.uri.toString(), line: editor.selection.active.line };
}

function selected(): object | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return undefined;
  }
  const { document, selection } = editor;
  const { start, end } = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
  return {
    uri: document.uri.toString(),
    version: document.version,
    start: [start.line, start.character],
    end: [end.line, end.character],
  };
}
