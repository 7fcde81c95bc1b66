"""A tool's call that is about to be made, and which memories are about what it touches.

A rule or a trap is told before a call only when it is sure to concern it: it names the very file, a
symbol that the edit names too, or the command that is run, and all that is still there.
"""

import re
from dataclasses import dataclass
from typing import Final

from actors.policy.events.commands import segments
from actors.policy.events.events import Tool
from actors.policy.events.trail import EDITORS, SHELLS
from actors.policy.references.naming import relative
from actors.policy.references.references import Reference, State
from actors.policy.references.symbols import parts

LINE: Final = 2 * 1024  # characters of a command line that are read
# What says how something is done, or what goes wrong there; what was built or fixed is history.
_RULES: Final = frozenset({"convention", "preference", "decision", "discovery"})
_CHOICE: Final = "answer"  # rule of an option that was chosen: its names are mostly examples
_TEXTS: Final = ("old_string", "new_string", "content", "patch")
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Call:
    """What a call touches: a file of the project and the words of the edit, or commands."""

    path: str = ""
    words: frozenset[str] = frozenset()
    commands: frozenset[str] = frozenset()  # the first two and the first three words of each

    @property
    def names(self) -> tuple[str, ...]:
        """The file, or the commands."""
        return (self.path,) if self.path else tuple(self.commands)


def call_of(tool: Tool, folder: str) -> Call:
    """Return what an edit or a command in a checkout touches; nothing for another tool."""
    if tool.name in SHELLS:
        words = [segment.split() for segment in segments(tool.command[:LINE])]
        return Call(commands=frozenset(" ".join(one[:n]) for one in words for n in (2, 3)))
    path = relative(tool.path, folder) if tool.name in EDITORS else ""
    if not path:
        return Call()
    said = (one for name in _TEXTS if isinstance(one := tool.input.get(name), str))
    return Call(path, frozenset(word for one in said for word in _WORD.findall(one)))


def bears_on(reference: Reference, call: Call) -> bool:
    """Tell whether a call touches what a reference is to, and that is as it was."""
    if reference.state is not State.HELD:
        return False
    if reference.command or not call.path:
        return reference.command in call.commands
    last = parts(reference.symbol)[-1].rstrip("?!")
    return reference.path == call.path and (not last or last in call.words)


def is_rule(kind: str, status: str, rule: str) -> bool:
    """Tell whether a memory is a rule or a trap that is sure enough to be told before a call."""
    return kind in _RULES and status == "confirmed" and rule != _CHOICE
