"""Notes of a reader: the quotation that proves one, its cues, the known notes beside it, the memory that it becomes."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.reader.digest import PERSONS, Digest, Shown, Who, folded
from actors.policy.session.ledger import Saying
from actors.policy.statements.sources import READER
from actors.policy.statements.trust import KEPT_TIERS, is_stated
from actors.policy.text.wording import shortened
from actors.policy.text.words import STOP_WORDS, informative, query_terms, stem

# ---- proof: the event of a quotation, its speaker, and the question behind a short one


SHORT: Final = 4  # words from which a quotation says by itself what was meant
ANSWERED: Final = 240  # characters of the sentence that a short one answers
# Telling words that a note has in common with what proves it. Of 93 recorded notes of a person's words
# none has fewer with the prompt that they quote and what the agent said before it; with three two are lost.
SHARED: Final = 2
_ASIDE: Final = " \t\n\"'“”‘’«»…"  # marks of a model around a quotation
_SENTENCE_END: Final = pattern(r"(?<=[.!?])\s+|\n")
# "option 2", "2", "b)": which of several it was.
_CHOICE: Final = pattern(
    r"\A(?:options?|number|nr\.?|no\.?|#)?\s*([0-9]{1,2}|[a-z])\b", re.IGNORECASE
)
_BULLET: Final = r"(?im)^[ \t*_#>-]*(?:option )?{}[ .):*_-]+(\S.*)$"


class Proof(Struct, frozen=True):
    """A quotation in the session."""

    shown: Shown
    text: str
    agreed_to: str = ""  # the sentence that a short one answers
    is_persons: bool = False  # a person said it, and of what the note tells


class Session:
    """The texts of a digest, ready to be searched for quotations."""

    def __init__(self, digest: Digest) -> None:
        self._shown = digest.shown
        self._plain = [folded(one.text) for one in digest.shown]
        self._contexts: dict[int, frozenset[str]] = {}

    def proof(self, quotation: str, note: str, *, by_user: bool) -> Proof | None:
        """Find a quotation; None when no text of the session has it, white space and case aside.

        Of several texts with it the ones of the note's speaker come first, then the one with most
        in common with the note, then the earliest.
        """
        sought = folded(quotation.strip(_ASIDE)).removesuffix("...").rstrip()
        if not sought:
            return None
        words = telling(note)
        places = list(self._having(sought))
        if not places:
            return None

        def weight(place: int) -> tuple[bool, int, int]:
            is_persons = self._shown[place].who in PERSONS
            return is_persons is by_user, len(words & self._context(place)), -place

        return self._proved(max(places, key=weight), sought, words)

    def _having(self, sought: str) -> Iterator[int]:
        is_short = len(sought.split()) < SHORT
        for place, plain in enumerate(self._plain):
            if sought in plain and (
                not is_short or re.search(rf"(?<!\w){re.escape(sought)}(?!\w)", plain)
            ):
                yield place

    def _context(self, place: int) -> frozenset[str]:
        """The telling words of a text, and of the agent's message before it."""
        if place not in self._contexts:
            said = telling(self._shown[place].text)
            self._contexts[place] = said | telling(self._before(place))
        return self._contexts[place]

    def _before(self, place: int) -> str:
        """The agent's last message before this text."""
        earlier = (self._shown[at] for at in range(place - 1, -1, -1))
        return next((one.text for one in earlier if one.who is Who.AGENT), "")

    def _proved(self, place: int, sought: str, words: frozenset[str]) -> Proof:
        shown = self._shown[place]
        text = _as_written(sought, shown.text)
        said_by_person = shown.who in PERSONS
        agreed_to = ""
        if len(text.split()) < SHORT:  # the sentence around it
            having = (one for one in _SENTENCE_END.split(shown.text) if text in one)
            text = shortened(next(having, text).strip(), ANSWERED)
        if said_by_person and len(text.split()) < SHORT:
            agreed_to = answered_by(text, self._before(place))
        is_about = len(words & self._context(place)) >= min(SHARED, len(words))
        is_resolved = len(text.split()) >= SHORT or bool(agreed_to)
        return Proof(shown, text, agreed_to, said_by_person and is_about and is_resolved)


def telling(text: str) -> frozenset[str]:
    """The stems of a text's telling words."""
    return frozenset(stem(word) for word in informative(text, limit=64))


def answered_by(answer: str, before: str) -> str:
    """The sentence answered by a short answer: the option it names, a question, or the last one before it."""
    before = before.replace("**", "")
    choice = _CHOICE.match(answer.strip())
    if choice is not None:
        option = re.search(_BULLET.format(re.escape(choice[1])), before)
        if option is not None:
            return shortened(option[1].strip(), ANSWERED)
    sentences = _sentences(before)
    questions = [one for one in sentences if one.endswith("?")]
    return shortened((questions or sentences or [""])[-1], ANSWERED)


def _sentences(text: str) -> list[str]:
    found = (one.strip(" \t*_#>-") for one in _SENTENCE_END.split(text))
    return [one for one in found if any(map(str.isalnum, one))]


def _as_written(sought: str, text: str) -> str:
    pattern = r"\s+".join(re.escape(word) for word in sought.split())
    found = re.search(pattern, text, re.IGNORECASE)
    return " ".join(found[0].split()) if found else sought


# ---- cues of a note, for bringing it up later
#
# Only cues present in the session count, and each adds something.
#
# A prompt is a text as the person might type it; vectors alone show whether it finds its own note, and
# not any prompt at all.


# Cues of each kind that a note has, at most.
CUES: Final = {"prompts": 3, "files": 4, "symbols": 4, "commands": 3, "errors": 2}
CUE: Final = 200  # of one cue: a prompt of this length is typed by nobody twice
BEST: Final = 3  # places among the notes of its project in which a prompt finds its own
FEWEST_PROMPTS: Final = 10  # of this home: fewer say nothing of what is asked here
MOST_PROMPTS: Final = 50


class Cues(Struct, frozen=True):
    """Texts and names for bringing a note up."""

    prompts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


class Surroundings(Struct, frozen=True):
    """Texts and files for checking a note and its cues, beside the digest."""

    said: str  # everything that the session's events say
    tree: frozenset[str] = frozenset()  # the project's files among the named ones
    instructions: Sequence[frozenset[Saying]] = ()  # of files that the client loads by itself


def there(cues: Cues, around: Surroundings) -> Cues:
    """Return the cues present in the session or in the tree, reworded ones once; prompts are typed later."""
    return Cues(
        _worded_apart(cues.prompts),
        _each_once(one for one in cues.files if one in around.tree or one in around.said),
        _each_once(one for one in cues.symbols if one in around.said),
        _each_once(
            one
            for one in cues.commands
            if one in around.said or " ".join(one.split()) in around.said
        ),
        _each_once(one for one in cues.errors if one in around.said),
    )


def brings_back(own: float, others: Sequence[float], prompts: Sequence[float]) -> bool:
    """Return whether a prompt finds its own note, by its cosines, or nothing can be said of that.

    ``own``: its cosine with its note; ``others``: with the other notes of the project; ``prompts``:
    with prompts of this home. The note must be nearer than the nearest of them.
    """
    if len(prompts) < FEWEST_PROMPTS:
        return True
    before = sum(one > own for one in others)
    return before < BEST and own > max(prompts)


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _worded_apart(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the first of several texts with the same words, in whatever case and order."""
    by_words: dict[frozenset[str] | str, str] = {}
    for text in texts:
        words = frozenset(query_terms(text)) - STOP_WORDS
        by_words.setdefault(words or text.casefold(), text)
    return tuple(by_words.values())


# ---- acquaintance: the living notes named in a request: the nearest to its digest


KNOWN: Final = 20  # notes that a request names
GIVEN: Final = (
    4  # of them, that the session itself gave by its commits, documents and explicit words
)
NEAREST: Final = 60  # memories that one of its texts finds
ASKED: Final = 32  # texts of a digest that are searched with
QUESTION: Final = 600  # of one of them
SHOWN: Final = 400  # characters of a note; those of a reader have 300
# What a text finds first counts most: of 25 notes that a recorded reader ended by a later session's
# note 23 are among the twenty by words and vectors, 21 by words; with 10 it is 20 of 25.
_RANK: Final = 1.0


def questions(digest: Digest) -> tuple[str, ...]:
    """The texts to search with: the person's words, and the agent's last ones, the latest of each."""
    said = [one.text for one in digest.shown if one.who in PERSONS and len(one.text.split()) > 2]
    told = [one.text for one in digest.shown if one.who in (Who.AGENT, Who.COMMIT)]
    latest = (*said[-ASKED * 2 // 3 :], *told[-ASKED // 3 :])
    return tuple(dict.fromkeys(text[:QUESTION] for text in latest))


def nearest(searches: Iterable[Sequence[int]]) -> list[int]:
    """Order the findings of several searches, the best first, by reciprocal ranks."""
    shares: defaultdict[int, float] = defaultdict(float)
    for search in searches:
        for rank, memory_id in enumerate(search):
            shares[memory_id] += 1 / (_RANK + rank)
    return sorted(shares, key=lambda one: (-shares[one], one))


def acquainted(
    given: Sequence[int], order: Sequence[int], spoken: Collection[int]
) -> tuple[int, ...]:
    """Return the memories for a request: the session's own, then the ones it may end.

    ``order``: by nearness; ``spoken``: memories of a person's or a reader's words, ahead of
    documents and commits. In a replay of a project with 56 items of documents 8 of 13 notes due to
    end were named without this order, and 12 with it.
    """
    first = [one for one in order if one in spoken]
    rest = [one for one in order if one not in spoken]
    return tuple(dict.fromkeys((*given[:GIVEN], *first, *rest)))[:KNOWN]


# ---- memory made of a note, and the memories it may end


class Become(Struct, frozen=True):
    """Form in which a note of a kind is kept: the house's kind, its types, and how important it is."""

    kind: str
    memory_type: str
    context_type: str
    importance: float  # 0..1


# The house knows no design; an open matter is a state, which lasts 30 days unless it is said again.
KINDS: Final = {
    "decision": Become("decision", "semantic", "decision", 0.8),
    "wish": Become("preference", "procedural", "general", 0.8),
    "rule": Become("convention", "procedural", "general", 0.8),
    "fact": Become("fact", "declarative", "general", 0.6),
    "cause": Become("discovery", "declarative", "discovery", 0.7),
    "trap": Become("discovery", "declarative", "discovery", 0.7),
    "fix": Become("bugfix", "declarative", "implementation", 0.6),
    "design": Become("fact", "semantic", "implementation", 0.6),
    "open": Become("state", "declarative", "general", 0.6),
}
GONE: Final = "that one had ended by then"
PINNED: Final = "a person pinned that one"
TIERED: Final = "that one is of a tier that a person set"
STATED: Final = "that one is a person's word, which only a person's word ends"
LATER: Final = "that one was said later"


class NoteTarget(Struct, frozen=True):
    """A memory to be ended by a note."""

    source: str
    confidence: float  # 0..1
    tier: str
    pinned: bool
    stated_at: float  # seconds UTC
    is_living: bool = True


def refusal(source: str, at: float, held: NoteTarget) -> str:
    """Tell why a note of this source, said then, may not end a memory; empty when it may."""
    if not held.is_living:
        return GONE
    if held.pinned:
        return PINNED
    if held.tier in KEPT_TIERS:
        return TIERED
    if source != READER and is_stated(held.source, held.confidence):
        return STATED
    return LATER if held.stated_at > at else ""
