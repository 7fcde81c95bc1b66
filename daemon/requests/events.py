"""Following what happens, as it happens (O10)."""

from daemon.requests.shapes import Reply, Request


class FollowEnded(Reply, frozen=True, kw_only=True):
    """The daemon stops: nothing more will happen in it."""


class Follow(Request[FollowEnded], frozen=True, kw_only=True):
    """Tell me what happens.

    Each progress frame is ``{"events": [{"number", "at", "type", "data"}], "dropped"}``:
    what happened since the frame before, and how much of it was not kept for one who reads so
    slowly. A frame with a ``Heartbeat`` comes when nothing else did for a minute.
    """

    NAME = "follow"
    recent: bool = False  # begin with what is still kept, not with what comes
    titles: bool = False  # with the titles of the memories, for a person
