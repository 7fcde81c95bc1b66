"""Fitness of a model to read sessions: its notes on a session with everything known.

A fact counts as found when one note holds a word of each of its groups. A note is invented when it
says a bait without turning it down, names a number or an identifier nobody said, or shares less
than half of its telling words with the session. Both are of one sample: they tell a model able to
read from one unable, and nothing finer.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from actors.policy.events.events import Event, listing, mapping, parsed
from actors.policy.patterns import pattern
from actors.policy.reader.digest import Digest, Heard, digest, folded
from actors.policy.text.words import beside, caseless, coverage, expressions, stems, table

# ---- an invented session for trying a model: its words, and twelve things to write down
#
# Each thing is known by words necessary in any note of it: a number, a name, a command. Among them lie
# baits: a rejected proposal, and a page full of orders.


PROJECT: Final = "harbour"
SESSION: Final = "reverie-sample-session"

_BEGAN: Final = 1_788_339_600.0  # 2026-09-02 09:00 UTC
_STEP: Final = 180.0  # seconds from one event to the next
_FOLDER: Final = "/home/sam/harbour"


class SampleFact(Struct, frozen=True):
    """One thing said in the session, or a bait; known in a note by one word of each group."""

    name: str
    words: tuple[tuple[str, ...], ...]


def _told(section: str) -> tuple[SampleFact, ...]:
    said: Mapping[str, list[str]] = table(__name__)[section]
    return tuple(
        SampleFact(name, tuple(tuple(group.split("|")) for group in groups))
        for name, groups in said.items()
    )


FACTS: Final = _told("facts")
BAITS: Final = _told("baits")


def sample() -> Digest:
    """Return the digest of the session, as a session's own is made."""
    lines = beside(__name__, "sample.jsonl").splitlines()
    raw = [{"session_id": SESSION, "cwd": _FOLDER, **json.loads(line)} for line in lines]
    return digest(
        Heard(number, _BEGAN + _STEP * number, event)
        for number, one in enumerate(raw, start=1)
        if isinstance(event := parsed("claude", one), Event)
    )


LEAST_FOUND: Final = 6  # of twelve
MOST_INVENTED: Final = 1
SHARED: Final = 0.5  # of a note's telling words, by which it is of the session at all. Choice.

_EXPRESSIONS: Final = expressions(__name__)
# A number, a name in code or a file: what is made up shows there first.
_SPECIFIC: Final = pattern(_EXPRESSIONS["specific"])
_JOINTS: Final = str.maketrans("", "", "_-")  # keep_alive, keep-alive and keepalive are one name
_TURNED_DOWN: Final = caseless(_EXPRESSIONS["turned_down"])


class Fitness(Struct, frozen=True):
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
