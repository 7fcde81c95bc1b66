/**
 * Paints the hints. VS Code's own inlay hints are not used: they stick to the caret at the end of a
 * line, stay for a second on a line that is typed, and push a long line out of the window.
 */

import * as vscode from "vscode";

import { LINKED, type Client } from "./client";
import { edited, painted, width, type Hint, type InlayHint } from "./paint";

const PAUSE = 60; // milliseconds: keys and scrolling ask once when they pause
const AROUND = 50; // lines above and below the window that are asked for with it

// What a hint has beyond its width is seen as far as the window goes, and does not widen the line.
const CUT = "none; overflow: visible; white-space: pre";

export class Hints implements vscode.Disposable {
  private readonly fresh = decoration("reverie.hint");
  private readonly stale = decoration("reverie.staleHint");
  private readonly shown = new WeakMap<vscode.TextEditor, Hint[]>();
  private readonly waiting = new Map<vscode.TextEditor, NodeJS.Timeout>();
  private readonly listening: vscode.Disposable[];
  private client: Client | undefined;

  constructor() {
    const { window, workspace } = vscode;
    this.listening = [
      this.fresh,
      this.stale,
      window.onDidChangeVisibleTextEditors(() => this.askAll()),
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.askSoon(textEditor)),
      workspace.onDidChangeTextDocument((event) => this.onEdit(event)),
    ];
  }

  /** Show the hints of this server from now on. */
  attach(client: Client): void {
    this.client = client;
    client.onHintsChanged(() => this.askAll());
    this.askAll();
  }

  /** No server: nothing is known of any line. */
  clear(): void {
    this.client = undefined;
    vscode.window.visibleTextEditors.forEach((editor) => this.paint(editor, []));
  }

  dispose(): void {
    this.waiting.forEach(clearTimeout);
    this.listening.forEach((one) => one.dispose());
  }

  private onEdit({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document !== document || contentChanges.length === 0) {
        continue;
      }
      let hints = this.shown.get(editor) ?? [];
      for (const { range, text } of contentChanges) {
        const edit = { first: range.start.line, last: range.end.line, lines: text.split("\n").length };
        hints = edited(hints, edit);
      }
      this.paint(editor, hints);
      this.askSoon(editor);
    }
  }

  private askAll(): void {
    vscode.window.visibleTextEditors.forEach((editor) => this.askSoon(editor));
  }

  private askSoon(editor: vscode.TextEditor): void {
    clearTimeout(this.waiting.get(editor));
    const timer = setTimeout(() => {
      this.waiting.delete(editor);
      void this.ask(editor);
    }, PAUSE);
    this.waiting.set(editor, timer);
  }

  private async ask(editor: vscode.TextEditor): Promise<void> {
    const { document, visibleRanges } = editor;
    const client = this.client;
    if (!client?.isRunning() || !["file", "untitled"].includes(document.uri.scheme)) {
      return;
    }
    const { version } = document;
    const first = Math.max(0, Math.min(...visibleRanges.map(({ start }) => start.line)) - AROUND);
    const last = Math.max(...visibleRanges.map(({ end }) => end.line)) + AROUND;
    const found = await client
      .sendRequest<InlayHint[] | null>("textDocument/inlayHint", {
        textDocument: { uri: client.code2ProtocolConverter.asUri(document.uri) },
        range: { start: { line: first, character: 0 }, end: { line: last, character: 0 } },
      })
      .catch(() => undefined); // it ended meanwhile: its end has cleared what was shown
    if (found !== undefined && document.version === version && this.client === client) {
      this.paint(editor, (found ?? []).map(painted));
    }
  }

  private paint(editor: vscode.TextEditor, hints: Hint[]): void {
    this.shown.set(editor, hints);
    const { lineCount } = editor.document;
    const inside = hints.filter(({ line }) => line < lineCount);
    editor.setDecorations(this.fresh, options(editor, inside, false));
    editor.setDecorations(this.stale, options(editor, inside, true));
  }
}

function decoration(color: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    after: { color: new vscode.ThemeColor(color), margin: "0 0 0 2ch", textDecoration: CUT },
  });
}

function options(
  { document }: vscode.TextEditor,
  hints: Hint[],
  stale: boolean,
): vscode.DecorationOptions[] {
  return hints
    .filter((hint) => hint.stale === stale)
    .map(({ line, label, tooltip }) => {
      const { end } = document.lineAt(line).range;
      const told = new vscode.MarkdownString(tooltip);
      told.isTrusted = { enabledCommands: LINKED };
      return {
        range: new vscode.Range(end, end),
        hoverMessage: told,
        renderOptions: { after: { contentText: label, width: `${width(label, end.character)}ch` } },
      };
    });
}
