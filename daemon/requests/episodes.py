"""Important moments, what they captured and may still capture; what may explain a failure."""

import msgspec

from daemon.api.about import EndedView
from daemon.requests.shapes import Reply, Request


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that an important moment captured."""

    said: str  # what was asked in it; empty when the archive has it no more
    session: str
    at: float  # when it ended
    score: float
    hours: float  # from the turn to the moment; negative: it ended after the moment
    memories: list[str]  # that were made in it


class Episode(msgspec.Struct, frozen=True, kw_only=True):
    """An important moment and the turns that it captured."""

    id: str
    kind: str  # user_flag, decision, correction, test_fixed, resolution, revert
    reason: str  # one line; empty once erased
    strength: float
    at: float
    session: str | None
    project: str | None
    span: float  # hours from the first member to the last
    members: list[Member]  # by score


class EpisodesPage(Reply, frozen=True, kw_only=True):
    """Episodes, newest first."""

    episodes: list[Episode]
    total: int
    capturing: bool = True  # whether moments capture anything now


class ListEpisodes(Request[EpisodesPage], frozen=True, kw_only=True):
    """Request for the moments that captured turns."""

    NAME = "episodes"
    project: str | None = None
    everywhere: bool = False
    limit: int = 20


class EpisodeShown(Reply, frozen=True, kw_only=True):
    """One episode."""

    episode: Episode


class ShowEpisode(Request[EpisodeShown], frozen=True, kw_only=True):
    """Request for what a moment captured."""

    NAME = "episode"
    id: str


class Tagged(msgspec.Struct, frozen=True, kw_only=True):
    """A turn, and how strong its tag is now."""

    said: str  # what was asked in it; empty when the archive has it no more
    session: str
    at: float  # seconds since the epoch, UTC
    strength: float  # 0..1, now
    episode: str | None  # which captured it
    project: str | None


class TagsPage(Reply, frozen=True, kw_only=True):
    """Tags, the newest first."""

    tags: list[Tagged]
    active: int  # that may still be captured
    captured: int


class ListTags(Request[TagsPage], frozen=True, kw_only=True):
    """Request for the turns that may still be captured, and those that were, of a tag's lifetime."""

    NAME = "tags"
    project: str | None = None
    everywhere: bool = False
    limit: int = 100


class PossibleCause(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that may explain a failure."""

    id: str
    title: str
    created_at: float
    shared: list[str]  # names that both say
    stability: float  # days
    proposed: float  # days


class LookedBack(Reply, frozen=True, kw_only=True):
    """Memories that may explain the failure, the likeliest first."""

    causes: list[PossibleCause]
    names: list[str]  # that were looked for
    applied: bool
    ended: EndedView | None = None  # what ended such a failure the last time


class LookBack(Request[LookedBack], frozen=True, kw_only=True):
    """Request for what may explain a failure, weeks ago. It is strengthened when asked to."""

    NAME = "backfill"
    id: str | None = None  # a memory that tells of the failure
    failure: str | None = None  # or a text that does
    project: str | None = None
    everywhere: bool = False
    apply: bool = False
