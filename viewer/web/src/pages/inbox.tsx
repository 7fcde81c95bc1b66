// What the reader wrote since one looked: keep, edit or drop each note with a key, or a session at once.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { act } from "../acts";
import { groupBy } from "../groups";
import { useKeys } from "../keys";
import { useAsked } from "../loading";
import { Button, Command, Difference, Empty, Heading, Kind, Line, Problem, Project, Quotation, Said, Waiting, When } from "../parts";
import { address } from "../route";
import type { InboxPage, Note, Reader } from "../shapes";
import { count, projectName, speaker, titleSaysMore } from "../words";

type Verdict = "kept" | "edited" | "dropped";
const ON = ["read", "judged", "learnt", "changed", "forgotten", "restored"] as const;
const SAYS: Record<Verdict, string> = { kept: "Kept", edited: "Changed", dropped: "Dropped" };

export function Inbox() {
  const { data, problem, reload } = useAsked<InboxPage>("inbox", {}, ON);
  const reader = useAsked<Reader>("reader", data && data.notes.length === 0 ? {} : null);
  const { notes, verdicts, judge } = useJudged(data);
  const [selected, setSelected] = useState("");
  const [editing, setEditing] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const open = notes.filter((note) => !verdicts[note.id]);
  const sessions = useMemo(() => bySession(notes), [notes]);
  const current = notes.find((note) => note.id === selected) ?? null;

  const select = (id: string) => {
    setSelected(id);
    focusNote(list.current, id);
  };
  const step = (by: number) => {
    const place = notes.findIndex((note) => note.id === selected);
    const next = notes[place < 0 ? (by > 0 ? 0 : notes.length - 1) : Math.min(Math.max(place + by, 0), notes.length - 1)];
    if (next) select(next.id);
  };
  const decide = async (chosen: Note[], verdict: "kept" | "dropped", words: string) => {
    const ids = chosen.map((note) => note.id);
    if (!ids.length) return;
    const done = await act({
      name: "inbox-judge",
      fields: { verdict, ids },
      words,
      undo: { name: "inbox-judge", fields: { verdict: "", ids } },
      after: () => judge(ids, verdict),
      afterUndo: () => judge(ids, null),
    });
    if (!done) return;
    const rest = notes.slice(notes.findIndex((note) => note.id === ids.at(-1)) + 1);
    const next = rest.find((note) => !verdicts[note.id]) ?? open.find((note) => !ids.includes(note.id));
    if (next) select(next.id);
  };
  const one = (note: Note | null, verdict: "kept" | "dropped") => {
    if (!note) return step(1);
    if (verdicts[note.id]) return step(1);
    void decide([note], verdict, `${SAYS[verdict]} “${short(note)}”`);
  };
  const session = (name: string | undefined, verdict: "kept" | "dropped") => {
    const chosen = open.filter((note) => note.session === name);
    void decide(chosen, verdict, `${SAYS[verdict]} ${count(chosen.length, "note")} of this session`);
  };
  const save = async (note: Note, text: string) => {
    setEditing("");
    if (!text.trim() || text.trim() === note.text) return select(note.id);
    await act({
      name: "inbox-edit",
      fields: { id: note.id, text: text.trim() },
      words: `Changed “${short(note)}”`,
      undo: { name: "inbox-judge", fields: { verdict: "", ids: [note.id] } },
      after: () => judge([note.id], "edited", text.trim()),
      afterUndo: () => judge([note.id], null),
    });
    select(note.id);
  };

  useKeys([
    { key: "j", label: "Next note", run: () => step(1) },
    { key: "k", label: "Note before", run: () => step(-1) },
    { key: "y", label: "Keep it", run: () => one(current, "kept") },
    { key: "d", label: "Drop it", run: () => one(current, "dropped") },
    { key: "e", label: "Change its words", run: () => current && setEditing(current.id) },
    { key: "Y", label: "Keep all of its session", run: () => session(current?.session, "kept") },
    { key: "D", label: "Drop all of its session", run: () => session(current?.session, "dropped") },
    { key: "o", label: "Open it among the memories", run: () => current && (location.hash = address("memories", current.id)) },
  ]);

  if (!data && !notes.length) {
    return (
      <div class="page narrow">
        <Heading title="Inbox" />
        <Problem line={problem} again={reload} />
        {!problem && <Waiting />}
      </div>
    );
  }
  return (
    <div class="page narrow">
      <Heading title="Inbox">
        {open.length > 0 && (
          <p>
            {count(open.length, "note")} from {count(new Set(open.map((note) => note.session)).size, "session")}. They count already: keep what
            is right, drop what is not.
          </p>
        )}
      </Heading>
      <Problem line={problem} again={reload} />
      {notes.length === 0 && <Nothing reader={reader.data} />}
      {notes.length > 0 && open.length === 0 && (
        <Empty title="All done">
          <p>
            {count(notes.length, "note")} looked at. <a href={address("today")}>See what else happened today</a>, or press <kbd>u</kbd> to take
            the last one back.
          </p>
        </Empty>
      )}
      <div ref={list}>
        {sessions.map(([name, those]) => (
          <section class="session" key={name} aria-label={`Session ${name.slice(0, 8)}${name.slice(-4)} in ${projectName(those[0]?.project ?? null)}`}>
            <SessionHead
              notes={those}
              open={those.filter((note) => !verdicts[note.id]).length}
              onAll={(verdict) => session(name, verdict)}
            />
            {those.map((note) => (
              <Card
                key={note.id}
                note={note}
                verdict={verdicts[note.id] ?? null}
                isSelected={note.id === selected}
                isFirst={note.id === (selected || notes[0]?.id)}
                isEditing={note.id === editing}
                onSelect={() => setSelected(note.id)}
                onJudge={(verdict) => one(note, verdict)}
                onEdit={() => setEditing(note.id)}
                onSave={(text) => void save(note, text)}
                onLeave={() => {
                  setEditing("");
                  select(note.id);
                }}
                onUndo={() =>
                  void act({
                    name: "inbox-judge",
                    fields: { verdict: "", ids: [note.id] },
                    words: `Taken back: “${short(note)}”`,
                    after: () => judge([note.id], null),
                  })
                }
              />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

// ---- what is shown stays until one leaves, also when it was judged

interface Seen {
  notes: Note[];
  verdicts: Record<string, Verdict>;
  judge: (ids: string[], verdict: Verdict | null, text?: string) => void;
}

function useJudged(page: InboxPage | null): Seen {
  const [notes, setNotes] = useState<Note[]>([]);
  const [verdicts, setVerdicts] = useState<Record<string, Verdict>>({});
  const mine = useRef<Record<string, Verdict>>({});
  useEffect(() => {
    if (!page) return;
    const listed = new Map(page.notes.map((note) => [note.id, note]));
    setNotes((before) => {
      const known = new Set(before.map((note) => note.id));
      const fresh = page.notes.filter((note) => !known.has(note.id));
      // What left the inbox elsewhere, in another tab or a terminal, leaves here too.
      const stays = before.filter((note) => listed.has(note.id) || mine.current[note.id]);
      return [...fresh, ...stays.map((note) => (mine.current[note.id] ? note : (listed.get(note.id) ?? note)))];
    });
  }, [page]);
  const judge = (ids: string[], verdict: Verdict | null, text?: string) => {
    for (const id of ids) {
      if (verdict) mine.current[id] = verdict;
      else delete mine.current[id];
    }
    setVerdicts({ ...mine.current });
    if (text !== undefined) setNotes((before) => before.map((note) => (ids.includes(note.id) ? { ...note, text } : note)));
  };
  return { notes, verdicts, judge };
}

function bySession(notes: Note[]): [string, Note[]][] {
  return [...groupBy(notes, (note) => note.session)];
}

function short(note: Note): string {
  const words = note.title || note.text;
  return words.length > 48 ? `${words.slice(0, 47).trimEnd()}…` : words;
}

function focusNote(list: HTMLElement | null, id: string): void {
  requestAnimationFrame(() => {
    const card = list?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest" });
  });
}

// ---- how it looks

function SessionHead({ notes, open, onAll }: { notes: Note[]; open: number; onAll: (verdict: "kept" | "dropped") => void }) {
  const first = notes[0];
  if (!first) return null;
  return (
    <header class="session-head">
      <div>
        <h2>
          <Project project={first.project} />
        </h2>
        <p>
          A session, read <When at={first.read_at} />
          {first.why && <span class="muted"> · {first.why.replace(/^read /, "")}</span>}
        </p>
      </div>
      {open > 1 && (
        <div class="buttons">
          <Button onClick={() => onAll("kept")} hint="Y">
            Keep all {open}
          </Button>
          <Button onClick={() => onAll("dropped")} hint="D">
            Drop all
          </Button>
        </div>
      )}
    </header>
  );
}

interface CardProps {
  note: Note;
  verdict: Verdict | null;
  isSelected: boolean;
  isFirst: boolean;
  isEditing: boolean;
  onSelect: () => void;
  onJudge: (verdict: "kept" | "dropped") => void;
  onEdit: () => void;
  onSave: (text: string) => void;
  onLeave: () => void;
  onUndo: () => void;
}

function Card(props: CardProps) {
  const { note, verdict, isSelected, isEditing } = props;
  const shared = {
    "data-id": note.id,
    tabIndex: props.isFirst ? 0 : -1,
    "aria-current": isSelected ? ("true" as const) : undefined,
    onFocus: props.onSelect,
  };
  if (verdict && !isEditing) {
    return (
      <article class={`note judged ${verdict}`} {...shared}>
        <p>
          <strong>{SAYS[verdict]}</strong> <Line text={note.title || note.text} />
        </p>
        <button type="button" class="link" onClick={props.onUndo}>
          Undo
        </button>
      </article>
    );
  }
  return (
    <article class="note" {...shared}>
      <header class="facts">
        <Kind kind={note.kind} />
        {note.scope === "always" && <span class="mark">at every start</span>}
        <span class="spring" />
        <When at={note.at} />
        <a href={address("memories", note.id)} class="id" title="Open it among the memories">
          {note.id}
        </a>
      </header>
      {titleSaysMore(note.title, note.text) && (
        <h3>
          <Line text={note.title} />
        </h3>
      )}
      {isEditing ? <Editor text={note.text} onSave={props.onSave} onLeave={props.onLeave} /> : <div class="text"><Said text={note.text} /></div>}
      <Proof note={note} />
      <Replaced note={note} />
      <Returns note={note} />
      {!isEditing && (
        <footer class="buttons">
          <Button tone="good" onClick={() => props.onJudge("kept")} hint="y">
            Keep
          </Button>
          <Button onClick={props.onEdit} hint="e">
            Edit
          </Button>
          <Button tone="bad" onClick={() => props.onJudge("dropped")} hint="d">
            Drop
          </Button>
        </footer>
      )}
    </article>
  );
}

function Proof({ note }: { note: Note }) {
  if (!note.quotation) return <p class="muted small">The words that it was made of were erased.</p>;
  return (
    <Quotation text={note.quotation} by={<>{speaker(note.said_by)} this</>}>
      {note.agreed_to && (
        <>
          {" "}
          to: <q><Line text={note.agreed_to} /></q>
        </>
      )}
    </Quotation>
  );
}

function Replaced({ note }: { note: Note }) {
  if (!note.named) return null;
  const link = (
    <a href={address("memories", note.named)} class="id">
      {note.named}
    </a>
  );
  if (note.ended) {
    return (
      <details class="replaced" open>
        <summary>{note.relation === "contradicts" ? "It says otherwise than" : "It sharpens"} an older note, which it replaced</summary>
        <Difference before={note.named_text} after={note.text} />
        <p class="small">The older one: {link}</p>
      </details>
    );
  }
  if (!note.refusal) return null;
  return (
    <details class="replaced">
      <summary>An older note stays beside it: {note.refusal}</summary>
      <p class="difference">
        <Said text={note.named_text} />
      </p>
      <p class="small">The older one: {link}</p>
    </details>
  );
}

const BROUGHT_BY: Record<string, string> = { prompt: "when one asks", file: "at", symbol: "at", command: "before", error: "after" };

function Returns({ note }: { note: Note }) {
  if (!note.cues?.length) return null;
  return (
    <div class="cues">
      <span>Comes back</span>
      <ul>
        {note.cues.map(({ kind, text }) => (
          <li key={`${kind} ${text}`}>
            {BROUGHT_BY[kind] ?? "at"} <b><Line text={text} /></b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Editor({ text, onSave, onLeave }: { text: string; onSave: (text: string) => void; onLeave: () => void }) {
  const [value, setValue] = useState(text);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const box = area.current;
    if (!box) return;
    box.focus();
    box.setSelectionRange(box.value.length, box.value.length);
  }, []);
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSave(value);
    else if (event.key === "Escape") onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="editor">
      <textarea
        ref={area}
        value={value}
        dir="auto"
        rows={Math.min(14, Math.ceil(text.length / 70) + 1)}
        aria-label="Text of the note"
        onInput={(event) => setValue(event.currentTarget.value)}
        onKeyDown={keys}
      />
      <div class="buttons">
        <Button tone="good" onClick={() => onSave(value)} hint="Ctrl ↵">
          Save
        </Button>
        <Button onClick={onLeave} hint="Esc">
          Leave as it is
        </Button>
        <span class="muted small">What you write is your word: only you can end it.</span>
      </div>
    </div>
  );
}

function Nothing({ reader }: { reader: Reader | null }) {
  if (reader && !reader.engine) {
    return (
      <Empty title={reader.notes ? "Nothing new" : "Nobody reads yet"}>
        <p>
          The reader goes through a session when it is over and writes down what a later one should know: decisions, wishes, traps. Each note
          comes here with the words that prove it, for you to keep, mend or drop.
        </p>
        <p>It is off until you choose who reads. What is sent where is said before you agree:</p>
        <p>
          <Command line="reverie reader use claude" />
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing new">
      <p>
        When a session of an agent is over, the reader writes down what the next one should know. Its notes come here by themselves, each with
        the words that prove it.
      </p>
      <p>
        <a href={address("today")}>What happened today</a> · <a href={address("memories")}>All memories</a>
      </p>
    </Empty>
  );
}
