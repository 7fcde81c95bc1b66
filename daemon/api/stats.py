"""The store in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from daemon.api.operation import Line, Operation, Title, Verb
from daemon.commands.terminal.words import counted
from daemon.shapes.replies import Reply

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

DAY: Final = 86_400.0  # seconds
LATELY: Final = 30  # days that exposures and uses are counted
SIZES: Final = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


class Figures(Reply, frozen=True, kw_only=True):
    """The store in numbers."""

    memories: int  # that live; so for the next four
    kinds: dict[str, int]
    tiers: dict[str, int]
    states: dict[str, int]
    projects: dict[str, int]  # "" is what holds everywhere
    ended: dict[str, int]
    actions: dict[str, int]  # decisions of the gate
    contradictions: int = 0  # among them
    similarity: float | None = None  # of those that had a neighbour, on the average, 2 digits
    # the scale on which the gate reads the model's cosines
    journal: dict[str, int]  # events, undone
    vectors: dict[str, int]  # memories with vectors, chunks
    bytes: int  # of the database, its log included
    days: int  # that the last two look back
    exposures: int
    uses: int
    shown: int = 0  # in those days: memories shown unasked to a session, each once a session
    cited: int = 0  # of which the session cited so many
    # in those days: starts that were told a page, its characters on the average and at most, its
    # lines, and how many of these were opened in their session
    pages: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # open, accepted, declined
    proposals: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # causal links by relation, and pairs that are alike
    graph: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # the second axis of the living
    accessibility: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # of the daemon: memories whose words are held; bytes of those words (`mapped`: of them in the
    # page cache), of vectors' sign bits (`vectors_mapped`: of the vectors' file beside them,
    # which is mapped), of phrases
    in_memory: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # bytes of the database with its log, of the journal in it, and of the folders of the home
    on_disk: dict[str, int] = msgspec.field(default_factory=dict[str, int])


class Stats(Operation[Figures], frozen=True, kw_only=True):
    """Show how much of what there is.

    Memories by kind, tier, state and project; the gate, the journal, vectors, the file.
    """

    NAME = "stats"
    VERBS = (Verb("stats"),)

    async def answer(self, parts: Parts, _: Progress) -> Figures:
        from actors.policy.decay import states
        from daemon.answers import status
        from daemon.answers.memories import REACHES
        from daemon.storage import opinions, strength, why
        from daemon.storage import stats as stored

        read = parts.reader.read
        now = parts.clock.now()
        living, accessible = await status.by_state(parts, now)
        since = now - LATELY * DAY
        found = await read(stored.tallies, since)
        shown, cited = await read(strength.citations, since)
        contradictions, similarity = await read(stored.decisions_on_the_whole)
        return Figures(
            **found,
            memories=sum(living.values()),
            states={state: living[state] for state in states.STATES},
            contradictions=contradictions,
            similarity=similarity,
            bytes=status.of_database(parts),
            days=LATELY,
            shown=shown,
            cited=cited,
            pages=await read(why.pages, since),
            proposals=await read(opinions.promotion_states),
            graph=await parts.reader.graph_totals(),
            accessibility={state: accessible[state] for state in REACHES},
            in_memory=await status.in_memory(parts),
            on_disk=await status.on_disk(parts),
        )

    def lines(self, figures: Figures) -> Iterator[Line]:
        yield Title(counted(figures.memories, "memory", "memories"))
        projects = {name or "everywhere": count for name, count in figures.projects.items()}
        yield from [
            ["kinds", _tally(figures.kinds)],
            ["tiers", _tally(figures.tiers)],
            ["lifecycle", _shares(figures.states)],
            ["accessibility", _shares(figures.accessibility)],
            ["projects", _tally(projects)],
            ["ended", _tally(figures.ended)],
            *_decided(figures),
            ["journal", _tally(figures.journal)],
            ["vectors", _tally(figures.vectors).replace("_", " ")],
            ["links", _tally(figures.graph).replace("_", " ")],
            ["database", _size(figures.bytes)],
            *_in_memory(figures.in_memory),
            *_on_disk(figures.on_disk),
            *_served(figures),
            *_pages(figures.pages),
            [f"last {figures.days} days", f"shown {figures.exposures:,}, used {figures.uses:,}"],
        ]


# ---- in words


def _decided(figures: Figures) -> list[list[str]]:
    """Decisions of the gate."""
    rows = [["gate", _shares(figures.actions)]]
    whole = sum(figures.actions.values())
    if whole:
        found = counted(figures.contradictions, "contradiction")
        said = f"{counted(whole, 'decision')}, {found}"
        if figures.similarity is not None:
            said += f", similarity {figures.similarity:.2f} on the average"
        rows.append(["", said])
    return rows


def _served(figures: Figures) -> list[list[str]]:
    """Share of notes shown unasked and cited by agents, and matters waiting for a person."""
    rows: list[list[str]] = []
    if figures.shown:
        share = figures.cited / figures.shown
        said = f"{figures.shown:,} shown unasked, {figures.cited:,} cited ({share:.0%})"
        rows.append(["agents", said])
    if figures.proposals:
        rows.append(["proposals", _tally(figures.proposals)])
    return rows


def _pages(told: Mapping[str, int]) -> list[list[str]]:
    """Sizes of pages told to starting sessions, and how many of its lines were opened."""
    if not told.get("starts"):
        return []
    said = (
        f"{counted(told['starts'], 'start')}, {told['characters']:,} characters on the average,"
        f" {told['longest']:,} at most"
    )
    if lines := told["lines"]:
        opened = told["opened"]
        said += f"; {counted(lines, 'line')}, {opened:,} opened ({opened / lines:.0%})"
    return [["pages", said]]


def _tally(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in found.items() if count) or "none"


def _shares(found: dict[str, int]) -> str:
    """Counts with their share of the whole."""
    whole = sum(found.values())
    shares = (f"{name} {n:,} ({100 * n / whole:.0f} %)" for name, n in found.items() if n)
    return ", ".join(shares) or "none"


def _in_memory(held: Mapping[str, int]) -> list[list[str]]:
    """Sizes of recall's searches in memory."""
    if not held:
        return []
    memories = held["memories"]
    each = f" ({held['words'] // memories:,} B a memory)" if memories else ""
    words = f"words {_size(held['words'])}{each}" if memories else "no words: FTS5 answers"
    rest = f"vectors {_size(held['vectors'])}, phrases {_size(held.get('phrases', 0))}"
    return [["in memory", f"{words}, {rest}"]]


def _on_disk(held: Mapping[str, int]) -> list[list[str]]:
    """Sizes of the home's files beside the database."""
    if not held:
        return []
    beside = [f"{name} {_size(size)}" for name, size in held.items() if name != "database"]
    return [["on disk", ", ".join(beside)]]


def _size(count: int) -> str:
    for size, unit in SIZES:
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"


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
    bytes: int  # of the database, its log included
    on_disk: dict[str, int]
    in_memory: dict[str, int]


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
            bytes=status.of_database(parts),
            on_disk=await status.on_disk(parts),
            in_memory=await status.in_memory(parts),
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
