"""Demands: a person's wishes for an agent's way of work, repeated in one session after another.

People word it otherwise each time: "answer every remark with the commit that mends it", and a week
later "please answer the remarks and name the commit of each". So two demands are alike when they
share six tenths of the shorter one's words, and one of the trade of working together (commit,
review, question ...): without it they share only the project's subject.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

from actors.policy.night.insights import DAY, Insight, InsightKind, dated
from actors.policy.night.replay import Pieces
from actors.policy.patterns import pattern
from actors.policy.statements.statement_rules import PRODUCT
from actors.policy.text.speech import forms, pattern_of
from actors.policy.text.turn import Turn
from actors.policy.text.wording import sentences
from actors.policy.text.words import informative, stem, word_list

LEAST: Final = 3  # content words that two demands share
SHARE: Final = 0.6  # of the words of the shorter one that they share (docs/measured/dreaming.md)
SURE: Final = 0.8  # likeness, and
MANY: Final = (
    5  # content words in common, from which two sessions are enough: a short sentence fits into any
)
NOT: Final = "!"  # stands among the stems of a sentence that forbids something
TELLING: Final = 5  # content words from which a demand says how, and not only what to do next
LONGEST: Final = 160  # characters: a longer sentence tells of the work itself
# What names a number, a file, a place or an identifier is about the thing at hand.
_SPECIFIC: Final = pattern(r"[\d/@`_<>{}=|\\]|\w\.\w|[a-z][A-Z]")
FORMS: Final = forms(__name__)
_ASKS: Final = pattern_of(FORMS["asks"])
_FORBIDS: Final = pattern_of(FORMS["forbids"])
_HOW: Final = pattern_of(FORMS["how"])
_NO_DEMAND: Final = (
    _SPECIFIC, PRODUCT, *(pattern_of(FORMS[one]) for one in ("at_hand", "question", "errand")),
)  # fmt: skip
_TRADE: Final = frozenset(map(stem, word_list(__name__, "trade")))


def demanded(sentence: str) -> frozenset[str]:
    """Content stems of a sentence about the way of work; none of any other sentence."""
    if len(sentence) > LONGEST or any(one.search(sentence) for one in _NO_DEMAND):
        return frozenset()
    if not _ASKS.search(sentence):
        return frozenset()
    words = frozenset(map(stem, informative(sentence)))
    tells = len(words) >= TELLING or _HOW.search(sentence) is not None
    if not tells or len(words) < LEAST or words.isdisjoint(_TRADE):
        return frozenset()
    return words | {NOT} if _FORBIDS.search(sentence) else words


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Likeness of two demands, 0..1: the share of the shorter one's words; 0 where they are not alike."""
    both = one & other
    if len(both - {NOT}) < LEAST or both.isdisjoint(_TRADE) or (NOT in one) is not (NOT in other):
        return 0.0
    share = len(both) / min(len(one), len(other))
    return share if share >= SHARE else 0.0


def is_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two demands are nearly the same words, and many."""
    return likeness(one, other) >= SURE and len(one & other) >= MANY


def says(text: str, demand: str) -> bool:
    """Return whether a text makes the same demand."""
    return likeness(demanded(text), demanded(demand)) > 0


def typical(demands: Sequence[frozenset[str]]) -> int:
    """The place of the demand sharing most with the others of its kind, against the words of its own."""
    shared = [sum(len(one & other) / len(one | other) for other in demands) for one in demands]
    return shared.index(max(shared))


# ---- what comes again in session after session
#
# Read off the archived prompts: whole while the journal has them, else their first words, which title
# them. A demand about the way of work (see above) counts also where it is only alike, a choice
# offered by an agent by its words. A session continued under another name, by an import or as a
# branch, brings several prompts again; such sessions count as one.


SAID: Final = 3  # sessions in which a person demands the same. Choice.
ASKED: Final = 2  # sessions in which an agent asks the same and gets the same answer. Choice.
COPIED: Final = 2  # prompts that two sessions have in common make them one
READ: Final = 4_000  # characters of a prompt: a longer one is a document, known by its first words
CHOICE: Final = "Asked “"  # how a choice between what an agent offered is archived
DEMAND: Final = "You ask for this in session after session: “"
# What names a number, a file or a place is about one thing at hand.
_AT_HAND: Final = pattern(r"[\d/@]")


class ArchivedPrompt(Struct, frozen=True):
    """A prompt of the archive."""

    id: int
    session: str
    project: str | None
    at: float  # seconds UTC
    text: str  # its first words on one line, or a choice
    seq: int = 0  # of its event in the journal
    prompt: str = ""  # as it was typed, while the journal has it


class Demand(Struct, frozen=True):
    """A sentence of a prompt that says how to work."""

    text: str
    prompt: ArchivedPrompt
    words: frozenset[str]  # content stems


def repeating(said: Sequence[ArchivedPrompt], known: Iterable[str] = ()) -> Pieces[list[Insight]]:
    """Insights about demands and questions of several sessions of a project, in pieces.

    ``known``: texts of earlier insights; a demand like one quoted there is not told again.
    """
    alike: dict[tuple[str | None, str], list[ArchivedPrompt]] = defaultdict(list)
    asked: dict[str | None, list[Demand]] = defaultdict(list)
    for prompt in said:
        alike[prompt.project, prompt.prompt or prompt.text].append(prompt)
        asked[prompt.project] += [
            Demand(one, prompt, words) for one in _sentences(prompt) if (words := demanded(one))
        ]
        yield
    same = _threads(alike.values())
    yield
    earlier = [demanded(quote) for text in known if (quote := demanded_in(text))]
    told: list[Insight] = []
    for made in asked.values():
        for held in (yield from _habits(made, same)):
            if not any(likeness(one.words, each) for one in held for each in earlier):
                told.append(_demanded(held, same))
    for prompts in alike.values():
        if prompts[0].text.startswith(CHOICE) and len(_sessions(prompts, same)) >= ASKED:
            told.append(_choice(prompts, same))
    return told


def demanded_in(insight: str) -> str:
    """The demand quoted in the text of an insight; "" when it is about something else."""
    return insight.removeprefix(DEMAND).partition("”")[0] if insight.startswith(DEMAND) else ""


def _sentences(prompt: ArchivedPrompt) -> list[str]:
    """The sentences of a prompt, except cut ones and announcements of something to follow."""
    if prompt.text.startswith(CHOICE):
        return []
    whole = Turn(prompt.prompt).typed if 0 < len(prompt.prompt) <= READ else prompt.text
    return [
        one
        for one in dict.fromkeys(sentences(whole))
        if not (one.endswith(("…", ":")) or _AT_HAND.search(one))
    ]


def _order(one: ArchivedPrompt) -> tuple[float, int]:
    return one.at, one.id


def _sessions(prompts: Iterable[ArchivedPrompt], same: Mapping[str, str]) -> set[str]:
    return {same.get(one.session, one.session) for one in prompts}


def _threads(groups: Iterable[Sequence[ArchivedPrompt]]) -> Mapping[str, str]:
    """The earlier session, by each session repeating it prompt for prompt; "go on" repeats nothing."""
    shared: Counter[tuple[str, str]] = Counter()
    for prompts in groups:
        if len(frozenset(informative(prompts[0].prompt or prompts[0].text))) < LEAST:
            continue
        first = min(prompts, key=_order).session
        shared.update({(one.session, first) for one in prompts if one.session != first})
    return {session: first for (session, first), many in shared.items() if many >= COPIED}


def _habits(asked: Sequence[Demand], same: Mapping[str, str]) -> Pieces[list[list[Demand]]]:
    """Demands of a project made again and again.

    In three sessions, or nearly in the same words in two; not by copies of one prompt, and not all
    within a day: several sessions of one day are one piece of work.
    """
    groups: list[list[Demand]] = []
    for one in asked:
        near = [max(likeness(one.words, each.words) for each in held) for held in groups]
        if any(near):
            groups[near.index(max(near))].append(one)
        else:
            groups.append([one])
        yield
    return [held for held in groups if _is_habit(held, same)]


def _is_habit(held: Sequence[Demand], same: Mapping[str, str]) -> bool:
    """Return whether it is asked for often enough, on several days and by several prompts."""
    prompts = [one.prompt for one in held]
    times = [one.at for one in prompts]
    many = len(_sessions(prompts, same))
    copied = len({one.prompt or one.text for one in prompts}) < ASKED
    if many < ASKED or copied or max(times) - min(times) < DAY:
        return False
    return many >= SAID or any(
        is_the_same(one.words, other.words)
        for one, other in combinations(held, 2)
        if one.text != other.text and len(_sessions((one.prompt, other.prompt), same)) > 1
    )


def _demanded(held: Sequence[Demand], same: Mapping[str, str]) -> Insight:
    best = held[typical([one.words for one in held])]
    what = f"{DEMAND}{best.text}”. An agent is told so when its session starts."
    prompts = [one.prompt for one in held]
    return _insight(InsightKind.RECURRING_PATTERN, what, prompts, same, 0.5)


def _choice(prompts: Sequence[ArchivedPrompt], same: Mapping[str, str]) -> Insight:
    told = (
        "Agents ask this in session after session and get the same answer:"
        f" {prompts[0].text.rstrip('.')}. `reverie remember`, or a line in CLAUDE.md or AGENTS.md,"
        " would spare you the next time."
    )
    return _insight(InsightKind.KNOWLEDGE_GAP, told, prompts, same, 0.4)


def _insight(
    kind: InsightKind,
    text: str,
    prompts: Sequence[ArchivedPrompt],
    same: Mapping[str, str],
    sure: float,
) -> Insight:
    """An insight, surer with each session, with a text independent of their count, so it is told once."""
    sessions = len(_sessions(prompts, same))
    first, last = min(prompts, key=_order), max(prompts, key=_order)
    evidence = (
        f"{sessions} sessions",
        f"first on {dated(first.at)} in p{first.id}",
        f"last on {dated(last.at)} in p{last.id}",
    )
    confidence = min(0.9, sure + 0.1 * sessions)
    return Insight(kind, text, (), evidence, confidence, first.project, first.session)
