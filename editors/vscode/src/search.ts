/** A search of the memories, by what they say. Before the first key: what bears on the file. */

import * as vscode from "vscode";

import type { Pages } from "./pages";
import type { Server } from "./server";
import { shown } from "./status";

const PAUSE = 150; // milliseconds without a key before it is searched

interface Found {
  title: string;
  about: string;
  uri: string;
}

interface Item extends vscode.QuickPickItem {
  uri?: string;
}

/** Ask for words, show what is found while they are typed, open what is chosen. */
export function search(server: Server, pages: Pages): void {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = "Memories";
  pick.placeholder = "What do you look for?";
  let waiting: NodeJS.Timeout | undefined;
  let last = 0;
  const look = async (query: string) => {
    const turn = ++last;
    pick.busy = true;
    const found = await server.execute<Found[] | null>("reverie.find", { query });
    if (turn === last) {
      const reason = found ? nothing(query) : shown(server.status).tooltip;
      pick.items = found?.length ? found.map(item) : [none(reason)];
      pick.busy = false;
    }
  };
  pick.onDidChangeValue((query) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void look(query), PAUSE);
  });
  pick.onDidAccept(() => {
    const uri = pick.selectedItems[0]?.uri;
    if (uri) {
      pick.hide();
      void pages.show(uri);
    }
  });
  pick.onDidHide(() => {
    clearTimeout(waiting);
    pick.dispose();
  });
  pick.show();
  void look("");
}

function item({ title, about, uri }: Found): Item {
  return { label: title, description: about, uri, alwaysShow: true };
}

function nothing(query: string): string {
  return query.trim() ? "Nothing is remembered about that." : "Type some words.";
}

function none(label: string): Item {
  return { label, alwaysShow: true };
}
