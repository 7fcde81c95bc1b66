"""What is kept of the tokens of memories, for late interaction, as writes and reads.

``actors.writes`` takes the writes into its union; ``daemon.storage.tokens`` carries them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from actors.policy.index.late_interaction import Asked


@dataclass(frozen=True, slots=True)
class Tokened:
    """The tokens of a memory's pieces, made from this version of its text by this model.

    Outcome: how many pieces have theirs now; 0 when the memory was rewritten or ended meanwhile.
    """

    memory_id: int
    content_hash: bytes
    model: str
    pieces: tuple[tuple[int, bytes], ...]  # ordinal, signs


@dataclass(frozen=True, slots=True)
class TokensDropped:
    """No tokens are kept any more. Outcome: how many pieces had some."""


@dataclass(frozen=True, slots=True)
class TokenTotals:
    """How much is kept of tokens."""

    chunks: int  # that have theirs
    missing: int  # memories with vectors and a piece without tokens
    bytes: int


class TokenReader(Protocol):
    """Reads of tokens; every call keeps the caller's deadline."""

    async def untokened(self, after: int, limit: int) -> list[int]:
        """Memories with an id below ``after`` that have a piece without tokens, newest first."""
        ...

    async def met(
        self, asked: Asked, rarity: dict[str, float], vector: bytes, ids: Sequence[int]
    ) -> dict[int, float]:
        """How well each of these that has tokens meets the query, 0..1."""
        ...

    async def token_totals(self) -> TokenTotals: ...
