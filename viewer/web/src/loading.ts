// A reply that is kept up to date while something shows it.

import { useEffect, useRef, useState } from "preact/hooks";
import { ask, Refused, type Fields } from "./api";
import { listen, presence, resynced } from "./live";

export interface Loaded<T> {
  data: T | null;
  problem: string;
  reload: () => void;
}

const GATHERED = 120; // ms in which several events are one reason to ask again

/**
 * The reply to a question; asked again when one of these happens, or after a time of which nothing is known.
 * A reply of an earlier question never takes the place of a later one.
 */
export function useAsked<T>(name: string, fields: Fields | null, on: readonly string[] = []): Loaded<T> {
  const [state, setState] = useState<{ key: string; data: T | null; problem: string }>({ key: "", data: null, problem: "" });
  const key = fields === null ? "" : `${name} ${JSON.stringify(fields)}`;
  const [turn, setTurn] = useState(0);
  const reload = useRef(() => setTurn((value) => value + 1)).current;
  const sync = resynced.value;
  useEffect(() => {
    if (fields === null) return;
    const aborted = new AbortController();
    ask<T>(name, fields, aborted.signal)
      .then((data) => setState({ key, data, problem: "" }))
      .catch((error: unknown) => {
        if (aborted.signal.aborted) return;
        const isAway = error instanceof Refused && error.isAway;
        // The banner tells it, and what was shown stays.
        const problem = isAway ? "" : error instanceof Error ? error.message : String(error);
        setState((before) => ({ key, data: before.key === key ? before.data : null, problem }));
      });
    return () => aborted.abort();
  }, [key, turn, sync]);
  const kinds = on.join(" ");
  useEffect(() => {
    if (!kinds) return;
    let timer = 0;
    const stop = listen((event) => {
      if (timer || !on.includes(event.what)) return;
      timer = window.setTimeout(() => {
        timer = 0;
        reload();
      }, GATHERED);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [kinds]);
  const isOld = state.key !== key;
  return { data: isOld ? null : state.data, problem: isOld ? "" : state.problem, reload };
}

export function isThere(): boolean {
  return presence.value === "up" || presence.value === "unknown";
}
