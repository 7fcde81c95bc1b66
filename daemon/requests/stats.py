"""The store in numbers."""

from typing import Any

import msgspec

from daemon.requests.shapes import Reply, Request


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
    calibration: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
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
    # the causal graph: edges, nodes, density with its class, coverage; and associations
    graph: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    # the second axis of the living
    accessibility: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # of the daemon: memories whose words are held; bytes of those words (`mapped`: of them in the
    # page cache), of vectors' sign bits (`vectors_mapped`: of the vectors' file beside them,
    # which is mapped), of phrases
    in_memory: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # bytes of the database with its log, of the journal in it, and of the folders of the home
    on_disk: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # of the archivist: totalScanned, totalArchived, totalUnarchived, lastScanTime, errors
    archival: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    # since the daemon began, of the indexes' answers: kept, hits, misses, evictions, invalidations
    last_answers: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    # since the daemon began: questions, and what one in twenty tells of its scores
    scoring: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    # how recent, important and busy each project is, 0..1, the best first
    folders: dict[str, float] = msgspec.field(default_factory=dict[str, float])


class Stats(Request[Figures], frozen=True, kw_only=True):
    """Request for counts of all there is."""

    NAME = "stats"
