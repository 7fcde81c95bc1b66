"""The embedding model as a port, and rows of vectors and tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Role = Literal["query", "document"]


class EmbeddingUnavailable(Exception):
    """Error: there are no vectors now; the text says why. Words go on."""


class EmbeddingOff(EmbeddingUnavailable):
    """Error: there is no model to use, and asking again does not help."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text's vector and its tokens, if wanted (``actors.policy.index.late_interaction``).

    For a query the tokens' directions and words, for a document their signs; empty when not asked
    for.
    """

    vector: bytes
    tokens: bytes = b""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EmbeddingState:
    """State of embedding: whether there are vectors to be had, from which model, and why not."""

    state: Literal["ready", "starting", "off"]
    reason: str
    model: str
    dimensions: int


class Embedding(Protocol):
    """Makes vectors: float32, little-endian, of length 1."""

    @property
    def state(self) -> EmbeddingState: ...

    async def embed(
        self, texts: Sequence[str], *, role: Role, interactive: bool, tokens: bool = False
    ) -> list[Embedded]:
        """One vector a text, and its tokens if they are wanted. Raises ``EmbeddingUnavailable``."""
        ...
