"""The composite score: what a memory is worth for a query by what is known of it, 0..1.

Five factors of 0..1 and their weights. How well it fits the query is one of them: half of the
similarity, which is what the channels found, spread over 0..1 first (the two scores are of another
size), and what the title, the anchors and the kind have in common with the query. Words are
compared without case. What type of document it is and how much its folder matters multiply the
sum. It stands in the place of the fused score with ``recall.with = ['composite']``.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from actors.policy.decay import tiers
from actors.policy.recall import folders

CITATION_DAYS: Final = 90.0  # from here on a citation counts for nothing
FULL_USES: Final = 10  # from here on the usage factor is 1
FOLDER_SHARE: Final = 0.2  # of a score, that a folder which matters to nobody takes. A choice

SEMANTIC: Final = 0.8  # above: similarity counts half again
TITLE_WHOLE: Final = 0.3
TITLE_PART: Final = 0.15
ANCHORS: Final = 0.25
KIND: Final = 0.2

# Which words of a query ask for which kind of memory or type of document.
KIND_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "decision": frozenset("why decided decide decision chose choose reason".split()),
    "bugfix": frozenset("bug fix fixed error broken crash failing problem".split()),
    "discovery": frozenset("found discovered discovery learned learnt insight".split()),
    "insight": frozenset("found discovered discovery learned learnt insight".split()),
    "preference": frozenset("prefer preference style like".split()),
    "convention": frozenset("convention rule naming style".split()),
    "feature": frozenset("feature added support implemented".split()),
    "refactor": frozenset("refactor refactored rename moved cleanup".split()),
    "blocker": frozenset("stuck blocked blocker problem issue".split()),
    "context": frozenset("context background overview".split()),
    "next-step": frozenset("next todo plan action".split()),
    "spec": frozenset("spec specification requirement requirements scope what".split()),
    "decision_record": frozenset("decision why rationale chose alternative adr".split()),
    "plan": frozenset("plan approach how strategy phase".split()),
    "tasks": frozenset("task tasks todo work remaining progress".split()),
    "implementation_summary": frozenset(
        "implementation implemented summary built completed result".split()
    ),
    "checklist": frozenset("checklist check verify quality qa".split()),
    "handover": frozenset("handover resume continue state".split()),
    "research": frozenset("research analysis findings experiment investigate".split()),
}

# By the kind of memory or the type of document; any other counts 1.
DOCUMENT_MULTIPLIERS: Final[Mapping[str, float]] = {
    "spec": 1.4,
    "decision": 1.4,
    "decision_record": 1.4,
    "plan": 1.3,
    "tasks": 1.1,
    "implementation_summary": 1.1,
    "scratch": 0.6,
}


class Score(StrEnum):
    """Score that results are put in order by."""

    FUSED = "fused"
    COMPOSITE = "composite"


@dataclass(frozen=True, slots=True)
class FiveFactors:
    """Factors of a memory, or their weights, which the defaults are."""

    temporal: float = 0.25  # retrievability
    usage: float = 0.15
    importance: float = 0.25
    pattern: float = 0.20  # how well it fits the query
    citation: float = 0.15


WEIGHTS: Final = FiveFactors()


@dataclass(frozen=True, slots=True)
class Subject:
    """Facts of a memory that its factors are computed of."""

    retrievability: float  # now, 0..1
    uses: int
    cited: float | None  # days since it was last of use; None: never
    changed: float  # days since it was changed
    tier: str
    kind: str
    title: str
    anchors: tuple[str, ...]  # its phrases
    folder: str


@dataclass(frozen=True, slots=True)
class Composite:
    """The score of a memory as the five shares that sum to it, and what multiplied them."""

    shares: Mapping[str, float]
    folder: float
    kind: float


def composites(
    query: str,
    asked: tuple[str, ...],
    similarities: Mapping[int, float],
    subjects: Mapping[int, Subject],
) -> dict[int, Composite]:
    """The composite score of each of these, by id.

    ``asked`` are the telling words of the query; ``similarities`` what the channels found, 0..1. A
    folder is judged by those of its memories that are among ``subjects``.
    """
    changed = ((one.folder, folders.Member(one.tier, one.changed)) for one in subjects.values())
    relevance = folders.folder_scores(changed)
    found: dict[int, Composite] = {}
    for one, subject in subjects.items():
        factors = factors_of(query, asked, similarities.get(one, 0.0), subject)
        kind, folder = document_multiplier(subject), relevance[subject.folder]
        times = kind * (1.0 - FOLDER_SHARE * (1.0 - folder))
        shares = {name: times * share for name, share in contributions(factors).items()}
        found[one] = Composite(shares, folder, kind)
    return found


def factors_of(
    query: str, asked: tuple[str, ...], similarity: float, subject: Subject
) -> FiveFactors:
    """The five factors of a memory, each 0..1."""
    return FiveFactors(
        temporal=min(1.0, max(0.0, subject.retrievability)),
        usage=usage(subject.uses),
        importance=tiers.importance(subject.tier),
        pattern=pattern(query, similarity, subject, asked),
        citation=citation(subject.cited),
    )


def contributions(factors: FiveFactors) -> dict[str, float]:
    """Contribution of each factor to the composite score, which is their sum.

    .75, .24, .50, .80 and .20 make .5385.
    """
    weights = asdict(WEIGHTS)
    return {name: factor * weights[name] for name, factor in asdict(factors).items()}


def pattern(query: str, similarity: float, subject: Subject, asked: tuple[str, ...] = ()) -> float:
    """The pattern factor, 0..1; ``similarity`` is 0..1 or per cent.

    similarity * .5; the title said whole +.3, in part +.15 of the query's words it has; anchors
    +.25 of those asked for; a fitting kind or type of document +.2; similarity above .8 half again.
    """
    if similarity > 1:
        similarity /= 100
    words = _words(query)
    score = (
        similarity * 0.5
        + max(0.0, similarity - SEMANTIC) * 0.5
        + _title(words, _words(subject.title))
        + ANCHORS * _share_found(asked, subject.anchors)
    )
    if KIND_WORDS.get(subject.kind, frozenset()) & set(words):
        score += KIND
    return min(1.0, max(0.0, score))


def usage(uses: int) -> float:
    """The usage factor: min(1, n / 10)."""
    return min(1.0, max(0, uses) / FULL_USES)


def citation(days: float | None) -> float:
    """The citation factor: 1 / (1 + .1 days), 0 from 90 days on or when never cited.

    ``days`` since the last citation, None when there was none; 5 give .6667.
    """
    if days is None or not days < CITATION_DAYS:
        return 0.0
    return 1 / (1 + 0.1 * max(0.0, days))


def document_multiplier(subject: Subject) -> float:
    """Multiplier of a score by the type of the document, .6 to 1.4.

    A constitutional memory leads every answer already, so its type lifts it no further.
    """
    if subject.tier == "constitutional":
        return 1.0
    return DOCUMENT_MULTIPLIERS.get(subject.kind, 1.0)


def _title(query: list[str], title: list[str]) -> float:
    if not query or not title:
        return 0.0
    if _contains(query, title) or _contains(title, query):
        return TITLE_WHOLE
    telling = [word for word in query if len(word) > 2]
    common = [word for word in telling if word in title]
    return TITLE_PART * len(common) / len(telling) if telling else 0.0


def _contains(whole: list[str], part: list[str]) -> bool:
    starts = range(len(whole) - len(part) + 1)
    return any(whole[start : start + len(part)] == part for start in starts)


def _share_found(asked: tuple[str, ...], there: tuple[str, ...]) -> float:
    known = {anchor.casefold() for anchor in there}
    found = [anchor for anchor in asked if anchor.casefold() in known]
    return len(found) / len(asked) if asked else 0.0


def _words(text: str) -> list[str]:
    return [word.strip(".,;:!?\"'()[]`") for word in text.casefold().split()]
