"""Particulars of a memory: its keeper's texts beside its own, in one declaration.

A field here, its column in a migration and its option of ``remember`` are all: keeping, reading, showing,
import and export of a memory take the declared fields. A particular is not searched; erasing the memory erases
it.
"""

from typing import Final

import msgspec


class Particulars(msgspec.Struct, frozen=True):
    """Texts beside a memory's own, empty where nothing was said."""

    why: str = ""  # it is so, or was kept


NAMES: Final = Particulars.__struct_fields__
LIMIT: Final = 2_000  # characters of one
UNSAID: Final = Particulars()


def particulars_of(said: object) -> Particulars:
    """Particulars of any object with these fields."""
    return Particulars(*(getattr(said, name) for name in NAMES))
