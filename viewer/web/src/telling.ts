// What came of a prompt, a start or a call: what was told, whether it was of use, or why nothing was.

import type { Considered, Telling } from "./shapes";
import { percent, toYou } from "./words";

export interface Outcome {
  told: Considered[]; // whole
  listed: Considered[]; // as a line of a page
  used: Considered[]; // of both
  close: Considered[]; // weighed and not told
  why: string; // nothing was told; empty where something was
}

const FAR = "not close enough";
const LEFT = "left out of the page";
const UNUSED = new Set(["", "nothing yet", "called not useful"]);
const REASONS: Record<string, string> = {
  "known in this session": "the session knows already what bears on it",
  "not close enough": "nothing known is close enough",
  "shares words, but is not close in meaning": "what shares its words is not close in meaning",
  "only an outright question is told it": "only an outright question (what is, was or why) is told what comes close",
  "other notes of its project are as close": "several notes are as close, and none stands out",
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

/** Why one that was weighed was told or was not, in a line; a figure only where it is how sure one was of what was told. */
export function reason(telling: Telling, one: Considered): string {
  if (one.fate !== "told" && one.fate !== "a line") return `not told: ${toYou(nearest(one))}`;
  const how = one.fate === "told" ? "told" : "told as a line";
  const use = one.became === "nothing yet" ? "not used" : one.became || "not used";
  const sure = telling.place === "prompt" ? ` · ${percent(one.confidence)} sure` : "";
  return `${how}: ${toYou(one.reason) || "it bears on it"}; ${use}${sure}`;
}

/** Of what is not close enough it is said what it lacks; other fates speak for themselves. */
function nearest(one: Considered): string {
  return one.fate === FAR || one.fate === LEFT ? one.reason || one.fate : one.fate;
}

function silence(telling: Telling, close: Considered[]): string {
  if (!telling.answered) return "nothing was looked for";
  const first = close[0];
  if (!first) return "nothing known comes close";
  const why = nearest(first);
  return REASONS[why] ?? why;
}
