/** What the status bar says. Pure: no import of `vscode`, so that plain node can test it. */

/** The parameters of the notification `reverie/status`; the last two states are ours: no server. */
export interface Status {
  state: "ready" | "degraded" | "away" | "starting" | "off";
  memories: number;
  vectors: string;
  detail?: string; // why, when it is known
}

export const OFF: Status = { state: "off", memories: 0, vectors: "off" };

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
        tooltip: `reverie: ${memories}, ${status.vectors === "building" ? "found by words until their meanings are ready" : "found by words only"}`,
      };
    case "away":
      return { text: "$(history) –", tooltip: `reverie is stopped${because(status)}` };
    case "starting":
      return { text: "$(sync~spin) reverie", tooltip: "reverie starts" };
    case "off":
      return { text: "$(warning) reverie", tooltip: `reverie does not run${because(status)}` };
  }
}

function because({ detail }: Status): string {
  return detail ? `: ${detail}` : "";
}
