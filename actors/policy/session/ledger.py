"""The ledger of what a session has in its context already.

A session need not be told what it was told, what it said itself and what it read: all that stands in
its context until that is emptied, by a compaction or by the user. A session that is resumed has its
context still. The ledger holds the last hundred deliveries, the documents that were read whole and the
instructions that the client loaded, most of which it loads again at once; what the session made is known
by the memories themselves, which name their session and their time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from actors.policy.session.instructions import Saying, stands_in


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits to how long and how much is remembered as being in a context."""

    ttl: float = 30 * 86_400.0  # seconds
    capacity: int = 100  # contents, and as many documents and files of instructions


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file of instructions in a context."""

    at: float  # seconds UTC
    is_lasting: bool  # the client loads it again when the context was emptied
    said: frozenset[Saying]


@dataclass(frozen=True, slots=True)
class Ledger:
    """Contents and documents of a session's context, each with when it came in (seconds UTC)."""

    emptied: float = 0.0  # when the context was emptied last; 0: never
    told: Mapping[bytes, float] = field(default_factory=dict[bytes, float])  # by content hash
    read: Mapping[str, float] = field(default_factory=dict[str, float])  # by place in the project
    loaded: Mapping[str, Loaded] = field(default_factory=dict[str, Loaded])  # by path


@dataclass(frozen=True, slots=True)
class Context:
    """What a session has in its context now."""

    since: float  # seconds UTC: what it made before is not in it any more
    told: frozenset[bytes] = frozenset()  # content hashes
    read: Mapping[str, float] = field(default_factory=dict[str, float])  # as in the ledger
    loaded: tuple[frozenset[Saying], ...] = ()  # what each file of instructions says


@dataclass(frozen=True, slots=True)
class Made:
    """Where a memory comes from, and its content."""

    content: bytes  # hash
    session: str | None
    at: float  # seconds UTC
    document: str | None  # its place in the project
    text: str


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


def loaded(ledger: Ledger, path: str, file: Loaded, settings: Settings = DEFAULT) -> Ledger:
    """The ledger after a client loaded instructions: the latest ``capacity`` files stay."""
    others = [entry for entry in ledger.loaded.items() if entry[0] != path]
    return replace(ledger, loaded=dict([*others, (path, file)][-settings.capacity :]))


def emptied(ledger: Ledger, at: float) -> Ledger:
    """The ledger of a context that began anew: what came in before does not count.

    Lasting instructions do: a client loads them again.
    """
    return Ledger(
        max(ledger.emptied, at),
        {content: came for content, came in ledger.told.items() if came >= at},
        {place: came for place, came in ledger.read.items() if came >= at},
        {path: one for path, one in ledger.loaded.items() if one.is_lasting or one.at >= at},
    )


def context(ledger: Ledger, now: float, settings: Settings = DEFAULT) -> Context:
    """What is in the context now: of the last ``ttl`` seconds, and nothing from before it was emptied."""
    since = max(ledger.emptied, now - settings.ttl)
    return Context(
        since,
        frozenset(content for content, came in ledger.told.items() if came >= since),
        {place: came for place, came in ledger.read.items() if came >= since},
        tuple(one.said for one in ledger.loaded.values() if one.at >= now - settings.ttl),
    )


def has(context: Context, session: str, made: Made) -> bool:
    """Return whether a session was told a memory, made it, or read or loaded what says it.

    What a document says only since it was read is not in the context.
    """
    own = made.session == session and made.at >= context.since
    read = made.document is not None and made.at <= context.read.get(made.document, 0.0)
    return own or read or made.content in context.told or is_loaded(context, made.text)


def is_loaded(context: Context, text: str) -> bool:
    """Return whether a session's instructions say what a memory says."""
    return stands_in(text, context.loaded)
