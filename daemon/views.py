"""Rows as clients see them."""

from typing import TypeVar

import msgspec

from actors.memory.rows import Memory
from daemon.ids import short_id

V = TypeVar("V", bound=msgspec.Struct)


def view(kind: type[V], row: object, /, **given: object) -> V:
    """A struct for clients: the fields that are given, the others as the row has them.

    Raises ``TypeError`` for a field without a default that neither has.
    """
    own = {
        name: getattr(row, name)
        for name in kind.__struct_fields__
        if name not in given and hasattr(row, name)
    }
    return kind(**own, **given)


def memory_view(kind: type[V], memory: Memory, /, **given: object) -> V:
    """The same of a memory, by the id that people type."""
    return view(kind, memory, id=short_id(memory.id), **given)
