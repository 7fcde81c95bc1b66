"""Evidence that a memory is worth an agent's attention unasked, and of there being an answer at all.

A candidate is judged by a logistic rule over two figures of equal meaning in every store: the
cosine of its vector with the prompt, and the mass of telling words it shares with it. The
coefficients were fitted on half of the development rows and of a list of everyday prompts, and
checked on the other half (docs/adr/0006). Without a vector a second rule asks for more words.
Silence is the default.

The question itself is judged as well: the confidence shown to a person, telling an answer from the
best of unrelated results. A logistic rule over three facts of the first result was fitted on two
public sets and confirmed on others (docs/adr/0012); without a vector a second one is less sure.

The shape of the scores did not help to tell relevant answers from others, so it is reported and
does not decide (``evidence_gap``).
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct

from actors.policy.recall import candidates
from actors.policy.recall.candidates import QueryFacts
from actors.policy.statements.sources import READ
from actors.policy.text.words import EVERYDAY, stem

_EVERYDAY_STEMS = frozenset(stem(word) for word in EVERYDAY)

# The two rules, as log-odds; a candidate is relevant from THRESHOLD on.
COMMON: Final = 0.3  # weight of a word of words.EVERYDAY beside one that is not
ENOUGH: Final = 3.0  # shared words beyond this mass add nothing
COSINE: Final = 18.0
SHARED: Final = 1.8
OFFSET: Final = 9.6
COVERAGE_ALONE: Final = 4.5
SHARED_ALONE: Final = 2.6
OFFSET_ALONE: Final = 7.4
LONG_PROMPT: Final = 6.0  # mass asked from which sharing some of it by chance is discounted
LITERAL: Final = 0.9  # confidence in what holds the one thing that a query is (choice)
CALLED: Final = 4.5  # for a phrase derived from the memory that the prompt contains
BACKGROUND: Final = 100  # memories that a young store is taken to have: its counts say little
THRESHOLD: Final = 0.65  # of confidence
_BAR: Final = math.log(THRESHOLD / (1.0 - THRESHOLD))  # the same as log-odds
# A note of the reader answers a question of which it has half the words, where the rule is this sure of it,
# as its neighbours may be as near: of 98 questions in sessions one more is told, and that is of use (docs/adr/0021).
COVERED: Final = 0.5
SURE: Final = 0.8
NEAR: Final = 0.45  # cosine below which words alone do not make a note relevant (docs/adr/0018),
NEAR_ASKED: Final = 0.38  # and where the prompt asks outright
# What rules made of the words of others than the person is seldom of use to a prompt, and needs more
# evidence by these log-odds (docs/adr/0018).
TAKEN: Final = frozenset(
    {"commit", "conclusion", "document", "quoted", "session-summary", "supposition"}
)
TAKEN_NEEDS: Final = 2.0
# Characters of a prompt that is told nothing by likeness: a paste, a specification (docs/adr/0018).
LONG: Final = 400
# Of a subagent's task: of 115 notes that longer ones were told 3 were useful, of 52 others 11.
LONG_TASK: Final = 1_000
MOST: Final = 2  # notes and quotations of one prompt; of 40 third ones none was useful
# The two rules for the whole question, as log-odds.
ANSWER_COSINE: Final = 3.7
ANSWER_COVERED: Final = 1.2
ANSWER_UNSEEN: Final = 0.27
ANSWER_OFFSET: Final = 2.1
ANSWER_COVERED_ALONE: Final = 2.4
ANSWER_UNSEEN_ALONE: Final = 0.34
ANSWER_OFFSET_ALONE: Final = 1.0
LEAST_TOP: Final = 0.015  # of reciprocal ranks


class Reason(StrEnum):
    """Reason of a verdict, for `why` and `--explain`."""

    TRIGGER = "a trigger phrase is in the prompt"
    NAMED = "a person kept it, and the prompt names what it is about"
    LITERAL = "holds the very thing that is asked for"
    SUCCESSOR = "took the place of one that is close"
    MEANING = "close in meaning and words"
    CUED = "like its text, or a prompt that it was noted for"
    WORDS = "shares telling words"
    HELD = "its session attends to it, and the task has words of it"
    QUOTED = "near in meaning, and what is quoted has words that are asked for"
    DISTANT = "not close enough"
    UNLIKE = "shares words, but is not close in meaning"
    UNASKED = "only an outright question is told it"
    AMONG = "other notes of its project are as close"
    WASTED = "of no use when it was told before"
    UNTELLING = "the prompt has no telling words"


class Asked(Struct, frozen=True):
    """The telling words of a prompt: weight (0..1) of each under its stem."""

    weights: Mapping[str, float]
    is_outright: bool = False  # it asks what is, was or why

    @property
    def near(self) -> float:
        """Cosine below which words alone do not make a note relevant to it."""
        return NEAR_ASKED if self.is_outright else NEAR

    @property
    def mass(self) -> float:
        """Sum of the weights: roughly how many rare words the prompt has."""
        return sum(self.weights.values())

    def shared(self, found: frozenset[str]) -> float:
        """Sum of the weights of the words among the `found` stems."""
        return sum([weight for word, weight in self.weights.items() if word in found])


class Verdict(NamedTuple):
    """Verdict on one memory: whether to show it, with what confidence (0..1), and why."""

    identity: int
    relevant: bool
    confidence: float
    reason: Reason


Verdicts: TypeAlias = tuple[Verdict, ...]
"""Verdict on each candidate, in the order given."""


def asked(frequencies: Mapping[str, int], memories: int, *, outright: bool = False) -> Asked:
    """Terms of a prompt: its `words.informative` ones, each with how many memories have it.

    A word is worth more the fewer of `memories` have it, and a pair of CJK characters half.
    `outright`: an outright question, as ``asks_outright`` has it.
    """
    memories += BACKGROUND
    most = math.log(1 + memories / 1.5)
    weights: dict[str, float] = {}
    for term, count in frequencies.items():
        rarity = math.log(1 + max(memories - count + 0.5, 0.0) / (count + 0.5)) / most
        key = stem(term)
        weight = min(rarity, 1.0) * _commonness(term, key)
        weights[key] = max(weights.get(key, 0.0), weight)
    return Asked(weights, outright)


def weighed(
    question: Asked, known: QueryFacts, said: Mapping[int, frozenset[str]], order: Sequence[int]
) -> Verdicts:
    """Verdicts on the memories among these the prompt deserves, if any; ``said`` are stems."""
    return tuple([_verdict(question, known, one, said[one]) for one in order])


def upheld(verdicts: Verdicts, held: Collection[int]) -> Verdicts:
    """Make these relevant too, unless one was of no use before; how sure each is stays as it is."""
    return tuple(
        one._replace(relevant=True, reason=Reason.HELD)
        if one.identity in held and not one.relevant and one.reason is not Reason.WASTED
        else one
        for one in verdicts
    )


def surest(confidences: Sequence[float]) -> frozenset[int]:
    """Places of the memories told to a prompt: the two surest, and a third as sure as the first."""
    order = sorted(range(len(confidences)), key=lambda place: -confidences[place])
    third = len(order) > MOST and confidences[order[MOST]] >= confidences[order[0]]
    return frozenset(order[: MOST + third])


def with_successors(verdicts: Verdicts, successors: Mapping[int, int]) -> Verdicts:
    """The same, but the successor of a relevant memory is as relevant.

    An outdated fact often resembles a question more than its successor, which then would be missing
    beside it.
    """
    by = {verdict.identity: verdict for verdict in verdicts}
    raised: dict[int, Verdict] = {}
    for older, newer in successors.items():
        close, other = by.get(older), by.get(newer)
        if close is not None and close.relevant and other is not None and not other.relevant:
            raised[newer] = Verdict(newer, True, close.confidence, Reason.SUCCESSOR)
    return tuple([raised.get(one.identity, one) for one in verdicts])


def answered(cosine: float | None, covered: float, unseen: float) -> float:
    """Probability of the first result being an answer, 0..1.

    ``cosine``: its own, if there is one; ``covered``: its share of the telling words; ``unseen``:
    the weight of question words absent from all memories.
    """
    if cosine is None:
        odds = ANSWER_COVERED_ALONE * covered - ANSWER_UNSEEN_ALONE * unseen
        return _likely(odds - ANSWER_OFFSET_ALONE)
    odds = ANSWER_COSINE * cosine + ANSWER_COVERED * covered
    return _likely(odds - ANSWER_UNSEEN * unseen - ANSWER_OFFSET)


def unseen(question: Asked, frequencies: Mapping[str, int]) -> float:
    """The weight of question words absent from all memories, in telling words."""
    missing = {stem(term) for term, count in frequencies.items() if not count}
    return sum(question.weights.get(one, 0.0) for one in missing)


def evidence_gap(scores: Iterable[float]) -> dict[str, Any]:
    """Gap in the evidence of a thin answer, its reason and figures; NaN counts as no score.

    Nothing found, a best score under .015, Z (how many deviations the best stands above the mean) under
    1.5 of five or more scores, or of fewer a margin to the second under a tenth of the best: of n scores
    none is further than sqrt(n - 1) deviations from their mean, so three never pass 1.5.
    """
    ordered = sorted((score for score in scores if not math.isnan(score)), reverse=True)
    best, second = (*ordered, 0.0, 0.0)[:2]
    z, margin = _deviations(ordered), best - second
    if not ordered:
        reason = "nothing found"
    elif best < LEAST_TOP:
        reason = "the best score is too low"
    else:
        thin = margin < 0.1 * best if z is None else z < 1.5
        reason = "no score stands out" if thin else "none"
    return {"gap": reason != "none", "reason": reason, "z": z}


def _verdict(question: Asked, known: QueryFacts, one: int, said: frozenset[str]) -> Verdict:
    if one in known.given:
        return Verdict(one, True, 1.0, Reason.NAMED if one in known.named else Reason.TRIGGER)
    if one in known.literal:
        return Verdict(one, True, LITERAL, Reason.LITERAL)
    if known.by_cues and known.made_of.get(one) in READ:
        # A note of the reader by its cues, or to a question by the rule, whichever is surer.
        cued = _verdict_by_cues(question, known, one)
        judged = _verdict_on_answer(question, known, one, said)
        if cued is None or (judged.relevant and judged.confidence > cued.confidence):
            return judged
        return cued
    return _verdict_by_rule(question, known, one, said)


def _verdict_by_cues(question: Asked, known: QueryFacts, one: int) -> Verdict | None:
    """Verdict by the likeness to a note's cues and text; None where it is under its bar."""
    like = known.likeness(one)
    if like is None or len(question.weights) < candidates.WORDS:
        return None
    # As sure as the rule is of a cosine that is so far above its bar.
    odds = COSINE * (like - candidates.LIKENESS) + _BAR + known.experience.get(one, 0.0)
    return Verdict(one, True, _likely(odds), Reason.CUED) if odds >= _BAR else None


def _verdict_on_answer(
    question: Asked, known: QueryFacts, one: int, said: frozenset[str]
) -> Verdict:
    """Verdict on a note as the answer to a question: by the rule, where it has half of it or stands out."""
    judged = _verdict_by_rule(question, known, one, said)
    if not judged.relevant:
        return judged
    if not question.is_outright:
        return judged._replace(relevant=False, reason=Reason.UNASKED)
    others = (i for i, source in known.made_of.items() if source in READ and i != one)
    nearest = max((known.cosines[i] for i in others if i in known.cosines), default=-1.0)
    stands_out = one in known.cosines and known.cosines[one] - nearest >= candidates.APART
    covers = judged.confidence >= SURE and question.shared(said) >= COVERED * question.mass
    if known.with_vector and not (covers or stands_out):
        return judged._replace(relevant=False, reason=Reason.AMONG)
    return judged


def _verdict_by_rule(question: Asked, known: QueryFacts, one: int, said: frozenset[str]) -> Verdict:
    if not question.weights:
        return Verdict(one, False, 0.0, Reason.UNTELLING)
    cosine, experience = known.cosine(one), known.experience.get(one, 0.0)
    odds = _odds(question, cosine, said) + experience
    odds += CALLED if known.phrases.get(one) else 0.0
    odds -= TAKEN_NEEDS if known.made_of.get(one) in TAKEN else 0.0
    confidence = _likely(odds)
    far = cosine is not None and cosine < question.near
    relevant = confidence >= THRESHOLD and not far
    if relevant:
        reason = Reason.WORDS if cosine is None else Reason.MEANING
    elif far:
        reason = Reason.UNLIKE if confidence >= THRESHOLD else Reason.DISTANT
    else:
        wasted = _likely(odds - experience) >= THRESHOLD
        reason = Reason.WASTED if wasted else Reason.DISTANT
    return Verdict(one, relevant, confidence, reason)


def _odds(question: Asked, cosine: float | None, said: frozenset[str]) -> float:
    shared, mass = question.shared(said), question.mass
    counted = min(shared, ENOUGH)
    chance = max(0.0, math.log(mass / LONG_PROMPT)) if mass else 0.0
    if cosine is None:
        covered = shared / mass if mass else 0.0
        return COVERAGE_ALONE * covered + SHARED_ALONE * counted - OFFSET_ALONE - chance
    return COSINE * cosine + SHARED * counted - OFFSET - chance


def _commonness(term: str, key: str) -> float:
    if key in _EVERYDAY_STEMS:
        return COMMON
    return 0.5 if len(term) == 2 and not term.isascii() else 1.0


def _likely(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))


def _deviations(scores: list[float]) -> float | None:
    """How far the first stands above the mean of all, in their deviations; None below five."""
    if len(scores) < 5:
        return None
    mean = math.fsum(scores) / len(scores)
    spread = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))
    return (scores[0] - mean) / spread if spread > 1e-12 else 0.0


# ---- experience with a memory in prompts: its record there moves the evidence for the next one
#
# Three facts, as log-odds beside the ones of ``evidence``: it was called useful, or not, in this
# project, and it was told in several sessions and never used (calling it useful counts as a use). A
# memory of no use here stays so: of 64 notes told again none was useful (docs/adr/0018). Being told
# once changes nothing, since another question may be its own, and a single use ends it. The sizes are
# choices: with the bar at .65 a note called useless once is told from .83 on, one told to two
# sessions for nothing from .97 on.


USELESS: Final = -1.0  # for each time
USEFUL: Final = 0.5
UNUSED: Final = -3.0  # for each session but the first that it was told in, if used in none
SESSIONS: Final = 4  # sessions that count
MOST_FOR: Final = 3.0  # of all together, for it
MOST_AGAINST: Final = -9.0  # and against it


def experience_shift(useful: int, useless: int, unused: int) -> float:
    """Log-odds for a memory with so many verdicts, and so many sessions told it unused."""
    wasted = 0 if useful else max(0, min(unused, SESSIONS) - 1)
    return max(MOST_AGAINST, min(MOST_FOR, USEFUL * useful + USELESS * useless + UNUSED * wasted))
