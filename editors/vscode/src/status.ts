/** What the status bar says. Pure: no import of `vscode`, so that plain node can test it. */

/** The parameters of the notification `reverie/status`; `off` is ours: no server. */
export interface Status {
  state: "ready" | "degraded" | "away" | "off";
  memories: number;
  vectors: string;
}

export interface Shown {
  text: string;
  tooltip: string;
}

export function shown(status: Status): Shown {
  const memories = `${status.memories} ${status.memories === 1 ? "memory" : "memories"}`;
  switch (status.state) {
    case "ready":
      return { text: `$(history) ${status.memories}`, tooltip: `reverie: ${memories}` };
    case "degraded":
      return {
        text: `$(history) ${status.memories} · words`,
        tooltip: `reverie: ${memories}, found by words only (vectors: ${status.vectors})`,
      };
    case "away":
      return { text: "$(history) –", tooltip: "reverie: the daemon is away" };
    case "off":
      return { text: "$(history) off", tooltip: "reverie: the language server does not run" };
  }
}

/** The command line of the setting, or the default when it is not one. */
export function commandLine(setting: unknown): [string, string[]] {
  if (Array.isArray(setting) && setting.every((part) => typeof part === "string")) {
    const [program, ...rest] = setting as string[];
    if (program) {
      return [program, rest];
    }
  }
  return ["reverie", ["lsp"]];
}
