"""A right request of each kind that the daemon answers, from the types of its fields."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from msgspec import inspect

from daemon.dispatch import REQUESTS

# What ends the daemon, waits for what may never come, or takes minutes.
UNASKED: Final = frozenset(
    {"stop", "watch", "follow", "await-embedded", "dream", "consolidate", "backup-now", "backfill"}
)
KINDS: Final = tuple(sorted(REQUESTS.keys() - UNASKED))


def request(chance: Random) -> tuple[str, Any]:
    """A kind and a body for it; fields with a default are there half the time."""
    kind = chance.choice(KINDS)
    return kind, _value(inspect.type_info(REQUESTS[kind]), chance)


def _value(of: inspect.Type, chance: Random) -> Any:
    match of:
        case inspect.StructType(fields=fields):
            return {
                field.encode_name: _value(field.type, chance)
                for field in fields
                if field.required or chance.random() < 0.5
            }
        case inspect.UnionType(types=types):
            return _value(chance.choice(types), chance)
        case inspect.LiteralType(values=values):
            return chance.choice(values)
        case inspect.ListType(item_type=item):
            return [_value(item, chance) for _ in range(chance.randrange(4))]
        case inspect.DictType(value_type=item):
            return {"a": _value(item, chance)}
        case inspect.BoolType():
            return chance.random() < 0.5
        case inspect.IntType():
            return chance.choice((0, 1, 5, 100, -1, 2**40))
        case inspect.FloatType():
            return chance.choice((0.0, 1.5, 1.79e9, -1e300))
        case inspect.BytesType():
            return chance.randbytes(16)
        case inspect.StrType():
            return chance.choice(("m1", "the port", "", "2026-01-01", "/a.py", "s", "x" * 900))
        case _:
            return None
