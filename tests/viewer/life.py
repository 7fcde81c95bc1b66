"""A data home in which coding sessions were lived, up to this hour, with recorded notes of a reader.

    python -m tests.viewer.life HOME DATA [NAME ...] [--words]

DATA holds ``<name>.events.jsonl[.xz]`` and ``reader.<name>.jsonl`` as ``lab.benchmarks.reader`` says; NAME
takes these alone. Each is a project of its own, ``/home/dev/<name>``, and its last event was twenty
minutes ago. The daemon started on HOME afterwards is a real one. ``--words``: without the model.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import trio
from msgspec import Struct, field
from trio.testing import MockClock

from actors.policy.reader.exchange import Answer, Failed, Request
from actors.reader.messages import Chosen, ReadingEngine
from daemon.engines import documents
from daemon.home import Home
from daemon.settings import Settings
from daemon.times import WallClock
from lab import world as living
from lab.benchmarks import house
from lab.benchmarks.reader import READER, announced, until
from lab.benchmarks.sessions import PROJECT, SEED, Rows, rows_of
from lab.world import FollowingClock, repeatable

LAST: Final = 1_200.0  # seconds since the last event
READ: Final = 60.0  # seconds after a session's end in which it is read
FIELDS: Final = (
    *("kind", "title", "text", "said_by", "quote", "scope"),
    *("cue_prompts", "cue_files", "cue_symbols", "cue_commands", "cue_errors"),
)
HEAD: Final = 80  # characters by which a note is known again


class Recorded(Struct):
    """An engine giving recorded notes, each once, as soon as its ground was said."""

    notes: Mapping[str, Rows]  # by session
    upto: dict[str, int] = field(default_factory=dict[str, int])  # the next line, by project
    given: set[str] = field(default_factory=set[str])

    async def answer(self, request: Request) -> Answer | Failed:
        """Answer a request about a session."""
        await trio.lowlevel.checkpoint()
        ready = [note for note in self.notes.get(request.session, ()) if self._is_ready(note)]
        self.given.update(note["key"] for note in ready)
        known = {one.text[:HEAD]: one.id for one in request.known}
        found = {"notes": [_told(note, known) for note in ready], "stopped": ""}
        said = json.dumps(found, ensure_ascii=False)
        return documents.answered(found, request, request.tokens_with(said))

    def _is_ready(self, note: Mapping[str, Any]) -> bool:
        return note["key"] not in self.given and note["event"] < self.upto.get(note["project"], 0)


def _told(note: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    """A recorded note as a model tells it: the replaced one has the id of this store."""
    old = known.get(note["old"][:HEAD]) if note["old"] else None
    relation = "refines" if old else "none"
    return {name: note[name] for name in FIELDS} | {"relation": relation, "relation_id": old}


def recorded(data: Path, names: Sequence[str]) -> dict[str, Rows]:
    """The recorded notes of these projects, by session."""
    notes: dict[str, Rows] = {}
    for name in names:
        rows = rows_of(data, f"reader.{name}.jsonl")
        texts = {note["id"]: note["text"] for row in rows for note in row["notes"]}
        for row in rows:
            notes[row["session"]] = [
                note
                | {"key": f"{name}:{note['id']}", "project": name}
                | {"old": texts.get(note["replaces"] or "", "")}
                for note in row["notes"]
            ]
    return notes


def moved(data: Path, name: str, last: float) -> list[tuple[float, str, int, dict[str, Any]]]:
    """Events of a project as if its last one came then: its time, its session, its line, the event."""
    rows = rows_of(data, f"{name}.events.*")
    later = last - rows[-1]["at"]
    return [
        (row["at"] + later, name, line, json.loads(json.dumps(row["e"]).replace(PROJECT, folder(name))))
        for line, row in enumerate(rows, start=1)
    ]  # fmt: skip


def folder(name: str) -> str:
    """The folder of a project."""
    return f"/home/dev/{name}"


async def live(
    home: Home, data: Path, names: Sequence[str], model: Path | None, now: float
) -> None:
    """Live the sessions of these projects side by side, until now."""
    events = sorted(
        (event for name in names for event in moved(data, name, now - LAST)),
        key=lambda event: event[0],
    )
    clock = FollowingClock(events[0][0] - trio.current_time())
    projects = tuple(folder(name) for name in names)
    engine = Recorded(recorded(data, names))
    async with (
        living.open_embedding(model) as embedding,
        living.open_world(home, Settings(), clock, embedding, SEED, projects) as world,
    ):
        chosen = Chosen(ReadingEngine("recorded notes", engine.answer), clock.now())
        await world.running.queues[READER].mailbox.tell(chosen)
        await chosen.reply.wait()
        for number, (at, name, line, event) in enumerate(events, start=1):
            await until(world, at)
            if (call := announced(event)) is not None:
                await world.hook("claude", living.event_id(SEED, -number), call)
            await world.hook("claude", living.event_id(SEED, number), event)
            engine.upto[name] = line
        await until(world, now - READ)


def main() -> int:
    """Fill the home."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--words", action="store_true", help="without the model")
    options = parser.parse_args()
    there = sorted({one.name.split(".")[0] for one in options.data.glob("*.events.jsonl*")})
    home = Home(options.home)
    home.prepare()
    with repeatable(SEED):
        trio.run(
            live,
            home,
            options.data,
            options.names or there,
            None if options.words else house.model(),
            WallClock().now(),
            clock=MockClock(autojump_threshold=0.0),
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
