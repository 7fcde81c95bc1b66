"""The ledger of what a session has in its context already.

A session need not be told what it was told, what it said itself and what it read: all that stands in
its context until that is emptied, by a compaction or by the user. A session that is resumed has its
context still. The ledger holds the last hundred deliveries and the documents that were read whole; what
the session made is known by the memories themselves, which name their session and their time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits to how long and how much is remembered as being in a context."""

    ttl: float = 30 * 86_400.0  # seconds
    capacity: int = 100  # contents, and as many documents


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Ledger:
    """Contents and documents of a session's context, each with when it came in (seconds UTC)."""

    emptied: float = 0.0  # when the context was emptied last; 0: never
    told: Mapping[bytes, float] = field(default_factory=dict[bytes, float])  # by content hash
    read: Mapping[str, float] = field(default_factory=dict[str, float])  # by place in the project


@dataclass(frozen=True, slots=True)
class Context:
    """What a session has in its context now."""

    since: float  # seconds UTC: what it made before is not in it any more
    told: frozenset[bytes] = frozenset()  # content hashes
    read: Mapping[str, float] = field(default_factory=dict[str, float])  # as in the ledger


@dataclass(frozen=True, slots=True)
class Made:
    """Where a memory comes from, and its content."""

    content: bytes  # hash
    session: str | None
    at: float  # seconds UTC
    document: str | None  # its place in the project


def entered(
    ledger: Ledger, contents: Iterable[bytes], now: float, settings: Settings = DEFAULT
) -> Ledger:
    """The ledger after these were delivered at ``now``: the latest ``capacity`` stay."""
    delivered = {**ledger.told, **dict.fromkeys(contents, now)}
    latest = sorted(delivered.items(), key=lambda entry: entry[1], reverse=True)
    return replace(ledger, told=dict(latest[: settings.capacity]))


def read(ledger: Ledger, place: str, now: float, settings: Settings = DEFAULT) -> Ledger:
    """The ledger after a document was read or written whole: the latest ``capacity`` stay."""
    others = [entry for entry in ledger.read.items() if entry[0] != place]
    return replace(ledger, read=dict([*others, (place, now)][-settings.capacity :]))


def emptied(ledger: Ledger, at: float) -> Ledger:
    """The ledger of a context that began anew: what came in before does not count."""
    return Ledger(
        max(ledger.emptied, at),
        {content: came for content, came in ledger.told.items() if came >= at},
        {place: came for place, came in ledger.read.items() if came >= at},
    )


def context(ledger: Ledger, now: float, settings: Settings = DEFAULT) -> Context:
    """What is in the context now: of the last ``ttl`` seconds, and nothing from before it was emptied."""
    since = max(ledger.emptied, now - settings.ttl)
    return Context(
        since,
        frozenset(content for content, came in ledger.told.items() if came >= since),
        {place: came for place, came in ledger.read.items() if came >= since},
    )


def has(context: Context, session: str, made: Made) -> bool:
    """Return whether a session was told a memory, made it, or read the document that says it.

    What a document says only since it was read is not in the context.
    """
    own = made.session == session and made.at >= context.since
    read = made.document is not None and made.at <= context.read.get(made.document, 0.0)
    return own or read or made.content in context.told
