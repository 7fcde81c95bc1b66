// Keys: each page says which it has; one listener; `?` shows them all.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export interface Key {
  key: string; // as KeyboardEvent.key
  label: string;
  run: (event: KeyboardEvent) => void;
  group?: string;
}

const layers: Key[][] = [];
/** Rises when keys come or go. */
export const keysChanged = signal(0);
export const helpIsOpen = signal(false);

export function allKeys(): Key[] {
  return layers.flat();
}

/** These keys hold as long as the caller is there; the last that came goes first. */
export function useKeys(keys: Key[]): void {
  const latest = useRef(keys);
  latest.current = keys;
  const names = keys.map((one) => one.key).join(" ");
  useEffect(() => {
    const layer = latest.current.map((one, place) => ({
      ...one,
      run: (event: KeyboardEvent) => latest.current[place]?.run(event),
    }));
    layers.push(layer);
    keysChanged.value += 1;
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      keysChanged.value += 1;
    };
  }, [names]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

export function beginKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") (event.target as HTMLElement).blur();
      return;
    }
    if (document.querySelector("dialog[open]")) return;
    const onControl = event.target instanceof HTMLElement && event.target.closest("button, a, summary");
    if (onControl && (event.key === "Enter" || event.key === " ")) return;
    for (const layer of [...layers].reverse()) {
      const key = layer.find((one) => one.key === event.key);
      if (key) {
        event.preventDefault();
        key.run(event);
        return;
      }
    }
  });
}
