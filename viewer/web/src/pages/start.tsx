// The page that a session is told as it starts, as the agent sees it; each line with why it stands there.

import { useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../keys";
import { useAsked } from "../loading";
import { forget, mute, pin } from "../memory_acts";
import { blocks } from "../page_text";
import { Button, Empty, Heading, Line, Problem, Said, Waiting } from "../parts";
import { address, go, route } from "../route";
import type { Facets, PlacedNote, StartPage } from "../shapes";
import { distinctNames, grouped, sentence, toYou } from "../words";

const ON = ["learnt", "changed", "forgotten", "restored", "strength", "read", "judged"] as const;

export function Start() {
  const facets = useAsked<Facets>("facets", {}, ["learnt"]);
  const projects = (facets.data?.projects ?? []).filter((one) => one.name);
  const names = distinctNames(projects.map((one) => one.name));
  const chosen = route.value.rest || projects[0]?.name || "";
  const page = useAsked<StartPage>("start-page", chosen ? { project: chosen } : null, ON);
  const [selected, setSelected] = useState("");
  const [pinned, setPinned] = useState<Record<string, boolean>>({});
  const root = useRef<HTMLDivElement>(null);
  const notes = useMemo(() => new Map((page.data?.notes ?? []).map((note) => [note.id, note])), [page.data]);
  const parts = useMemo(() => blocks(page.data?.text ?? ""), [page.data]);
  const left = (page.data?.notes ?? []).filter((note) => note.part === "left out");
  const order = [...parts.flatMap((block) => block.items.map((item) => item.id)).filter((id) => notes.has(id)), ...left.map((note) => note.id)];

  const select = (id: string) => {
    setSelected(id);
    requestAnimationFrame(() => {
      const row = root.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
      row?.focus({ preventScroll: true });
      row?.scrollIntoView({ block: "nearest" });
    });
  };
  const step = (by: number) => {
    const next = order[Math.min(Math.max(order.indexOf(selected) + by, 0), order.length - 1)];
    if (next) select(next);
  };
  const acts = (note: PlacedNote): Acts => ({
    isPinned: pinned[note.id] ?? note.reason.startsWith("pinned"),
    pin: () => {
      const on = !(pinned[note.id] ?? note.reason.startsWith("pinned"));
      void pin(note.id, note.title, on, () => {
        setPinned((before) => ({ ...before, [note.id]: on }));
        page.reload();
      });
    },
    mute: () => void mute(note.id, note.title, false, page.reload),
    drop: () => void forget(note.id, note.title, page.reload),
  });
  const on = (what: "pin" | "mute" | "drop") => () => {
    const note = notes.get(selected);
    if (note) acts(note)[what]();
  };
  useKeys([
    { key: "j", label: "Next line", run: () => step(1) },
    { key: "k", label: "Line before", run: () => step(-1) },
    { key: "p", label: "Pin it, or no longer", run: on("pin") },
    { key: "m", label: "Mute it for a day", run: on("mute") },
    { key: "d", label: "Drop it", run: on("drop") },
    { key: "o", label: "Open it", run: () => selected && go(address("memories", selected)) },
  ]);

  const isEmpty = (facets.data && !projects.length) || (page.data && !page.data.text && !left.length);
  return (
    <div class="page wide" ref={root}>
      <Heading title="Start">
        <p>What a session that starts now is told, word for word, and why each line stands there. Looking at it tells nobody anything.</p>
      </Heading>
      {projects.length > 0 && (
        <div class="toolbar">
          <label class="field">
            <span>Project</span>
            <select value={chosen} onChange={(event) => go(address("start", event.currentTarget.value))}>
              {projects.map((one) => (
                <option key={one.name} value={one.name}>
                  {names.get(one.name)} ({grouped(one.memories)})
                </option>
              ))}
            </select>
          </label>
          {page.data && <p class="muted small">{grouped(page.data.characters)} characters, about {grouped(Math.round(page.data.characters / 4))} tokens</p>}
        </div>
      )}
      <Problem line={page.problem || facets.problem} again={page.reload} />
      {!page.data && !page.problem && !isEmpty && <Waiting rows={4} />}
      {isEmpty && (
        <Empty title="A session that starts here is told nothing">
          <p>
            A page has what you wish and decide, rules and traps, as they come up in sessions or are said by hand; what was only imported has no
            place on it. Tell an agent what to remember, or say it in a terminal: <code>reverie remember "Never push to main without a green build."</code>
          </p>
        </Empty>
      )}
      {parts.map((block, place) => (
        <section class="told-block" key={place}>
          {block.intro && (
            <h2 class="intro">
              <Line text={block.intro} />
            </h2>
          )}
          <ul>
            {block.items.map((item, row) => {
              const note = notes.get(item.id);
              return note ? (
                <Row key={note.id} note={note} isSelected={note.id === selected} onSelect={setSelected} acts={acts(note)}>
                  <Said text={item.text} most={900} />
                  {item.about && <span class="muted small"> {item.about}</span>}
                </Row>
              ) : (
                <li class="told-row" key={`${row}`}>
                  <div class="told-text">
                    <Said text={item.text} most={900} />
                  </div>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
      {left.length > 0 && (
        <section class="told-block left-out">
          <h2 class="intro">Not told: there was no room, or a reason</h2>
          <ul>
            {left.map((note) => (
              <Row key={note.id} note={note} isSelected={note.id === selected} onSelect={setSelected} acts={acts(note)}>
                <Line text={note.title} />
              </Row>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface Acts {
  isPinned: boolean;
  pin: () => void;
  mute: () => void;
  drop: () => void;
}

function Row(props: {
  note: PlacedNote;
  isSelected: boolean;
  onSelect: (id: string) => void;
  acts: Acts;
  children: preact.ComponentChildren;
}) {
  const { note, acts } = props;
  const name = note.title.slice(0, 80);
  return (
    <li
      class="told-row"
      data-id={note.id}
      tabIndex={-1}
      aria-current={props.isSelected ? "true" : undefined}
      onFocus={() => props.onSelect(note.id)}
    >
      <div class="told-text">{props.children}</div>
      <div class="told-why">
        <p>
          <Line text={sentence(toYou(note.reason))} />
        </p>
        <p class="muted">
          {note.became && note.part !== "left out" && <>{note.became === "nothing yet" ? "not used yet" : note.became} · </>}
          <a class="id" href={address("memories", note.id)}>
            {note.id}
          </a>
        </p>
        <div class="buttons">
          <Button aria-pressed={acts.isPinned} onClick={acts.pin} aria-label={`Pin: ${name}`}>
            Pin
          </Button>
          <Button onClick={acts.mute} aria-label={`Mute for a day: ${name}`}>
            Mute
          </Button>
          <Button tone="bad" onClick={acts.drop} aria-label={`Drop: ${name}`}>
            Drop
          </Button>
        </div>
      </div>
    </li>
  );
}
