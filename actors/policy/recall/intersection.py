"""Memories near all of several concepts come first.

Two to five concepts, asked for by name or by AND in capitals (``concrete.concepts``). A memory is
near a concept when it holds its words, or when its meaning is close to it; near all of them, it
leads. A concept in quotation marks is meant word for word.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Final

from actors.policy.text.concrete import CONCEPTS, Concept, concrete
from actors.policy.text.words import informative

LONGEST: Final = 200  # characters of one concept


# When a memory is near a concept.
CLOSE: Final = 0.5  # cosine from which on it is near without its words


class NotSeveral(ValueError):
    """The asker's concepts are none: too few, too many, too long, or without a telling word."""


def asked_for(texts: Sequence[str]) -> tuple[Concept, ...]:
    """The concepts that a person names one by one.

    Raises ``NotSeveral`` when there are not two to five different ones with words to look for.
    """
    found = tuple(dict.fromkeys(_concept(text.strip()) for text in texts))
    least, most = CONCEPTS
    if not least <= len(found) <= most:
        raise NotSeveral(f"{len(found)} different concepts: give {least} to {most}")
    for one in found:
        if len(one.text) > LONGEST:
            raise NotSeveral(f"a concept has {len(one.text)} characters, the limit is {LONGEST}")
        if not (informative(one.text) or concrete(one.text)):
            raise NotSeveral(f"{one.text[:40]!r} has no word that could be looked for")
    return found


def near_all(
    holding: Sequence[Set[int]], cosines: Sequence[Mapping[int, float]]
) -> dict[int, float]:
    """The memories near every concept, with the mean of how near they are, 0..1.

    ``holding``: for each concept, the memories with its words, which count 1; ``cosines``: for
    each, the cosines that are known, in which a quoted one has none.
    """
    near: list[dict[int, float]] = []
    for place, held in enumerate(holding):
        known: Mapping[int, float] = cosines[place] if place < len(cosines) else {}
        close = {one: cosine for one, cosine in known.items() if cosine >= CLOSE}
        near.append(close | dict.fromkeys(held, 1.0))
    if not near:
        return {}
    common = [one for one in sorted(near[0]) if all(one in each for each in near[1:])]
    return {one: sum(each[one] for each in near) / len(near) for one in common}


def _concept(text: str) -> Concept:
    quoted = len(text) > 2 and text[0] == text[-1] == '"'
    return Concept(text[1:-1], quoted=True) if quoted else Concept(text)
