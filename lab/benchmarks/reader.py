"""Readings of real coding sessions: the cost of an engine there, and the listed facts in its notes.

    python -m lab.benchmarks.reader --data DIR [--only NAME] [--out FILE] --engine PROGRAM ARGUMENT ...

DIR holds ``<project>.events.jsonl[.xz]``, a line each ``{"at", "e", "human"}``, and ``facts*.jsonl``,
``{"id", "project", "fact"}``.

Each project is lived once, in the daemon's own inside on the clock of its events, and read as the daemon
reads it: a session over or still, so many an hour and a day. PROGRAM is an engine by the contract of
``[reader] command``; ``{upto}`` among its arguments becomes the name of a file with the line of the next
event, ``{seen}`` of a file of its own. ``--out`` keeps the notes for a judge, with the sessions' text.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final, TypeAlias

import trio
from msgspec import Struct

from actors.policy.events.trail import EDITORS, SHELLS
from actors.policy.reader.exchange import Answer, Engine, Failed, Reason, Request
from actors.policy.text.words import coverage, stems
from actors.reader.messages import Chosen, Look, ReadingEngine
from daemon.engines import documents
from daemon.home import Home
from lab import world as living
from lab.benchmarks import house, instruments
from lab.benchmarks.sessions import EXACT, PROJECT, SAYS, SEED, Rows, facts_of, rows_of

READER: Final = "session_reader"  # the actor
CALLED: Final = frozenset({"PostToolUse", "PostToolUseFailure"})  # events after a call
LOOKS: Final = 1_200.0  # seconds between two looks whether a session is to be read
AFTER: Final = 3 * 86_400.0  # seconds after the last event in which the last sessions are read
NOTES: Final = (
    "SELECT n.session, n.kind, n.said_by, n.scope, n.quotation, n.agreed_to, n.relation, n.ended, n.refusal,"
    " m.text, m.ended IS NULL FROM read_note n JOIN memory m ON m.id = n.memory_id ORDER BY n.memory_id"
)
Watch: TypeAlias = Callable[[living.World, int, Mapping[str, Any], str], Awaitable[None]]
"""Looks at a line of the replay: the world, its number, its event, and what that was told."""
READINGS: Final = "SELECT session, tokens, failure, dropped FROM reading ORDER BY id"


class Program(Struct, frozen=True):
    """An engine's program, asked on the spot: no time of the replay passes while it answers."""

    arguments: Sequence[str]
    folder: Path

    def at(self, line: int) -> None:
        """Write down how far the replay is."""
        (self.folder / "upto").write_text(str(line), encoding="utf-8")

    async def answer(self, request: Request) -> Answer | Failed:
        """Answer a request by one run of the program."""
        await trio.lowlevel.checkpoint()
        return self._answered(request)

    def _answered(self, request: Request) -> Answer | Failed:
        names = {"upto": self.folder / "upto", "seen": self.folder / "seen"}
        command = [one.format_map(names) if "{" in one else one for one in self.arguments]
        asked = json.dumps(request.document(), ensure_ascii=False)
        done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
        tokens = request.tokens_with(done.stdout)
        if done.returncode:
            return Failed(Reason.DIED, tokens=tokens)
        return documents.answered(documents.loaded(done.stdout), request, tokens)


class Note(Struct, frozen=True):
    """A kept note."""

    session: str
    kind: str
    said_by: str
    scope: str
    quotation: str
    agreed_to: str
    relation: str
    ended: int  # 1: it ended another one
    refusal: str  # why it ended none
    text: str
    lives: int  # 1: it does


class Result(Struct, frozen=True):
    """Result of one project."""

    name: str
    sessions: int
    tokens: Mapping[str, int]  # of each session that was read
    requests: int  # about sessions
    nights: int  # tokens of the nights that looked at all notes of the project
    failures: Counter[str]
    dropped: Counter[str]
    notes: Sequence[Note]


async def unwatched(_: living.World, __: int, ___: Mapping[str, Any], ____: str) -> None:
    """Look at nothing."""
    await trio.lowlevel.checkpoint()


def replayed(
    data: Path, name: str, model: Path | None, engine: Sequence[str], watch: Watch = unwatched
) -> Result:
    """Live a project in a home of its own, from its first event until its last session was read."""
    rows = rows_of(data, f"{name}.events.*")

    async def live(world: living.World, home: Home) -> Result:
        program = Program(engine, home.root / "engine")
        program.folder.mkdir()
        program.at(0)
        await choose(world, program.answer, world.clock.now())
        for line, row in enumerate(rows, start=1):
            await until(world, row["at"])
            if (call := announced(row["e"])) is not None:
                told = await world.hook("claude", living.event_id(SEED, -line), call)
                await watch(world, line, call, told)
            told = await world.hook("claude", living.event_id(SEED, line), row["e"])
            program.at(line)
            await watch(world, line, row["e"], told)
        await until(world, world.clock.now() + AFTER)
        kept = await world.store.reading.read(lambda sql: sql.rows(NOTES))
        read = await world.store.reading.read(lambda sql: sql.rows(READINGS))
        tokens, requests = Counter[str](), Counter[str]()
        failures, dropped = Counter[str](), Counter[str]()
        for session, spent, failure, reasons in read:
            tokens[session] += spent
            requests[session] += 1
            failures.update([failure] if failure else [])
            dropped.update(json.loads(reasons))
        notes = [Note(*row) for row in kept]
        sessions = len({row["e"]["session_id"] for row in rows})
        nights = tokens.pop("", 0)
        asked = requests.total() - requests[""]
        return Result(name, sessions, tokens, asked, nights, failures, dropped, notes)

    return living.played(rows[0]["at"], model, SEED, PROJECT, live)


def announced(event: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the event before a command or an edit, as the client sends it; None of another event."""
    if event.get("tool_name") not in SHELLS | EDITORS or event["hook_event_name"] not in CALLED:
        return None
    kept = ("session_id", "transcript_path", "cwd", "agent_id", "tool_name", "tool_input")
    return {"hook_event_name": "PreToolUse"} | {one: event[one] for one in kept if one in event}


async def until(world: living.World, moment: float) -> None:
    """Let time pass, in which the reader looks around every now and then, as in a daemon."""
    await world.settled()
    far = moment - world.clock.now() > EXACT
    while moment - world.clock.now() > 1e-3:
        step = min(moment, world.clock.now() + LOOKS)
        await world.until(step, rhythm=living.STRIDE if far else 0.0)
        await world.running.queues[READER].mailbox.tell(Look(world.clock.now()))
        await world.settled()


async def choose(world: living.World, answer: Engine, at: float) -> None:
    """Agree to an engine, as a person does."""
    chosen = Chosen(ReadingEngine("benchmark", answer), at)
    await world.running.queues[READER].mailbox.tell(chosen)
    await chosen.reply.wait()


def report_lines(data: Path, one: Result) -> list[str]:
    """Lines about the readings, in Markdown."""
    alive = [note.text for note in one.notes if note.lives]
    ended = sum(note.ended for note in one.notes)
    refused = sum(bool(note.refusal) for note in one.notes)
    lines = [
        (
            f"- {one.name}: {len(one.tokens)} of {one.sessions} sessions read, {len(one.notes)} notes,"
            f" {len(one.notes) / one.sessions:.1f} a session, {len(alive)} live; {ended} ended another,"
            f" {refused} may not"
        ),
        (
            f"  - {_sizes('tokens a session', list(one.tokens.values()))}; {one.requests} requests;"
            f" {one.nights:,} tokens of nights"
        ),
        f"  - failed readings: {_counted(one.failures)}; notes dropped: {_counted(one.dropped)}",
    ]
    facts = [row for row in facts_of(data) if row.get("project", one.name) == one.name]
    words = [dict.fromkeys(stems(row["fact"]), 1.0) for row in facts]
    said = [stems(text) for text in alive]
    by_words = sum(any(coverage(fact, each) >= SAYS for each in said) for fact in words)
    lines.append(f"  - facts whose words a living note has: {by_words} of {len(facts)}")
    return lines


def _sizes(what: str, sizes: Sequence[int]) -> str:
    if len(sizes) < 2:
        return f"{what}: {', '.join(map(str, sizes)) or 'none'}"
    high = quantiles(sizes, n=20, method="inclusive")[-1]
    return f"{what}: median {median(sizes):,.0f}, 95 % {high:,.0f}, most {max(sizes):,}"


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{what} {count}" for what, count in counts.most_common()) or "none"


def kept(one: Result) -> Rows:
    """The notes of a result, for a judge."""
    return [
        {
            "project": one.name, "session": note.session, "kind": note.kind, "said_by": note.said_by,
            "scope": note.scope, "quotation": note.quotation, "agreed_to": note.agreed_to,
            "text": note.text, "relation": note.relation, "lives": note.lives,
        }
        for note in one.notes
    ]  # fmt: skip


def main() -> int:
    """Print the readings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with sessions")
    parser.add_argument("--only", help="one project of the folder")
    parser.add_argument("--out", type=Path, help="a file for the notes, as JSON lines")
    parser.add_argument(
        "--engine", nargs=argparse.REMAINDER, required=True, help="a program and its arguments"
    )
    options = parser.parse_args()
    there = sorted({one.name.split(".")[0] for one in options.data.glob("*.events.jsonl*")})
    results = list[Result]()
    for name in (name for name in there if options.only in (None, name)):
        results.append(replayed(options.data, name, house.model(), options.engine))
        print("\n".join(report_lines(options.data, results[-1])), flush=True)
    if options.out:
        instruments.write(options.out, [row for one in results for row in kept(one)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
