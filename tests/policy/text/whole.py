"""A computation in pieces, run at one go."""

from __future__ import annotations

from typing import TypeVar

from actors.policy.night.replay import Pieces

Value = TypeVar("Value")


def whole(pieces: Pieces[Value]) -> Value:
    """The value of a computation, run to its end."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            value: Value = end.value
            return value
