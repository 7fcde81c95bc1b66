// Strength of a memory: how it came to be, and how it will fade if nothing is used.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "./shell";
import type { Course } from "./shapes";
import { percent, stateName } from "./words";

const HEIGHT = 200;
const APART = 14; // pixels between two names of states
const DAY = 86_400;
const days = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

export default function Plot({ course }: { course: Course }) {
  const box = useRef<HTMLDivElement>(null);
  const chosen = theme.value;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const plot = new uPlot(options(course, element.clientWidth), data(course), element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [course, chosen]);
  return <div class="plot" ref={box} aria-hidden="true" />;
}

/** Times, then past, future and events at them. */
function data(course: Course): uPlot.AlignedData {
  const past = new Map(course.past);
  const ahead = new Map(course.ahead);
  const last = course.past.at(-1);
  if (last && !ahead.has(last[0])) ahead.set(last[0], last[1]);
  const events = new Map(course.events.map((one) => [one.at, valueAt(course.past, one.at)]));
  const times = [...new Set([...past.keys(), ...ahead.keys(), ...events.keys()])].sort((one, other) => one - other);
  return [times, times.map((at) => past.get(at)), times.map((at) => ahead.get(at)), times.map((at) => events.get(at))];
}

/** The value of a line at a time, between its points. */
export function valueAt(points: [number, number][], at: number): number {
  const after = points.findIndex(([time]) => time >= at);
  const right = points[after];
  if (!right) return points.at(-1)?.[1] ?? 0;
  const left = points[after - 1];
  if (!left || right[0] === at) return right[1];
  return left[1] + ((right[1] - left[1]) * (at - left[0])) / (right[0] - left[0]);
}

function options(course: Course, width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${colour("sans")}`;
  const axis = { stroke: colour("ink-faint"), font, ticks: { show: false }, grid: { show: false }, border: { show: false } };
  return {
    width,
    height: HEIGHT,
    padding: [10, 24, 0, 0], // half of a date stands beyond the last day
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: [0, 1] } },
    axes: [
      { ...axis, size: 30, space: 90, values: (_, splits) => splits.map((at) => days.format(new Date(at * 1000))), incrs: [DAY, 2 * DAY, 5 * DAY, 10 * DAY, 30 * DAY, 90 * DAY, 365 * DAY] },
      { ...axis, size: 44, splits: [0, 0.5, 1], values: (_, values) => values.map(percent) },
    ],
    series: [
      {},
      { stroke: colour("accent"), width: 2, fill: `${colour("accent")}22`, points: { show: false }, spanGaps: true },
      { stroke: colour("accent"), width: 1.5, dash: [5, 5], points: { show: false }, spanGaps: true },
      { stroke: colour("accent"), width: 0, paths: () => null, points: { show: true, size: 7, fill: colour("surface"), width: 2 } },
    ],
    hooks: {
      draw: [(plot) => borders(plot, course, colour("line-strong"), colour("ink-faint"), font)],
    },
  };
}

/** A line at the lower border of each state with its name, and one at now. */
function borders(plot: uPlot, course: Course, line: string, ink: string, font: string): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = line;
  ctx.lineWidth = ratio;
  ctx.setLineDash([2 * ratio, 4 * ratio]);
  ctx.fillStyle = ink;
  ctx.font = font.replace(/^\d+/, String(10.5 * ratio));
  ctx.textAlign = "right";
  const stroke = (fromX: number, fromY: number, toX: number, toY: number) => {
    ctx.beginPath();
    ctx.moveTo(fromX, fromY);
    ctx.lineTo(toX, toY);
    ctx.stroke();
  };
  let lowest = -Infinity;
  const shown = Object.entries(course.borders).filter(([, value]) => value > 0 && value < 1);
  for (const [state, value] of shown.sort(([, one], [, other]) => other - one)) {
    const y = plot.valToPos(value, "y", true);
    if (y - lowest < APART * ratio) continue; // its name would stand on the one above
    lowest = y;
    stroke(bbox.left, y, bbox.left + bbox.width, y);
    ctx.fillText(stateName(state), bbox.left + bbox.width, y - 4 * ratio);
  }
  const x = plot.valToPos(course.at, "x", true);
  ctx.setLineDash([]);
  stroke(x, bbox.top, x, bbox.top + bbox.height);
  ctx.restore();
}
