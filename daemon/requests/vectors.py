"""Waiting for vectors."""

from typing import Literal

from daemon.requests.shapes import Reply, Request


class Embedded(Reply, frozen=True, kw_only=True):
    """How far the vectors are."""

    pending: int
    state: Literal["ready", "building", "off"]
    detail: str


class AwaitEmbedded(Request[Embedded], frozen=True, kw_only=True):
    """Answer when every living memory has its vectors, or when that cannot be.

    Progress frames ``{"pending": n}`` come meanwhile.
    """

    NAME = "await-embedded"
