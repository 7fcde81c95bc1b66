"""The stages of recall: the trace of the candidates, and each stage's effect on them, by known facts.

Everything a score goes through is a ``Term`` in the trace: applied in their order from 0 they give the same
number, bit by bit. Which stages there are, in which order, is declared in ``ways``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from actors.policy.gate.contradiction import contradiction, may_end
from actors.policy.graph import link_graph
from actors.policy.patterns import pattern
from actors.policy.recall.candidates import Candidate, QueryFacts, Term, Terms
from actors.policy.recall.evidence import Verdicts
from actors.policy.statements.sources import NOTICED, SHARED
from actors.policy.text import speech
from actors.policy.text.speech import NOTE, label, narrates, tells_of_past
from actors.policy.text.words import caseless


class Passed(Struct, frozen=True):
    """A stage: the ids in, the ids out in their order, the terms of the scores."""

    stage: str
    entered: tuple[int, ...]
    left: tuple[int, ...]
    terms: Terms = {}


class Trace(Struct):
    """The candidates on their way: ids in order, scores of these and of all cut before.

    And the result: the candidates in their places, and the verdicts in the same order.
    """

    order: tuple[int, ...]
    wanted: int = 0  # results asked for; 0: all
    scores: dict[int, float] = {}
    passed: list[Passed] = []
    candidates: list[Candidate[int]] = []
    verdicts: Verdicts = ()
    answered: float = 0.0  # how likely there is an answer, 0..1

    def enter(self, stage: str, made: Terms | Sequence[int]) -> None:
        """Apply a stage's terms, or its order, possibly shorter."""
        entered = self.order
        terms: Terms = made if isinstance(made, Mapping) else {}
        for identity, each in terms.items():
            score = self.scores.get(identity, 0.0)
            for _, times, plus in each:
                score = score * times + plus
            self.scores[identity] = score
        if not isinstance(made, Mapping):
            self.order = tuple(made)
        elif terms:
            scores = self.scores
            self.order = tuple(sorted(entered, key=lambda one: (-scores.get(one, 0.0), one)))
        self.passed.append(Passed(stage, entered, self.order, terms))


def terms_of(passed: Iterable[Passed], identity: int) -> tuple[Term, ...]:
    """The terms applied to a memory, in their order."""
    return tuple([term for one in passed for term in one.terms.get(identity, ())])


# ---- rules
#
# A rule gives terms, for multiplying and increasing a score, or an order, possibly shorter. None of
# them touches a score itself: ``Trace`` does, and so every step of a score is written down. A rule
# says nothing about a memory without facts, so a stage without facts is neutral.


INSIGHT: Final = 0.3  # of an insight's score: it quotes its sources, which answer better
OTHERS: Final = 0.9  # of the score of what others share: one's own word of the same comes first
LITERAL: Final = 2.0  # so that what holds the very thing that a concrete query names leads
TIME: Final = 0.5  # share of its score that a memory gains of the very time asked for
GRAPH: Final = 0.4  # of the best score, added for a full link with it
BEHIND: Final = {NOTICED: INSIGHT, SHARED: OTHERS}  # by source

Rule: TypeAlias = Callable[[Trace, QueryFacts], Terms | Sequence[int]]


def scaled(name: str, factors: Callable[[QueryFacts], Mapping[int, float]]) -> Rule:
    """The rule multiplying a score by a fact of its memory."""

    def rule(now: Trace, known: QueryFacts) -> Terms:
        by = factors(known)
        return {one: (Term(name, by[one]),) for one in now.order if one in by}

    return rule


# A fifth less for what tells how it was, and up to as much more for what bears the name asked for.
past: Final = scaled("past", lambda known: dict.fromkeys(known.past, speech.PAST_FACTOR))
labelled: Final = scaled(
    "label", lambda known: {i: 1.0 + speech.NAMED * by for i, by in known.labelled.items()}
)
literally: Final = scaled("literal", lambda known: dict.fromkeys(known.literal, LITERAL))
timely: Final = scaled(
    "time", lambda known: {i: 1.0 + TIME * share for i, share in known.timely.items()}
)
noticed: Final = scaled(
    "noticed", lambda known: {i: BEHIND[by] for i, by in known.made_of.items() if by in BEHIND}
)
suppressed: Final = scaled("opinion", lambda known: known.remaining)


def linked(now: Trace, known: QueryFacts) -> Terms:
    """Raise memories linked with the ones found by the score of the latter; they stay under it."""
    best = max((now.scores[one] for one in now.order), default=0.0)
    terms: dict[int, tuple[Term, ...]] = {}
    for one in now.order:
        if one not in known.graph:
            continue
        way, own = known.graph[one], now.scores[one]
        most = link_graph.UNDER * now.scores.get(way.memories[0], best) - own
        plus = min(GRAPH * best * way.sure, most)
        if plus > 0:
            terms[one] = (Term(way.last_step, plus=plus),)
    return terms


def succeed(now: Trace, known: QueryFacts) -> Terms:
    """Let the successor of an outdated memory rise over it (``succession``)."""
    raised: dict[int, float] = {}
    for older, newer in known.successors.items():
        if older in now.scores and newer in now.scores:
            wanted = now.scores[older] * ABOVE
            raised[newer] = max(wanted, raised.get(newer, 0.0))
    return {
        newer: (Term("successor", plus=wanted - now.scores[newer]),)
        for newer, wanted in raised.items()
        if wanted > now.scores[newer] and newer in now.order
    }


# ---- succession: the newer of two memories in place of the other, when both are kept side by side
#
# The gate ends memories replaced by a newer text. Imported ones, or doubtful ones, stay: then an
# outdated fact often resembles a question more than its successor does, which has more to tell. Only
# the order of the two is touched: the newer one rises to the older one's place.


LOOKED_AT: Final = 10  # best results that are compared with each other
LABELLED: Final = 2  # words of a label that names a thing and what is told of it
ABOVE: Final = 1.001  # times the score of the older one that the newer one gets

# When one of two memories is taken for the successor of the other.
COMMON: Final = 0.6  # share of the briefer one's stems that the other has
SURE: Final = 0.65  # confidence of a contradiction; "instead" alone is .55
CLAUSES: Final = 40  # of each text that are compared with those of the other
BEGINNING: Final = 4  # words that two sentences have in common before they part


class Kept(Struct, frozen=True):
    """A memory among the results."""

    identity: int
    text: str
    at: float  # seconds UTC when it was kept
    stems: frozenset[str]
    subject: str | None = None
    project: str | None = None


def successors(kept: Sequence[Kept]) -> dict[int, int]:
    """Each outdated memory with its newest successor among the first ten."""
    brief = [one for one in kept[:LOOKED_AT] if len(one.text) <= NOTE]
    found: dict[int, Kept] = {}
    for older in brief:
        for newer in brief:
            best = found.get(older.identity)
            newest = _is_newer(newer, older) and (best is None or _is_newer(newer, best))
            if newest and succeeds(newer, older):
                found[older.identity] = newer
    return {identity: newer.identity for identity, newer in found.items()}


def succeeds(newer: Kept, older: Kept) -> bool:
    """Return whether the newer one tells the successor of the older one's fact."""
    if newer.project != older.project:
        return False
    if newer.subject is not None and newer.subject == older.subject:
        return True
    if was_so(newer, older):
        return True
    least = min(len(newer.stems), len(older.stems))
    if not least or len(newer.stems & older.stems) < COMMON * least:
        return False
    if announces(newer.text, older.text):
        return True
    sign = contradiction(newer.text, older.text)
    if sign is not None and sign.confidence >= SURE:
        return True
    return same_beginning(newer.text, older.text)


def was_so(newer: Kept, older: Kept) -> bool:
    """Return whether the older one tells the past state of a thing, and the newer one its present state.

    "shop uses queue: RabbitMQ 3. It originally ran there." and "shop uses queue: RabbitMQ 4": one
    label of two words or more, and something in common besides.
    """
    bears = label(newer.text)
    if len(bears) < LABELLED or bears != label(older.text):
        return False
    if not (newer.stems & older.stems) - bears:
        return False
    return tells_of_past(older.text) and not tells_of_past(newer.text)


def announces(newer: str, older: str) -> bool:
    """Return whether the newer text announces a change, and the older one does not.

    Texts unfit to contradict anybody change nothing: another's words, questions, chatter, code.
    """
    if _CHANGED.search(newer) is None or _CHANGED.search(older) is not None:
        return False
    return may_end(newer, older) and not (narrates(newer) or narrates(older))


def same_beginning(newer: str, older: str) -> bool:
    """Return whether a clause of each names the same thing and says it is something else.

    "The team lead of payments is Maria" and "... is Jonas": the words in common are at least
    ``BEGINNING`` and hold an "is". Numbered things are told apart earlier.
    """
    for one in _clauses(newer):
        for other in _clauses(older):
            common = 0
            for mine, theirs in zip(one, other, strict=False):
                if mine != theirs:
                    break
                common += 1
            if (
                common < min(len(one), len(other))
                and common >= BEGINNING
                and _IS & set(one[:common])
            ):
                return True
    return False


_CHANGED: Final = caseless(
    r"\b(?:now|since|moved|switched|migrated|replaced|renamed|upgraded|any ?more|no longer)\b"
)
_IS: Final = frozenset({"is", "are"})
_CLAUSE: Final = pattern(r"[:;,]\s|[.!?](?:\s|$)")


def _clauses(text: str) -> list[list[str]]:
    parts = _CLAUSE.split(text.lower())[:CLAUSES]
    return [words for part in parts if (words := part.split())]


def _is_newer(one: Kept, other: Kept) -> bool:
    return (one.at, one.identity) > (other.at, other.identity)
