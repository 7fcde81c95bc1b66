"""The page of a project at a session's start: its notes in whole, its notes as lines, and the reasons.

One budget of whole texts: a person's wishes and rules up to a share of it, then decisions, traps
and other notes of a person's or of use, each by weight. All other notes are lines of an id and a
title. A text is never cut: one too long for the room becomes a line, and a line too long is left out.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from msgspec import Struct

from actors.policy.text.short_ids import told_id

WHOLE: Final = 2_000  # characters of whole texts
WISHES: Final = 900  # of them, of a person's wishes and rules
LINES: Final = 2_200  # characters of lines
START: Final = 4_500  # characters of all that a session is told as it starts
SECTION: Final = 160  # characters of a heading and its fence
LINE: Final = 4  # characters of a line beside its id and its title
USES: Final = 10  # more of them say nothing more
MOST_WEIGHT: Final = 4.0  # of a person's critical note, remembered well and used ten times
# An agent's or a tool's note is worth half of a person's; round numbers, one set for all projects.
_PERSON: Final = 1.0
_OTHERS: Final = 0.5
_TIERS: Final = {"critical": 2.0, "important": 1.5, "normal": 1.0, "temporary": 0.5}
_LASTING: Final = frozenset({"wish", "rule", "decision"})  # a person's do not fade off the page


class Part(StrEnum):
    """Part of the page in which a note stands."""

    WISHES = "wishes"
    DECISIONS = "decisions"
    LINES = "lines"
    LEFT = "left out"


class PageNote(Struct, frozen=True):
    """A candidate note for the page."""

    identity: int
    size: int  # characters that it takes whole, with what stands behind it
    title: str
    kind: str  # as the reader calls it: decision, wish, rule, fact, cause, trap, fix, design, open
    weight: float = 1.0
    by_person: bool = True  # a person said it
    is_always: bool = False  # it holds for all work, not for a moment
    is_used: bool = False  # it was cited, confirmed or kept
    is_near: bool = False  # it is about files that the branch changes or the last session edited
    is_faded: bool = False  # COLD or below
    is_pinned: bool = False
    is_useless: bool = False  # it was called so more often than useful
    is_unwanted: bool = False  # by a person
    is_suppressed: bool = False  # by a person, within the last day
    excess: str = ""  # evidence that it was a line for too long, if nobody used it

    @property
    def is_wish(self) -> bool:
        """Tell whether it says how a person wants work to be done."""
        return self.by_person and self.kind in {"wish", "rule"}

    @property
    def is_lasting(self) -> bool:
        """Tell whether it stays on the page however long nobody needs it."""
        return self.is_pinned or (self.by_person and self.kind in _LASTING)

    @property
    def absence(self) -> str:
        """Reason why it left the page, in words; empty when it did not."""
        if self.is_suppressed:
            return "the user suppressed it"
        if self.is_unwanted and not self.is_pinned:
            return "the user called it not useful"
        if self.is_lasting:
            return ""
        if self.is_useless:
            return "it was called not useful"
        if self.is_faded:
            return "it has faded"
        return "" if self.is_used else self.excess


class Room(Struct, frozen=True):
    """Room on the page, in characters."""

    whole: int = WHOLE
    wishes: int = WISHES
    lines: int = LINES  # 0: a line cannot be opened
    start: int = START  # for all of it


class Place(NamedTuple):
    """Place of a note on the page, and the reason in words."""

    identity: int
    part: Part
    reason: str
    weight: float = 1.0


def line(identity: int, title: str) -> str:
    """Id and title, never cut."""
    return f"{told_id(identity)} {' '.join(title.split())}"


def no_longer(identity: int, heir: tuple[int, str] | None) -> str:
    """Say that a note no longer holds, with its successor's id and title."""
    instead = f": {line(*heir)}" if heir is not None else ""
    return f"{told_id(identity)} no longer holds{instead}"


def fitting(lines: Iterable[str], room: int) -> list[str]:
    """Select the lines within so many characters beside their heading, in their order."""
    chosen, taken = list[str](), SECTION
    for one in lines:
        if taken + len(one) + LINE <= room:
            chosen.append(one)
            taken += len(one) + LINE
    return chosen


def weight(retrievability: float, tier: str, *, by_person: bool, uses: int) -> float:
    """Tell how much a note has to say: how well it is remembered x tier x who said it x use, 0..4.

    Ten uses double it.
    """
    said = _PERSON if by_person else _OTHERS
    return retrievability * _TIERS.get(tier, 1.0) * said * (1.0 + min(uses, USES) / USES)


def page(notes: Iterable[PageNote], room: Room) -> list[Place]:
    """The place of each note, in the order of the page; the ones left out come last."""
    strongest = sorted(notes, key=lambda one: -one.weight)
    there = [one for one in strongest if not one.absence]
    wishes, told = _wishes(there, room)
    decisions, more = _decisions(there, room.whole - told)
    whole = [*wishes, *decisions]
    standing = {place.identity for place in whole}
    rest = [one for one in there if one.identity not in standing]
    lines = _lines(rest, min(room.lines, room.start - told - more))
    gone = [_placed(one, Part.LEFT, one.absence) for one in strongest if one.absence]
    return [*whole, *lines, *gone]


def _wishes(there: Sequence[PageNote], room: Room) -> tuple[list[Place], int]:
    """A person's wishes and rules in whole, the ones for all work first; their characters."""
    meant = [one for one in there if one.is_wish]
    meant.sort(key=lambda one: not one.is_always)
    chosen, taken = _fitting(meant, min(room.wishes + SECTION, room.whole))
    places = [
        _placed(one, Part.WISHES, f"a{' standing' if one.is_always else ''} {one.kind} of the user")
        for one in chosen
    ]
    return places, taken


def _decisions(there: Sequence[PageNote], room: int) -> tuple[list[Place], int]:
    """Decisions, traps and other notes of a person or of use; their characters."""
    meant = [
        one for one in there if one.kind not in {"wish", "rule"} and (one.by_person or one.is_used)
    ]
    meant.sort(key=lambda one: (_rank(one), not one.is_near))
    chosen, taken = _fitting(meant, room)
    return [_placed(one, Part.DECISIONS, _decided(one)) for one in chosen], taken


def _rank(one: PageNote) -> int:
    if one.kind == "decision" and one.by_person:
        return 0
    return 1 if one.kind == "trap" else 2


def _fitting(meant: Sequence[PageNote], room: int) -> tuple[list[PageNote], int]:
    """Select the notes fitting whole, in their order, and the characters of them and their heading."""
    chosen, taken = list[PageNote](), SECTION
    for one in meant:
        if taken + one.size <= room:
            chosen.append(one)
            taken += one.size
    return (chosen, taken) if chosen else ([], 0)


def _lines(rest: Sequence[PageNote], room: int) -> list[Place]:
    """The lines of the remaining notes, wishes first, and the notes left out."""
    lines, left, taken = list[Place](), list[Place](), SECTION
    for one in sorted(rest, key=lambda one: not one.is_wish):
        size = len(line(one.identity, one.title)) + LINE
        if taken + size <= room:
            lines.append(_placed(one, Part.LINES, _listed(one)))
            taken += size
        else:
            why = "no room for another line" if room > SECTION else "a line could not be opened"
            left.append(_placed(one, Part.LEFT, why))
    return [*lines, *left]


def _placed(one: PageNote, part: Part, reason: str) -> Place:
    return Place(one.identity, part, reason, one.weight)


def _decided(one: PageNote) -> str:
    article = "an" if one.kind[:1] in "aeiou" else "a"
    said = "the user decided it" if _rank(one) == 0 else f"{article} {one.kind}"
    said += "" if one.by_person else ", noted by an agent and of use since"
    return said + (", about files that are worked on" if one.is_near else "")


def _listed(one: PageNote) -> str:
    if one.by_person or one.is_used:
        return "no room for its text"
    return "noted by an agent or a tool, and not used yet"


# ---- listings: effects of page lines nobody opens
#
# A line costs every start a few characters and says of a note only that it is there. One listed at
# thirty starts of a person, over eleven days or more, and never used leaves the page; search finds
# the note still.


DAY: Final = 86_400.0  # seconds
# Thirty starts may be two busy days, and eleven days one start: both are asked for. Thirty is a round number;
# of real notes that were ever used each was so within eleven days (ADR 0013), and what is not fades after 14.
STARTS: Final = 30  # of a person, each session once
SPAN: Final = 11 * DAY  # seconds from the first to the last: an idle project has none
SEARCHED: Final = 7 * DAY  # seconds for which only search finds it, before it is put away


class Listing(Struct, frozen=True):
    """Starts at which a note was a line of the page."""

    starts: int = 0
    first_at: float = 0.0  # seconds UTC
    last_at: float = 0.0

    def excess(self) -> str:
        """Evidence of being listed for too long, if nobody used the note; empty when it was not."""
        span = self.last_at - self.first_at
        if self.starts < STARTS or span < SPAN:
            return ""
        return f"a line at {self.starts} starts over {span / DAY:.0f} days, never used"


NEVER: Final = Listing()
