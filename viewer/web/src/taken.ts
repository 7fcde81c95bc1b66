// What a day offers to take back, as it is told when it is done, and how that is taken back in turn.

import { act, type Act } from "./acts";
import { short } from "./memory_acts";
import type { Happened } from "./shapes";
import { sentence } from "./words";

const DROPPED = "dropped"; // verdict on a note of the reader
// By the words of the button.
const DONE: Record<string, string> = {
  "drop it": "Dropped",
  "forget it": "Forgotten",
  "bring it back": "Brought back",
  "bring the former one back": "The former one is back",
  "it is so": "It is so",
  "say it as before": "It says again what it said before",
};

/** The request that has things again as they were before this was taken back; null: nobody knows one. */
export function again(entry: Happened): Act["undo"] {
  const undo = entry.undo;
  switch (undo?.name) {
    case "forget":
      return { name: "unforget", fields: undo.body };
    case "unforget":
      return { name: "forget", fields: undo.body };
    case "confirm":
      return { name: "refute", fields: undo.body };
    case "inbox-judge":
      return { name: "inbox-judge", fields: { ...undo.body, verdict: undo.body.verdict === DROPPED ? "" : DROPPED } };
    case "reinstate":
      return { name: "reinstate", fields: { ...undo.body, by: [entry.id], again: true } };
    case "edit":
      return { name: "edit", fields: { id: entry.id, text: entry.text } };
    default:
      return null;
  }
}

export function takeBack(entry: Happened, after: () => void): void {
  const undo = entry.undo;
  if (!undo) return;
  const words = `${DONE[undo.words] ?? sentence(undo.words)}: “${short(entry.title || entry.text)}”`;
  void act({ name: undo.name, fields: undo.body, words, undo: again(entry), after, afterUndo: after });
}
