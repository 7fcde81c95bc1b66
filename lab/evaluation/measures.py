"""Measures of a ranking against known right answers, and the ground truth."""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from actors.policy.decay.states import importance
from actors.policy.recall.fusion import by_rank, evenly
from daemon.shapes.memory import MemoryView

# ---- measures of a ranking against known right answers
#
# A ranking is a sequence of ids, best first; the truth is a grade for each right id (larger is
# better; an unnamed one is wrong and has 0). All measures are 0..1 and better when larger, save the
# inversion rate, which is better when smaller. A measure without meaning for a query is ``None`` and
# left out of averages, so it neither helps nor hurts.

H = TypeVar("H", bound=Hashable)
Found = Mapping[str, Sequence[int]]  # by each channel, best first

COLD_HOURS: Final = 48.0  # So long a memory is new
# The constant of rank fusion: a small one favours the first places, a large one evens them out.
GRID: Final = (20, 40, 60, 80, 100)
BASELINE: Final = 60
DEPTH: Final = 5  # of the reciprocal rank


def reciprocal_rank(ranked: Sequence[H], grades: Mapping[H, float], k: int) -> float:
    """1 / rank of the first right result within k, else 0; its mean is the MRR.

    Voorhees, The TREC-8 Question Answering Track Report (1999).
    """
    hits = (rank for rank, one in enumerate(ranked[:k], 1) if grades.get(one, 0.0) > 0)
    return 1.0 / next(hits, math.inf)


def recall(ranked: Sequence[H], grades: Mapping[H, float], k: int) -> float | None:
    """Share of the right ids within k; ``None`` when nothing is right."""
    right = {one for one, grade in grades.items() if grade > 0}
    return len(right & set(ranked[:k])) / len(right) if right else None


def ndcg(ranked: Sequence[H], grades: Mapping[H, float], k: int) -> float | None:
    """Gain discounted by log2(rank + 1), as a share of the best order's; ``None``: nothing right.

    Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20 (2002).
    """
    gains = {one: grade for one, grade in grades.items() if grade > 0}
    best = _discounted(sorted(gains.values(), reverse=True)[:k])
    found = _discounted([gains.get(one, 0.0) for one in ranked[:k]])
    return found / best if best else None


def _discounted(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def inversion_rate(ranked: Sequence[H], grades: Mapping[H, float], k: int) -> float:
    """Share of the pairs within k in which the worse stands above the better.

    A pair of equal grades is in order. Fewer than two results have no pair: 0.
    """
    found = [grades.get(one, 0.0) for one in ranked[:k]]
    pairs = list(combinations(found, 2))
    return sum(above < below for above, below in pairs) / len(pairs) if pairs else 0.0


def constitutional_surfacing(
    ranked: Sequence[H], constitutional: Collection[H], k: int
) -> float | None:
    """Share of the constitutional memories within k; ``None`` without any."""
    if not constitutional:
        return None
    return len(set(constitutional) & set(ranked[:k])) / len(set(constitutional))


def importance_weighted_recall(
    ranked: Sequence[H], grades: Mapping[H, float], tiers: Mapping[H, str], k: int
) -> float | None:
    """Recall in which each right memory weighs as its tier does.

    1 for constitutional and critical, .8 important, .5 normal, .2 temporary, .1 deprecated.
    """
    weights = {one: importance(tiers.get(one)) for one, grade in grades.items() if grade > 0}
    found = math.fsum(weight for one, weight in weights.items() if one in set(ranked[:k]))
    return found / math.fsum(weights.values()) if weights else None


def cold_start_detection(
    ranked: Sequence[H], grades: Mapping[H, float], hours: Mapping[H, float], k: int
) -> float | None:
    """Share of the right memories of the last 48 h within k.

    ``hours``: how old a memory is; ``None`` when nothing right is so new.
    """
    new = {one: grade for one, grade in grades.items() if hours.get(one, math.inf) <= COLD_HOURS}
    return recall(ranked, new, k)


def auc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """Share of pairs in which one of the first kind is above one of the second; ties count half.

    The area under the ROC curve: Hanley and McNeil, Radiology 143 (1982). ``None`` when one
    kind is empty. Of the confidence of queries with and without an answer: abstention.
    """
    if not positives or not negatives:
        return None
    above = sum((one > two) + 0.5 * (one == two) for one in positives for two in negatives)
    return above / (len(positives) * len(negatives))


def average(values: Iterable[float | None]) -> float | None:
    """The mean of the values there; ``None`` of nothing."""
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest value with this share of all at or below it (nearest rank); ``None`` of nothing."""
    if not values:
        return None
    return sorted(values)[max(1, math.ceil(share * len(values))) - 1]


class Sensitivity(Struct, frozen=True):
    """One k against the baseline: agreement -1..1, and MRR@5 where the right answers are known."""

    k: int
    tau: float
    mrr: float | None


def kendall_tau(one: Sequence[H], other: Sequence[H]) -> float:
    """Agreement of two orders over their common ids: 1 the same, -1 reversed.

    (pairs in the same order - pairs in the other order) / pairs; fewer than two: 1. Kendall (1938).
    """
    at = {identity: place for place, identity in enumerate(other)}
    places = [at[identity] for identity in one if identity in at]
    pairs = [1 if first < second else -1 for first, second in combinations(places, 2)]
    return sum(pairs) / len(pairs) if pairs else 1.0


def sensitivities(queries: Sequence[tuple[Found, Collection[int]]]) -> list[Sensitivity]:
    """Every k of the grid against 60: mean tau, and MRR@5 over the queries with an answer.

    A query is the findings of each channel, and the right ids.
    """
    made: list[Sensitivity] = []
    for k in GRID:
        orders = [(_order(found, k), _order(found, BASELINE), right) for found, right in queries]
        tau = average(kendall_tau(order, base) for order, base, _ in orders)
        ranks = (
            reciprocal_rank(order, dict.fromkeys(right, 1.0), DEPTH)
            for order, _, right in orders
            if right
        )
        made.append(Sensitivity(k, 1.0 if tau is None else tau, average(ranks)))
    return made


def _order(found: Found, k: int) -> list[int]:
    # A channel's ranking is the order of its scores; one named twice counts at its better place.
    channels = {
        name: {one: 1 / place for place, one in enumerate(dict.fromkeys(ranked), 1)}
        for name, ranked in found.items()
    }
    own = evenly(channels, partial(by_rank, k=k))
    return sorted(own, key=lambda one: -sum(own[one].values()))


# ---- ground truth: questions, and the memories answering them
#
# A file is JSON Lines. Its keys and ids are looked up among the living memories; a question without
# any of its answers there cannot be judged and is left out.


class WrongTruth(Exception):
    """A question in the file makes no sense: the text says which, and why."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a file of ground truth; more fields than these are ignored."""

    query: str
    relevant: list[str] = []  # ids or keys
    grade: float | list[float] = 1.0  # of all, or of each: larger is better
    hard_negative: bool = False  # the right answer is nothing
    project: str | None = None

    @property
    def grades(self) -> Sequence[float]:
        """Grade of each relevant memory."""
        return self.grade if isinstance(self.grade, list) else [self.grade] * len(self.relevant)


class Memories(Struct, frozen=True):
    """The living memories, by id, and the id of each key."""

    by_id: Mapping[str, MemoryView]
    keys: Mapping[str, str]


class Question(Struct, frozen=True):
    """One query, its project, and the right answers."""

    line: Line
    project: str | None  # None: every project
    right: Mapping[str, MemoryView]  # by id
    grades: Mapping[str, float]  # of these
    # Constitutional memories of its scope: they stand before all others, whatever is asked.
    leading: frozenset[str] = frozenset()


class Truth(Struct, frozen=True):
    """All answerable questions, and the other lines."""

    name: str
    questions: Sequence[Question]
    unanswerable: Sequence[int] = ()  # line numbers: nothing they name is there


def checked(name: str, lines: Iterable[Line]) -> list[Line]:
    """The lines, each of which makes sense by itself.

    Raises ``WrongTruth`` with the number of the first other one.
    """
    kept = list(lines)
    for number, line in enumerate(kept, 1):
        problem = _problem(line)
        if problem:
            raise WrongTruth(f"{name}, question {number}: {problem}")
    if not kept:
        raise WrongTruth(f"{name} has no question")
    return kept


def _problem(line: Line) -> str:
    if not line.query.strip():
        return "the query is empty"
    if line.hard_negative and line.relevant:
        return "a hard negative has no relevant memory"
    if not line.hard_negative and not line.relevant:
        return 'nothing is relevant: name ids or keys, or say "hard_negative": true'
    if len(line.grades) != len(line.relevant):
        return f"{len(line.grades)} grades for {len(line.relevant)} relevant memories"
    if min(line.grades, default=1.0) <= 0:
        return "a grade must be above 0"
    return ""


def truth_of(name: str, lines: Sequence[Line], memories: Memories, scope: str | None) -> Truth:
    """The questions with ids in place of keys; ``scope``: the project of a question without one."""
    questions: list[Question] = []
    unanswerable: list[int] = []
    first = [one for one in memories.by_id.values() if one.tier == "constitutional"]
    for number, line in enumerate(lines, 1):
        named = (memories.keys.get(one, one) for one in line.relevant)
        grades = {
            id_: grade
            for id_, grade in zip(named, line.grades, strict=True)
            if id_ in memories.by_id
        }
        if line.relevant and not grades:
            unanswerable.append(number)
            continue
        project = line.project or scope
        leading = frozenset(
            one.id for one in first if project is None or one.project in (None, project)
        )
        right = {id_: memories.by_id[id_] for id_ in grades}
        questions.append(Question(line, project, right, grades, leading))
    return Truth(name, questions, unanswerable)
