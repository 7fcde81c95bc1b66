"""Patterns that are compiled when they are first asked for something.

The rules have 600 of them, which take a tenth of a second to compile. A process that reads no text, or is
not ready yet, needs none. What a hook loads by its path does the same with
``actors.policy.secrets.secret_values.compiled``.
"""

import re
from functools import cached_property
from typing import Any, ClassVar, cast


class Stated:
    """A pattern as its module states it: once compiled, it has all that the compiled one has."""

    ALL: ClassVar[list["Stated"]] = []  # in the order of the modules

    def __init__(self, text: str, flags: int) -> None:
        self.ALL.append(self)
        self.pattern = text
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself. Raises ``re.error`` for a wrong one."""
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:
        """What the compiled pattern has under a name; from the first use on it stands in this object."""
        asked = getattr(self.compiled, name)
        setattr(self, name, asked)
        return asked


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of this text, compiled at its first use: for those that a module states."""
    return cast("re.Pattern[str]", Stated(text, flags))


def patterns() -> tuple[Stated, ...]:
    """Every pattern that was stated, in the order of the modules."""
    return tuple(Stated.ALL)
