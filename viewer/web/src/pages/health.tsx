// How the memory is: what falls short and how it is mended, what the reader costs, how fast it answers, how large it is.

import { act } from "../acts";
import { useAsked } from "../loading";
import { Button, Command, Heading, Line, Problem, Project, When } from "../parts";
import { address } from "../route";
import type { Figures, HealthShown, Reader, Recording, Shortfall, Status } from "../shapes";
import { bytes, count, dateOf, dollars, grouped, lasting, milliseconds, placeName, sentence, stateName } from "../words";

const ON = ["read", "learnt", "forgotten", "restored", "plan", "dream"] as const;
const NAMES: Record<string, string> = {
  database: "database",
  journal: "of it, what happened",
  index: "index",
  models: "models",
  spool: "waiting events",
  backups: "backups",
  logs: "logs",
};
const BUTTONS: Record<string, string> = { "backup-now": "Back up now", dream: "Dream now", resume: "Record again", "reader-now": "Read now" };

export function Health() {
  const status = useAsked<Status>("status", {}, ON);
  const health = useAsked<HealthShown>("health", {}, ON);
  const figures = useAsked<Figures>("stats", health.data ? {} : null); // it looks at each memory: last, and once
  const reload = () => {
    status.reload();
    health.reload();
  };
  return (
    <div class="page wide">
      <Heading title="Health" />
      <Problem line={status.problem || health.problem} again={reload} />
      <Shortfalls status={status.data} reload={reload} />
      <div class="cards">
        <Sizes health={health.data} figures={figures.data} status={status.data} />
        <Latencies health={health.data} status={status.data} />
        <Backups status={status.data} reload={reload} />
        <Switches reload={reload} />
      </div>
      <ReaderCard days={health.data?.read ?? []} />
    </div>
  );
}

function Shortfalls({ status, reload }: { status: Status | null; reload: () => void }) {
  const found = useAsked<Shortfall[]>("shortfalls", {}, ON);
  const again = () => {
    found.reload();
    reload();
  };
  if (!found.data) {
    if (found.problem) return <Problem line={found.problem} again={again} />;
    return (
      <section class="verdict looking">
        <h2>Looking at everything</h2>
        <p>The home, the database, the model, the agents' settings, the newest backup. It takes a moment.</p>
      </section>
    );
  }
  if (!found.data.length) {
    return (
      <section class="verdict good">
        <h2>Everything is well</h2>
        <p>
          {status && (
            <>
              reverie {status.version} has been running for {lasting(status.uptime)} and keeps {count(status.memories ?? 0, "memory", "memories")} in{" "}
              <code>{status.home}</code>.
            </>
          )}
        </p>
      </section>
    );
  }
  return (
    <section class="verdict">
      <h2>{found.data.length === 1 ? "One thing falls short" : `${found.data.length} things fall short`}</h2>
      <ul>
        {found.data.map((one) => (
          <li key={`${one.subject} ${one.line}`}>
            <span>
              {one.subject && <b>{one.subject}: </b>}
              <Line text={one.line} />
            </span>
            <Mend of={one} again={again} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Mend({ of, again }: { of: Shortfall; again: () => void }) {
  const name = of.name;
  if (name) {
    const words = BUTTONS[name] ?? of.command.replace(/^reverie /, "") ?? name;
    return (
      <Button title={of.command} onClick={() => void act({ name, fields: of.body ?? {}, words: `Done: ${words}`, after: again })}>
        {words}
      </Button>
    );
  }
  return of.command ? <Command line={of.command} /> : null;
}

function Sizes({ health, figures, status }: { health: HealthShown | null; figures: Figures | null; status: Status | null }) {
  const states = Object.entries(figures?.states ?? {}).filter(([, many]) => many > 0);
  const disk = Object.entries(health?.on_disk ?? {}).filter(([name, size]) => size > 0 && name !== "journal");
  const whole = disk.reduce((sum, [, size]) => sum + size, 0);
  return (
    <section class="card">
      <h2>{status ? count(status.memories ?? 0, "memory", "memories") : "Memories"}</h2>
      <Bar parts={states.map(([name, many]) => ({ name: stateName(name), value: many, key: name }))} says={grouped} />
      {health && <h3>{bytes(whole)} on this disk</h3>}
      <dl class="facts-list">
        {disk.map(([name, size]) => (
          <div key={name}>
            <dt>{NAMES[name] ?? name}</dt>
            <dd>{bytes(size)}</dd>
          </div>
        ))}
        {status && (
          <div>
            <dt>passages that can be searched</dt>
            <dd>
              {grouped(status.passages)}, {bytes(status.passages_bytes)}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function Bar({ parts, says }: { parts: { name: string; value: number; key: string }[]; says: (value: number) => string }) {
  const whole = parts.reduce((sum, part) => sum + part.value, 0) || 1;
  return (
    <div class="bar-whole">
      <div class="bar" aria-hidden="true">
        {parts.map((part) => (
          <span key={part.key} data-state={part.key} style={{ flexGrow: part.value / whole }} />
        ))}
      </div>
      <ul class="legend">
        {parts.map((part) => (
          <li key={part.key} data-state={part.key}>
            {part.name} <b>{says(part.value)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Latencies({ health, status }: { health: HealthShown | null; status: Status | null }) {
  const loop = status?.actors.loop ?? {};
  return (
    <section class="card">
      <h2>How fast agents are answered</h2>
      {health?.latencies.some((one) => one.longest > 0) ? (
        <table>
          <thead>
            <tr>
              <th scope="col">At</th>
              <th scope="col" class="right">
                Half within
              </th>
              <th scope="col" class="right">
                95 % within
              </th>
              <th scope="col" class="right">
                Longest
              </th>
            </tr>
          </thead>
          <tbody>
            {health.latencies.filter((one) => one.longest > 0).map((one) => (
              <tr key={one.place}>
                <td title={count(one.count, "answer")}>{sentence(placeName(one.place))}</td>
                <td class="right">{milliseconds(one.median)}</td>
                <td class="right">{milliseconds(one.high)}</td>
                <td class="right">{milliseconds(one.longest)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p class="muted">No agent has asked anything yet.</p>
      )}
      <p class="muted small">
        {health?.latencies.some((one) => one.longest > 0) && <>In the last {count(health.days, "day")}. </>}
        {Number(loop.held) > 0 && <>The daemon was held up for over 100 ms {count(Number(loop.held), "time")}, up to {milliseconds(Number(loop.longest_ms))}. </>}
        {status && status.vectors !== "ready" && <>Search by meaning: {status.vectors_detail || status.vectors}.</>}
      </p>
    </section>
  );
}

function Backups({ status, reload }: { status: Status | null; reload: () => void }) {
  return (
    <section class="card">
      <h2>Backups</h2>
      <p>{status?.backup ? <>The newest was made <When at={status.backup} />.</> : "None was made yet. One is made by itself on each day of use."}</p>
      <div class="buttons">
        <Button onClick={() => void act({ name: "backup-now", fields: {}, words: "Backed up", after: reload })}>Back up now</Button>
      </div>
    </section>
  );
}

function Switches({ reload }: { reload: () => void }) {
  const found = useAsked<Recording>("recording", {}, ON);
  const again = () => {
    found.reload();
    reload();
  };
  const pause = (seconds: number | null, words: string) =>
    void act({ name: "pause", fields: { seconds, folder: "" }, words, undo: { name: "resume", fields: {} }, after: again, afterUndo: again });
  const isOff = (found.data?.lines.length ?? 0) > 0;
  return (
    <section class="card">
      <h2>{isOff ? "Recording is off" : "Recording is on"}</h2>
      {isOff ? (
        <ul class="lines">
          {found.data?.lines.map((line) => (
            <li key={line}>
              <Line text={line} />
            </li>
          ))}
        </ul>
      ) : (
        <p>What agents report is kept, and they are told what is known. While it is paused neither happens; what you remember by hand is kept.</p>
      )}
      <div class="buttons">
        {isOff ? (
          <Button onClick={() => void act({ name: "resume", fields: {}, words: "Recording again", after: again })}>Record again</Button>
        ) : (
          <>
            <Button onClick={() => pause(1_800, "Paused for 30 minutes")}>Pause for 30 minutes</Button>
            <Button onClick={() => pause(7_200, "Paused for 2 hours")}>2 hours</Button>
            <Button onClick={() => pause(null, "Paused until you resume")}>Until I resume</Button>
          </>
        )}
      </div>
    </section>
  );
}

function ReaderCard({ days }: { days: HealthShown["read"] }) {
  const { data, problem, reload } = useAsked<Reader>("reader", {}, ["read"]);
  if (!data) return problem ? <Problem line={problem} again={reload} /> : null;
  const share = data.tokens_per_day ? Math.min(1, data.tokens_today / data.tokens_per_day) : 0;
  return (
    <section class="card reader">
      <h2>The reader</h2>
      {!data.engine && (
        <p>
          Nobody reads sessions now. Choose who does; what is sent where is said before you agree: <Command line="reverie reader use claude" />
        </p>
      )}
      {data.stopped && <p class="problem">It was stopped: {data.stopped}</p>}
      <dl class="figures">
        <div>
          <dt>sessions read</dt>
          <dd>{grouped(data.sessions)}</dd>
        </div>
        <div>
          <dt>notes written</dt>
          <dd>{grouped(data.notes)}</dd>
        </div>
        <div>
          <dt>tokens in all</dt>
          <dd>{grouped(data.tokens)}</dd>
        </div>
        <div>
          <dt>cost</dt>
          <dd>{dollars(data.dollars)}</dd>
        </div>
      </dl>
      <div class="budget">
        <p>
          Today <b>{grouped(data.tokens_today)}</b> of {grouped(data.tokens_per_day)} tokens
        </p>
        <div class="bar" aria-hidden="true">
          <span data-state="HOT" style={{ flexGrow: share }} />
          <span data-state="rest" style={{ flexGrow: 1 - share }} />
        </div>
      </div>
      <Days days={days} />
      {data.engine && (
        <p class="muted">
          <Line text={data.engine} />: {data.next ? <>next comes a session, {data.why}</> : <>nothing is next: {data.why}</>}
          {data.waiting > 0 && <>; {count(data.waiting, "session")} wait</>}.
        </p>
      )}
      {data.past.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="What was read last">
          <table>
            <thead>
              <tr>
                <th scope="col">Read</th>
                <th scope="col">Project</th>
                <th scope="col">Why</th>
                <th scope="col" class="right">
                  Notes
                </th>
                <th scope="col" class="right">
                  Tokens
                </th>
                <th scope="col" class="right">
                  Cost
                </th>
              </tr>
            </thead>
            <tbody>
              {data.past.slice(0, 12).map((one) => (
                <tr key={`${one.ended_at}`} class={one.failure ? "failed" : ""}>
                  <td>
                    <When at={one.ended_at} />
                  </td>
                  <td>
                    <Project project={one.project} />
                  </td>
                  <td>
                    <Line text={one.failure ? `failed: ${one.failure}` : one.why.replace(/^read because /, "")} />
                  </td>
                  <td class="right">{one.failure ? "–" : grouped(one.written)}</td>
                  <td class="right">{grouped(one.tokens)}</td>
                  <td class="right">{one.dollars === null ? "–" : dollars(one.dollars)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="small">
        <a href={address("inbox")}>What it wrote since you looked</a>
      </p>
    </section>
  );
}

/** Tokens of each day as columns; in words for who only listens. */
function Days({ days }: { days: HealthShown["read"] }) {
  if (days.length < 2) return null;
  const most = Math.max(...days.map((one) => one.tokens), 1);
  return (
    <figure class="days">
      <ul>
        {days.slice(-30).map((one) => (
          <li key={one.day} title={`${dateOf(one.day)}: ${grouped(one.tokens)} tokens, ${count(one.notes, "note")}`}>
            <i style={{ height: `${Math.max(4, Math.round((one.tokens / most) * 100))}%` }} />
            <span class="hidden">
              {dateOf(one.day)}: {grouped(one.tokens)} tokens, {count(one.notes, "note")}
            </span>
          </li>
        ))}
      </ul>
      <figcaption class="muted small">
        Tokens of each day on which it read, {dateOf(days[0]?.day ?? 0)} to {dateOf(days.at(-1)?.day ?? 0)}; {grouped(most)} at most
      </figcaption>
    </figure>
  );
}
