// All memories: search as one types, filters, a list of any length, and one of them beside it.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../keys";
import { listen, resynced } from "../live";
import { useAsked } from "../loading";
import { Empty, Kind, Line, Problem, Project, When } from "../parts";
import { address, go, route } from "../route";
import { Rows } from "../rows";
import type { Facet, Facets, Memory } from "../shapes";
import { VirtualList, type Handle } from "../virtual";
import { count, distinctNames, endedName, grouped, kindName, stateName, whose } from "../words";
import { Detail } from "./memory";

const ROW = 66; // pixels
const TYPED = 110; // ms without a key until one is searched for
const CHANGES = new Set(["learnt", "forgotten", "restored", "changed", "read", "judged"]);
const FILTERS = ["project", "kind", "said_by", "state", "stale", "pinned", "ended", "meaning"] as const;
const NOT_BY_MEANING: readonly string[] = ["said_by", "state", "stale", "pinned", "ended"];
const AT_TOP = 20; // rows that may be passed by while the list still follows what happens
type Filter = (typeof FILTERS)[number];

export function Memories() {
  const { rest: selected, query } = route.value;
  const given = Object.fromEntries([...query].filter(([, value]) => value)) as Partial<Record<Filter | "q", string>>;
  const facets = useAsked<Facets>("facets", {}, ["learnt", "forgotten", "restored"]);
  const passed = useRef(0); // rows above what is in sight
  const { rows, isHere, isOld, refresh } = useRows(given, passed);
  const [isFirstWanted, wantFirst] = useState(false);
  const list = useRef<Handle | null>(null);
  const set = (name: Filter | "q", value: string) => go(address("memories", selected, { ...given, [name]: value }), true);
  const open = (id: string) => go(address("memories", id, given), Boolean(selected));
  const step = (by: number) => {
    const place = rows.place(selected);
    const next = place < 0 ? 0 : Math.min(Math.max(place + by, 0), rows.length - 1);
    const memory = rows.at(next);
    if (!memory) return;
    list.current?.reveal(next);
    open(memory.id);
  };
  useKeys([
    { key: "j", label: "Next memory", run: () => step(1) },
    { key: "k", label: "Memory before", run: () => step(-1) },
    { key: "Escape", label: "Close it", run: () => selected && go(address("memories", "", given)) },
  ]);
  useEffect(() => {
    if (!isFirstWanted || !isHere) return;
    wantFirst(false);
    const first = rows.at(0);
    if (!first) return;
    document.getElementById("search")?.blur(); // keys go through the list from here
    list.current?.reveal(0);
    open(first.id);
  });
  const isFiltered = Object.keys(given).length > 0;
  return (
    <div class={`memories ${selected ? "has-one" : ""}`}>
      <h1 class="hidden" tabIndex={-1}>
        Memories
      </h1>
      <div class="finder">
        <Search
          value={given.q ?? ""}
          onChange={(value) => {
            wantFirst(false); // who types on wants another one
            set("q", value);
          }}
          onEnter={() => wantFirst(true)}
        />
        <Filters given={given} facets={facets.data} set={set} />
        <p class="muted small many" aria-live="polite">
          {rows.many === null ? "" : count(rows.many, "memory", "memories")}
          {isFiltered && (
            <button type="button" class="link" onClick={() => go(address("memories", selected), true)}>
              Show all
            </button>
          )}
        </p>
        {isOld && (
          <button type="button" class="link changed" onClick={refresh}>
            The list has changed: show it as it is now
          </button>
        )}
        <Problem line={rows.problem} again={() => (resynced.value += 1)} />
        {rows.many === 0 ? (
          <Nothing isFiltered={isFiltered} />
        ) : (
          <VirtualList
            length={rows.length}
            of={rows}
            row={ROW}
            label={given.meaning && given.q ? "Memories, the nearest first" : "Memories, the newest first"}
            onWindow={(first, last) => {
              passed.current = first;
              rows.need(first, last);
            }}
            handle={(handle) => (list.current = handle)}
          >
            {(place) => <Row memory={rows.at(place)} isSelected={rows.at(place)?.id === selected} given={given} />}
          </VirtualList>
        )}
      </div>
      {selected ? (
        <Detail id={selected} close={() => go(address("memories", "", given))} />
      ) : (
        <div class="beside-empty">
          <p class="muted">
            Choose a memory to see its words, where they come from, how strong it is and what it has to do with others. <kbd>j</kbd> <kbd>k</kbd> go
            through the list, <kbd>/</kbd> searches.
          </p>
        </div>
      )}
    </div>
  );
}

interface Shown {
  rows: Rows;
  isHere: boolean; // they are what is asked for, and no longer what was asked for before
  isOld: boolean; // they have changed since: who has scrolled down is not moved
  refresh: () => void;
}

function useRows(given: Partial<Record<Filter | "q", string>>, passed: { current: number }): Shown {
  const key = JSON.stringify(FILTERS.map((name) => given[name] ?? "").concat(given.q ?? ""));
  const [, render] = useState(0);
  const [age, setAge] = useState(0);
  const [isOld, setOld] = useState(false);
  const sync = resynced.value;
  const refresh = () => {
    setOld(false);
    setAge((value) => value + 1);
  };
  const fresh = useMemo(() => new Rows(asked(given), () => render((value) => value + 1)), [key, age, sync]);
  // What was there stays in sight until the new rows have come.
  const shown = useRef(fresh);
  if (fresh.hasBegun || fresh.problem) shown.current = fresh;
  useEffect(() => () => fresh.leave(), [fresh]);
  useEffect(() => {
    let timer = 0;
    const stop = listen((event) => {
      if (timer || !CHANGES.has(event.what)) return;
      timer = window.setTimeout(() => {
        timer = 0;
        if (passed.current > AT_TOP) setOld(true);
        else refresh();
      }, 150);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  return { rows: shown.current, isHere: shown.current === fresh, isOld, refresh };
}

function asked(given: Partial<Record<Filter | "q", string>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  if (given.q) fields[given.meaning ? "meaning" : "query"] = given.q;
  if (given.project !== undefined) {
    fields.alone = true;
    fields.project = given.project === "-" ? null : given.project;
  }
  if (given.kind) fields.type = given.kind;
  if (given.q && given.meaning) return fields;
  if (given.said_by) fields.said_by = given.said_by;
  if (given.state) fields.state = given.state;
  if (given.stale) fields.stale = true;
  if (given.pinned) fields.pinned = true;
  if (given.ended) fields.ended = true;
  return fields;
}

function Search({ value, onChange, onEnter }: { value: string; onChange: (value: string) => void; onEnter: () => void }) {
  const [typed, setTyped] = useState(value);
  const timer = useRef(0);
  useEffect(() => setTyped(value), [value]);
  return (
    <label class="search">
      <span class="hidden">Search memories</span>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M9 4a5 5 0 100 10A5 5 0 009 4zm3.6 8.6L17 17" />
      </svg>
      <input
        id="search"
        type="search"
        value={typed}
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        onInput={(event) => {
          const next = event.currentTarget.value;
          setTyped(next);
          clearTimeout(timer.current);
          timer.current = window.setTimeout(() => onChange(next.trim()), TYPED);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.isComposing) return;
          clearTimeout(timer.current);
          onChange(event.currentTarget.value.trim());
          onEnter();
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

function Filters(props: {
  given: Partial<Record<Filter | "q", string>>;
  facets: Facets | null;
  set: (name: Filter, value: string) => void;
}) {
  const { given, facets, set } = props;
  const isOff = (name: Filter) => Boolean(given.q && given.meaning) && NOT_BY_MEANING.includes(name);
  const choice = (name: Filter, label: string, any: string, options: { value: string; words: string }[]) => (
    <label>
      <span class="hidden">{label}</span>
      <select disabled={isOff(name)} value={given[name] ?? ""} data-set={given[name] ? "" : undefined} onChange={(event) => set(name, event.currentTarget.value)}>
        <option value="">{any}</option>
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {one.words}
          </option>
        ))}
      </select>
    </label>
  );
  const counted = (those: Facet[] | undefined, words: (name: string) => string) =>
    (those ?? []).map((one) => ({ value: one.name, words: `${words(one.name)} (${grouped(one.memories)})` }));
  const toggle = (name: Filter, words: string) => (
    <button type="button" class="chip" disabled={isOff(name)} aria-pressed={Boolean(given[name])} onClick={() => set(name, given[name] ? "" : "1")}>
      {words}
    </button>
  );
  const names = distinctNames((facets?.projects ?? []).map((one) => one.name));
  const projects = (facets?.projects ?? []).map((one) => ({
    value: one.name || "-",
    words: `${names.get(one.name)} (${grouped(one.memories)})`,
  }));
  return (
    <div class="filters">
      {choice("project", "Project", "Any project", projects)}
      {choice("kind", "Kind", "Any kind", counted(facets?.kinds, kindName))}
      {choice("said_by", "Whose word", "Anybody's word", counted(facets?.said_by?.filter((one) => one.name), (name) => whose(name) || name))}
      {choice("state", "How fresh", "However fresh", (facets?.states ?? []).map((name) => ({ value: name, words: stateName(name) })))}
      {toggle("stale", "Out of date")}
      {toggle("pinned", "Pinned")}
      {toggle("ended", "Ended")}
      {given.q && toggle("meaning", "By meaning")}
    </div>
  );
}

function Row({ memory, isSelected, given }: { memory: Memory | undefined; isSelected: boolean; given: Record<string, string> }) {
  if (!memory) return <div class="row empty-row" aria-hidden="true" />;
  return (
    <a class="row" href={address("memories", memory.id, given)} aria-current={isSelected ? "true" : undefined}>
      <span class="row-title">
        {memory.pinned && <span class="mark">pinned</span>}
        <Line text={memory.title || memory.text.slice(0, 160)} />
      </span>
      <span class="row-facts">
        <Kind kind={memory.kind} />
        <Project project={memory.project} />
        {memory.ended && <span class="mark">{endedName(memory.ended)}</span>}
        {memory.stale && <span class="mark warn">out of date</span>}
        <span class="spring" />
        <When at={memory.created_at} />
        {memory.retrievability !== undefined && <span class="strength" title={`${Math.round(memory.retrievability * 100)} % recallable`}>
          <i style={{ width: `${Math.round(memory.retrievability * 100)}%` }} />
        </span>}
      </span>
    </a>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty title={isFiltered ? "Nothing like that" : "Nothing is remembered yet"}>
      {isFiltered ? (
        <p>
          Fewer words or filters find more. A word may be only begun: “migr” finds migrations. <em>By meaning</em> finds what is said in other words.
        </p>
      ) : (
        <p>
          What you tell an agent to remember, what you decide and correct comes here by itself. Or say it here:{" "}
          <code>reverie remember "Never push to main without a green build."</code>
        </p>
      )}
    </Empty>
  );
}
