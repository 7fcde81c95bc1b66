"""Links between memories: causal links, associations."""

from typing import Literal

import msgspec

Direction = Literal["incoming", "outgoing", "both"]


class LinkView(msgspec.Struct, frozen=True, kw_only=True):
    """A causal link: ``source relation target``."""

    id: str  # m1:supersedes:m2, which ``reverie unlink`` takes
    source: str
    relation: str  # caused, enabled, supersedes, contradicts, derived_from or supports
    target: str
    strength: float  # 0..1
    evidence: str


class LinkMet(msgspec.Struct, frozen=True, kw_only=True):
    """A link met in a walk, and its far end."""

    link: LinkView
    memory: str  # the end that it led to
    title: str
    ended: str | None  # how that memory ended
    hops: int
    weight: float  # of the whole path: strengths and what each relation lets pass
    path: list[str]


class LineageView(msgspec.Struct, frozen=True, kw_only=True):
    """Reasons of a memory: the links around it, by relation, nearest first."""

    groups: dict[str, list[LinkMet]]  # every relation
    hint: str  # what to look at when the links contradict each other; else empty
    cut: bool  # there is more beyond the depth
    depth: int
    direction: str


class Related(msgspec.Struct, frozen=True, kw_only=True):
    """A memory related to another one."""

    id: str
    title: str
    how: str  # similar, or one of the six relations
    incoming: bool  # it is the source of the link
    strength: float  # cosine, or how sure the link is
    link: str | None  # the id of a causal link
    ended: str | None


class AssociationView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory brought to mind by another one."""

    id: str
    title: str
    kind: str
    score: float  # activation, 0..1
    hops: int
    path: list[str]
