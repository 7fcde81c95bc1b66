// A day: what was learnt and from which words, what agents were told and whether it helped, what was corrected and forgotten.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { now } from "../clock";
import { groupBy } from "../groups";
import { useKeys } from "../keys";
import { useAsked } from "../loading";
import { forget } from "../memory_acts";
import { Button, Difference, Empty, Heading, Kind, Line, Problem, Project, Quotation, Said, Waiting, When } from "../parts";
import { address, go, route } from "../route";
import type { Day, Happened, Telling } from "../shapes";
import { takeBack } from "../taken";
import { outcome, reason } from "../telling";
import { count, dateOf, dayName, daysLater, endedName, fromIsoDay, isoDay, midnight, placeName, projectName, sentence, speaker, timeOfDay, titleSaysMore } from "../words";

const ON = ["learnt", "changed", "forgotten", "restored", "told", "read", "judged", "strength"] as const;
const FIRST = 8; // entries of a part that are shown at first

export function Today() {
  const today = midnight(now.value);
  const since = fromIsoDay(route.value.rest) ?? today;
  const { data, problem, reload } = useAsked<Day>("day", { since, until: daysLater(since, 1) }, ON);
  const root = useRef<HTMLDivElement>(null);
  const turn = (days: number) => {
    const to = daysLater(since, days);
    if (to <= today) go(address("today", to === today ? "" : isoDay(to)));
  };
  const step = (by: number) => focusEntry(root.current, by);
  useKeys([
    { key: "j", label: "Next entry", run: () => step(1) },
    { key: "k", label: "Entry before", run: () => step(-1) },
    { key: "ArrowLeft", label: "The day before", run: () => turn(-1) },
    { key: "ArrowRight", label: "The day after", run: () => turn(1) },
    { key: "d", label: "Take it back", run: () => pressed("drop") },
    { key: "o", label: "Open it among the memories", run: () => openFocused() },
  ]);
  const isEmpty = data && !data.learnt.length && !data.told.length && !data.corrected.length && !data.forgotten.length;
  const name = dayName(since, now.value);
  return (
    <div class="page narrow" ref={root}>
      <Heading title={name}>
        <div class="turn">
          <p>{since >= daysLater(today, -1) ? dateOf(since) : ""}</p>
          <div class="buttons">
            <Button onClick={() => turn(-1)} aria-label="The day before">
              ← Before
            </Button>
            <input
              type="date"
              aria-label="Day"
              value={isoDay(since)}
              max={isoDay(today)}
              onChange={(event) => event.currentTarget.value && go(address("today", event.currentTarget.value))}
            />
            <Button onClick={() => turn(1)} disabled={since >= today} aria-label="The day after">
              After →
            </Button>
          </div>
        </div>
      </Heading>
      <Problem line={problem} again={reload} />
      {!data && !problem && <Waiting rows={4} />}
      {data && isEmpty && <Quiet isToday={since === today} back={() => turn(-1)} />}
      {data && !isEmpty && (
        <>
          <Summary day={data} />
          <Learnt entries={data.learnt} more={data.more.learnt ?? 0} reload={reload} />
          <Told tellings={data.told} more={data.more.told ?? 0} />
          <Corrected entries={data.corrected} more={data.more.corrected ?? 0} reload={reload} />
          <Forgotten entries={data.forgotten} more={data.more.forgotten ?? 0} reload={reload} />
        </>
      )}
    </div>
  );
}

function entriesOf(root: HTMLElement | null): HTMLElement[] {
  return root ? [...root.querySelectorAll<HTMLElement>("[data-entry]")] : [];
}

function focusEntry(root: HTMLElement | null, by: number): void {
  const entries = entriesOf(root);
  const place = entries.findIndex((one) => one.contains(document.activeElement));
  const next = entries[place < 0 ? 0 : Math.min(Math.max(place + by, 0), entries.length - 1)];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

function focused(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>("[data-entry]") ?? null;
}

function pressed(name: string): void {
  focused()?.querySelector<HTMLButtonElement>(`[data-act="${name}"]`)?.click();
}

function openFocused(): void {
  const id = focused()?.dataset.entry;
  if (id && id !== "telling") go(address("memories", id));
}

function Quiet({ isToday, back }: { isToday: boolean; back: () => void }) {
  return (
    <Empty title={isToday ? "Nothing has happened yet today" : "Nothing happened on this day"}>
      <p>What is learnt from your sessions stands here with the words that it comes from, beside what agents were told and whether they made use of it.</p>
      <p>
        <Button onClick={back} hint="←">
          The day before
        </Button>
      </p>
    </Empty>
  );
}

function Summary({ day }: { day: Day }) {
  const outcomes = day.told.map(outcome);
  const told = outcomes.filter((one) => !one.why).length;
  const used = outcomes.reduce((sum, one) => sum + one.used.length, 0);
  const silent = outcomes.length - told;
  const figures: [string, number, string, string][] = [
    ["learnt", day.learnt.length + (day.more.learnt ?? 0), "learnt", ""],
    ["told", told, told === 1 ? "time told" : "times told", `${used} used · ${silent} silent`],
    ["corrected", day.corrected.length + (day.more.corrected ?? 0), "corrected", ""],
    ["forgotten", day.forgotten.length + (day.more.forgotten ?? 0), "forgotten", ""],
  ];
  return (
    <ul class="summary">
      {figures.map(([part, many, name, beside]) => (
        <li key={part}>
          <a href={`#${part}`} onClick={(event) => jump(event, part)}>
            <b>{many}</b>
            <span>{name}</span>
            {beside && <small>{beside}</small>}
          </a>
        </li>
      ))}
    </ul>
  );
}

function jump(event: Event, part: string): void {
  event.preventDefault();
  document.getElementById(part)?.scrollIntoView({ behavior: "smooth" });
}

// ---- parts of a day

function Part<T>(props: { id: string; title: string; empty: string; entries: T[]; more: number; children: (entry: T, place: number) => ComponentChildren }) {
  const { entries } = props;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? entries : entries.slice(0, FIRST);
  return (
    <section class="part" id={props.id}>
      <h2>{props.title}</h2>
      {entries.length === 0 && <p class="muted">{props.empty}</p>}
      {shown.map(props.children)}
      {shown.length < entries.length && (
        <Button onClick={() => setWhole(true)}>Show {entries.length - shown.length} more</Button>
      )}
      {props.more > 0 && shown.length === entries.length && <p class="muted small">{count(props.more, "more is", "more are")} not shown.</p>}
    </section>
  );
}

function Learnt({ entries, more, reload }: { entries: Happened[]; more: number; reload: () => void }) {
  return (
    <Part id="learnt" title="Learnt" empty="Nothing was learnt." entries={entries} more={more}>
      {(one) => (
        <article class="entry" key={`${one.id} ${one.at}`} data-entry={one.id} tabIndex={0}>
          <header class="facts">
            <Kind kind={one.kind} />
            <Project project={one.project} />
            {one.ended && <span class="mark">{endedName(one.ended)} since</span>}
            <span class="spring" />
            <When at={one.at} says={timeOfDay(one.at)} />
            <a class="id" href={address("memories", one.id)}>
              {one.id}
            </a>
          </header>
          {titleSaysMore(one.title, one.text) && (
            <h3>
              <Line text={one.title} />
            </h3>
          )}
          <Said text={one.text} most={420} />
          {one.quotation ? (
            <Quotation text={one.quotation} by={speaker(one.said_by)} />
          ) : (
            <p class="muted small">
              <Line text={one.origin} />
            </p>
          )}
          {!one.ended && (
            <div class="buttons beside">
              {one.undo ? (
                <Taken entry={one} reload={reload} />
              ) : (
                <Button tone="bad" data-act="drop" onClick={() => void forget(one.id, one.title || one.text, reload)}>
                  Drop it
                </Button>
              )}
            </div>
          )}
        </article>
      )}
    </Part>
  );
}

function Corrected({ entries, more, reload }: { entries: Happened[]; more: number; reload: () => void }) {
  return (
    <Part id="corrected" title="Corrected" empty="Nothing was corrected." entries={entries} more={more}>
      {(one) => (
        <article class="entry" key={`${one.id} ${one.at}`} data-entry={one.id} tabIndex={0}>
          <header class="facts">
            <span class="kind-word">{one.how}</span>
            <Project project={one.project} />
            <span class="spring" />
            <When at={one.at} says={timeOfDay(one.at)} />
            <a class="id" href={address("memories", one.id)}>
              {one.id}
            </a>
          </header>
          <Said text={one.text} most={420} />
          {one.before && <Difference before={one.before} after={one.text} />}
          {one.quotation && <Quotation text={one.quotation} by={speaker(one.said_by)} />}
          <div class="buttons beside">
            <Taken entry={one} reload={reload} />
            {one.before_id && (
              <a class="small" href={address("memories", one.before_id)}>
                What it said before
              </a>
            )}
          </div>
        </article>
      )}
    </Part>
  );
}

function Forgotten({ entries, more, reload }: { entries: Happened[]; more: number; reload: () => void }) {
  return (
    <Part id="forgotten" title="Forgotten" empty="Nothing was forgotten." entries={entries} more={more}>
      {(one) => (
        <article class="entry slim" key={`${one.id} ${one.at}`} data-entry={one.id} tabIndex={0}>
          <header class="facts">
            <span class="kind-word">{endedName(one.how)}</span>
            <Project project={one.project} />
            <span class="spring" />
            <When at={one.at} says={timeOfDay(one.at)} />
            <a class="id" href={address("memories", one.id)}>
              {one.id}
            </a>
          </header>
          <Said text={one.text || one.title} most={260} />
          <div class="buttons beside">
            <Taken entry={one} reload={reload} />
          </div>
        </article>
      )}
    </Part>
  );
}

function Taken({ entry, reload }: { entry: Happened; reload: () => void }) {
  const undo = entry.undo;
  if (!undo) return null;
  return (
    <Button data-act="drop" onClick={() => takeBack(entry, reload)}>
      {sentence(undo.words) || "Undo"}
    </Button>
  );
}

// ---- what agents were told

function Told({ tellings, more }: { tellings: Telling[]; more: number }) {
  const sessions = [...groupBy(tellings, (one) => one.session).values()];
  return (
    <Part id="told" title="Told" empty="No agent asked anything." entries={sessions} more={more}>
      {(those) => <Session key={those[0]?.session} tellings={those} />}
    </Part>
  );
}

function Session({ tellings }: { tellings: Telling[] }) {
  const [isWhole, setWhole] = useState(false);
  const first = tellings[0];
  if (!first) return null;
  const shown = isWhole ? tellings : tellings.slice(0, FIRST);
  return (
    <div class="told-session">
      <h3>
        {projectName(first.project)} <span class="muted">· a session of {first.agent || "an agent"}, {count(tellings.length, "time")}</span>
      </h3>
      <ul>
        {shown.map((one) => (
          <TellingRow key={`${one.at} ${one.place}`} telling={one} />
        ))}
      </ul>
      {shown.length < tellings.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show {tellings.length - shown.length} more
        </button>
      )}
    </div>
  );
}

function TellingRow({ telling }: { telling: Telling }) {
  const came = outcome(telling);
  const many = came.told.length + came.listed.length;
  const text = telling.text;
  return (
    <li>
      <details class="telling" data-entry="telling">
        <summary>
          <When at={telling.at} says={timeOfDay(telling.at)} />
          <span class="asked">{text ? <q><Line text={text} /></q> : <i>{placeName(telling.place)}</i>}</span>
          {came.why ? (
            <span class="mark">silent</span>
          ) : came.used.length ? (
            <span class="mark good">{came.used.length} used</span>
          ) : (
            <span class="mark warn">{many ? `${many} told` : "told"}</span>
          )}
        </summary>
        <div class="weighed">
          {came.why && <p>Told nothing: {came.why}.</p>}
          {!came.why && (
            <p class="muted small">
              {count(telling.characters, "character")} in {Math.round(telling.milliseconds)} ms
            </p>
          )}
          <ul>
            {[...came.told, ...came.listed, ...came.close].map((one) => {
              const isTold = one.fate === "told" || one.fate === "a line";
              return (
                <li key={one.id} class={isTold ? "" : "untold"}>
                  <a href={one.id.startsWith("m") ? address("memories", one.id) : undefined}>
                    <Line text={one.title} />
                  </a>
                  <small>
                    <Line text={reason(telling, one)} />
                  </small>
                </li>
              );
            })}
          </ul>
        </div>
      </details>
    </li>
  );
}
