"""A memory says something else from now on."""

from daemon.requests.shapes import Reply, Request


class Edited(Reply, frozen=True, kw_only=True):
    """A memory says something else now."""

    id: str
    version: int
    before: str  # what it said until now
    settles_at: float | None  # until then further edits are part of this version (Q07)


class Edit(Request[Edited], frozen=True, kw_only=True):
    """This memory says this from now on; or with ``undo`` what it said before the last change."""

    NAME = "edit"
    id: str
    text: str = ""
    title: str = ""  # made from the text unless given
    undo: bool = False
