"""Rows read beside the links themselves."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unlooked:
    """A memory with vectors not yet compared with the others."""

    memory_id: int
    project: str | None
    chunk_id: int  # its first chunk


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A memory with a name for references: its key or its title."""

    memory_id: int
    name: str
    is_key: bool
    project: str | None


@dataclass(frozen=True, slots=True)
class GraphTotals:
    """Totals of the stored graph."""

    memories: int  # living ones
    relations: dict[str, int]  # causal edges of each relation
    nodes: int  # memories with a causal edge, ended ones included
    living_nodes: int
    associations: int  # pairs
    associated: int  # living memories with an association
    waiting: int  # declared references that nothing answers to
