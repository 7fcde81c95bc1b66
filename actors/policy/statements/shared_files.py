"""Effects of a repository's files on their copies here: pure, and the same in every home.

After the steps the notes told are the folder's, whatever happened before: changed branches, rebases,
files gone and back again. An unreadable file changes nothing.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto


class Act(Enum):
    """Step for one note."""

    TAKE = auto()  # it is new here, or says something else now
    BACK = auto()  # its file was gone and is there again
    END = auto()  # its file is gone, or says what the home itself says


@dataclass(frozen=True, slots=True)
class HeldCopy:
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
