"""Pattern alignment: how well a memory fits the words of a query (D04).

Half of the similarity, and what the title, the anchors, the kind and the document type have in
common with the query. Words are compared without case.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

SEMANTIC: Final = 0.8  # above: similarity counts half again
TITLE_WHOLE: Final = 0.3
TITLE_PART: Final = 0.15
ANCHORS: Final = 0.25
TYPE: Final = 0.2
DOCUMENT_TYPE: Final = 0.2

# Which words of a query ask for which kind of memory.
KIND_WORDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
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
    }
)
# Which words of a query ask for which type of document.
DOCUMENT_WORDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
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
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What of a memory a query is compared with; similarity is 0..1 or per cent (C14c)."""

    similarity: float = 0.0
    title: str = ""
    anchors: tuple[str, ...] = ()
    kind: str = ""
    document_type: str = ""


def pattern(query: str, subject: Subject, anchors: tuple[str, ...] = ()) -> float:
    """The pattern factor, 0..1 (D04).

    similarity * .5; the title said whole +.3, in part +.15 of the query's words it has; anchors
    +.25 of those asked for; a fitting kind +.2; similarity above .8 half again; a fitting document
    type +.2.
    """
    similarity = subject.similarity / 100 if subject.similarity > 1 else subject.similarity
    words = _words(query)
    score = (
        similarity * 0.5
        + max(0.0, similarity - SEMANTIC) * 0.5
        + _title(words, _words(subject.title))
        + ANCHORS * _share_found(anchors, subject.anchors)
    )
    if KIND_WORDS.get(subject.kind, frozenset()) & set(words):
        score += TYPE
    if DOCUMENT_WORDS.get(subject.document_type, frozenset()) & set(words):
        score += DOCUMENT_TYPE
    return min(1.0, max(0.0, score))


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
