"""Surroundings of a session: files touched in its events, the branch of its repository."""

import re
from typing import Final

from actors.policy.events.events import Event, EventKind
from actors.policy.patterns import pattern

MOST: Final = 20  # files of one event

_PATCHED: Final = pattern(r"^\*\*\* (?:Add|Update|Delete) File: (\S.*)$", re.MULTILINE)
_NAMED: Final = pattern(
    r"(?<![\w:/.@-])(?:~|\.{1,2})?(?:/?[\w@.-]+/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,5}(?![\w/])"
)
_HEAD: Final = pattern(r"^ref: refs/heads/(\S+)$")


def files_touched(event: Event) -> tuple[str, ...]:
    """Paths of the files opened or edited by a tool, or named in a prompt."""
    if event.kind is EventKind.PROMPT:
        return files_named(event.prompt)
    tool = event.tool
    if tool is None or event.kind is not EventKind.TOOL:
        return ()
    patch = tool.input.get("patch") or tool.input.get("input")
    patched = _PATCHED.findall(patch) if isinstance(patch, str) else []
    return tuple(path for path in (tool.path, *patched) if path)[:MOST]


def files_named(text: str) -> tuple[str, ...]:
    """Strings with the look of a file's path in a person's text."""
    return tuple(dict.fromkeys(_NAMED.findall(text)))[:MOST]


def branch_of_head(line: str) -> str:
    """The branch of a repository by its file ``HEAD``; "" for a detached one."""
    found = _HEAD.match(line.strip())
    return found[1] if found else ""
