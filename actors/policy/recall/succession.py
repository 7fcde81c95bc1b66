"""Succession: the newer of two memories in place of the other, when both are kept side by side.

The gate ends memories replaced by a newer text. Imported ones, or doubtful ones, stay: then an
outdated fact often resembles a question more than its successor does, which has more to tell. Both
must be brief and about the same; the newer one shows it: they name the same subject, or it
contradicts the older one, or both are one sentence with another end. Or the older one says itself
it is about the past, and both bear one label and share further words; or the newer one announces a
change ("moved to", "now", "any more").

Only the order of the two is touched: the newer one rises to the older one's place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.gate.contradiction import contradiction, may_end
from actors.policy.patterns import pattern
from actors.policy.text.speech import NOTE, label, narrates, tells_of_past
from actors.policy.text.words import caseless

LOOKED_AT: Final = 10  # best results that are compared with each other
LABELLED: Final = 2  # words of a label that names a thing and what is told of it
ABOVE: Final = 1.001  # times the score of the older one that the newer one gets


# When one of two memories is taken for the successor of the other.
SHARED: Final = 0.6  # share of the briefer one's stems that the other has
SURE: Final = 0.65  # confidence of a contradiction; "instead" alone is .55
CLAUSES: Final = 40  # of each text that are compared with those of the other
BEGINNING: Final = 4  # words that two sentences have in common before they part


@dataclass(frozen=True, slots=True)
class Kept:
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
    if not least or len(newer.stems & older.stems) < SHARED * least:
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
