"""Sources of memories outside of the rules: who brought them, another home of the person, a repository's files.

A command reads this module without the rules.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum, auto
from typing import Final

from msgspec import Struct

IMPORTED: Final = "import"
IMPORTED_NOTICED: Final = "noticed-import"  # nobody stated or confirmed it where it comes from
IMPORTS: Final = frozenset({IMPORTED, IMPORTED_NOTICED})
BY_HAND: Final = frozenset({"hand", "editor", IMPORTED})
NOTICED: Final = "dream"  # insights
DEMANDED: Final = "demand"  # what a person asks for in several sessions, as an insight quotes it
AGENT: Final = "agent"  # notes that an agent writes by itself
READER: Final = "reader"  # notes of the reader that quote what a person typed
READER_NOTICED: Final = "noticed-reader"  # with a quotation of an agent or a tool
SHARED: Final = "shared"  # others' notes in a repository trusted by a person
READ: Final = frozenset({READER, READER_NOTICED})


# ---- two homes of one person: the valid state of a text once they were merged
#
# Of a text each home says when a person last said it, when it was erased, and whether it lives and
# since when. The later word holds of each (a register in which the last writer wins: Shapiro and
# others, *Conflict-free replicated data types*, 2011), so merges in any order, and any number of them,
# end in one state. Times are seconds since the epoch, UTC, by the clock of the writing machine.


class Fate(Enum):
    """Fate of a text from another home."""

    HERE = "HERE"  # it is here, or ended here later than it was said there
    ERASED = "ERASED"  # it stays away
    BACK = "BACK"  # it ended here, and a person said it there later
    NEW = "CREATE"


class Life(Struct, frozen=True):
    """Life or end of a text, and since when."""

    lives: bool
    since: float
    stated: bool = True  # by a person: what was only noticed outlives no end

    @property
    def stated_at(self) -> float | None:
        """Time when a person said it, if one did and it lives."""
        return self.since if self.lives and self.stated else None


def latest(lives: Iterable[Life]) -> Life | None:
    """The latest of these; at the same time an end wins. ``None`` when there is none."""
    return max(
        lives,
        key=lambda one: (one.stated or not one.lives, one.since, not one.lives),
        default=None,
    )


def is_erased(erased_at: float | None, said: float | None) -> bool:
    """Return whether a text is erased: unless a person said it again later."""
    return erased_at is not None and (said is None or said <= erased_at)


def fate(now: Life | None, former: Life | None, there: Life, *, erased: bool) -> Fate:
    """Fate of a text living there.

    ``now``: its state here in memories with it; ``former``: in memories rewritten since.
    """
    if now is None and erased:
        return Fate.ERASED
    own = latest(one for one in (now, former) if one is not None)
    if own is not None and ((now is not None and now.lives) or latest((own, there)) == own):
        return Fate.HERE
    return Fate.NEW if now is None else Fate.BACK


def says_more(now: Life, there: Life) -> bool:
    """Return whether a person said a living text there later than here, or there alone."""
    here, said = now.stated_at, there.stated_at
    return said is not None and (here is None or here < said)


# ---- effects of a repository's files on their copies here: pure, and the same in every home
#
# After the steps the notes told are the folder's, whatever happened before: changed branches, rebases,
# files gone and back again. An unreadable file changes nothing.


class Act(Enum):
    """Step for one note."""

    TAKE = auto()  # it is new here, or says something else now
    BACK = auto()  # its file was gone and is there again
    END = auto()  # its file is gone, or says what the home itself says


class HeldCopy(Struct, frozen=True):
    """A home's copy of another's note."""

    digest: bytes
    is_gone: bool = False  # its file was gone when the folder was looked at last


def steps(
    files: Mapping[str, bytes],
    held: Mapping[str, HeldCopy],
    own: Mapping[str, bytes],
    unreadable: Collection[str] = (),
) -> Iterator[tuple[Act, str]]:
    """The steps, each with a note's id, for bringing the copies to the folder's state, in the order of ids.

    ``files`` are digests of notes, ``own``: of notes shared by this home itself: its word stays
    whatever becomes of the file, and others' version of the file is held beside it.
    """
    for note in sorted({*files, *held}):
        there, known = files.get(note), held.get(note)
        if there is not None and own.get(note) == there:
            there = None
        if note in unreadable:
            continue
        if there is None:
            if known is not None and not known.is_gone:
                yield Act.END, note
        elif known is None or known.digest != there:
            yield Act.TAKE, note
        elif known.is_gone:
            yield Act.BACK, note
