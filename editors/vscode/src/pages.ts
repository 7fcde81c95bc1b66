/** The pages of memories, rendered beside the code, with buttons. */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";

import { LINKED } from "./client";
import { about, buttons, html, titled, type Button } from "./page";
import type { Server } from "./server";

const FILE = "file"; // what is about a file: beside it, and kept up to date
const PAUSE = 300; // milliseconds: several changes are one

interface Content {
  text: string;
}

export class Pages implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>();
  private readonly texts = new Map<vscode.WebviewPanel, string>();
  private readonly listening = new WeakMap<vscode.WebviewPanel, vscode.Disposable>();

  private waiting: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {}

  /** Show the page of an address of ours, or bring it to the front. */
  async show(address: string): Promise<void> {
    const known = this.panels.get(address);
    if (known) {
      known.reveal();
      await this.fill(address, known);
      return;
    }
    const isAboutFile = vscode.Uri.parse(address, true).authority === FILE;
    const column = isAboutFile ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel("reverie.page", "reverie", column, {
      enableScripts: true,
      // On this page nothing of a memory is markup, so every link of it is ours.
      enableCommandUris: isAboutFile ? LINKED : false,
      localResourceRoots: [],
    });
    this.panels.set(address, panel);
    panel.onDidDispose(() => {
      this.panels.delete(address);
      this.texts.delete(panel);
    });
    await this.fill(address, panel);
  }

  /** Memories or what they are about changed: read the pages about files anew. */
  changed(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      for (const [address, panel] of this.panels) {
        if (panel.visible && vscode.Uri.parse(address, true).authority === FILE) {
          void this.fill(address, panel);
        }
      }
    }, PAUSE);
  }

  dispose(): void {
    clearTimeout(this.waiting);
    [...this.panels.values()].forEach((panel) => panel.dispose());
  }

  private async fill(address: string, panel: vscode.WebviewPanel): Promise<void> {
    const content = await this.server.running?.sendRequest<Content>("workspace/textDocumentContent", {
      uri: address,
    });
    const text = content?.text ?? "This cannot be shown now.";
    if (this.panels.get(address) !== panel || this.texts.get(panel) === text) {
      return; // it was closed meanwhile, or says the same
    }
    this.texts.set(panel, text);
    const { authority, path } = vscode.Uri.parse(address, true);
    const shown = buttons(about(authority, path));
    const body = await vscode.commands.executeCommand<string>("markdown.api.render", text);
    panel.title = titled(text);
    panel.webview.html = html(body, shown, randomUUID());
    this.listening.get(panel)?.dispose();
    this.listening.set(
      panel,
      panel.webview.onDidReceiveMessage((at) => this.press(shown[Number(at)], address, panel)),
    );
  }

  private async press(
    button: Button | undefined,
    address: string,
    panel: vscode.WebviewPanel,
  ): Promise<void> {
    if (!button) {
      return;
    }
    await this.server.execute(button.command, button.argument);
    if (this.panels.get(address) === panel) {
      await this.fill(address, panel);
    }
  }
}
