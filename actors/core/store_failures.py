"""Failures of the store, as actors see them."""


class Unwritable(Exception):
    """The store cannot be written: full disk, read-only, or broken. The text says which."""


class Conflicting(Exception):
    """Error: a write no longer fits the store; look again and decide anew."""


class Unreadable(Exception):
    """The store cannot be read."""
