"""Notes before an agent's eyes in real coding sessions: how many of the useful ones, and how many characters.

    python -m lab.benchmarks.told --data DIR [--only NAME] --engine PROGRAM ARGUMENT ...

DIR and PROGRAM are those of ``lab.benchmarks.reader``, with ``told.<project>.jsonl``, a line each
``{"session", "event", "note", "v"}``: whether a recorded note would have been useful at the line of an event.

Each project is lived once with its recorded notes. Of every note that proved useful in a session it is
told whether it stood whole or as a line in what the session was told as it started, before that event
(after a compaction it starts again), or was missed: left out, ended since, or not written yet.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Final

from actors.policy.text.short_ids import short_id
from daemon.wire import REPLY
from lab.benchmarks import house
from lab.benchmarks.reader import replayed
from lab.benchmarks.sessions import PROJECT, rows_of
from lab.simulation import world as living

WRITTEN: Final = (
    "SELECT m.id, m.text, m.ended IS NULL FROM memory m JOIN read_note n ON n.memory_id = m.id"
)
FATES: Final = ("whole", "line", "left out", "ended", "not written yet")


@dataclass(frozen=True, slots=True)
class Start:
    """A start of a session."""

    session: str
    line: int
    told: str
    written: Mapping[str, tuple[int, bool]]  # notes by their texts: number, and whether it lives


@dataclass(slots=True)
class Watched:
    """Starts of a replay."""

    starts: list[Start] = field(default_factory=list[Start])
    seconds: list[float] = field(default_factory=list[float])  # of CPU, for a page

    async def look(
        self, world: living.World, line: int, event: Mapping[str, Any], told: str
    ) -> None:
        """Keep what a session was told as it started."""
        if event["hook_event_name"] != "SessionStart":
            return
        rows = await world.store.reading.read(lambda sql: sql.rows(WRITTEN))
        written = {" ".join(text.split()): (number, bool(lives)) for number, text, lives in rows}
        self.starts.append(Start(event["session_id"], line, told, written))
        await world.settled()
        project = world.running.parts.project_of(event.get("cwd", "")) or PROJECT
        before = process_time()
        frame = await world.ask("start-page", {"project": project})
        self.seconds.append(process_time() - before)
        if frame.kind != REPLY:
            raise SystemExit(f"not answered: {frame.body}")


def fate(text: str, starts: Sequence[Start]) -> str:
    """Tell what became of a note at these starts of a session: the best of them."""
    fates = {_fate(text, one) for one in starts}
    return next((one for one in FATES if one in fates), FATES[-1])


def _fate(text: str, start: Start) -> str:
    number, lives = next(
        (known for said, known in start.written.items() if text in said), (0, False)
    )
    if not number:
        return "not written yet"
    said = " ".join(start.told.split())
    if text in said:
        return "whole"
    if f"- {short_id(number)} " in start.told:
        return "line"
    return "left out" if lives else "ended"


def table(data: Path, name: str, seen: Watched) -> list[str]:
    """Lines of what was told as sessions started, in Markdown."""
    texts = {
        note["id"]: " ".join(note["text"].split())
        for row in rows_of(data, f"reader.{name}.jsonl")
        for note in row["notes"]
    }
    useful = dict[tuple[str, str], int]()  # the last event at which it was
    for row in rows_of(data, f"told.{name}.jsonl"):
        if row.get("v") == "useful":
            of = (row["session"], row["note"])
            useful[of] = max(useful.get(of, 0), row["event"])
    fates = Counter[str]()
    for (session, note), line in useful.items():
        starts = [one for one in seen.starts if one.session == session and one.line <= line]
        fates[fate(texts[note], starts) if starts else "no start"] += 1
    seen_by_agent = fates["whole"] + fates["line"]
    sizes = [len(one.told) for one in seen.starts]
    listed = [
        sum(f"- {short_id(n)} " in one.told for n, _ in one.written.values()) for one in seen.starts
    ]
    return [
        (
            f"- {name}, start: of {len(useful)} notes that proved useful in a session"
            f" {_share(fates['whole'], len(useful))} whole, {_share(seen_by_agent, len(useful))} whole or as a line;"
            f" {', '.join(f'{one} {fates[one]}' for one in sorted(fates))}"
        ),
        (
            f"  - {len(sizes)} starts: {median(sizes):,.0f} characters in the median, {max(sizes):,} at most;"
            f" lines {median(listed):.0f} and {max(listed)}; CPU of a page {1e3 * median(seen.seconds):.0f} ms"
            f" and {1e3 * max(seen.seconds):.0f}"
        ),
    ]  # fmt: skip


def _share(part: int, whole: int) -> str:
    return f"{part / max(1, whole):.0%}"


def main() -> int:
    """Print what was told."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with sessions")
    parser.add_argument("--only", help="one project of the folder")
    parser.add_argument(
        "--engine", nargs=argparse.REMAINDER, required=True, help="a program and its arguments"
    )
    options = parser.parse_args()
    there = sorted({one.name.split(".")[1] for one in options.data.glob("told.*.jsonl")})
    for name in (name for name in there if options.only in (None, name)):
        seen = Watched()
        replayed(options.data, name, house.model(), options.engine, seen.look)
        print("\n".join(table(options.data, name, seen)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
