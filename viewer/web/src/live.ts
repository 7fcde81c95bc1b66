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

const SLEPT = 5_000; // ms hidden after which a page stops to listen: a browser opens six connections to one address
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

let source: EventSource | null = null;

function follow(): void {
  source?.close();
  const opened = new EventSource("api/events");
  source = opened;
  let failures = 0;
  opened.onopen = () => {
    failures = 0;
    if (presence.value === "ended") daemonIs(true);
  };
  opened.onmessage = (message: MessageEvent<string>) => {
    const event = heard(message.data) as LiveEvent | null;
    if (event && typeof event.what === "string") listeners.forEach((listener) => listener(event));
  };
  opened.addEventListener("resync", () => (resynced.value += 1));
  opened.addEventListener("daemon", (message) => {
    const said = heard((message as MessageEvent<string>).data) as { up?: boolean } | null;
    daemonIs(said?.up === true);
  });
  opened.onerror = () => {
    failures += 1;
    if (opened.readyState === EventSource.CLOSED || failures > 1) presence.value = "ended";
  };
}

/** Begin to listen; once a page. One that nobody sees, or not yet, leaves its connection to others. */
export function begin(): void {
  if (!document.hidden) follow();
  let timer = 0;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) {
      timer = window.setTimeout(() => {
        source?.close();
        source = null;
      }, SLEPT);
    } else if (!source) {
      follow();
      resynced.value += 1;
    }
  });
  window.addEventListener("pageshow", (shown) => {
    if (!shown.persisted) return;
    follow();
    resynced.value += 1;
  });
}
