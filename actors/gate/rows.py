"""Rows that the gate reads beside the memories."""

from typing import NamedTuple


class Keyed(NamedTuple):
    """A memory under its caller's own key."""

    id: int
    key: str
    project: str | None
    content_hash: bytes
