// Times, sizes and the daemon's words, as a person reads them.

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const RECENT = 6 * DAY; // seconds in which a day of the week tells which one it was

const number = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
const wholeDay = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const exactly = new Intl.DateTimeFormat("en-GB", {
  weekday: "long", day: "numeric", month: "long", year: "numeric",
  hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short",
});

export function count(many: number, one: string, more = `${one}s`): string {
  return `${number.format(many)} ${many === 1 ? one : more}`;
}

export function grouped(value: number): string {
  return number.format(value);
}

/** Midnight before this moment, in the machine's time zone; both in seconds. */
export function midnight(at: number): number {
  const date = new Date(at * 1000);
  date.setHours(0, 0, 0, 0);
  return date.getTime() / 1000;
}

/** The same time of another day: a day need not have 24 hours. */
export function daysLater(at: number, days: number): number {
  const date = new Date(at * 1000);
  date.setDate(date.getDate() + days);
  return date.getTime() / 1000;
}

function daysBefore(at: number, now: number): number {
  return Math.round((midnight(now) - midnight(at)) / DAY);
}

/** A moment as one would say it: `4 minutes ago`, `yesterday at 14:05`, `12 March`. */
export function ago(at: number, now: number): string {
  const seconds = now - at;
  const date = new Date(at * 1000);
  if (seconds < -MINUTE) return later(at, now);
  if (seconds < MINUTE) return "just now";
  if (seconds < HOUR) return `${count(Math.floor(seconds / MINUTE), "minute")} ago`;
  const days = daysBefore(at, now);
  if (days === 0) return `${count(Math.floor(seconds / HOUR), "hour")} ago`;
  if (days === 1) return `yesterday at ${clock.format(date)}`;
  if (seconds < RECENT) return `${weekday.format(date)} at ${clock.format(date)}`;
  return sameYear(at, now) ? day.format(date) : dayOfYear.format(date);
}

function later(at: number, now: number): string {
  const seconds = at - now;
  if (seconds < HOUR) return `in ${count(Math.ceil(seconds / MINUTE), "minute")}`;
  if (seconds < DAY) return `in ${count(Math.round(seconds / HOUR), "hour")}`;
  if (seconds < 45 * DAY) return `in ${count(Math.round(seconds / DAY), "day")}`;
  return sameYear(at, now) ? day.format(new Date(at * 1000)) : dayOfYear.format(new Date(at * 1000));
}

function sameYear(one: number, other: number): boolean {
  return new Date(one * 1000).getFullYear() === new Date(other * 1000).getFullYear();
}

export function exact(at: number): string {
  return exactly.format(new Date(at * 1000));
}

export function timeOfDay(at: number): string {
  return clock.format(new Date(at * 1000));
}

/** The name of a day: today, yesterday, or its date. */
export function dayName(at: number, now: number): string {
  const days = daysBefore(at, now);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return wholeDay.format(new Date(at * 1000));
}

export function dateOf(at: number): string {
  return wholeDay.format(new Date(at * 1000));
}

/** `2026-11-29`, of the machine's time zone. */
export function isoDay(at: number): string {
  const date = new Date(at * 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Midnight of `2026-11-29`, in seconds; null where it is no day. */
export function fromIsoDay(text: string): number | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!parts) return null;
  const at = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])).getTime() / 1000;
  return Number.isFinite(at) ? at : null;
}

export function lasting(seconds: number): string {
  if (seconds < MINUTE) return count(Math.round(seconds), "second");
  if (seconds < HOUR) return count(Math.round(seconds / MINUTE), "minute");
  if (seconds < DAY) return count(Math.round(seconds / HOUR), "hour");
  return count(Math.round(seconds / DAY), "day");
}

export function bytes(size: number): string {
  if (size >= 1e9) return `${(size / 1e9).toFixed(1)} GB`;
  if (size >= 1e6) return `${(size / 1e6).toFixed(size >= 1e7 ? 0 : 1)} MB`;
  if (size >= 1e3) return `${Math.round(size / 1e3)} kB`;
  return count(size, "byte");
}

export function milliseconds(time: number): string {
  if (time < 1) return "under 1 ms";
  return time < 1_000 ? `${Math.round(time)} ms` : `${(time / 1_000).toFixed(1)} s`;
}

/** Words of the daemon about its user, said to that user; what is quoted stays as it is. */
export function toYou(words: string): string {
  return words
    .replace(/^([Tt])he user (said|decided|wants|wished)\b/, (_, letter: string, verb: string) => `${letter === "T" ? "You" : "you"} ${verb === "wants" ? "want" : verb}`)
    .replace(/\bas the user said it\b/, "as you said it")
    .replace(/\b(rule|wish|decision|word) of the user\b/, "$1 of yours");
}

/** A sentence as it begins. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function dollars(value: number | null): string {
  if (value === null) return "not told";
  return value >= 1 ? `$${value.toFixed(2)}` : `$${value.toFixed(3)}`;
}

/** The last part of a project's path; what holds everywhere has none. */
export function projectName(project: string | null): string {
  if (!project) return "every project";
  return project.replace(/\/+$/, "").split("/").pop() || project;
}

/** A name for each project by which one can tell it from the others: as much of the end of its path as that takes. */
export function distinctNames(projects: readonly string[]): Map<string, string> {
  const ending = (project: string, parts: number) => project.split("/").filter(Boolean).slice(-parts).join("/") || project;
  const names = new Map<string, string>();
  for (const project of projects) {
    let parts = 1;
    const depth = project.split("/").filter(Boolean).length;
    while (parts < depth && projects.some((other) => other !== project && ending(other, parts) === ending(project, parts))) parts += 1;
    names.set(project, project ? ending(project, parts) : projectName(null));
  }
  return names;
}

const KINDS: Record<string, string> = {
  convention: "rule",
  preference: "wish",
  discovery: "finding",
  bugfix: "fix",
};

export function kindName(kind: string): string {
  return KINDS[kind] ?? kind.replaceAll("_", " ");
}

/** Whose word it is, as the beginning of a sentence. */
export function speaker(saidBy: string): string {
  return { user: "You said", agent: "The agent said", tool: "A program printed", document: "A document says" }[saidBy] ?? "It was said";
}

export function whose(saidBy: string): string {
  return { user: "your word", agent: "the agent's word", tool: "a program's output", document: "a document", import: "an import", dream: "a dream" }[saidBy] ?? "";
}

const STATES: Record<string, string> = {
  HOT: "fresh",
  WARM: "fading a little",
  COLD: "fading",
  DORMANT: "nearly faded",
  archivable: "faded",
};

export function stateName(state: string): string {
  return STATES[state] ?? state.toLowerCase();
}

const ENDED: Record<string, string> = {
  deprecated: "replaced",
  archived: "put away",
};

export function endedName(ended: string): string {
  return ENDED[ended] ?? ended;
}

const PLACES: Record<string, string> = {
  prompt: "a prompt",
  session_start: "the start of the session",
  subagent: "a subagent's task",
  tool: "before a command",
  failure: "after a failure",
};

export function placeName(place: string): string {
  return PLACES[place] ?? place.replaceAll("_", " ");
}

const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text without characters that steer a terminal or turn the direction of writing. */
export function inert(text: string): string {
  return text.replace(HIDDEN, "\ufffd");
}

/** Whether a title says more than the beginning of its text. */
export function titleSaysMore(title: string, text: string): boolean {
  const own = title.replace(/…$/, "").trim().toLowerCase();
  return own !== "" && !text.trim().toLowerCase().startsWith(own);
}
