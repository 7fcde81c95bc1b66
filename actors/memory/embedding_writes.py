"""Vectors and tokens as they are written.

``actors.memory.unit`` takes them into its union; ``daemon.storage.vectors`` and ``index.tokens`` carry
them out.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a memory's text and its vector (float32, little-endian)."""

    ordinal: int
    vector: bytes
    content_hash: bytes
    tokens: bytes | None = None  # their signs, when they were made


@dataclass(frozen=True, slots=True)
class Vectored:
    """A memory's vectors, made from this version of its text by this model."""

    memory_id: int
    content_hash: bytes
    model: str
    chunks: tuple[Chunk, ...]
    at: float


@dataclass(frozen=True, slots=True)
class ModelChosen:
    """Vectors are of this model from now on; other models' are dropped."""

    model: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class Tokened:
    """The tokens of a memory's pieces, made from this version of its text by this model.

    Outcome: how many pieces have theirs now; 0 when the memory was rewritten or ended meanwhile.
    """

    memory_id: int
    content_hash: bytes
    model: str
    pieces: tuple[tuple[int, bytes], ...]  # ordinal, signs


EmbeddingWrite = Vectored | ModelChosen | Tokened
