"""Whether somebody is there: what long work asks before it begins, and waits for while it goes on.

Somebody is there when an agent's hook reports an event, an editor's text changes, or a person runs
a command (design, section 2). ``daemon.activity`` knows; here is what actors see of it.
"""

from typing import Protocol


class Foreground(Protocol):
    """What people and agents are doing, as background work sees it."""

    def idle_for(self) -> float:
        """Seconds since somebody last did something; infinite when nobody ever did."""
        ...

    @property
    def came(self) -> int:
        """How often somebody did something: work that began at another number was disturbed."""
        ...
