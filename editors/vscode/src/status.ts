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
  const counted = `${status.memories} ${status.memories === 1 ? "memory" : "memories"}`;
  const memories = status.memories === 0 ? "nothing is remembered yet" : counted + found(status);
  switch (status.state) {
    case "ready":
    case "degraded":
      return { text: `$(history) ${status.memories}`, tooltip: `reverie: ${memories}` };
    case "away":
      return { text: "$(history) –", tooltip: `reverie is stopped${because(status)}` };
    case "starting":
      return { text: "$(sync~spin) reverie", tooltip: "reverie starts" };
    case "off":
      return { text: "$(warning) reverie", tooltip: `reverie does not run${because(status)}` };
  }
}

/** How memories are found while it is not by meaning. */
function found({ state, vectors }: Status): string {
  if (state !== "degraded") {
    return "";
  }
  return vectors === "building"
    ? ", found by their words until their meanings are ready"
    : ", found by their words only: “reverie model setup” adds their meanings";
}

function because({ detail }: Status): string {
  return detail ? `: ${detail}` : "";
}
