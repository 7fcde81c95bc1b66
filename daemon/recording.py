"""Where recording is off, by the marks on the disk (``actors/policy/events/switch.py``).

A few looks at names for each path: microseconds, so the event loop does it.
"""

import os
from collections.abc import Sequence

from actors.policy.events import switch


def off_at(places: Sequence[str]) -> str:
    """Folder whose mark switches recording off at one of these paths; "" when it is on."""
    return switch.off_at(places, os.path.lexists, _real)


def off_here() -> str:
    """Folder whose mark switches recording off where this process works; "" when it is on."""
    try:
        return off_at([os.getcwd()])  # noqa: PTH109 - paths are texts here
    except FileNotFoundError:  # the folder was removed
        return ""


def _real(path: str) -> str:
    return os.path.realpath(os.path.expanduser(path))  # noqa: PTH111 - paths are texts here
