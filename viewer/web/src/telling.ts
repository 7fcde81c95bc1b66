// What came of a prompt, a start or a call: what was told, whether it was of use, or why nothing was.

import type { Considered, Telling } from "./shapes";

export interface Outcome {
  told: Considered[]; // whole
  listed: Considered[]; // as a line of a page
  used: Considered[]; // of both
  close: Considered[]; // weighed and not told
  why: string; // nothing was told; empty where something was
}

const UNUSED = new Set(["", "nothing yet", "called not useful"]);
const REASONS: Record<string, string> = {
  "known in this session": "the session knows already what bears on it",
  "not close enough": "nothing known is close enough",
  "of no use when it was told before": "what comes close was of no use before",
  "a note says the same": "another note says the same",
  "others are surer": "others are surer",
  "a reader has read it, and its notes are told": "the notes of it are told already",
};

export function outcome(telling: Telling): Outcome {
  const told = telling.considered.filter((one) => one.fate === "told");
  const listed = telling.considered.filter((one) => one.fate === "a line");
  const close = telling.considered.filter((one) => one.fate !== "told" && one.fate !== "a line");
  const used = [...told, ...listed].filter((one) => !UNUSED.has(one.became));
  const isTold = told.length + listed.length > 0 || telling.characters > 0;
  return { told, listed, used, close, why: isTold ? "" : silence(telling, close) };
}

function silence(telling: Telling, close: Considered[]): string {
  if (!telling.answered) return "nothing was looked for";
  const first = close[0];
  return first ? (REASONS[first.fate] ?? first.fate) : "nothing known comes close";
}
