"""The view's own work: switches of recording, the daemon's start, and shortfalls."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

import anyio
import msgspec

from daemon.home import Home
from daemon.launch import ensure_daemon, own_command
from daemon.recording import (
    Recording,
    pause_folders,
    pause_line,
    paused,
    resume,
    resume_folders,
)

READY_WITHIN: Final = 30.0  # seconds for a daemon to come up
LOOKED_WITHIN: Final = 60.0  # seconds for 'reverie doctor'
EVERYTHING_IS_WELL: Final = "ok"
# Remedies that are an operation, by what a person would type.
DONE_BY: Final[dict[str, str]] = {"reverie up": "up", "reverie backup now": "backup-now"}


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request without fields."""


class PauseAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pause of recording from now on."""

    seconds: float | None = None  # None: until it is ended
    folder: str = ""  # empty: everywhere


class ResumeAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of pauses."""

    folder: str = ""  # of this one; empty: of all


class Shortfall(msgspec.Struct, frozen=True):
    """A shortfall, and its remedy."""

    subject: str
    state: str  # warn, fail
    line: str
    command: str  # what a person types; empty: nothing
    name: str | None  # of the operation that does the same
    body: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])


async def _recording(home: Home, _: Nothing) -> object:
    """Tell where recording is off, and which pauses hold."""
    at = _now()
    held = [one for one in paused(home) if one.since and one.holds(at, at)]
    return {
        "at": at,
        "lines": Recording(home).lines(at),
        "pauses": [
            {
                "since": one.since,
                "until": one.until,
                "folders": list(one.folders),
                "session": one.session,
                "line": pause_line(one, at),
            }
            for one in held
        ],
    }


async def _pause(home: Home, asked: PauseAsked) -> object:
    """Pause recording, everywhere or in a folder."""
    pause_folders(home, _now(), asked.seconds, [asked.folder] if asked.folder else [])
    return await _recording(home, Nothing())


async def _resume(home: Home, asked: ResumeAsked) -> object:
    """End every pause, or a folder's one."""
    if asked.folder:
        resume_folders(home, _now(), [asked.folder])
    else:
        resume(home, _now())
    return await _recording(home, Nothing())


async def _up(home: Home, _: Nothing) -> object:
    """Start the daemon, where none runs."""
    found = await anyio.to_thread.run_sync(partial(ensure_daemon, home, within=READY_WITHIN))
    return {"ready": found.ready, "pid": found.pid, "version": found.version}


async def _shortfalls(home: Home, _: Nothing) -> object:
    """Findings of 'reverie doctor'; a process of its own, since it looks into every file."""
    environ = {**os.environ, "REVERIE_HOME": str(home.root)}
    with anyio.fail_after(LOOKED_WITHIN):
        done = await anyio.run_process(
            [*own_command(), "doctor", "--json"],
            check=False,
            env=environ,
            stderr=subprocess.DEVNULL,
        )
    checks = msgspec.json.decode(done.stdout)["checks"]
    return [
        Shortfall(
            one["name"], one["state"], one["detail"], one["remedy"], DONE_BY.get(one["remedy"])
        )
        for one in checks
        if one["state"] != EVERYTHING_IS_WELL
    ]


def _now() -> float:
    return time.time_ns() / 1e9


Own = tuple[type[msgspec.Struct], Callable[[Home, Any], Awaitable[object]]]
OWN: Final[dict[str, Own]] = {
    "recording": (Nothing, _recording),
    "pause": (PauseAsked, _pause),
    "resume": (ResumeAsked, _resume),
    "up": (Nothing, _up),
    "shortfalls": (Nothing, _shortfalls),
}
