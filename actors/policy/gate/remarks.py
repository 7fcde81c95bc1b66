"""Remarks: what a prompt says against something known, where no value can be put in its place.

"Not any more, artifactory", "rather than table.go let's do cmd/list.go", "checks are plain dbt tests
now": the words share too little with what is known, or it is an order, which may not hold beyond
the task. So nothing ends and no memory is made. The user's words are noted on the memory that is
nearest to them, and stand behind it wherever it is told, so that whoever reads it can judge: they
may be of a sibling ("logs are kept 7 days" of the artifacts).
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from actors.policy.gate.said import READ, said
from actors.policy.gate.subjects import shares_subject, telling
from actors.policy.gate.values import alike, words_of
from actors.policy.text.pasted import typed
from actors.policy.text.plain_speech import spelled, with_quotations, without_quotations
from actors.policy.text.wording import one_line, prose, sentences
from actors.policy.text.words import caseless

MOST: Final = 3  # sentences of a prompt that are compared with what is known
# On the scale of the default model's cosines.
NEAR: Final = 0.35  # nearness from which a memory may be meant
NEARER: Final = 0.6  # the same where only another value tells that it is
APART: Final = 0.25  # how much nearer it must be than the second
SHARED: Final = 0.1  # what a telling word that both have adds to the cosine
SHARED_MOST: Final = 2  # words that are counted


class Remark(NamedTuple):
    """A sentence of a prompt that may be against something known."""

    line: str  # its words tell which memory it is about,
    text: str  # with the vector of what is noted: all of a brief prompt, or it and the next one
    changes: bool  # it says that something is otherwise; if not, only another value tells so


class Concerned(NamedTuple):
    """A memory that a remark is about."""

    identity: int
    nearness: float  # cosine, and what the words add to it


_AGAINST: Final = caseless(
    r"\b(?:instead of|rather than|by now|lately|nowadays|these days|since|never|nobody|wrong|incorrect"
    r"|any ?more|any longer|no longer|no more|makes more sense|take back|other way round|should (?:be|only|always)"
    r"|(?:changed|rewritten|rebranded|reversed|removed|replaced|renamed|moved|migrated|tightened|raised"
    r"|lowered|reduced|increased|shortened|extended|dropped|retired|ended|gone)\b"
    r"|(?:thrown|kicked|switched|threw|moved|ripped) (?:out|off)|let['’]s (?:remove|drop|go with)"
    r"|stays|unchanged|carried over|as before|(?:don['’]t|do not) (?:want|need)|won['’]t)\b"
    r"|, not\b|\bnot \S{1,40}[.!,]"
)
# A question, a guess, what holds for the moment only or for somebody else, one more value.
_UNSURE: Final = caseless(
    r"\?\s*$|\b(?:maybe we|perhaps|probably|might|what if|should we|shall we|could we|suppose|assume|imagine"
    r"|for example|e\.g\.|wonder|not sure|i (?:think|guess)"
    r"|for now|for once|temporarily|this time|th(?:is|e) (?:weekend|week|sprint|month)['’]?s?|today|tomorrow|tonight"
    r"|right now|at the moment|next (?:week|month)|just (?:for|this)|throwaway"
    r"|in th(?:is|e) (?:test|example|demo|branch|pr|commit|session|script)|also|another|used to|originally)\b"
    r"|^(?:(?:ok|so|and|but|then|please)[, ]+)*(?:if|when|whenever|once|until|while|why|how|what|where|who|which"
    r"|can|could|would|do|does|did|is|are|there['’]?s|let me|i (?:want|need|see|got|have|had|tried|ran|get|saw))\b"
)
_ORDER: Final = caseless(
    r"^(?:(?:ok|so|and|but|then|now|please)[, ]+)*(?:add|set|change|make|fix|create|write|run|check|rename"
    r"|move|update|remove|delete|bump|replace|read|look|see|show|tell|open|explain|put|build|give|list"
    r"|test|keep|push|start|use|leave|do|go|try|convert|implement|let['’]s)\b"
)


def remarks_in(prompt: str) -> tuple[Remark, ...]:
    """Return the sentences of a typed prompt that may be against something known, the surest first."""
    masked = without_quotations(prose(typed(prompt)))
    lines = [one_line(spelled(line)) for line in sentences(masked.text)]
    whole = " ".join(lines)
    found: list[Remark] = []
    for at, line in enumerate(lines):
        if len(line) > READ or _UNSURE.search(line):
            continue
        changes = _says_change(line)
        if changes or (not _ORDER.match(line) and any(word.kind for word in words_of(line))):
            near = whole if len(whole) <= READ else " ".join(lines[at : at + 2])
            text = one_line(with_quotations(near, masked.quotations), READ)
            found.append(Remark(line, text, changes))
    return tuple(sorted(found, key=lambda one: not one.changes)[:MOST])


def concerned(
    remark: Remark, cosines: Mapping[int, float], texts: Mapping[int, str]
) -> Concerned | None:
    """Return the memory that a remark is about: near to it, and clearly nearer than the second.

    Near is what has a like vector and the same telling words. A sentence that announces no change
    must be nearer, and give the memory's subject another value.
    """
    named = telling(tuple(words_of(remark.line)))
    near = {
        one: cosines[one] + SHARED * min(SHARED_MOST, len(named & telling(tuple(words_of(text)))))
        for one, text in texts.items()
        if cosines[one] >= NEAR - SHARED * SHARED_MOST - APART
    }
    near = {one: how for one, how in near.items() if not _repeats(remark.text, texts[one])}
    first = sorted(near, key=lambda one: (-near[one], one))[:2]
    if not first or near[first[0]] < (NEAR if remark.changes else NEARER):
        return None
    best = first[0]
    if any(near[best] - near[other] < APART for other in first[1:]):
        return None
    told = remark.changes or _gives_another_value(remark.line, texts[best])
    return Concerned(best, near[best]) if told else None


def _repeats(said_now: str, stored: str) -> bool:
    """Tell whether a prompt says again what is known, which is nothing against it."""
    return stored.rstrip(".").casefold() in said_now.casefold()


def _says_change(line: str) -> bool:
    """Tell whether a sentence says that something is otherwise, be it as an order."""
    told = said(line)
    changed = told is not None and bool(told.marked or told.pairs or told.left)
    return changed or _AGAINST.search(line) is not None


def _gives_another_value(line: str, stored: str) -> bool:
    """Tell whether a sentence gives what the memory is about another value of one kind."""
    words, known = tuple(words_of(line)), tuple(words_of(stored))
    mine, theirs = {word.key for word in words}, {word.key for word in known}
    differ = any(
        alike(old, new)
        for old in known
        for new in words
        if old.kind and new.kind and new.key not in theirs and old.key not in mine
    )
    return differ and shares_subject(words, known)
