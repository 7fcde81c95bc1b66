"""The ledger of a session's context: everything already in it.

A session need not be told things it was told, said itself or read: all of it stands in its context
until the context is emptied, by a compaction or by the user, and until it has faded out of the
session's attention. A resumed session has its context still. The ledger holds the last hundred
deliveries, the documents read whole and the instructions loaded by the client, most of which it
loads again at once, and the times of the last prompts; memories made by the session are known by
themselves, as they name their session and their time.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from actors.policy.session.attention import FADED, WHOLE, attention
from actors.policy.session.instructions import Saying, stands_in

LASTS: Final = 30 * 86_400.0  # seconds: the journal and its prompts are kept no longer
MOST: Final = 100  # contents, and as many documents and files of instructions
PROMPTS: Final = 400  # latest of a session, by which attention fades


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file of instructions in a context."""

    at: float  # seconds UTC
    is_lasting: bool  # the client loads it again when the context was emptied
    said: frozenset[Saying]


@dataclass(frozen=True, slots=True)
class Telling:
    """A content told to a session."""

    at: float  # seconds UTC
    anchor: float = WHOLE  # attention to it then


@dataclass(frozen=True, slots=True)
class Ledger:
    """Entries into a session's context, each with its time (seconds UTC)."""

    emptied: float = 0.0  # when the context was emptied last; 0: never
    cleared: float = 0.0  # when a person began it anew: it attends to nothing from before
    told: Mapping[bytes, Telling] = field(default_factory=dict[bytes, Telling])  # by content hash
    read: Mapping[str, float] = field(default_factory=dict[str, float])  # by place in the project
    loaded: Mapping[str, Loaded] = field(default_factory=dict[str, Loaded])  # by path
    prompts: tuple[float, ...] = ()  # oldest first


@dataclass(frozen=True, slots=True)
class Context:
    """Notes in a session's context now and still in its attention."""

    since: float  # seconds UTC: what it made before is not in it any more
    told: frozenset[bytes] = frozenset()  # content hashes
    read: Mapping[str, float] = field(default_factory=dict[str, float])  # as in the ledger
    loaded: tuple[frozenset[Saying], ...] = ()  # sentences of each file of instructions
    at_start: frozenset[bytes] = frozenset()  # of what was told, what only a session's start told


@dataclass(frozen=True, slots=True)
class Made:
    """Where a memory comes from, and its content."""

    content: bytes  # hash
    session: str | None
    at: float  # seconds UTC
    document: str | None  # its place in the project
    text: str


def prompted(ledger: Ledger, at: float) -> Ledger:
    """The ledger after one more prompt, which may be told late, and twice."""
    if at in ledger.prompts:
        return ledger
    prompts = list(ledger.prompts)
    insort(prompts, at)
    return replace(ledger, prompts=tuple(prompts[-PROMPTS:]))


def entered(ledger: Ledger, contents: Iterable[bytes], now: float, anchor: float = WHOLE) -> Ledger:
    """The ledger after these were delivered at ``now``: the latest ``MOST`` stay.

    A content told again keeps its earlier attention, where it was more.
    """
    new = {
        content: Telling(now, max(anchor, _left(ledger, told)))
        if (told := ledger.told.get(content)) is not None
        else Telling(now, anchor)
        for content in contents
    }
    latest = sorted({**ledger.told, **new}.items(), key=lambda entry: -entry[1].at)
    return replace(ledger, told=dict(latest[:MOST]))


def read(ledger: Ledger, place: str, now: float) -> Ledger:
    """The ledger after a document was read or written whole: the latest ``MOST`` stay."""
    others = [entry for entry in ledger.read.items() if entry[0] != place]
    return replace(ledger, read=dict([*others, (place, now)][-MOST:]))


def loaded(ledger: Ledger, path: str, file: Loaded) -> Ledger:
    """The ledger after a client loaded instructions: the latest ``MOST`` files stay."""
    others = [entry for entry in ledger.loaded.items() if entry[0] != path]
    return replace(ledger, loaded=dict([*others, (path, file)][-MOST:]))


def compacted(ledger: Ledger, at: float) -> Ledger:
    """The ledger of a context begun anew: earlier entries do not count.

    Lasting instructions do: a client loads them again. The session still attends to the notes told to
    it.
    """
    return replace(
        ledger,
        emptied=max(ledger.emptied, at),
        read={place: came for place, came in ledger.read.items() if came >= at},
        loaded={path: one for path, one in ledger.loaded.items() if one.is_lasting or one.at >= at},
    )


def cleared(ledger: Ledger, at: float) -> Ledger:
    """The ledger of a session begun anew by a person: it attends to nothing from before."""
    told = {content: one for content, one in ledger.told.items() if one.at >= at}
    return replace(compacted(ledger, at), cleared=max(ledger.cleared, at), told=told)


def present(ledger: Ledger, at: float, anchor: float) -> float:
    """Attention now to an entry with ``anchor`` of it ``at`` these seconds UTC: it fades by the prompts since."""
    since = len(ledger.prompts) - bisect_right(ledger.prompts, at)
    return attention(anchor, since)


def attention_to_told(ledger: Ledger) -> dict[bytes, float]:
    """Attention to each content told, whether the context has it still or not."""
    return {content: _left(ledger, told) for content, told in ledger.told.items()}


def context(ledger: Ledger, now: float) -> Context:
    """Entries in the context now: of the last ``LASTS`` seconds, nothing from before it was emptied.

    An entry faded out of attention may be told again, and one made or read as long ago.
    """
    since = max(ledger.emptied, now - LASTS)
    faded = max(since, _faded_before(ledger))
    anchors = {
        content: told.anchor
        for content, told in ledger.told.items()
        if told.at >= since and _left(ledger, told) >= FADED
    }
    return Context(
        faded,
        frozenset(anchors),
        {place: came for place, came in ledger.read.items() if came >= faded},
        tuple(one.said for one in ledger.loaded.values() if one.at >= now - LASTS),
        frozenset(content for content, anchor in anchors.items() if anchor < WHOLE),
    )


def has(context: Context, session: str, made: Made, *, at_its_moment: bool = False) -> bool:
    """Return whether a session was told a memory, made it, or read or loaded a text with it.

    A document's text from after the reading is not in the context. ``at_its_moment``: an outright
    question, the memory's own command or failure. Then it is told once more where only the start told it.
    """
    own = made.session == session and made.at >= context.since
    read = made.document is not None and made.at <= context.read.get(made.document, 0.0)
    told = made.content in context.told
    if at_its_moment:
        told = told and made.content not in context.at_start
    return own or read or told or is_loaded(context, made.text)


def is_loaded(context: Context, text: str) -> bool:
    """Return whether a session's instructions have a memory's text."""
    return stands_in(text, context.loaded)


def _left(ledger: Ledger, told: Telling) -> float:
    return present(ledger, told.at, told.anchor)


def _faded_before(ledger: Ledger) -> float:
    """Latest time from which full attention has faded by now; 0 where nothing has."""
    later = enumerate(reversed(ledger.prompts), start=1)  # prompts since just before each
    return next((at for count, at in later if attention(WHOLE, count) < FADED), 0.0)
