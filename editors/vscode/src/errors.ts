/**
 * Tells the server at which lines other tools see an error, which no language server can see by
 * itself: a memory that was read there may have helped when a save ends it.
 */

import * as vscode from "vscode";

import type { Client } from "./client";
import { failing, Told } from "./failing";

export class Errors implements vscode.Disposable {
  private client: Client | undefined;
  private told = new Told();
  private readonly listening: vscode.Disposable[];

  constructor() {
    const { languages, workspace } = vscode;
    this.listening = [
      languages.onDidChangeDiagnostics(({ uris }) => this.tell(uris)),
      workspace.onDidOpenTextDocument(({ uri }) => this.tell([uri])),
      workspace.onDidCloseTextDocument(({ uri }) => this.told.forget(uri.toString())),
    ];
  }

  /** Tell this server from now on. */
  attach(client: Client): void {
    this.client = client;
    this.told = new Told();
    this.tell(vscode.workspace.textDocuments.map(({ uri }) => uri));
  }

  dispose(): void {
    this.listening.forEach((one) => one.dispose());
  }

  private tell(uris: readonly vscode.Uri[]): void {
    const client = this.client;
    if (!client?.isRunning()) {
      return;
    }
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    for (const uri of uris) {
      const lines = failing(vscode.languages.getDiagnostics(uri));
      if (uri.scheme === "file" && open.has(uri.toString()) && this.told.isNew(uri.toString(), lines)) {
        const address = client.code2ProtocolConverter.asUri(uri);
        void client.sendNotification("reverie/errors", { uri: address, lines });
      }
    }
  }
}
