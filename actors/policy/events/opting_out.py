"""Opting out: how a person switches reverie's notes off and on for one session.

A prompt that is nothing but ``/memory off`` or ``/memory on`` says so; ``.nomemory`` alone on a
line of any prompt switches off as well. A client that takes a leading slash for a command of its
own never sends the first two, so a leading dot does the same.
"""

import re
from typing import Final

_SWITCH: Final = re.compile(r"\A\s*+[/.]memory[ \t]+(?P<to>on|off)\s*", re.IGNORECASE)
_NO_MEMORY: Final = re.compile(r"^[ \t]*\.nomemory[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)


def switched_silent(prompt: str) -> bool | None:
    """Whether a prompt switches the session's notes off (True) or on (False); else None."""
    switch = _SWITCH.fullmatch(prompt)
    if switch is not None:
        return switch["to"].casefold() == "off"
    return True if _NO_MEMORY.search(prompt) else None
