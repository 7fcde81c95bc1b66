"""Links as rows: what is read beside them, associations and causal edges as they are written."""

from msgspec import Struct

from actors.policy.graph import causal
from actors.policy.graph.causal import Edge


class Unlooked(Struct, frozen=True):
    """A memory with vectors not yet compared with the others."""

    memory_id: int
    project: str | None
    chunk_id: int  # its first chunk


class NamedRow(Struct, frozen=True):
    """A memory with a name for references: its key or its title."""

    memory_id: int
    name: str
    is_key: bool
    project: str | None


# ---- associations and causal edges as they are written; an edge is read as it was written


class Associated(Struct, frozen=True):
    """A memory was compared with the others: these and no others are like it.

    Outcome: 1, or 0 when its vectors are others by now.
    """

    memory_id: int
    chunk_id: int  # its first chunk: by which vectors it was compared
    reach: int  # how many others were sought
    alike: tuple[tuple[int, float], ...]  # memory id, cosine 0..1
    at: float


class Connected(Struct, frozen=True):
    """An edge of the causal graph; told again, its strength and evidence are the new ones.

    Outcome: 1 when it is new, else 0.
    """

    source_id: int
    target_id: int
    relation: str
    strength: float  # 0..1
    evidence: str
    at: float

    def to_edge(self) -> Edge:
        """The edge as the policy sees it. Raises ``InvalidLink`` when it can be none."""
        return causal.edge(
            self.source_id, self.target_id, self.relation, self.strength, self.evidence
        )


class Disconnected(Struct, frozen=True):
    """An edge of the causal graph is no more. Outcome: 1, or 0 when there was none."""

    source_id: int
    target_id: int
    relation: str


class DeclaredLink(Struct, frozen=True):
    """A link declared in a memory's text, and the memory its reference names."""

    relation: str
    incoming: bool  # the reference is the source of the edge
    reference: str
    other_id: int | None  # None: nothing answers to it yet


class Declared(Struct, frozen=True):
    """These links and no others are declared by a memory's text.

    Outcome: how many edges came and went.
    """

    memory_id: int
    content_hash: bytes
    links: tuple[DeclaredLink, ...]
    at: float


LinkWrite = Associated | Connected | Disconnected | Declared
