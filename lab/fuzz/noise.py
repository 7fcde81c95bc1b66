"""Inputs that are nearly right: a sample, changed in its values or in its bytes."""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

DEPTH: Final = 900  # of a list in a list; json takes a thousand
NASTY: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 2**63, -(2**64), 1e308, "", " ", "\x00", "\ud800", "\u202e\u2066", "é" * 9000,
    "a" * 70_000, "-" * 5000 + "BEGIN PRIVATE KEY", "token=" + "x" * 3000, "../../etc/passwd", "{}",
    [], {}, [[]], {"": {"": {}}}, [None] * 3000, json.loads("[" * DEPTH + "]" * DEPTH), {"a": 1, "\ud800": 2},
)  # fmt: skip
TOKENS: Final = (
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\x1b[2J", b'"', b"\\u0000", b"\\ud800", b"{" * 300,
    b"[" * 300, b"NaN", b"1e999", b"\n", b"\r\n\r\n", b"Content-Length: 9", b"\xdf\xff\xff\xff\xff",
    b"\xdd\xff\xff\xff\xff", b"\xc1", b"\xc6\x7f\xff\xff\xff", b"\xd4\xff\x00", b"9" * 5000,
)  # fmt: skip


def bent(value: Any, chance: Random) -> Any:
    """The value with about one of its parts replaced, dropped, doubled or renamed."""
    if chance.random() < 0.2 or not isinstance(value, (dict, list)) or not value:
        return chance.choice(NASTY)
    if isinstance(value, list):
        items: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
        at = chance.randrange(len(items))
        items[at : at + 1] = chance.choice(([], [bent(items[at], chance)], [items[at]] * 2))
        return items
    fields: dict[Any, Any] = dict(value)  # pyright: ignore[reportUnknownArgumentType]
    key = chance.choice(list(fields))
    match chance.randrange(5):
        case 0:
            del fields[key]
        case 1:
            fields[chance.choice(("", "x" * 500, "session_id", "text"))] = fields.pop(key)
        case _:
            fields[key] = bent(fields[key], chance)
    return fields


def torn(data: bytes, chance: Random) -> bytes:
    """The bytes with one to four places cut, doubled, flipped or overwritten."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((0, 1, 1, 4, 64)))
        put = chance.choice((b"", data[at:end] * 2, chance.randbytes(end - at), *TOKENS))
        data = data[:at] + put + data[end:]
    return data


def as_json(value: Any) -> bytes:
    """The value as JSON, with whatever stands in it."""
    return json.dumps(value).encode()


def noisy(samples: tuple[Any, ...], chance: Random) -> bytes:
    """One of the samples as JSON, wrong in its values, its bytes, or both."""
    value = chance.choice(samples)
    kind = chance.randrange(4)
    data = as_json(bent(value, chance) if kind else value)
    return torn(data, chance) if kind in (0, 3) else data
