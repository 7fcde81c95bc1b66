// What happens in the daemon while somebody looks, and whether it is there.

import { signal } from "@preact/signals";
import type { LiveEvent } from "./shapes";

export type Presence = "unknown" | "up" | "away" | "ended";

/** Whether the daemon is there; `ended`: not even the process behind these pages is. */
export const presence = signal<Presence>("unknown");
/** It was away, and is back since a moment ago. */
export const isBack = signal(false);
/** Rises whenever all that is shown is to be loaded anew. */
export const resynced = signal(0);

const SLEPT = 30_000; // ms hidden after which what is shown may be old
const BACK_FOR = 4_000; // ms that the return of the daemon is told
const listeners = new Set<(event: LiveEvent) => void>();

export function listen(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function heard(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

function daemonIs(up: boolean): void {
  const was = presence.value;
  presence.value = up ? "up" : "away";
  if (up && (was === "away" || was === "ended")) {
    isBack.value = true;
    resynced.value += 1;
    setTimeout(() => (isBack.value = false), BACK_FOR);
  }
}

/** Begin to listen; once a page. */
export function begin(): void {
  const source = new EventSource("api/events");
  let failures = 0;
  source.onopen = () => {
    failures = 0;
    if (presence.value === "ended") daemonIs(true);
  };
  source.onmessage = (message: MessageEvent<string>) => {
    const event = heard(message.data) as LiveEvent | null;
    if (event && typeof event.what === "string") listeners.forEach((listener) => listener(event));
  };
  source.addEventListener("resync", () => (resynced.value += 1));
  source.addEventListener("daemon", (message) => {
    const said = heard((message as MessageEvent<string>).data) as { up?: boolean } | null;
    daemonIs(said?.up === true);
  });
  source.onerror = () => {
    failures += 1;
    if (source.readyState === EventSource.CLOSED || failures > 1) presence.value = "ended";
  };
  let hiddenAt = 0;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (hiddenAt && Date.now() - hiddenAt > SLEPT) resynced.value += 1;
  });
  window.addEventListener("pageshow", (shown) => {
    if (shown.persisted) resynced.value += 1;
  });
}
