"""Fitness of a model to read sessions: its notes on a session with everything known.

A fact counts as found when one note holds a word of each of its groups. A note is invented when it
says a bait without turning it down, names a number or an identifier nobody said, or shares less
than half of its telling words with the session. Both are of one sample: they tell a model able to
read from one unable, and nothing finer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.events.events import listing, mapping
from actors.policy.patterns import pattern
from actors.policy.reader.digest import Digest, folded
from actors.policy.reader.sample import BAITS, FACTS, SampleFact
from actors.policy.text.words import caseless, coverage, stems

LEAST_FOUND: Final = 6  # of twelve
MOST_INVENTED: Final = 1
SHARED: Final = 0.5  # of a note's telling words, by which it is of the session at all. Choice.

# A number, a name in code or a file: what is made up shows there first.
_SPECIFIC: Final = pattern(
    r"(?<![\w./-])[\w-]{1,60}(?:/[\w-]{1,60}){0,7}/[\w-]{1,60}\.\w{1,8}(?!\w)"
    r"|(?<![\w.])(?:\d{2,}|[^\W_]+_\w+|[a-z]+[A-Z]\w+)(?!\w)"
)
_JOINTS: Final = str.maketrans("", "", "_-")  # keep_alive, keep-alive and keepalive are one name
_TURNED_DOWN: Final = caseless(
    r"(?<![\w-])(?:not?|never|nor|without|instead|reject\w*|declin\w*|refus\w*|against|turned down|ruled out"
    r"|forbid\w*|forbidden|unlike|rather than)(?![\w-])|n['’]t\b"
)


@dataclass(frozen=True, slots=True)
class Fitness:
    """Notes of a model about the sample session, held against its known facts."""

    notes: int
    facts: tuple[str, ...]  # names of those that a note says
    missed: tuple[str, ...]
    invented: int  # notes
    false_quotations: int  # notes

    @property
    def is_fit(self) -> bool:
        """Tell whether its notes may count at once; else they wait for a person."""
        return len(self.facts) >= LEAST_FOUND and self.invented <= MOST_INVENTED


def fitness(document: Mapping[str, object], digest: Digest) -> Fitness:
    """Judge a model by its answer to the sample's digest, whatever its shape."""
    notes = [mapping(one) for one in listing(document.get("notes"))]
    said = [f"{one.get('title', '')} {one.get('text', '')}" for one in notes]
    session, words = folded(digest.text).translate(_JOINTS), stems(digest.text)
    shown = [folded(one.text) for one in digest.shown]
    facts = tuple(fact.name for fact in FACTS if any(_says(note, fact) for note in said))
    return Fitness(
        len(notes),
        facts,
        tuple(fact.name for fact in FACTS if fact.name not in facts),
        sum(_is_invented(note, session, words) for note in said),
        sum(not _stands_in(folded(str(one.get("quote", ""))), shown) for one in notes),
    )


def _says(note: str, told: SampleFact) -> bool:
    plain = folded(note)
    return all(any(word in plain for word in group) for group in told.words)


def _is_invented(note: str, session: str, words: frozenset[str]) -> bool:
    """Return whether a note has something turned down, or something nobody said."""
    if any(_says(note, bait) for bait in BAITS) and not _TURNED_DOWN.search(note):
        return True
    if any(folded(one).translate(_JOINTS) not in session for one in _SPECIFIC.findall(note)):
        return True
    return coverage(dict.fromkeys(stems(note), 1.0), words) < SHARED


def _stands_in(quotation: str, shown: Sequence[str]) -> bool:
    return bool(quotation) and any(quotation in one for one in shown)
