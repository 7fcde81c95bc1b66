"""Gain by recall in real coding sessions.

    python -m lab.benchmarks.sessions --data DIR [--only NAME] [--out FILE]

DIR holds ``<project>.events.jsonl[.xz]``, a line each ``{"at", "e", "human"}`` (an event as an agent's hook
sends it), ``needs.<project>.jsonl``, ``{"event": line, "needs": text or ids of facts}``, and
``facts*.jsonl``, ``{"id", "fact"}``. Each project is lived once, in the daemon's own inside on the clock of
its events; dreams and upkeep come in the pauses. Before a typed prompt is handed in it is asked as its
session would ask it, and as a person would search for it. No such answer leaves a trace, and none is late:
the clock stands while work is done. ``--out`` keeps every answer and every memory with its rule and the line
of its event for a judge, with the sessions' text.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import asdict

from actors.policy.events.events import Event, EventKind, parsed
from actors.policy.recall.answers import line_of
from actors.policy.text.words import coverage, stems
from actors.recall.recall import Recall
from actors.recall.shapes import Bring
from daemon.assembly import Surroundings, builders
from daemon.context import Changes
from daemon.files import DiskFiles, SpoolFolder
from daemon.home import Home
from daemon.settings import Settings
from daemon.supervisor import Here
from daemon.views import memory_number
from daemon.wire import REPLY
from lab import world as living
from lab.benchmarks import house, instruments

SHOWN: Final = 5  # results of a search that are compared
PATIENCE: Final = 60.0  # seconds of virtual time for one question
EXACT: Final = 6 * 3_600.0  # in a longer pause what runs every few minutes runs every hour
PROJECT: Final = "/home/dev/project"  # where every event lies, worktrees included
BEST: Final = 2  # passages of a search that are compared
SAYS: Final = 0.5  # share of a need's words that one text must have
SEED: Final = 11
ARCHIVED: Final = "SELECT id, title || char(10) || text FROM passage"
MADE: Final = (
    "SELECT m.id, coalesce(m.rule, m.source), m.text, m.ended, m.session, j.event_id"
    " FROM memory m LEFT JOIN journal j ON j.seq = m.seq ORDER BY m.id"
)

Notes = list[tuple[int, str]]  # memories or passages and their texts, best first
Rows = list[dict[str, Any]]


class Asked(Struct, frozen=True):
    """A typed prompt, the results of a search with it, and the notes told to it."""

    line: int
    prompt: str
    needs: Sequence[str]  # texts of which any would have helped
    page: Notes  # what its session was told as it started
    found: Notes = field(default_factory=Notes)  # by a person's search
    told: Notes = field(default_factory=Notes)
    passages: Notes = field(default_factory=Notes)  # the best two of a search in the archive


class Made(Struct, frozen=True):
    """A memory of the replay, and the line of its event, 0: of none."""

    id: int
    rule: str
    text: str
    ended: str | None
    session: str | None
    line: int


class Result(Struct, frozen=True):
    """Result of one project."""

    name: str
    sessions: int
    facts: Rows  # listed by a reader
    foreign: Rows  # of other projects: what counts by chance
    asked: list[Asked]
    made: list[Made]
    passages: Notes  # that are in the archive at the end


def rows_of(data: Path, pattern: str) -> Rows:
    """The objects of these files with one a line, packed or not."""
    return [row for file in sorted(data.glob(pattern)) for row in instruments.rows(file)]


def facts_of(data: Path) -> Rows:
    """Facts listed by a reader; files of judgements about them are named alike."""
    return [row for row in rows_of(data, "facts*.jsonl") if "id" in row]


def needs_of(data: Path, name: str) -> dict[int, list[str]]:
    """Needs: helpful texts by line."""
    facts = {row["id"]: row["fact"] for row in facts_of(data)}
    said = {row["event"]: row["needs"] for row in rows_of(data, f"needs.{name}.jsonl")}
    return {
        line: [one] if isinstance(one, str) else [facts[number] for number in one]
        for line, one in said.items()
    }


def recall_of(world: living.World, home: Home) -> Recall:
    """Recall as the daemon makes it, beside its own: its questions count for nobody."""
    files = Here()
    shipped = Surroundings(
        world.store, Settings(), world.clock, world.embedding, DiskFiles(files),
        SpoolFolder(files, home.spool), Changes(), str,
    )  # fmt: skip
    made: Recall = builders(world.running.queues, shipped)["recall"]()
    return made


async def notes_told(recall: Recall, event: Event, project: str, at: float) -> Notes:
    """Notes told to a prompt, or to a session as it starts."""
    question = Bring(event, project, at, PATIENCE)
    await recall.briefing.bring(question)
    found = await question.reply.wait()
    if not all(one.lasting for one in found.missing):
        raise SystemExit(f"a channel did not answer: {line_of(found.missing)}")
    notes = [(note.memory.id, note.memory.text) for note in found.notes]
    return [*notes, *((one.number, one.text) for one in found.quotations)]


async def searched(world: living.World, what: str, query: str, project: str, most: int) -> Rows:
    """The best of a person's search in ``recall`` or in ``passages``."""
    asked = {"query": query, "k": most, "project": project, "track": False}
    frame = await world.ask(what, asked)
    if frame.kind != REPLY:
        raise SystemExit(f"not answered: {frame.body}")
    found: Rows = frame.body["results" if what == "recall" else what]
    return found


def replayed(data: Path, name: str, model: Path | None) -> Result:
    """Live a project in a home of its own, from its first event to its last."""
    rows, needs = rows_of(data, f"{name}.events.*"), needs_of(data, name)

    async def live(world: living.World, home: Home) -> Result:
        clock = world.clock
        recall, pages, prompts = recall_of(world, home), dict[str, Notes](), list[Asked]()
        for line, row in enumerate(rows, start=1):
            far = row["at"] - clock.now() > EXACT
            await world.settled()
            await world.until(row["at"], rhythm=living.STRIDE if far else 0.0)
            event, needed = parsed("claude", row["e"]), needs.get(line, [])
            project = world.running.parts.project_of(row["e"].get("cwd", "")) or PROJECT
            if isinstance(event, Event) and event.kind is EventKind.SESSION_START:
                page = await notes_told(recall, event, project, clock.now())
                pages[event.session] = page or pages.get(event.session, [])
            if isinstance(event, Event) and event.prompt and (row.get("human") or needed):
                one = Asked(line, event.prompt, needed, pages.get(event.session, []))
                best = await searched(world, "recall", event.prompt, project, SHOWN)
                one.found.extend((memory_number(each["id"]), each["text"]) for each in best)
                one.told.extend(await notes_told(recall, event, project, clock.now()))
                if needed:
                    archived = await searched(world, "passages", event.prompt, project, BEST)
                    texts = (f"{each['title']}\n{each['text']}" for each in archived)
                    one.passages.extend(enumerate(texts))
                prompts.append(one)
            await world.hook("claude", living.event_id(SEED, line), row["e"])
        await world.settled()
        passages = await world.store.reading.read(lambda sql: sql.rows(ARCHIVED))
        made = await world.store.reading.read(lambda sql: sql.rows(MADE))
        lines = {living.event_id(SEED, line): line for line in range(1, len(rows) + 1)}
        facts = facts_of(data)
        return Result(
            name,
            len({row["e"]["session_id"] for row in rows}),
            [row for row in facts if row.get("project", name) == name],
            [row for row in facts if row.get("project", name) != name],
            prompts,
            [
                Made(number, rule, text, ended, session, lines.get(event_id, 0))
                for number, rule, text, ended, session, event_id in made
            ],
            passages,
        )

    return living.played(rows[0]["at"], model, SEED, PROJECT, live)


def serves(notes: Notes, needs: Sequence[str]) -> bool:
    """Return whether one of the texts has enough of the words of one need."""
    wanted = [dict.fromkeys(stems(need), 1.0) for need in needs]
    said = [stems(text) for _, text in notes]
    return any(coverage(words, one) >= SAYS for words in wanted if words for one in said)


def tables(results: Sequence[Result]) -> list[str]:
    """Memories made, told and found, in Markdown."""
    asked = [one for result in results for one in result.asked]
    needed = [one for one in asked if one.needs]
    served = sum(serves(one.found, one.needs) for one in needed)
    return [
        *(line for one in results for line in _summed(one)),
        "",
        f"{len(asked)} prompts, {len(needed)} needs: {served} found in the best {SHOWN} of a search",
    ]


def _summed(one: Result) -> list[str]:
    """Figures without a judge: memories by rule and session, notes told, facts in a memory."""
    alive = [each for each in one.made if each.ended is None]
    rules = Counter(each.rule for each in alive).most_common()
    told_notes = [note for each in one.asked for note in each.told]
    prompts = sum(bool(each.told) for each in one.asked)
    notes: Notes = [(each.id, each.text) for each in one.made]
    either = [*notes, *one.passages]
    pages = {tuple(each.page) for each in one.asked if each.page}
    needed = [each for each in one.asked if each.needs]

    def facts(texts: Notes, rows: Rows) -> str:
        return f"{sum(serves(texts, [row['fact']]) for row in rows)} of {len(rows)}"

    def needs(notes_of: Callable[[Asked], Notes]) -> str:
        return f"{sum(serves(notes_of(each), each.needs) for each in needed)} of {len(needed)}"

    best = needs(lambda each: each.passages)
    with_memories = needs(lambda each: [*each.passages, *each.found])
    return [
        (
            f"- {one.name}: {len(one.made)} memories of {one.sessions} sessions, {len(alive)} live,"
            f" {len(alive) / one.sessions:.1f} a session:"
            f" {', '.join(f'{rule} {count}' for rule, count in rules)}"
        ),
        (
            f"  - {prompts} of {len(one.asked)} typed prompts were told {len(told_notes)} notes,"
            f" {len({number for number, _ in told_notes})} different ones"
        ),
        (
            f"  - facts that a memory says: {facts(notes, one.facts)}; that a memory or a passage says:"
            f" {facts(either, one.facts)}; of other projects, by chance: {facts(either, one.foreign)}"
        ),
        (
            f"  - {needs(lambda each: [*each.page, *each.told])} needs told by the prompt's answer or its"
            f" session's start; {len(pages)} different starts told {sum(map(len, pages))} notes"
        ),
        (
            f"  - {len(one.passages)} passages; {best} needs in the best {BEST} of a search with the"
            f" prompt, {with_memories} with the best {SHOWN} memories"
        ),
    ]


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with sessions")
    parser.add_argument("--only", help="one project of the folder")
    parser.add_argument("--out", type=Path, help="a file for answers and memories, as JSON lines")
    options = parser.parse_args()
    there = sorted({one.name.split(".")[0] for one in options.data.glob("*.events.jsonl*")})
    there = [name for name in there if options.only in (None, name)]
    results = [replayed(options.data, name, house.model()) for name in there]
    if options.out:
        kept = [{"project": one.name, **asdict(each)} for one in results for each in one.asked]
        kept += [{"project": one.name, **asdict(each)} for one in results for each in one.made]
        instruments.write(options.out, kept)
    print("\n".join(tables(results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
