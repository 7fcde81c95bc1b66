"""The living notes named in a request: the nearest to its digest."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from actors.policy.reader.digest import PERSONS, Digest, Who

KNOWN: Final = 20  # notes that a request names
GIVEN: Final = (
    4  # of them, that the session itself gave by its commits, documents and explicit words
)
NEAREST: Final = 60  # memories that one of its texts finds
ASKED: Final = 32  # texts of a digest that are searched with
QUESTION: Final = 600  # of one of them
SHOWN: Final = 400  # characters of a note; those of a reader have 300
# What a text finds first counts most: of 25 notes that a recorded reader ended by a later session's
# note 23 are among the twenty by words and vectors, 21 by words; with 10 it is 20 of 25.
_RANK: Final = 1.0


def questions(digest: Digest) -> tuple[str, ...]:
    """The texts to search with: the person's words, and the agent's last ones, the latest of each."""
    said = [one.text for one in digest.shown if one.who in PERSONS and len(one.text.split()) > 2]
    told = [one.text for one in digest.shown if one.who in (Who.AGENT, Who.COMMIT)]
    latest = (*said[-ASKED * 2 // 3 :], *told[-ASKED // 3 :])
    return tuple(dict.fromkeys(text[:QUESTION] for text in latest))


def nearest(searches: Iterable[Sequence[int]]) -> list[int]:
    """Order the findings of several searches, the best first, by reciprocal ranks."""
    shares: defaultdict[int, float] = defaultdict(float)
    for search in searches:
        for rank, memory_id in enumerate(search):
            shares[memory_id] += 1 / (_RANK + rank)
    return sorted(shares, key=lambda one: (-shares[one], one))


def acquainted(
    given: Sequence[int], order: Sequence[int], spoken: Collection[int]
) -> tuple[int, ...]:
    """Return the memories for a request: the session's own, then the ones it may end.

    ``order``: by nearness; ``spoken``: memories of a person's or a reader's words, ahead of
    documents and commits. In a replay of a project with 56 items of documents 8 of 13 notes due to
    end were named without this order, and 12 with it.
    """
    first = [one for one in order if one in spoken]
    rest = [one for one in order if one not in spoken]
    return tuple(dict.fromkeys((*given[:GIVEN], *first, *rest)))[:KNOWN]
