// What a person does, and how it is taken back.

import { signal } from "@preact/signals";
import { ask, Refused, type Fields } from "./api";

export interface Done {
  words: string;
  undo: (() => Promise<void>) | null;
  number: number;
}

export interface Toast {
  words: string;
  undoable: boolean;
  isProblem: boolean;
  number: number;
}

const SHOWN = 7_000; // ms
const KEPT = 50; // acts that can be taken back, the newest

export const toast = signal<Toast | null>(null);
const past: Done[] = [];
let counted = 0;
let timer = 0;

function show(words: string, undoable: boolean, isProblem = false): number {
  counted += 1;
  const number = counted;
  toast.value = { words, undoable, isProblem, number };
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    if (toast.value?.number === number) toast.value = null;
  }, SHOWN);
  return number;
}

export function dismiss(): void {
  toast.value = null;
}

export function tellProblem(error: unknown): void {
  const line = error instanceof Error ? error.message : String(error);
  show(line, false, true);
}

export interface Act {
  name: string;
  fields: Fields;
  words: string; // of what was done
  undo?: { name: string; fields: Fields } | null;
  after?: () => void; // when it was done
  afterUndo?: () => void;
}

/** Do something; a problem is told and answers false. */
export async function act(given: Act): Promise<boolean> {
  try {
    await ask(given.name, given.fields);
  } catch (error) {
    tellProblem(error instanceof Refused && error.isAway ? new Error("The daemon is away: nothing was done.") : error);
    return false;
  }
  given.after?.();
  const back = given.undo;
  const number = show(given.words, Boolean(back));
  if (back) {
    past.push({
      words: given.words,
      number,
      undo: async () => {
        await ask(back.name, back.fields);
        given.afterUndo?.();
      },
    });
    past.splice(0, past.length - KEPT);
  }
  return true;
}

/** Take the last act back. */
export async function undoLast(): Promise<void> {
  const last = past.pop();
  if (!last?.undo) {
    show("There is nothing to undo.", false);
    return;
  }
  try {
    await last.undo();
    show(`Undone: ${last.words}`, false);
  } catch (error) {
    tellProblem(error);
  }
}
