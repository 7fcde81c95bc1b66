"""Patterns compiled at their first use.

The rules have 600 of them; compiling takes a tenth of a second. A process without a text to read,
or not ready yet, needs none. Modules loaded by a hook's path do the same with
``actors.policy.secrets.secret_values.compiled``.
"""

import re
from functools import cached_property
from typing import Any, ClassVar, cast


class Stated:
    """A pattern as its module states it: once compiled, it has all attributes of the compiled one."""

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
        """Attribute of the compiled pattern; from the first use on it is kept in this object."""
        asked = getattr(self.compiled, name)
        setattr(self, name, asked)
        return asked


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of this text, compiled at its first use: for patterns stated in a module."""
    return cast("re.Pattern[str]", Stated(text, flags))


def patterns() -> tuple[Stated, ...]:
    """Every stated pattern, in the order of the modules."""
    return tuple(Stated.ALL)
