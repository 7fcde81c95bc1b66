/** What can be done about a server that could not be started: name the program, or install it. */

import * as vscode from "vscode";

const LOCATE = "Locate…";
const INSTALL = "How to install";
const LOG = "Show log";

/** Say why it does not run, and offer what helps. */
export async function offerHelp(
  reason: string,
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const chosen = await vscode.window.showErrorMessage(`reverie: ${reason}`, LOCATE, INSTALL, LOG);
  if (chosen === LOCATE) {
    await locate();
  } else if (chosen === INSTALL) {
    await showInstalling(context);
  } else if (chosen === LOG) {
    log.show();
  }
}

/** Let the program be chosen; the setting that changes starts it. */
export async function locate(): Promise<void> {
  const found = await vscode.window.showOpenDialog({
    title: "The program reverie",
    openLabel: "Use this program",
  });
  const program = found?.[0]?.fsPath;
  if (program) {
    const settings = vscode.workspace.getConfiguration("reverie");
    await settings.update("command", [program, "lsp"], vscode.ConfigurationTarget.Global);
  }
}

/** Show the page that comes with the extension. */
export async function showInstalling(context: vscode.ExtensionContext): Promise<void> {
  const page = vscode.Uri.joinPath(context.extensionUri, "INSTALL.md");
  await vscode.commands.executeCommand("markdown.showPreview", page);
}
