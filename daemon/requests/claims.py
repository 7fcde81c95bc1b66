"""What is only supposed: confirmed or refuted by a person."""

from daemon.requests.shapes import Done, Request


class Confirm(Request[Done], frozen=True, kw_only=True):
    """These are so; refuted ones are back."""

    NAME = "confirm"
    ids: list[str]


class Refute(Request[Done], frozen=True, kw_only=True):
    """These are not so: out of recall, until somebody confirms them."""

    NAME = "refute"
    ids: list[str]
    because: str = ""
