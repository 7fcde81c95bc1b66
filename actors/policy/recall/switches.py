"""Switches as one question has them, so that before and after are compared in one store (K01, K28)."""

from collections.abc import Collection
from dataclasses import fields, replace
from typing import Any, TypeVar

S = TypeVar("S", bound=Any)


def switched(settings: S, *, off: Collection[str] = (), on: Collection[str] = ()) -> S:
    """The same switches with these off and these on; a name that is no switch of them changes nothing.

    ``settings`` is a dataclass of which each field is a switch. A name in both is off.
    """
    names = {one.name for one in fields(settings)}
    changed = dict.fromkeys(names & set(on), True) | dict.fromkeys(names & set(off), False)
    return replace(settings, **changed) if changed else settings
