"""Memories leave recall, and come back."""

from daemon.requests.shapes import Done, Request


class Forget(Request[Done], frozen=True, kw_only=True):
    """Take these out of recall; with ``erase``, out of every file, for good."""

    NAME = "forget"
    ids: list[str]
    erase: bool = False


class Unforget(Request[Done], frozen=True, kw_only=True):
    """Bring these back."""

    NAME = "unforget"
    ids: list[str]
