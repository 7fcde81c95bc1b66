// Small parts that every page is made of.

import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { now } from "./clock";
import { difference } from "./diff";
import { ago, exact, grouped, inert, kindName, projectName } from "./words";

const LONG = 1_200; // characters of a text that are shown at first

/** A moment in words, with the exact one on hover. */
export function When({ at, says }: { at: number; says?: string }) {
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={exact(at)}>
      {says ?? ago(at, now.value)}
    </time>
  );
}

/** Stored text: never markup, in its own direction, cut where it is long. */
export function Said({ text, most = LONG, class: name = "" }: { text: string; most?: number; class?: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = text.length > most + 200 && !isWhole;
  return (
    <>
      <span class={`said ${name}`} dir="auto">
        {marked(inert(isCut ? `${text.slice(0, most)}…` : text))}
      </span>
      {isCut && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all ({grouped(text.length)} characters)
        </button>
      )}
    </>
  );
}

const MARKED = 20_000; // characters of a text in which names are looked for

/** What stands between backticks as the name that it is. */
function marked(text: string): ComponentChildren {
  if (text.length > MARKED || !text.includes("`")) return text;
  return text.split(/`([^`\n]+)`/).map((part, place) => (place % 2 ? <code key={place}>{part}</code> : part));
}

/** One line of stored text. */
export function Line({ text, class: name = "" }: { text: string; class?: string }) {
  return (
    <bdi class={`line ${name}`} dir="auto">
      {inert(text.length > 300 ? `${text.slice(0, 300)}…` : text)}
    </bdi>
  );
}

/** Words that somebody said, as they were said. */
export function Quotation({ text, by, children }: { text: string; by: ComponentChildren; children?: ComponentChildren }) {
  return (
    <figure class="quotation">
      <blockquote>
        <Said text={text} most={600} />
      </blockquote>
      <figcaption>
        {by}
        {children}
      </figcaption>
    </figure>
  );
}

export function Kind({ kind }: { kind: string }) {
  return (
    <span class="kind" data-kind={kind}>
      {kindName(kind)}
    </span>
  );
}

export function Project({ project }: { project: string | null }) {
  return (
    <span class="project" title={project ?? "It holds in every project"}>
      <bdi>{projectName(project)}</bdi>
    </span>
  );
}

/** An older text beside the one that took its place: word by word, or the older one alone where they share little. */
export function Difference({ before, after }: { before: string; after: string }) {
  const pieces = difference(before, after);
  if (!pieces) {
    return (
      <p class="difference" dir="auto">
        <del>{inert(before.slice(0, 2_000))}</del>
      </p>
    );
  }
  return (
    <p class="difference" dir="auto">
      {pieces.map((piece, place) => {
        const text = inert(piece.text);
        if (piece.how === "gone") return <del key={place}>{text}</del>;
        if (piece.how === "new") return <ins key={place}>{text}</ins>;
        return <span key={place}>{text}</span>;
      })}
    </p>
  );
}

export function Button(props: ButtonHTMLAttributes<HTMLButtonElement> & { tone?: "good" | "bad" | "plain"; hint?: string }) {
  const { tone = "plain", hint, children, class: name = "", ...rest } = props;
  return (
    <button type="button" class={`button ${tone} ${String(name)}`} {...rest}>
      {children}
      {hint && <kbd aria-hidden="true">{hint}</kbd>}
    </button>
  );
}

/** Says what comes here, and what one can do so that it does. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A command to be copied. */
export function Command({ line }: { line: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(line).catch(() => undefined);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <span class="command">
      <code>{line}</code>
      <button type="button" class="link" onClick={() => void copy()} aria-label={`Copy: ${line}`}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </span>
  );
}

export function Problem({ line, again }: { line: string; again: () => void }) {
  if (!line) return null;
  return (
    <p class="problem" role="alert">
      <span>{line}</span>
      <Button onClick={again}>Try again</Button>
    </p>
  );
}

/** Space that will be filled in a moment; told to nobody who only listens. */
export function Waiting({ rows = 3 }: { rows?: number }) {
  return (
    <div class="waiting" aria-hidden="true">
      {Array.from({ length: rows }, (_, place) => (
        <div class="bone" key={place} />
      ))}
    </div>
  );
}

export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header class="heading">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </header>
  );
}
