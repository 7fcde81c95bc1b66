"""Proposals: what dreaming would like to do and may not do by itself.

Whatever merges, moves or puts away is only proposed; a plan that a person can read, apply and
undo is made of it elsewhere.
"""

from dataclasses import dataclass
from typing import Literal

Act = Literal["transfer", "compress", "lift", "outdated"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing to do with these memories, and why; nothing of it is done."""

    act: Act
    memory_ids: tuple[int, ...]
    reason: str
    text: str = ""  # of a summary, in sentences of the memories themselves
    share: float = 0.0  # 0..1: how much speaks for it
