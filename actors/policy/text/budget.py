"""Budget of an answer in a prompt: a limit of characters; and the short ids by which it names memories.

Characters, not tokens: an agent counts in its own tokens, and four characters to one (`tokens`) is
only an estimate for people.
"""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from actors.policy.patterns import pattern

DEFAULT: Final = 2_000
"""Characters a prompt is given by default."""

HARD: Final = 9_500
"""Characters no setting exceeds: agents cut what is longer, or write it to a file."""

LINE: Final = 7
"""Characters of a line beside a text and what stands behind it."""

_SENTENCE_ENDS: Final = (". ", "! ", "? ", ".\n", "!\n", "?\n", "\n\n", "。", "！", "？")


@dataclass(frozen=True, slots=True)
class Settings:
    """Characters for a prompt's recalled notes."""

    characters: int = DEFAULT
    note: int = 600  # one note at most, so that a long one leaves room for others
    scrap: int = 80  # less than this of a note says nothing: it is left out instead


class Note(NamedTuple):
    """A text on its way into a prompt, and the words behind it there."""

    identity: int
    text: str
    score: float  # which goes first where there is no room for all
    behind: str = ""

    @property
    def overhead(self) -> int:
        """Characters of its frame."""
        return len(self.behind) + LINE if self.behind else 0


def room_of(room: Settings) -> int:
    """Characters of an answer at most."""
    return min(room.characters, HARD)


def less(room: Settings, told: str) -> Settings:
    """The rest of the budget beside the text told already."""
    taken = len(told) + 1 if told else 0
    return replace(room, characters=max(0, room_of(room) - taken))


def joined(*blocks: str) -> str:
    """These blocks below each other, without the empty ones."""
    return "\n".join(block for block in blocks if block)


def packed(
    notes: Sequence[Note], settings: Settings | None = None, *, frame: int = 0
) -> list[Note]:
    """The best of `notes` by score within the budget less `frame` characters, as they go in.

    Greedy: a note too long is cut to the room left, or left out when only a scrap would remain;
    smaller ones after it may still fit.
    """
    chosen = settings or Settings()
    room = min(chosen.characters, HARD) - frame
    kept: list[Note] = []
    for note in sorted(notes, key=lambda note: -note.score):
        whole = note.text.strip()
        limit = min(chosen.note, room - note.overhead)
        if limit < min(len(whole), chosen.scrap):  # whatever is left of it is a scrap
            continue
        text = shortened(whole, limit)
        if not text or (text != whole and len(text) < chosen.scrap):
            continue
        kept.append(note._replace(text=text))
        room -= len(text) + note.overhead
    return kept


def shortened(text: str, limit: int) -> str:
    """`text` in at most `limit` characters, ended at a sentence, else at a word with an ellipsis.

    A sentence's end is taken when it keeps at least half; a letter is never parted from its marks.
    """
    whole = text.strip()
    if len(whole) <= limit:
        return whole
    if limit < 2:
        return ""
    head = whole[:limit]
    ends = [at + len(end.rstrip()) for end in _SENTENCE_ENDS if (at := head.rfind(end)) >= 0]
    sentence = max(ends, default=0)
    if sentence * 2 >= limit:
        return head[:sentence].rstrip()
    stop = limit - 1
    if not whole[stop].isspace():
        space = max(whole.rfind(" ", 0, stop), whole.rfind("\n", 0, stop))
        stop = space if space * 2 >= limit else _between_letters(whole, stop)
    return whole[:stop].rstrip() + "…"


def tokens(text: str) -> int:
    """Tokens `text` takes, estimated at four characters each."""
    return math.ceil(len(text) / 4)


def _between_letters(text: str, at: int) -> int:
    """The nearest place at or before `at` without parting a letter from its combining marks."""
    while at > 0 and (unicodedata.combining(text[at]) or "\u200d" in text[at - 1 : at + 1]):
        at -= 1
    return at


# ---- short ids: numbers of the store as people and agents type them, a letter and base 36


MEMORY: Final = "m"
PASSAGE: Final = "p"
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_SHORT: Final = pattern(r"m(?P<digits>[0-9a-z]{1,10})")


def short_id(memory_id: int) -> str:
    """The id of a memory: ``m`` and the number in base 36."""
    return MEMORY + _base_36(memory_id)


def numbered(reference: str) -> int | None:
    """The number of a memory behind the look of its short id: ``m1k`` is 56."""
    found = _SHORT.fullmatch(reference)
    return int(found["digits"], 36) if found else None


def passage_id(number: int) -> str:
    """The id of a passage: ``p`` and the number in base 36."""
    return PASSAGE + _base_36(number)


def told_id(number: int) -> str:
    """The id told to a prompt: of a memory, or of a passage with its number below zero."""
    return short_id(number) if number > 0 else passage_id(-number)


def _base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"
