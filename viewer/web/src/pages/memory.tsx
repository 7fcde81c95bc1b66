// One memory: its words, where they come from, how strong it is, what happened to it, what it has to do with others.

import { useEffect, useRef, useState, type Dispatch, type StateUpdater } from "preact/hooks";
import type { ComponentType } from "preact";
import { useKeys } from "../keys";
import { useAsked } from "../loading";
import { change, confirm, forget, mute, pin, rate, refute, setWhy, unforget } from "../memory_acts";
import { Button, Kind, Line, Problem, Project, Said, Waiting, When } from "../parts";
import { address } from "../route";
import type { Course, Memory, Shown, Why } from "../shapes";
import { count, endedName, lasting, percent, placeName, sentence, stateName, titleSaysMore, toYou } from "../words";
import { now } from "../clock";

const ON = ["changed", "forgotten", "restored", "strength", "told", "linked", "judged"] as const;
const DECIDED: Record<string, string> = {
  CREATE: "new",
  CREATE_LINKED: "kept beside another one",
  REINFORCE: "heard again",
  UPDATE: "reworded",
  SUPERSEDE: "took the place of an older one",
};
const BROUGHT_BACK = new Set(["forgotten", "archived", "expired"]);

export function Detail({ id, close }: { id: string; close: () => void }) {
  const shown = useAsked<Shown>("show", { id }, ON);
  const course = useAsked<Course>("course", { id, days: 30 }, ON);
  const why = useAsked<Why>("why", { id }, ON);
  const [isEditing, setEditing] = useState(false);
  const top = useRef<HTMLElement>(null);
  useEffect(() => {
    setEditing(false);
    top.current?.scrollTo({ top: 0 });
  }, [id]);
  const memory = shown.data?.memory ?? null;
  const acts = memory && actsOf(memory, shown.data, shown.reload, setEditing);
  useKeys([
    { key: "e", label: "Change its words", run: () => memory && !memory.ended && setEditing(true) },
    { key: "p", label: "Pin it, or no longer", run: () => acts?.pin() },
    { key: "m", label: "Mute it for a day", run: () => acts?.mute() },
    { key: "d", label: "Forget it, or bring it back", run: () => acts?.forget() },
  ]);
  return (
    <article class="detail" ref={top} aria-label="The memory">
      <Problem line={shown.problem} again={shown.reload} />
      {!memory && !shown.problem && <Waiting />}
      {memory && shown.data && acts && (
        <>
          <header class="facts">
            <Kind kind={memory.kind} />
            <Project project={memory.project} />
            {memory.pinned && <span class="mark">pinned</span>}
            {memory.tier !== "normal" && <span class="mark">{memory.tier}</span>}
            {memory.status !== "confirmed" && <span class="mark">{memory.status === "hypothesis" ? "only supposed" : memory.status}</span>}
            {memory.ended && <span class="mark bad">{endedName(memory.ended)}</span>}
            {memory.stale && <span class="mark warn">out of date</span>}
            <span class="spring" />
            <span class="id">{memory.id}</span>
            <Button class="close" onClick={close} hint="Esc">
              Close
            </Button>
          </header>
          {isEditing ? (
            <Editor memory={memory} close={() => setEditing(false)} reload={shown.reload} />
          ) : (
            <>
              <h2 class={titleSaysMore(memory.title, memory.text) ? "detail-title" : "hidden"}>
                <Line text={memory.title || memory.text.slice(0, 80)} />
              </h2>
              <div class="text">
                <Said text={memory.text} />
              </div>
              {memory.why && (
                <p class="reason">
                  Because: <Said text={memory.why} most={600} />
                </p>
              )}
            </>
          )}
          {memory.stale && <p class="stale">{memory.stale}</p>}
          {memory.superseded_by && (
            <p>
              In its place stands <a href={address("memories", memory.superseded_by)}>{memory.superseded_by}</a>.
            </p>
          )}
          {!isEditing && <Actions memory={memory} acts={acts} isMuted={isMuted(shown.data)} />}
          <Source memory={memory} read={shown.data.read ?? []} why={why.data} />
          <Strength memory={memory} course={course.data} />
          <Use shown={shown.data} />
          <About shown={shown.data} />
          <Links shown={shown.data} />
          <Past shown={shown.data} />
        </>
      )}
    </article>
  );
}

interface Acts {
  edit: () => void;
  pin: () => void;
  mute: () => void;
  forget: () => void;
  refute: () => void;
  confirm: () => void;
  rate: (useful: boolean) => void;
}

function isMuted(shown: Shown | null): boolean {
  return (shown?.usage.hidden_until ?? 0) > now.value;
}

function actsOf(memory: Memory, shown: Shown | null, reload: () => void, setEditing: Dispatch<StateUpdater<boolean>>): Acts {
  const name = memory.title || memory.text;
  return {
    edit: () => setEditing(true),
    pin: () => void pin(memory.id, name, !memory.pinned, reload),
    mute: () => void mute(memory.id, name, isMuted(shown), reload),
    forget: () => {
      if (!memory.ended) void forget(memory.id, name, reload);
      else if (BROUGHT_BACK.has(memory.ended)) void unforget(memory.id, name, reload);
      else if (memory.ended === "refuted") void confirm(memory.id, name, reload);
    },
    refute: () => void refute(memory.id, name, reload),
    confirm: () => void confirm(memory.id, name, reload),
    rate: (useful) => void rate(memory.id, name, useful, reload),
  };
}

function Actions({ memory, acts, isMuted: muted }: { memory: Memory; acts: Acts; isMuted: boolean }) {
  if (memory.ended) {
    const comesBack = BROUGHT_BACK.has(memory.ended) || memory.ended === "refuted";
    return comesBack ? (
      <div class="buttons">
        <Button tone="good" onClick={acts.forget} hint="d">
          Bring it back
        </Button>
      </div>
    ) : null;
  }
  return (
    <div class="buttons">
      <Button onClick={acts.edit} hint="e">
        Edit
      </Button>
      <Button onClick={acts.pin} aria-pressed={memory.pinned} hint="p">
        {memory.pinned ? "Pinned" : "Pin"}
      </Button>
      <Button onClick={acts.mute} aria-pressed={muted} hint="m" title="In no prompt for a day">
        {muted ? "Muted" : "Mute"}
      </Button>
      <Button onClick={() => acts.rate(true)}>Useful</Button>
      <Button onClick={() => acts.rate(false)}>Not useful</Button>
      {memory.status !== "confirmed" && <Button onClick={acts.confirm}>It is so</Button>}
      <Button onClick={acts.refute}>Not so</Button>
      <Button tone="bad" onClick={acts.forget} hint="d">
        Forget
      </Button>
    </div>
  );
}

function Editor({ memory, close, reload }: { memory: Memory; close: () => void; reload: () => void }) {
  const [value, setValue] = useState(memory.text);
  const [why, setReason] = useState(memory.why ?? "");
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const save = () => {
    close();
    if (value.trim() && value.trim() !== memory.text) void change(memory.id, memory.title || memory.text, value.trim(), reload);
    if (why.trim() !== (memory.why ?? "")) void setWhy(memory.id, memory.why ?? "", why.trim(), reload);
  };
  return (
    <div class="editor">
      <textarea
        ref={area}
        value={value}
        dir="auto"
        rows={Math.min(18, Math.ceil(memory.text.length / 60) + 2)}
        aria-label="Text of the memory"
        onInput={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
          else if (event.key === "Escape") close();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <label class="field reason-field">
        <span>Because</span>
        <input
          type="text"
          value={why}
          dir="auto"
          placeholder="why it is so, if that is to be kept"
          onInput={(event) => setReason(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && save()}
        />
      </label>
      <div class="buttons">
        <Button tone="good" onClick={save} hint="Ctrl ↵">
          Save
        </Button>
        <Button onClick={close} hint="Esc">
          Leave as it is
        </Button>
        <span class="muted small">What it says now is kept.</span>
      </div>
    </div>
  );
}

// ---- what is known of it

function Source({ memory, read, why }: { memory: Memory; read: string[]; why: Why | null }) {
  return (
    <section>
      <h3>Where it comes from</h3>
      <p>
        <Line text={sentence(toYou(memory.origin))} />, <When at={memory.created_at} />
        {memory.versions > 1 && (
          <>
            ; changed <When at={memory.updated_at} />
          </>
        )}
        .
      </p>
      {read.map((line) => (
        <p key={line}>
          <Said text={toYou(line)} most={500} />
        </p>
      ))}
      {why && why.sentences.length > 0 && (
        <details>
          <summary>All that is known of why it is here</summary>
          <ul class="sentences">
            {why.sentences.map((line) => (
              <li key={line}>
                <Said text={line} most={400} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Strength({ memory, course }: { memory: Memory; course: Course | null }) {
  const [Plot, setPlot] = useState<ComponentType<{ course: Course }> | null>(null);
  useEffect(() => {
    void import("../plot").then((made) => setPlot(() => made.default));
  }, []);
  const next = course?.falls[0];
  return (
    <section>
      <h3>Strength</h3>
      <p>
        {percent(memory.retrievability ?? 0)} recallable: {stateName(memory.state)}.{" "}
        {next && !memory.pinned && (
          <>
            Unless it is used it will be {stateName(next.state)} <When at={next.at} />.
          </>
        )}
        {memory.pinned && "It is pinned and does not fade."}
      </p>
      {course && course.past.length > 0 && (Plot ? <Plot course={course} /> : <div class="plot" />)}
      {course && course.past.length > 0 && <p class="muted small">As it was; dashed, as it will be if nothing is used. A ring is a use or a verdict.</p>}
    </section>
  );
}

function Use({ shown }: { shown: Shown }) {
  const { usage, memory } = shown;
  const untold = Object.entries(usage.untold).sort(([, one], [, other]) => other - one);
  return (
    <section>
      <h3>Use</h3>
      <p>
        {usage.sessions ? (
          <>
            Shown in {count(usage.sessions, "session")}, of use in {usage.cited || "none"}.
          </>
        ) : (
          <>No session was shown it unasked.</>
        )}{" "}
        {memory.uses > 0 && <>Used {count(memory.uses, "time")} in all.</>}
        {isMuted(shown) && <> It is muted for {lasting((usage.hidden_until ?? 0) - now.value)} more.</>}
      </p>
      {untold.length > 0 && (
        <p class="muted">
          In the last 30 days it was weighed and not told: {untold.map(([reason, many]) => `${reason} (${many})`).join(", ")}.
        </p>
      )}
    </section>
  );
}

function About({ shown }: { shown: Shown }) {
  if (!shown.about.length) return null;
  return (
    <section>
      <h3>What it is about</h3>
      <ul class="links">
        {shown.about.map((one) => (
          <li key={`${one.path} ${one.symbol} ${one.command}`}>
            <code>
              <Line text={one.command || one.symbol || one.path} />
            </code>
            {one.symbol && one.path && (
              <span class="muted">
                {" "}
                in <Line text={one.path} />
              </span>
            )}
            {one.state !== "held" && <span class="mark warn">{one.state === "gone" ? "gone" : "changed since"}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Links({ shown }: { shown: Shown }) {
  if (!shown.related.length) return null;
  return (
    <section>
      <h3>What it has to do with others</h3>
      <ul class="links">
        {shown.related.map((one) => (
          <li key={`${one.id} ${one.how}`}>
            <span class="how">{one.link ? `${one.how.replaceAll("_", " ")}${one.incoming ? " it" : ""}` : "alike"}</span>
            <a href={address("memories", one.id)}>
              <Line text={one.title} />
            </a>
            {one.ended && <span class="mark">{endedName(one.ended)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Past({ shown }: { shown: Shown }) {
  const entries = [
    ...shown.decisions.map((one) => ({
      at: one.at,
      what: DECIDED[one.action] ?? one.action.toLowerCase(),
      detail: [one.existing && one.existing !== shown.memory.id ? one.existing : "", one.reason ?? ""].filter(Boolean).join(", "),
    })),
    ...shown.history.map((one) => ({ at: one.at, what: one.what.replaceAll("_", " "), detail: one.what === "shown" ? placeName(one.detail) : one.detail })),
  ].sort((one, other) => other.at - one.at);
  if (!entries.length) return null;
  return (
    <section>
      <h3>What happened to it</h3>
      <ol class="past">
        {entries.slice(0, 60).map((one, place) => (
          <li key={place}>
            <When at={one.at} />
            <span>
              <b>{one.what}</b>
              {one.detail && (
                <>
                  : <Said text={one.detail} most={300} />
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
