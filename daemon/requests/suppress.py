"""A memory is brought back less."""

from __future__ import annotations

from daemon.requests.shapes import Done, Request


class Suppress(Request[Done], frozen=True, kw_only=True):
    """Bring this memory back less, or take that back (Q12); the count is how often it is so."""

    NAME = "suppress"
    id: str
    back: bool = False
