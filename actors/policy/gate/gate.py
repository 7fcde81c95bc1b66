"""The prediction-error gate: the decision about a text similar to known ones.

Stored memories are judged nearest first, and the first more than related decides. Forty numbers about
a pair of texts are weighed (docs/adr/0007). Without vectors only an exact normalised copy is
recognised, and everything else is created, to be judged again.
"""

import math
from collections.abc import Sequence
from typing import ClassVar, Final, TypeAlias

from msgspec import Struct

from actors.policy.gate.contradiction import (
    Contradiction,
    another_one,
    contradiction,
    may_be_one,
    may_end,
    may_end_unannounced,
    topic_overlap,
)
from actors.policy.gate.gate_features import (
    Kind,
    Text,
    chances,
    features,
    gives_up_another,
    loses_nothing,
    new_detail,
    normalised,
    read,
    shared_slot,
    takes_slot,
)

# Chances from which a text counts as known, or as excluding what is stored. Fitted, see
# docs/adr/0007: reinforcing what contradicts, and superseding what does not, are the costly
# mistakes, and a link loses nothing.
KNOWN: Final = 0.55
KNOWN_FULLER: Final = 0.65  # when it has three content words or more that the stored one lacks
EXCLUDED: Final = 0.50
# A contradiction that supersedes already below `high`: how alike, and how sure. "We no
# longer use MySQL" is rarely .85 like "we use MySQL", and leaving both is the stale fact.
CONTRADICTED: Final = 0.70
CONTRADICTED_CONFIDENCE: Final = 0.55
DUPLICATE: Final = 0.95  # similarity from which one more value of a slot is a known one
CANDIDATES: Final = 5  # compared with a text: the deciding one is among the nearest


class Settings(Struct, frozen=True):
    """Thresholds on cosine similarity, 0..1."""

    high: float = 0.85  # at or above: any sign of contradiction supersedes
    medium: float = 0.70  # at or above: create linked
    low: float = 0.50  # below: not a candidate at all


DEFAULT: Final = Settings()


class Candidate(Struct, frozen=True):
    """A stored memory similar to the incoming text.

    ``similarity`` is a cosine 0..1, None when there are no vectors; ``exact``:
    the store found it by its normalised text.
    """

    id: int
    text: str
    similarity: float | None = None
    exact: bool = False


class Create(Struct, frozen=True):
    """Keep as a new memory."""

    action: ClassVar = "CREATE"  # as in the audit and on the command line
    contradiction: ClassVar[Contradiction | None] = None
    reason: str
    similarity: float = 0.0


class CreateLinked(Struct, frozen=True):
    """Keep as a new memory with a relation to ``target``."""

    action: ClassVar = "CREATE_LINKED"
    target: int
    reason: str
    similarity: float
    contradiction: Contradiction | None = None  # seen, but not sure enough to supersede


class Reinforce(Struct, frozen=True):
    """The same is known already: strengthen ``target`` and keep nothing new."""

    action: ClassVar = "REINFORCE"
    contradiction: ClassVar[Contradiction | None] = None
    target: int
    reason: str
    similarity: float


class Update(Struct, frozen=True):
    """A fuller or newer wording of ``target``: a new version of it."""

    action: ClassVar = "UPDATE"
    contradiction: ClassVar[Contradiction | None] = None
    target: int
    reason: str
    similarity: float


class Supersede(Struct, frozen=True):
    """Keep as a new memory in the place of ``target``."""

    action: ClassVar = "SUPERSEDE"
    target: int
    contradiction: Contradiction | None  # None when a person ordered it
    reason: str
    similarity: float


Decision: TypeAlias = Create | CreateLinked | Reinforce | Update | Supersede


# Confidence of a new value in a slot that holds one value. Choice: above every word pattern.
SLOT_CONFIDENCE: Final = 0.90
# Content words that make a text that says the same a fuller one. Choice.
FULLER: Final = 3
# Words of a text that says one thing. Choice: rows of the gate's data have 39 at the 99th percentile.
STATEMENT: Final = 80
# Share of words that two values of a slot have in common when they are one value. Choice.
SAME_VALUE: Final = 0.9


def is_statement(text: str) -> bool:
    """Tell whether a text is short enough to say one thing, which another may repeat or contradict.

    A protocol of a session says many: one difference contradicts none of the rest, and to end or
    rewrite it would lose them. Of 128 sessions of LoCoMo, about 550 words each, 21 were ended.
    """
    return len(text.split(maxsplit=STATEMENT)) <= STATEMENT


def decide(
    incoming: str,
    candidates: Sequence[Candidate],
    settings: Settings = DEFAULT,
    *,
    vectors: bool = True,
) -> Decision:
    """Decide about ``incoming``, given the memories near it in the store.

    Order of ``candidates`` does not matter. ``vectors`` is False while there is no model: then
    similarities are ignored and anything but an exact copy is new.
    """
    plain = normalised(incoming)
    exact = (one for one in candidates if one.exact or (plain and normalised(one.text) == plain))
    if (copy := next(exact, None)) is not None:
        return Reinforce(copy.id, "the same text is stored", 1.0)
    if not vectors:
        return Create("new as far as words can tell: no vectors yet")
    near = _nearest(candidates, settings)
    if not near:
        return Create(f"nothing similar (below {settings.low:.2f})")
    brief = [(one, similarity) for one, similarity in near if is_statement(one.text)]
    if not is_statement(incoming) or not brief:
        return _unlike(near, None, settings)
    for candidate, similarity in brief:
        if takes_slot(incoming, candidate.text) and may_end(incoming, candidate.text):
            sign = Contradiction(Kind.CHANGED_VALUE, SLOT_CONFIDENCE)
            reason = _reason("another value in its slot", similarity)
            return Supersede(candidate.id, sign, reason, similarity)
    nearest, similarity = brief[0]
    values = shared_slot(incoming, nearest.text)
    if values is not None:
        return _one_more(values, nearest, similarity, settings)
    return _weighed(read(incoming), brief, settings)


def _weighed(new: Text, near: Sequence[tuple[Candidate, float]], settings: Settings) -> Decision:
    """The first verdict above related, nearest first; else related or new."""
    for candidate, similarity in near:
        verdict = _verdict(new, candidate, similarity, settings)
        if verdict is not None:
            return verdict
    nearest, _ = near[0]
    return _unlike(near, contradiction(new.text, nearest.text), settings)


def _verdict(
    new: Text, candidate: Candidate, similarity: float, settings: Settings
) -> Decision | None:
    """Known, fuller or contradictory; None for merely related."""
    if another_one(new.text, candidate.text):
        return None
    old = read(candidate.text)
    same, conflict = chances(features(old, new, similarity))
    sign = _announced(new, old)
    if sign is not None and _supersedes(sign, similarity, settings):
        reason = _reason(f"contradicted ({sign.kind.value})", similarity)
        return Supersede(candidate.id, sign, reason, similarity)
    if conflict >= max(EXCLUDED, same) and may_end_unannounced(new, old):
        sign = sign or Contradiction(_kind(old, new), conflict)
        how = f"contradicted ({sign.kind.value}, chance {conflict:.2f})"
        return Supersede(candidate.id, sign, _reason(how, similarity), similarity)
    more = len(new.content - old.content) >= FULLER
    sure = KNOWN_FULLER if more and not loses_nothing(old, new) else KNOWN
    if same < sure or not may_be_one(new.text, old.text):
        return None
    detail = new_detail(old, new)
    if (detail or more) and loses_nothing(old, new):
        reason = _reason(f"says the same and more (chance {same:.2f})", similarity)
        return Update(candidate.id, reason, similarity)
    if detail:  # to reinforce would lose a number or an identifier
        return None
    reason = _reason(f"says the same (chance {same:.2f})", similarity)
    return Reinforce(candidate.id, reason, similarity)


def _announced(new: Text, old: Text) -> Contradiction | None:
    """A sign announced by words; a changed value is left to the weights.

    On rows of a list ("field f3 is column 5", "field f4 is column 6") the rule for changed values
    is wrong 18 times in 100, the weights are once in 700 (docs/adr/0007).
    """
    if new.markers == old.markers and new.negated is old.negated:
        return None
    sign = contradiction(new.text, old.text)
    if sign is None or sign.kind is Kind.CHANGED_VALUE or not may_end(new.text, old.text):
        return None
    if sign.kind is Kind.REPLACEMENT and gives_up_another(old, new):
        return None
    return sign


def _kind(old: Text, new: Text) -> Kind:
    """Name of a contradiction seen by the weights alone."""
    if old.negated is not new.negated:
        return Kind.OPPOSITE
    if (old.code - new.code) and (new.code - old.code):
        return Kind.CHANGED_VALUE
    return Kind.DISAGREEMENT


def _unlike(
    near: Sequence[tuple[Candidate, float]], sign: Contradiction | None, settings: Settings
) -> Decision:
    """Neither known nor contradictory: linked with the nearest, or new."""
    nearest, similarity = near[0]
    if similarity >= settings.medium:
        return CreateLinked(nearest.id, _reason("related", similarity), similarity, sign)
    return Create(_reason("new, others are near", similarity), similarity)


def _supersedes(sign: Contradiction, similarity: float, settings: Settings) -> bool:
    if similarity >= settings.high:
        return True
    return similarity >= CONTRADICTED and sign.confidence >= CONTRADICTED_CONFIDENCE


def _nearest(candidates: Sequence[Candidate], settings: Settings) -> list[tuple[Candidate, float]]:
    """At most `CANDIDATES` at or above `low`, nearest first, ties by id."""
    judged = [(candidate, min(1.0, candidate.similarity or 0.0)) for candidate in candidates]
    near = [pair for pair in judged if pair[1] >= settings.low]
    return sorted(near, key=lambda pair: (-pair[1], pair[0].id))[:CANDIDATES]


def _one_more(
    values: tuple[str, str], nearest: Candidate, similarity: float, settings: Settings
) -> Decision:
    """A slot of many values: the values alone are compared, as the slot makes all look alike."""
    sign = contradiction(*values)
    if (
        sign is not None
        and sign.kind is not Kind.CHANGED_VALUE
        and may_end(*values)
        and _supersedes(sign, similarity, settings)
    ):
        reason = _reason(f"contradicted ({sign.kind.value})", similarity)
        return Supersede(nearest.id, sign, reason, similarity)
    if sign is None and similarity >= DUPLICATE and topic_overlap(*values) >= SAME_VALUE:
        return Reinforce(nearest.id, _reason("near duplicate", similarity), similarity)
    reason = _reason("one more value in a slot of many", similarity)
    return CreateLinked(nearest.id, reason, similarity, sign)


def _reason(what: str, similarity: float) -> str:
    return f"{what} (similarity {math.floor(similarity * 1000) / 1000:.3f})"
