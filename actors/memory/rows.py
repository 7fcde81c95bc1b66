"""A memory as it is stored, and its vectors: rows, the model as a port, messages to the embedder."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from actors.core.mailbox import Question
from actors.memory.particulars import UNSAID, Particulars
from actors.policy.times.stated_times import Validity


class Memory(Struct, frozen=True):
    """One memory as it is stored."""

    id: int
    key: str | None
    text: str
    title: str
    kind: str
    tier: str
    memory_type: str
    context_type: str
    project: str | None
    created_at: float
    updated_at: float
    content_hash: bytes
    stability: float
    difficulty: float
    importance: float
    confidence: float
    last_review: float | None
    reviews: int
    lapses: int
    last_implicit: float | None  # the cap of one inferred use a day counts from here
    last_use: float | None
    uses: int
    exposures: int
    pinned: bool
    ended: str | None
    superseded_by: int | None
    versions: int
    unjudged: bool
    source: str
    session: str | None
    triggers: tuple[str, ...]  # phrases that a person set
    derived: tuple[str, ...]  # phrases that its text offers
    status: str  # of its claim: hypothesis, noticed, confirmed, refuted
    valid_from: float | None  # seconds UTC, included
    valid_until: float | None  # seconds UTC, not included
    subject: str | None  # the X of "the current X is Y"
    stale: str = ""  # remark while its files or symbols are gone or changed
    freshness: float = 1.0  # factor of its stability, 0.25..1
    commit: str = ""  # the hash of the one that says it, as git told it
    author: str = ""  # the name of who made that
    particulars: Particulars = UNSAID

    @property
    def validity(self) -> Validity:
        """Interval in which it is true."""
        return Validity(self.valid_from, self.valid_until)


class Scope(Struct, frozen=True):
    """Scope of a question: a project's memories and the user's, or everyone's."""

    project: str | None = None
    everywhere: bool = False


class Counts(Struct, frozen=True):
    """The size of the store."""

    memories: int  # living ones
    ended: int
    undone: int  # journaled events not derived yet
    unvectored: int
    chunks: int


class Keyed(NamedTuple):
    """A memory under its caller's own key."""

    id: int
    key: str
    project: str | None
    content_hash: bytes


class Unlooked(Struct, frozen=True):
    """A memory with vectors not yet compared with the others."""

    memory_id: int
    project: str | None
    chunk_id: int  # its first chunk


class MemoriesChanged(Struct, frozen=True):
    """These memories were created, rewritten, ended or revived."""

    memory_ids: tuple[int, ...]


# ---- vectors: the model as a port, and rows


Role = Literal["query", "document"]


class EmbeddingUnavailable(Exception):
    """Error: there are no vectors now; the text says why. Words go on."""


class EmbeddingOff(EmbeddingUnavailable):
    """Error: there is no model to use, and asking again does not help."""


class Embedded(Struct, frozen=True):
    """A text's vector and its tokens, if wanted (``actors.policy.index.sign_bits``).

    For a query the tokens' directions and words, for a document their signs; empty when not asked
    for.
    """

    vector: bytes
    tokens: bytes = b""
    words: tuple[str, ...] = ()


class EmbeddingState(Struct, frozen=True):
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


# ---- messages to the embedder, and its news


class VectorsArrived(Struct, frozen=True):
    """These memories have vectors now."""

    memory_ids: tuple[int, ...]


class Embed(Question[list[Embedded]], frozen=True):
    """Question for the vectors of these texts, and their tokens as far as tokens are made."""

    texts: tuple[str, ...]
    role: Role
    interactive: bool
    tokens: bool = False  # whether they are wanted


EmbedderMessage = Embed | MemoriesChanged
