"""Secrets that stand in the store although today's rules would take them out."""

import msgspec

from daemon.requests.shapes import Reply, Request


class SecretsAt(msgspec.Struct, frozen=True, kw_only=True):
    """Number of secrets at a place; never what they are."""

    place: str  # table.column
    secrets: int


class SecretsFound(Reply, frozen=True, kw_only=True):
    """Places where secrets stand, or stood."""

    places: list[SecretsAt]
    rows: int  # looked at
    forgotten: int = 0  # memories that were nothing but a secret


class Secrets(Request[SecretsFound], frozen=True, kw_only=True):
    """Look through every table with today's rules; with ``take_out`` nothing is left of what is found.

    Progress frames ``{"done": rows, "rows": rows}``. What was taken out cannot be brought back.
    """

    NAME = "secrets"
    take_out: bool = False
