"""Instructions loaded into a session by its client, and notes already standing there.

CLAUDE.md, rules and their includes are in the context from the start: a note with no more than they
have is an echo. A sentence of a note stands in a sentence of theirs with all of its content words,
numbers and names, negated when it is; so a paraphrase counts as new.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from actors.policy.gate.gate_features import read as features_of
from actors.policy.text.wording import sentences

READ: Final = 64 * 1024  # characters of one file; clients advise against more than 40,000
SENTENCES: Final = 1_000  # of one file
FEWEST: Final = 2  # content words of a sentence that says something
# A client brings these back after a compaction; a nested file or rule waits for its files.
_LASTING: Final = frozenset({"session_start", "include", "compact"})


@dataclass(frozen=True, slots=True)
class Saying:
    """Content of one sentence."""

    content: frozenset[str]  # meanings of its content words, and its numbers
    is_negated: bool


def sayings(text: str) -> frozenset[Saying]:
    """Read the sentences of a file of instructions; one pass, 1 ms a kilobyte."""
    said = islice(sentences(text[:READ]), SENTENCES)
    return frozenset(one for one in map(_saying, said) if len(one.content) >= FEWEST)


def stands_in(text: str, files: Sequence[frozenset[Saying]]) -> bool:
    """Return whether files of instructions have every telling sentence of a note."""
    own = sayings(text) if files else frozenset[Saying]()
    return bool(own) and all(any(_says(said, one) for said in chain(*files)) for one in own)


def is_lasting(reason: str) -> bool:
    """Tell whether instructions loaded for this reason are in the context after a compaction too."""
    return reason in _LASTING


def _saying(sentence: str) -> Saying:
    words = features_of(sentence)
    return Saying(words.content, words.negated)


def _says(instruction: Saying, note: Saying) -> bool:
    return note.is_negated is instruction.is_negated and note.content <= instruction.content
