"""The ledger of a session's context: everything already in it.

A session need not be told things it was told, said itself or read: all of it stands in its context
until the context is emptied, by a compaction or by the user, and until it has faded out of the
session's attention. A resumed session has its context still. Memories made by the session are known
by themselves, as they name their session and their time.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import chain, islice
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from actors.policy.gate.gate_features import read as features_of
from actors.policy.text.wording import sentences

# ---- attention: how present a note is in a session
#
# It fades with the session's prompts and never by the clock: a session resumed after a night attends
# to its earlier work. It is computed on request and never written back, so nothing depends on how
# often somebody looked.


WHOLE: Final = 1.0  # of what was told beside a prompt, made or used
LISTED: Final = 0.4  # of what a page lists, which is no use of it: warm, gone after 13 prompts
HOT: Final = 0.5  # from which a note is hot: for four prompts
FADED: Final = 0.05  # below it a session attends no more: after 18 prompts
LEFT: Final = 0.85  # share of attention that one prompt leaves


class Tier(StrEnum):
    """Tier of a note's presence."""

    HOT = "hot"
    WARM = "warm"


class Settings(Struct, frozen=True):
    """Room of one session's working memory."""

    hot: int = 5
    warm: int = 10


DEFAULT: Final = Settings()


class Attended(Struct, frozen=True):
    """A note in a session's attention."""

    attention: float  # 0..1
    tier: Tier


def attention(anchor: float, prompts: int) -> float:
    """Attention left of ``anchor`` (0..1) after so many prompts: anchor * .85^prompts."""
    return anchor * LEFT**prompts


def attended(notes: Mapping[int, float], settings: Settings = DEFAULT) -> dict[int, Attended]:
    """Return the notes within the room, by id, the most attended first; of equals the newer.

    ``notes`` gives the attention to each. The first five of .5 or more are hot, the next ten warm.
    """
    present = {note: much for note, much in notes.items() if much >= FADED}
    order = sorted(present, key=lambda note: (-present[note], -note))
    hot = [note for note in order if present[note] >= HOT][: settings.hot]
    warm = order[len(hot) : len(hot) + settings.warm]
    tiers = dict.fromkeys(hot, Tier.HOT) | dict.fromkeys(warm, Tier.WARM)
    return {note: Attended(present[note], tier) for note, tier in tiers.items()}


# ---- instructions that a client loaded, and notes already standing there
#
# CLAUDE.md, rules and their includes are in the context from the start: a note with no more than they
# have is an echo. A sentence of a note stands in a sentence of theirs with all of its content words,
# numbers and names, negated when it is; so a paraphrase counts as new.


READ: Final = 64 * 1024  # characters of one file; clients advise against more than 40,000
SENTENCES: Final = 1_000  # of one file
FEWEST: Final = 2  # content words of a sentence that says something
# Reasons for loading a file that a client brings back after a compaction; a nested file or rule waits for its files.
LASTING: Final = frozenset({"session_start", "include", "compact"})


class Saying(Struct, frozen=True):
    """Content of one sentence."""

    content: frozenset[str]  # meanings of its content words, and its numbers
    is_negated: bool


def sayings(text: str) -> frozenset[Saying]:
    """Read the sentences of a file of instructions; one pass, 1 ms a kilobyte."""
    said = islice(sentences(text[:READ]), SENTENCES)
    return frozenset(one for one in map(_saying, said) if len(one.content) >= FEWEST)


def stands_in(text: str, files: Sequence[frozenset[Saying]]) -> bool:
    """Return whether files of instructions have every telling sentence of a note."""
    own = sayings(text) if files else frozenset[Saying]()
    return bool(own) and all(any(_says(said, one) for said in chain(*files)) for one in own)


def _saying(sentence: str) -> Saying:
    words = features_of(sentence)
    return Saying(words.content, words.negated)


def _says(instruction: Saying, note: Saying) -> bool:
    return note.is_negated is instruction.is_negated and note.content <= instruction.content


LASTS: Final = 30 * 86_400.0  # seconds: the journal and its prompts are kept no longer
MOST: Final = 100  # contents, and as many documents and files of instructions
PROMPTS: Final = 400  # latest of a session, by which attention fades


class Loaded(Struct, frozen=True):
    """A file of instructions in a context."""

    at: float  # seconds UTC
    is_lasting: bool  # the client loads it again when the context was emptied
    said: frozenset[Saying]


class Telling(Struct, frozen=True):
    """A content told to a session."""

    at: float  # seconds UTC
    anchor: float = WHOLE  # attention to it then


class Ledger(Struct, frozen=True):
    """Entries into a session's context, each with its time (seconds UTC)."""

    emptied: float = 0.0  # when the context was emptied last; 0: never
    cleared: float = 0.0  # when a person began it anew: it attends to nothing from before
    told: Mapping[bytes, Telling] = field(default_factory=dict[bytes, Telling])  # by content hash
    read: Mapping[str, float] = field(default_factory=dict[str, float])  # by place in the project
    loaded: Mapping[str, Loaded] = field(default_factory=dict[str, Loaded])  # by path
    prompts: tuple[float, ...] = ()  # oldest first


class Context(Struct, frozen=True):
    """Notes in a session's context now and still in its attention."""

    since: float  # seconds UTC: what it made before is not in it any more
    told: frozenset[bytes] = frozenset()  # content hashes
    read: Mapping[str, float] = field(default_factory=dict[str, float])  # as in the ledger
    loaded: tuple[frozenset[Saying], ...] = ()  # sentences of each file of instructions
    at_start: frozenset[bytes] = frozenset()  # of what was told, what only a session's start told
    held: Mapping[int, Attended] = {}  # memories in its attention, the most attended first


class Made(Struct, frozen=True):
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
