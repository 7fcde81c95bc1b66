"""Rows that the gate reads beside the memories."""

from dataclasses import dataclass
from typing import NamedTuple

from actors.policy.gate.calibration import Quantiles


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """What was measured of an embedding model on the store's own memories (C14)."""

    model: str
    at: float
    memories: int  # that lived then
    quantiles: Quantiles


class Keyed(NamedTuple):
    """A memory under its caller's own key."""

    id: int
    key: str
    project: str | None
    content_hash: bytes
