"""The store in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from daemon.api.operation import Line, Operation, Title, Verb
from daemon.commands.terminal.words import counted, megabytes
from daemon.shapes.replies import Reply

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

DAY: Final = 86_400.0  # seconds
LATELY: Final = 30  # days that exposures and uses are counted


class Figures(Reply, frozen=True, kw_only=True):
    """The store in numbers."""

    memories: int  # that live; so for the next three
    kinds: dict[str, int]
    states: dict[str, int]
    projects: dict[str, int]  # "" is what holds everywhere
    ended: dict[str, int]
    actions: dict[str, int]  # decisions of the gate
    bytes: int  # of the database, its log included
    days: int  # that the next four look back
    exposures: int
    uses: int
    shown: int  # memories shown unasked to a session, each once a session
    cited: int  # of which the session cited so many


class Stats(Operation[Figures], frozen=True, kw_only=True):
    """Show how much of what there is.

    Memories by kind, state and project; the gate's decisions, the file, what was shown and used.
    """

    NAME = "stats"
    FOR_AGENTS = True
    VERBS = (Verb("stats"),)

    async def answer(self, parts: Parts, _: Progress) -> Figures:
        from actors.policy.decay import states
        from daemon.answers import status
        from daemon.storage import stats as stored
        from daemon.storage import strength

        read, now = parts.reader.read, parts.clock.now()
        living = await status.by_state(parts, now)
        since = now - LATELY * DAY
        shown, cited = await read(strength.citations, since)
        return Figures(
            **await read(stored.tallies, since),
            memories=sum(living.values()),
            states={state: living[state] for state in states.STATES},
            bytes=status.of_database(parts),
            days=LATELY,
            shown=shown,
            cited=cited,
        )

    def lines(self, figures: Figures) -> Iterator[Line]:
        yield Title(counted(figures.memories, "memory", "memories"))
        projects = {name or "everywhere": count for name, count in figures.projects.items()}
        shown, used = f"shown {figures.exposures:,}", f"used {figures.uses:,}"
        unasked = f"to agents unasked {figures.shown:,}, cited {figures.cited:,}"
        yield from [
            ["kinds", _tally(figures.kinds)],
            ["lifecycle", _tally(figures.states)],
            ["projects", _tally(projects)],
            ["ended", _tally(figures.ended)],
            ["gate", _tally(figures.actions)],
            ["database", megabytes(figures.bytes)],
            [f"last {figures.days} days", f"{shown}, {used}; {unasked}"],
        ]


def _tally(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in found.items() if count) or "none"


# ---- how it fares, quickly


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """How long answers took, in milliseconds."""

    place: str  # that asked: prompt, session_start, subagent, tool, failure
    count: int
    median: float
    high: float  # 95 of 100 took no longer
    longest: float


class DayRead(msgspec.Struct, frozen=True, kw_only=True):
    """What a day spent on the reader."""

    day: float  # its beginning, seconds UTC
    readings: int
    failed: int
    notes: int
    tokens: int
    dollars: float | None  # null: no engine told any


class HealthShown(Reply, frozen=True, kw_only=True):
    """Latencies, costs and sizes."""

    at: float  # now
    days: int  # that the first two look back
    latencies: list[Latency]
    read: list[DayRead]  # days without a reading are left out
    on_disk: dict[str, int]
    in_memory: dict[str, int]  # of what searches go by: counts, and bytes


class Health(Operation[HealthShown], frozen=True, kw_only=True):
    """Request for latencies, costs and sizes: what costs no look at each memory, unlike ``stats``."""

    NAME = "health"

    async def answer(self, parts: Parts, _: Progress) -> HealthShown:
        from daemon.answers import status
        from daemon.storage import stats as stored

        at = parts.clock.now()
        since = at - LATELY * DAY
        took = await parts.reader.read(stored.latencies, since)
        days = await parts.reader.read(stored.read_by_day, since)
        return HealthShown(
            at=at,
            days=LATELY,
            latencies=[_latency(place, times) for place, times in took.items()],
            read=[DayRead(**day) for day in days],
            on_disk=await status.on_disk(parts),
            in_memory=await parts.reader.in_memory(),
        )


def _latency(place: str, times: Sequence[float]) -> Latency:
    """Percentiles of rising milliseconds; the rank of a share of ``n`` is its ceiling."""
    count = len(times)
    return Latency(
        place=place,
        count=count,
        median=times[(count - 1) // 2],
        high=times[-(-95 * count // 100) - 1],
        longest=times[-1],
    )
