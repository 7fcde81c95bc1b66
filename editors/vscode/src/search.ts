/**
 * A search of the memories. VS Code's own symbol search shows only symbols whose name has
 * the letters that were typed, and a memory is found by what it says, not by its title.
 */

import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";

const PAUSE = 150; // milliseconds without a key before it is searched

interface Found {
  name: string;
  containerName?: string;
  location: { uri: string };
}

interface Item extends vscode.QuickPickItem {
  uri: vscode.Uri;
}

/** Ask for words, show what is found while they are typed, open what is chosen. */
export function search(client: BaseLanguageClient): void {
  const pick = vscode.window.createQuickPick<Item>();
  pick.placeholder = "What should be remembered?";
  let waiting: NodeJS.Timeout | undefined;
  let last = 0;
  const look = async (query: string) => {
    const turn = ++last;
    pick.busy = true;
    const found = await client.sendRequest<Found[] | null>("workspace/symbol", { query });
    if (turn === last) {
      pick.items = (found ?? []).map(item);
      pick.busy = false;
    }
  };
  pick.onDidChangeValue((query) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void look(query), PAUSE);
  });
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    if (chosen) {
      pick.hide();
      void vscode.window.showTextDocument(chosen.uri);
    }
  });
  pick.onDidHide(() => {
    clearTimeout(waiting);
    pick.dispose();
  });
  pick.show();
}

function item({ name, containerName, location }: Found): Item {
  const uri = vscode.Uri.parse(location.uri, true);
  return { label: name, description: containerName, uri, alwaysShow: true };
}
