/**
 * The client of the protocol. It is the library's own but for two things: hints are painted by us
 * (`hints.ts`), and a failure is told once, by us, with what to do about it (`help.ts`).
 */

import * as vscode from "vscode";
import {
  LanguageClient,
  type ClientCapabilities,
  type DynamicFeature,
  type FeatureState,
  type StaticFeature,
} from "vscode-languageclient/node";

const HINTS = "textDocument/inlayHint";

/** The commands that a link in a hover, or on the page about a file, may carry out. */
export const LINKED = [
  "reverie.aboutFile",
  "reverie.goToLine",
  "reverie.useful",
  "reverie.notUseful",
  "reverie.why",
  "reverie.forget",
  "reverie.unforget",
];

export class Client extends LanguageClient {
  private readonly asked = new vscode.EventEmitter<void>();

  /** The server has other hints than it told. */
  readonly onHintsChanged = this.asked.event;

  /** `show` opens a page of ours, by its address. */
  constructor(
    program: string,
    args: string[],
    log: vscode.LogOutputChannel,
    show: (address: string) => Promise<void>,
  ) {
    super(
      "reverie",
      "reverie",
      { command: program, args },
      {
        documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
        initializationOptions: { documents: true, undoPrompt: true, links: true, asks: true },
        initializationFailedHandler: () => false,
        markdown: { isTrusted: { enabledCommands: LINKED } },
        middleware: {
          window: {
            showDocument: async (params, _token, next) => {
              if (!params.uri.startsWith("reverie:")) {
                return next(params, _token);
              }
              await show(params.uri);
              return { success: true };
            },
          },
        },
        outputChannel: log,
      },
    );
    super.registerFeature(new OwnHints(this, () => this.asked.fire()));
  }

  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    const method = "registrationType" in feature ? feature.registrationType.method : "";
    if (method !== HINTS) {
      super.registerFeature(feature);
    }
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false); // in the log; no second message beside ours
  }

  /** End it, whatever came of its start. */
  async end(): Promise<void> {
    try {
      await this.dispose();
    } catch {
      // It never ran: there is nothing to end, and the library says so by an exception.
    }
    this.asked.dispose();
  }
}

/** Tells the server that hints are shown, and that it may say when they are others. */
class OwnHints implements StaticFeature {
  constructor(
    private readonly client: LanguageClient,
    private readonly changed: () => void,
  ) {}

  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.textDocument = { ...capabilities.textDocument, inlayHint: {} };
    capabilities.workspace = {
      ...capabilities.workspace,
      inlayHint: { refreshSupport: true },
    };
  }

  initialize(): void {
    this.client.onRequest("workspace/inlayHint/refresh", () => {
      this.changed();
      return null;
    });
  }

  getState(): FeatureState {
    return { kind: "static" };
  }

  clear(): void {}
}
