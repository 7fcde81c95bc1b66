/** The pages of memories, dreams and plans, rendered beside the code, with buttons. */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";

import { about, buttons, html, titled, type Button, type Plan } from "./page";
import type { Server } from "./server";

interface Content {
  text: string;
}

export class Pages implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>();
  private readonly listening = new WeakMap<vscode.WebviewPanel, vscode.Disposable>();

  constructor(private readonly server: Server) {}

  /** Show the page of an address of ours, or bring it to the front. */
  async show(address: string): Promise<void> {
    const known = this.panels.get(address);
    if (known) {
      known.reveal();
      await this.fill(address, known);
      return;
    }
    const panel = vscode.window.createWebviewPanel("reverie.page", "reverie", vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [],
    });
    this.panels.set(address, panel);
    panel.onDidDispose(() => this.panels.delete(address));
    await this.fill(address, panel);
  }

  dispose(): void {
    [...this.panels.values()].forEach((panel) => panel.dispose());
  }

  private async fill(address: string, panel: vscode.WebviewPanel): Promise<void> {
    const content = await this.server.running?.sendRequest<Content>("workspace/textDocumentContent", {
      uri: address,
    });
    const text = content?.text ?? "This cannot be shown now.";
    const { authority, path } = vscode.Uri.parse(address, true);
    const subject = about(authority, path);
    const shown = buttons(subject, await this.plans(subject.kind, subject.id));
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
    if (this.panels.get(address) === panel && button.command !== "reverie.showPlans") {
      await this.fill(address, panel);
    }
  }

  private async plans(kind: string, id: string): Promise<Plan[]> {
    if (kind !== "plan" && kind !== "plans") {
      return [];
    }
    const which = kind === "plan" ? { id: Number(id), show: false } : { state: "open", show: false };
    return (await this.server.execute<Plan[] | null>("reverie.showPlans", which)) ?? [];
  }
}
