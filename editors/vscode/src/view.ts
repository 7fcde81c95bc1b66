/** The pages of `reverie view`, in the person's browser: a process of its own, which ends by itself. */

import { spawn } from "node:child_process";
import * as vscode from "vscode";

import { addressIn, failure, viewLine } from "./program";
import { program } from "./server";

const WITHIN = 60_000; // milliseconds until the address is printed: the daemon may have to start

/** Open a page in the browser, from wherever this runs. */
export async function openView(page: string): Promise<void> {
  try {
    const address = await served(page);
    // As a text: a Uri would write its "=" and "&" otherwise, and the token would be none.
    await vscode.env.openExternal(address as unknown as vscode.Uri);
  } catch (problem) {
    void vscode.window.showWarningMessage(`reverie: ${failure("reverie view", problem)}`);
  }
}

/** Start the process; the address that it prints. It goes on when this window closes. */
function served(page: string): Promise<string> {
  const [path, args] = program();
  const child = spawn(path, viewLine(args, page), { detached: true, stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let printed = "";
    let complained = "";
    const late = setTimeout(() => {
      child.kill();
      reject(new Error("it printed no address"));
    }, WITHIN);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      const address = addressIn(printed);
      if (address) {
        clearTimeout(late);
        child.unref();
        resolve(address);
      }
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complained = text.trim()));
    child.on("error", reject);
    child.on("exit", () => {
      clearTimeout(late);
      reject(new Error(complained.split("\n").at(-1) || "it ended"));
    });
  });
}
