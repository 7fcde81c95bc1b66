"""Places and times where recording is off, or the reader: marks on the disk, private folders, pauses.

The rules are in ``actors/policy/events/switch.py``. Every process reads the same two files of the home, whenever it
asks, so a person's switch holds from the next event on: ``pauses.json``, and ``[recording] private`` in
``config.toml``; where only the reader is off says ``[reader] private``. An unreadable file switches everything off. A
few looks at names for each path, and two at the files: microseconds, so the event loop does it.
"""

import json
import os
import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import cast

from msgspec import Struct

from actors.policy.events.switch import MARK, NO_READER, PAUSES, Off, Pause, Switches, pauses_of
from daemon.home import Home, whole_file

KEPT = 1_000  # pauses that are over and still known, the newest
UNREADABLE = Pause(0.0, None)
NO_SESSION = "."  # no session has this id: a person's own command
RESUME = "'reverie resume' ends it"


class Recording(Struct, frozen=True):
    """All switches of recording in a home."""

    home: Home

    def off(self, places: Sequence[str], session: str, begin: float, end: float) -> Off | None:
        """Cause of recording being off at one of these paths, or in this session, in this time."""
        stamp = _stamp(self.home.config)
        private = _private(self.home.config, stamp, "recording") if stamp else ()
        if private is None:
            return Off(pause=UNREADABLE)
        switches = Switches(os.path.lexists, _real, private, paused(self.home))
        return switches.off(places, session, begin, end)

    def unread(self, places: Sequence[str], session: str, at: float) -> str:
        """Say why a session in these folders is not read; empty when it may be."""
        off = self.off(places, session, at, at)
        if off is not None:
            return f"recording is {line(off, at)}"
        stamp = _stamp(self.home.config)
        private = _private(self.home.config, stamp, "reader") if stamp else ()
        if private is None:
            return "config.toml in the data home cannot be read"
        off = Switches(os.path.lexists, _real, private, mark=NO_READER).off(places, session, at, at)
        if off is None:
            return ""
        if off.pattern:
            return f"{off.folder} is private ([reader] private = {off.pattern!r})"
        return f"{off.folder} holds {NO_READER}"

    def off_here(self, at: float) -> Off | None:
        """Cause of recording being off where this process works, in every session."""
        try:
            folder = os.getcwd()  # noqa: PTH109 - paths are texts here
        except FileNotFoundError:  # the folder was removed
            return None
        return self.off([folder], NO_SESSION, at, at)

    def lines(self, at: float) -> list[str]:
        """Lines on switches: here first, then every other pause; none where all is on."""
        here = self.off_here(at)
        pauses = [one for one in paused(self.home) if one.since and one.holds(at, at)]
        others = [pause_line(one, at) for one in pauses if here is None or one is not here.pause]
        return [*([line(here, at)] if here is not None else []), *others]


def paused(home: Home) -> list[Pause]:
    """All pauses ever made, the oldest first."""
    path = home.root / PAUSES
    stamp = _stamp(path)
    return _pauses(path, stamp) if stamp else []


def pause(home: Home, one: Pause) -> None:
    """Pause from now on; a pause of the same folders or session ends with it."""
    _write(home, [*_ended(home, one.since, one), one])


def pause_folders(home: Home, at: float, seconds: float | None, folders: Sequence[str]) -> None:
    """Pause in these folders from ``at`` on, for so long; everywhere without a folder."""
    pause(home, Pause(at, None if seconds is None else at + seconds, folders))


def resume(home: Home, at: float, only: Pause | None = None) -> int:
    """End the present pauses; with ``only`` the ones of its folders or session. Returns how many."""
    live = sum(one.holds(at, at) for one in paused(home))
    kept = _ended(home, at, only)
    _write(home, kept)
    return live - sum(one.holds(at, at) for one in kept)


def line(off: Off, now: float) -> str:
    """Line about recording being off: where, and since and until when."""
    below = "so nothing below it is kept or told"
    if off.pause is None and off.pattern:
        return f"off here: {off.folder} is private ([recording] private = {off.pattern!r}), {below}"
    if off.pause is None:
        return f"off here: {off.folder} holds {MARK}, {below}"
    return pause_line(off.pause, now)


def pause_line(one: Pause, now: float) -> str:
    """Line about a pause: its scope, and since and until when."""
    if not one.since:
        return "off: pauses.json or config.toml in the data home cannot be read"
    where = f" in session {one.session}" if one.session else ""
    where = where or (f" in {one.folders[0]}" if one.folders else "")
    until = "" if one.until is None else f" until {_clock(one.until, now)}"
    return f"off{where} since {_clock(one.since, now)}{until}: no session is recorded, and agents are told nothing; {RESUME}"


def _clock(at: float, now: float) -> str:
    """Time of day, with its date when it is another."""
    moment, today = (datetime.fromtimestamp(one, UTC).astimezone() for one in (at, now))
    same = moment.date() == today.date()
    return moment.strftime("%H:%M" if same else "%Y-%m-%d %H:%M")


def _ended(home: Home, at: float, only: Pause | None) -> list[Pause]:
    """Pauses without later ones, and with present ones ended now."""
    return [
        Pause(one.since, at, one.folders, one.session)
        if one.since and one.holds(at, at) and (only is None or _is_same(one, only))
        else one
        for one in paused(home)
        if one.since
    ]


def _is_same(one: Pause, other: Pause) -> bool:
    return (set(one.folders), one.session) == (set(other.folders), other.session)


def _write(home: Home, pauses: Sequence[Pause]) -> None:
    rows = [
        {"since": one.since, "until": one.until, "folders": [*one.folders], "session": one.session}
        for one in pauses[-KEPT:]
    ]
    with whole_file(home.root / PAUSES, durable=True) as file:
        file.write(json.dumps(rows).encode())


Stamp = tuple[int, int, int]


def _stamp(path: Path) -> Stamp | None:
    """Mark changing whenever a file does; None without a file."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


@lru_cache(maxsize=4)
def _pauses(path: Path, _: Stamp) -> list[Pause]:
    try:
        return pauses_of(json.loads(path.read_bytes()))
    except (OSError, ValueError, RecursionError):
        return pauses_of(None)


@lru_cache(maxsize=4)
def _private(path: Path, _: Stamp, section: str) -> tuple[str, ...] | None:
    """Patterns of private folders; None when they cannot be read."""
    try:
        content = path.read_bytes()
        if b"private" not in content:
            return ()
        found = tomllib.loads(content.decode()).get(section, {}).get("private", [])
    except (OSError, ValueError, AttributeError):
        return None
    rows = cast("list[object]", found) if isinstance(found, list) else [None]
    texts = tuple(one for one in rows if isinstance(one, str))
    return texts if len(texts) == len(rows) else None


def _real(path: str) -> str:
    return os.path.realpath(os.path.expanduser(path))  # noqa: PTH111 - paths are texts here
