"""Rows as clients see them, short ids of memories and passages, as people type them, and how an ended memory is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from actors.memory.particulars import Particulars
from actors.policy.text.short_ids import MEMORY, PASSAGE
from actors.policy.text.short_ids import passage_id as passage_id
from actors.policy.text.short_ids import short_id as short_id
from actors.policy.text.short_ids import told_id as told_id

if TYPE_CHECKING:
    from actors.memory.rows import Memory

V = TypeVar("V", bound=msgspec.Struct)


def passage_number(short: str) -> int | None:
    """The number behind the id of a passage; ``None`` for anything else."""
    plain = short.strip().lower()
    try:
        return int(plain[1:], 36) if plain.startswith(PASSAGE) else None
    except ValueError:
        return None


def memory_number(short: str) -> int:
    """The number behind a short id. Raises ``NoSuchMemory`` for anything but an id."""
    from actors.gate.messages import NoSuchMemory

    plain = short.strip().lower()
    try:
        return int(plain.removeprefix(MEMORY), 36)
    except ValueError:
        raise NoSuchMemory from None


def view(kind: type[V], row: object, /, **given: object) -> V:
    """A struct for clients: the given fields, the others as the row has them.

    Raises ``TypeError`` for a field without a default, missing from both.
    """
    own = {
        name: getattr(row, name)
        for name in kind.__struct_fields__
        if name not in given and hasattr(row, name)
    }
    return kind(**own, **given)


def memory_view(kind: type[V], memory: Memory, /, **given: object) -> V:
    """The same of a memory, by the id people type, with all doubts about it."""
    if issubclass(kind, Particulars):
        given = {**msgspec.structs.asdict(memory.particulars), **given}
    if "stale" in kind.__struct_fields__:
        given = {"stale": memory.stale, **given}
    return view(kind, memory, id=short_id(memory.id), **given)


# How what ended comes back; what was replaced by ``unforget --replaced``.
BACK: Final = {
    "archived": "unforget",
    "expired": "unforget",
    "forgotten": "unforget",
    "refuted": "confirm",
}


def why_not(memory: Memory, living: str) -> str:
    """Say why nothing is done with a memory: how it ended and how it comes back; while it lives, that it ``living``."""
    name = short_id(memory.id)
    if memory.ended is None:
        return f"{name} {living}"
    back = BACK.get(memory.ended, "unforget --replaced")
    ended = memory.ended if memory.ended in BACK else "replaced"
    by = f" by {short_id(memory.superseded_by)}" if memory.superseded_by else ""
    return f"{name} is {ended}{by}: reverie {back} brings it back"
