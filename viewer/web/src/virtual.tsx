// A list of any length of which only what is in sight is there.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { windowOf, type Window } from "./windows";

export interface Handle {
  reveal: (place: number) => void;
}

export function VirtualList(props: {
  length: number;
  of: unknown; // what the rows are of: others are looked at anew
  row: number; // pixels
  label: string;
  onWindow: (first: number, last: number) => void;
  handle: (handle: Handle) => void;
  children: (place: number) => ComponentChildren;
}) {
  const { length, row } = props;
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<Window>({ first: 0, last: Math.min(length, 30) });
  const look = () => {
    const element = box.current;
    if (!element) return;
    const next = windowOf(element.scrollTop, element.clientHeight, row, length);
    setSeen((before) => (before.first === next.first && before.last === next.last ? before : next));
    props.onWindow(next.first, next.last);
  };
  useLayoutEffect(look, [length, props.of]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [length, props.of]);
  useLayoutEffect(() => {
    props.handle({
      reveal: (place) => {
        const element = box.current;
        if (!element) return;
        const top = place * row;
        if (top < element.scrollTop) element.scrollTop = top;
        else if (top + row > element.scrollTop + element.clientHeight) element.scrollTop = top + row - element.clientHeight;
      },
    });
  }, []);
  const places = Array.from({ length: Math.max(0, Math.min(seen.last, length) - seen.first) }, (_, at) => seen.first + at);
  return (
    <div class="virtual" ref={box} onScroll={look} tabIndex={0} role="region" aria-label={props.label}>
      <ul style={{ height: `${length * row}px` }}>
        {places.map((place) => (
          <li key={place} style={{ transform: `translateY(${place * row}px)`, height: `${row}px` }} aria-setsize={length} aria-posinset={place + 1}>
            {props.children(place)}
          </li>
        ))}
      </ul>
    </div>
  );
}
