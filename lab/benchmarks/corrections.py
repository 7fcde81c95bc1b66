"""Corrections in the notes of the next session: the new value alone, both, only the old, or nothing.

    python -m lab.benchmarks.corrections FILE [--words] [--out FILE]

FILE has a row a line: ``{"stored": [texts], "prompt", "ends": index or null, "says": [parts of the new
text], "keeps": [parts that stay], "shown": whether the session was told of it before, "asks": a prompt of the
next session}``; without ``asks`` the corrected text is asked for without its values. Every row is lived
in a home of its own, in the daemon's inside on virtual time: what is stored is remembered by hand, a day
later a session says the prompt, and a day after that another session asks. Rows with ``"ends": null`` look
like corrections and are none: counted is what of theirs ended. ``--words`` lives without vectors.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import trio
from msgspec import Struct
from msgspec.structs import asdict
from trio.testing import MockClock

from actors.policy.gate.correcting_sentence import words_of
from actors.policy.text.speech import of_one_kind
from daemon.home import Home
from daemon.settings import Settings
from daemon.wire import REPLY
from lab import world as living
from lab.benchmarks import house, instruments
from lab.world import FollowingClock, SteadyEmbedding, repeatable

PROJECT: Final = "/home/dev/project"
SEED: Final = 11
DAY: Final = 86_400.0  # seconds
TOLD: Final = ("the new alone", "both", "only the old", "nothing")
KNOWN: Final = "SELECT text, ended IS NULL FROM memory ORDER BY id"

Row = Mapping[str, Any]


class Outcome(Struct, frozen=True):
    """Outcome of a row."""

    ended: tuple[int, ...]  # of the stored texts, by their places
    made: tuple[str, ...]  # living memories that were not stored by hand
    right: bool  # the one meant ended alone, and what took its place says and keeps what it should
    known: str  # one of TOLD, of all that is known; empty for a row that corrects nothing
    told: str  # one of TOLD, of what the next session is told; empty likewise


async def lived(row: Row, home: Home, embedding: SteadyEmbedding, clock: FollowingClock) -> Outcome:
    """Live a row: the stored texts, the prompt, and the next session."""
    opened = living.open_world(home, Settings(), clock, embedding, SEED, (PROJECT,))
    async with opened as world:
        for text in row["stored"]:
            frame = await world.ask("remember", {"text": text, "project": PROJECT, "new": True})
            if frame.kind != REPLY:
                raise SystemExit(f"not remembered: {frame.body}")
        await _later(world, DAY)
        stored: list[str] = [" ".join(text.split()) for text in row["stored"]]
        old = "" if row["ends"] is None else stored[int(row["ends"])]
        asks = str(row.get("asks") or question(old, row["says"]))
        if row.get("shown"):
            await _said(world, "first", 1, asks)
        await _said(world, "first", 2, row["prompt"])
        await _later(world, DAY)
        told = await _said(world, "next", 3, asks) if old else ""
        known = await world.store.reading.read(lambda sql: list(sql.rows(KNOWN)))
    return outcome(row, known, told)


def outcome(row: Row, known: Sequence[tuple[str, int]], told: str) -> Outcome:
    """Outcome of a row, by all memories (text, whether it lives) and the notes told."""
    stored: Sequence[str] = row["stored"]
    alive = dict.fromkeys(text for text, lives in known if lives)
    ended = tuple(place for place, text in enumerate(stored) if text not in alive)
    made = tuple(text for text in alive if text not in stored)
    if row["ends"] is None:
        return Outcome(ended, made, not ended, "", "")
    old = stored[int(row["ends"])]
    says: Sequence[str] = row["says"]
    new = [text for text in made if _names(text, says)]
    whole = [text for text in made if _names(text, [*says, *row.get("keeps", ())])]
    lines = [" ".join(line.split()) for line in told.splitlines()]
    of_new = [line for line in lines if any(" ".join(text.split()) in line for text in new)]
    of_old = [line for line in lines if " ".join(old.split()) in line]
    return Outcome(
        ended,
        made,
        ended == (row["ends"],) and bool(whole),
        _way(new=bool(new), old=old in alive),
        _way(new=bool(of_new), old=bool(of_old)),
    )


def _way(*, new: bool, old: bool) -> str:
    """One of TOLD."""
    return TOLD[{(True, False): 0, (True, True): 1, (False, True): 2, (False, False): 3}[new, old]]


def _names(text: str, parts: Sequence[str]) -> bool:
    return all(part.lower() in text.lower() for part in parts)


def question(text: str, says: Sequence[str]) -> str:
    """A question for a text's statement, without its values of the kinds named in the new text."""
    named = [word for part in says for word in words_of(f"is {part}") if word.kind]
    kept, at = "", 0
    for word in words_of(text):
        if any(word.kind == one.kind or of_one_kind(word.key, one.key) for one in named):
            kept, at = kept + text[at : word.start], word.end
    return f"What do we have for this: {' '.join((kept + text[at:]).split()).rstrip('.')}?"


async def _said(world: living.World, session: str, number: int, prompt: str) -> str:
    """Notes of a session at its start, and for its prompt."""
    common = {"session_id": session, "cwd": PROJECT, "permission_mode": "default"}
    begun = {**common, "hook_event_name": "SessionStart", "source": "startup"}
    asked = {**common, "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    told = ""
    for place, event in enumerate((begun, asked)):
        told += await world.hook("claude", living.event_id(SEED, 2 * number + place), event) + "\n"
        await world.settled()
    return told


async def _later(world: living.World, seconds: float) -> None:
    await world.until(world.clock.now() + seconds, rhythm=living.STRIDE)


async def replayed(given: Sequence[Row], model: Path | None) -> list[Outcome]:
    """The outcomes of these rows, each in a home of its own; the worker outlives them."""
    clock = FollowingClock()
    found: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="rv-") as root:
        async with living.open_embedding(model) as embedding:
            for number, row in enumerate(given):
                home = Home(Path(root) / str(number))
                home.prepare()
                found.append(await lived(row, home, embedding, clock))
    return found


def lines(given: Sequence[Row], found: Sequence[Outcome]) -> list[str]:
    """The figures."""
    pairs = list(zip(given, found, strict=True))
    corrections = [one for row, one in pairs if row["ends"] is not None]
    others = [one for row, one in pairs if row["ends"] is None]
    wrong = sum(bool(set(one.ended) - {row["ends"]}) for row, one in pairs)
    return [
        f"{len(corrections)} corrections: {sum(one.right for one in corrections)} set right",
        f"known: {_counted(one.known for one in corrections)}",
        f"the next session is told {_counted(one.told for one in corrections)}",
        (
            f"{len(others)} that look like it: {sum(not one.right for one in others)} ended something;"
            f" rows in which another text ended: {wrong}"
        ),
    ]


def _counted(ways: Iterable[str]) -> str:
    counts = Counter(ways)
    return ", ".join(f"{way} {counts[way]}" for way in TOLD)


def main() -> int:
    """Print the figures; exit 1 when more than 2 % are told only the old or anything else ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--words", action="store_true", help="without vectors")
    parser.add_argument("--out", type=Path, help="a file for the outcomes, as JSON lines")
    options = parser.parse_args()
    model = None if options.words else house.model()
    given = instruments.rows(options.file)
    with repeatable(SEED):
        found = trio.run(replayed, given, model, clock=MockClock(autojump_threshold=0.0))
    if options.out:
        instruments.write(options.out, map(asdict, found))
    print("\n".join(lines(given, found)))
    stale = sum(one.told == TOLD[2] for one in found)
    ended = any(set(one.ended) - {row["ends"]} for row, one in zip(given, found, strict=True))
    return int(ended or stale > 0.02 * sum(bool(one.told) for one in found))


if __name__ == "__main__":
    sys.exit(main())
