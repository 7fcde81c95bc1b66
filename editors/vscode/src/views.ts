/** The views of the side bar: working memory, dreams and plans, intentions. The server lists them. */

import * as vscode from "vscode";

import type { Pages } from "./pages";
import type { Server } from "./server";

const PAUSE = 500; // milliseconds: several changes are one

interface Entry {
  title: string;
  about: string;
  uri: string; // of its page; empty for none
  id: string; // of an intention
  icon: keyof typeof ICONS;
}

const ICONS = {
  note: "note",
  error: "error",
  dream: "sparkle",
  plan: "checklist",
  due: "bell-dot",
  waits: "bell",
};

class View implements vscode.TreeDataProvider<Entry> {
  private readonly renewed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.renewed.event;

  constructor(
    private readonly server: Server,
    private readonly view: string,
  ) {}

  shown(): vscode.Disposable {
    const tree = vscode.window.createTreeView(`reverie.${this.view}`, { treeDataProvider: this });
    tree.onDidChangeVisibility(({ visible }) => visible && this.renew());
    return tree;
  }

  renew(): void {
    this.renewed.fire();
  }

  async getChildren(parent?: Entry): Promise<Entry[]> {
    if (parent || !this.server.running) {
      return [];
    }
    return (await this.server.execute<Entry[] | null>("reverie.view", { view: this.view })) ?? [];
  }

  getTreeItem({ title, about, uri, icon }: Entry): vscode.TreeItem {
    const item = new vscode.TreeItem(title);
    item.description = about;
    item.tooltip = about ? `${title}\n${about}` : title;
    item.iconPath = new vscode.ThemeIcon(ICONS[icon]);
    if (uri) {
      item.command = { title: "Show", command: "reverie.showPage", arguments: [uri] };
    }
    return item;
  }
}

export function views(server: Server, pages: Pages): vscode.Disposable[] {
  const { registerCommand } = vscode.commands;
  const all = ["working", "dreams", "intentions"].map((name) => new View(server, name));
  let waiting: NodeJS.Timeout | undefined;
  const renew = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => all.forEach((view) => view.renew()), PAUSE);
  };
  return [
    ...all.map((view) => view.shown()),
    server.onStatus(renew), // memories changed, or who tells of them
    server.onStatus(({ state }) => {
      const answers = ["ready", "degraded"].includes(state);
      void vscode.commands.executeCommand("setContext", "reverie.answers", answers);
    }),
    new vscode.Disposable(() => clearTimeout(waiting)),
    registerCommand("reverie.refreshViews", renew),
    registerCommand("reverie.showPage", (address: string) => pages.show(address)),
    registerCommand("reverie.markIntentionDone", async ({ id }: Entry) => {
      await server.execute("reverie.intentionDone", { id });
      renew();
    }),
  ];
}
