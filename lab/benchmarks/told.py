"""Notes before an agent's eyes in real coding sessions: how many of the useful ones, and others.

    python -m lab.benchmarks.told --data DIR [--only NAME] [--verdicts FILE ...] [--out FILE]
        --engine PROGRAM ARGUMENT ...

DIR and PROGRAM are as in ``lab.benchmarks.reader``, with ``told.<project>.jsonl``, a line each ``{"session",
"event", "moment", "note", "v"}``: whether a note was ``useful``, ``harmless`` or ``noise`` at an event,
counted from 0; rows of ``--verdicts`` say the same of notes judged later. A note is the id of a recorded
one, or the told text where nobody recorded it.

Each project is lived once with its recorded notes, each command and edit announced before it is made. A
hook's answer is a telling: at a session's start, a prompt, an ``action`` and after a call, a ``failure``.
A note told at a start is as good as it was at its best in the session. Of every note proved useful in a
session it is told whether it stood whole or as a line before its event, or was missed: left out, ended
since, or not written yet. ``--out`` keeps tellings without a verdict for a judge: the text, and the
prompt or the call, but no reason and no score.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Final

from msgspec import Struct, field

from actors.policy.text.short_ids import short_id
from actors.policy.text.wording import one_line
from daemon.wire import REPLY
from lab import world as living
from lab.benchmarks import house, instruments
from lab.benchmarks.reader import replayed
from lab.benchmarks.sessions import PROJECT, rows_of

WRITTEN: Final = (
    "SELECT m.id, m.text, m.ended IS NULL FROM memory m JOIN read_note n ON n.memory_id = m.id"
)
FATES: Final = ("whole", "line", "left out", "ended", "not written yet")
VERDICTS: Final = ("useful", "harmless", "noise")  # the best first
MOMENTS: Final = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "action",
    "PostToolUse": "failure",
    "PostToolUseFailure": "failure",
}
AT: Final = 1_500  # characters of a prompt or a call, for a judge
_ITEM: Final = re.compile(r"^- (.*(?:\n  .*)*)", re.MULTILINE)
_LINE: Final = re.compile(r"m[0-9a-z]+ ")  # a note by id and title
_BEHIND: Final = re.compile(r"\s*\([mp][0-9a-z]+: [^()]*\)\Z")  # id, whose word, how old


class Telling(Struct, frozen=True):
    """Answer of a hook, and its question."""

    session: str
    line: int
    moment: str
    at: str  # the prompt, or the call and how it failed
    told: str

    @property
    def items(self) -> list[str]:
        """The notes told, each by itself."""
        return [" ".join(one.split()) for one in _ITEM.findall(self.told)]

    @property
    def notes(self) -> list[str]:
        """The notes told whole, without the words behind them."""
        return [_BEHIND.sub("", one) for one in self.items if not _LINE.match(one)]


class Start(Struct, frozen=True):
    """Notes of a reader as a session started."""

    session: str
    line: int
    written: Mapping[str, tuple[int, bool]]  # notes by their texts: number, and whether it lives


class Watched(Struct):
    """Tellings of a replay."""

    tellings: list[Telling] = field(default_factory=list[Telling])
    starts: list[Start] = field(default_factory=list[Start])
    seconds: list[float] = field(default_factory=list[float])  # of CPU, for a page

    async def look(
        self, world: living.World, line: int, event: Mapping[str, Any], told: str
    ) -> None:
        """Keep the notes told to a session, and the candidates at its start."""
        moment, session = MOMENTS.get(event["hook_event_name"], "other"), event["session_id"]
        line -= 1  # verdicts count the events from 0, a replay from 1
        if told or moment == "start":
            self.tellings.append(Telling(session, line, moment, asked(event), told))
        if moment != "start":
            return
        rows = await world.store.reading.read(lambda sql: sql.rows(WRITTEN))
        written = {" ".join(text.split()): (number, bool(lives)) for number, text, lives in rows}
        self.starts.append(Start(session, line, written))
        await world.settled()
        project = world.running.parts.project_of(event.get("cwd", "")) or PROJECT
        before = process_time()
        frame = await world.ask("start-page", {"project": project})
        self.seconds.append(process_time() - before)
        if frame.kind != REPLY:
            raise SystemExit(f"not answered: {frame.body}")


def asked(event: Mapping[str, Any]) -> str:
    """Return the prompt of an event, or its call and the call's failure."""
    given: dict[str, Any] = event.get("tool_input") or {}
    call = given.get("command") or given.get("file_path") or ""
    said = (event.get("prompt"), event.get("tool_name"), call, event.get("error"))
    return one_line("  ".join(str(one) for one in said if one), AT)


class Judged(Struct, frozen=True):
    """Recorded notes of a project and the verdicts on told ones."""

    texts: Mapping[str, str]  # of the recorded ones, by id
    verdicts: Mapping[tuple[int, str, str], str]  # by line, moment and note
    best: Mapping[tuple[str, str], str]  # by session and note
    useful: Mapping[tuple[str, str], int]  # the last line of a session at which a note was useful

    def note(self, told: str) -> str:
        """Return the id of the recorded note within a told text, else the text."""
        return next((one for one, text in self.texts.items() if text in told), told)

    def verdict(self, telling: Telling, told: str) -> str:
        """Return the verdict on a note of a telling; empty without one."""
        note = self.note(told)
        if telling.moment == "start":
            return self.best.get((telling.session, note), "")
        return self.verdicts.get((telling.line, telling.moment, note), "")


def judged(data: Path, name: str, more: Sequence[Path] = ()) -> Judged:
    """Read the recorded notes of a project and the verdicts, also of further files."""
    texts = {
        note["id"]: " ".join(note["text"].split())
        for row in rows_of(data, f"reader.{name}.jsonl")
        for note in row["notes"]
    }
    rows = rows_of(data, f"told.{name}.jsonl")
    rows += [
        row for file in more for row in instruments.rows(file) if row.get("project", name) == name
    ]
    verdicts, best = dict[tuple[int, str, str], str](), dict[tuple[str, str], str]()
    useful = dict[tuple[str, str], int]()
    for row in rows:
        if (verdict := row.get("v")) not in VERDICTS:
            continue
        verdicts[row["event"], row["moment"], row["note"]] = verdict
        of = (row["session"], row["note"])
        best[of] = min(best.get(of, verdict), verdict, key=VERDICTS.index)
        if verdict == "useful":
            useful[of] = max(useful.get(of, 0), row["event"])
    return Judged(texts, verdicts, best, useful)


def fate(text: str, starts: Iterable[Start], tellings: Iterable[Telling]) -> str:
    """Fate of a note in a session: the best one in these starts and tellings."""
    fates = set[str]()
    for start in starts:
        lives = next((lives for said, (_, lives) in start.written.items() if text in said), None)
        fates.add("not written yet" if lives is None else "left out" if lives else "ended")
    numbers = {n for one in starts for said, (n, _) in one.written.items() if text in said}
    for one in tellings:
        if any(text in said for said in one.items):
            fates.add("whole")
        if any(said.startswith(f"{short_id(n)} ") for said in one.items for n in numbers):
            fates.add("line")
    return next((one for one in FATES if one in fates), FATES[-1])


def table(name: str, seen: Watched, known: Judged) -> list[str]:
    """Lines about the tellings, in Markdown."""
    pages = [one for one in seen.tellings if one.moment == "start"]
    sizes = [len(one.told) for one in pages]
    listed = [sum(bool(_LINE.match(said)) for said in one.items) for one in pages]
    moments = dict.fromkeys(("start", *MOMENTS.values()))
    moments |= dict.fromkeys(one.moment for one in seen.tellings)
    return [
        f"- {name}: {_fates(seen, known, pages)} at a start alone",
        f"  - {_fates(seen, known, seen.tellings)} at any moment",
        *(f"  - {moment}: {_counted(seen, known, moment)}" for moment in moments),
        (
            f"  - {len(sizes)} starts: {median(sizes):,.0f} characters in the median, {max(sizes):,} at most;"
            f" lines {median(listed):.0f} and {max(listed)}; CPU of a page {1e3 * median(seen.seconds):.0f} ms"
            f" and {1e3 * max(seen.seconds):.0f}"
        ),
    ]  # fmt: skip


def _fates(seen: Watched, known: Judged, tellings: Sequence[Telling]) -> str:
    """Fates of the notes proved useful, among these tellings alone."""
    fates = Counter[str]()
    for (session, note), line in known.useful.items():
        starts = [one for one in seen.starts if one.session == session and one.line <= line]
        heard = [one for one in tellings if one.session == session and one.line <= line]
        fates[fate(known.texts.get(note, note), starts, heard) if starts else "no start"] += 1
    every = len(known.useful)
    before = fates["whole"] + fates["line"]
    return (
        f"of {every} notes that proved useful in a session {_share(fates['whole'], every)} whole,"
        f" {_share(before, every)} whole or as a line ({', '.join(f'{one} {fates[one]}' for one in sorted(fates))})"
    )


def _counted(seen: Watched, known: Judged, moment: str) -> str:
    """Count the notes told at a moment by their verdicts, and their characters by session."""
    tellings = [one for one in seen.tellings if one.moment == moment]
    counts = Counter(known.verdict(one, note) for one in tellings for note in one.notes)
    characters = Counter(dict.fromkeys((one.session for one in seen.starts), 0))
    for one in tellings:
        characters[one.session] += len(one.told)
    told = counts.total()
    verdicts = ", ".join(f"{one} {counts[one]} ({_share(counts[one], told)})" for one in VERDICTS)
    return (
        f"told {told} notes, {verdicts}, without verdict {counts['']}; characters a session"
        f" {median(characters.values()):,.0f} in the median, {max(characters.values()):,} at most"
    )


def unjudged(name: str, seen: Watched, known: Judged) -> list[dict[str, Any]]:
    """Rows of tellings without a verdict, except at starts, for a judge to fill in."""
    return [
        {
            "project": name, "session": one.session, "event": one.line, "moment": one.moment,
            "note": known.note(note), "text": note, "at": one.at, "v": "",
        }
        for one in seen.tellings if one.moment != "start"
        for note in one.notes if not known.verdict(one, note)
    ]  # fmt: skip


def _share(part: int, whole: int) -> str:
    return f"{part / max(1, whole):.0%}"


def main() -> int:
    """Print the tellings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with sessions")
    parser.add_argument("--only", help="one project of the folder")
    parser.add_argument(
        "--verdicts", type=Path, nargs="*", default=[], help="files of what was judged later"
    )
    parser.add_argument("--out", type=Path, help="a file for what nobody judged, as JSON lines")
    parser.add_argument(
        "--engine", nargs=argparse.REMAINDER, required=True, help="a program and its arguments"
    )
    options = parser.parse_args()
    there = sorted({one.name.split(".")[1] for one in options.data.glob("told.*.jsonl")})
    left = list[dict[str, Any]]()
    for name in (name for name in there if options.only in (None, name)):
        seen, known = Watched(), judged(options.data, name, options.verdicts)
        replayed(options.data, name, house.model(), options.engine, seen.look)
        print("\n".join(table(name, seen, known)), flush=True)
        left += unjudged(name, seen, known)
    if options.out:
        instruments.write(options.out, left)
    return 0


if __name__ == "__main__":
    sys.exit(main())
