// What can be done with a memory anywhere, each with its way back.

import { act } from "./acts";

export function short(title: string): string {
  return title.length > 48 ? `${title.slice(0, 47).trimEnd()}…` : title;
}

export function forget(id: string, title: string, after: () => void): Promise<boolean> {
  return act({
    name: "forget",
    fields: { ids: [id] },
    words: `Forgotten: “${short(title)}”`,
    undo: { name: "unforget", fields: { ids: [id] } },
    after,
    afterUndo: after,
  });
}

export function unforget(id: string, title: string, after: () => void): Promise<boolean> {
  return act({
    name: "unforget",
    fields: { ids: [id] },
    words: `Brought back: “${short(title)}”`,
    undo: { name: "forget", fields: { ids: [id] } },
    after,
    afterUndo: after,
  });
}

export function pin(id: string, title: string, pinned: boolean, after: () => void): Promise<boolean> {
  return act({
    name: "pin",
    fields: { ids: [id], pinned },
    words: pinned ? `Pinned: “${short(title)}”` : `No longer pinned: “${short(title)}”`,
    undo: { name: "pin", fields: { ids: [id], pinned: !pinned } },
    after,
    afterUndo: after,
  });
}

export function mute(id: string, title: string, back: boolean, after: () => void): Promise<boolean> {
  return act({
    name: "suppress",
    fields: { id, back },
    words: back ? `Told again: “${short(title)}”` : `Muted for a day: “${short(title)}”`,
    undo: back ? null : { name: "suppress", fields: { id, back: true } },
    after,
    afterUndo: after,
  });
}

export function change(id: string, title: string, text: string, after: () => void): Promise<boolean> {
  return act({
    name: "edit",
    fields: { id, text },
    words: `Changed: “${short(title)}”`,
    undo: { name: "edit", fields: { id, undo: true } },
    after,
    afterUndo: after,
  });
}

export function setWhy(id: string, before: string, why: string, after: () => void): Promise<boolean> {
  return act({
    name: "edit",
    fields: { id, why },
    words: why ? `Its reason: “${short(why)}”` : "It has no reason any more",
    undo: { name: "edit", fields: { id, why: before } },
    after,
    afterUndo: after,
  });
}

export function refute(id: string, title: string, after: () => void): Promise<boolean> {
  return act({
    name: "refute",
    fields: { ids: [id] },
    words: `Not so: “${short(title)}”`,
    undo: { name: "confirm", fields: { ids: [id] } },
    after,
    afterUndo: after,
  });
}

export function confirm(id: string, title: string, after: () => void): Promise<boolean> {
  return act({ name: "confirm", fields: { ids: [id] }, words: `It is so: “${short(title)}”`, after });
}

export function rate(id: string, title: string, useful: boolean, after: () => void): Promise<boolean> {
  const words = useful ? "Useful" : "Not useful";
  return act({ name: "feedback", fields: { id, useful }, words: `${words}: “${short(title)}”`, after });
}
