"""Surroundings of a session, as its events tell them: files it touched, the branch it is on."""

import re
from itertools import pairwise
from typing import Final

from actors.policy.events.commands import segments
from actors.policy.events.events import Event, EventKind
from actors.policy.events.trail import SHELLS, has_failed

MOST: Final = 20  # files of one event

_PATCHED: Final = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (\S.*)$", re.MULTILINE)
_NAMED: Final = re.compile(
    r"(?<![\w:/.@-])(?:~|\.{1,2})?(?:/?[\w@.-]+/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,5}(?![\w/])"
)
_MOVE: Final = re.compile(r"^git(?: --?(?!C\b)[\w-]+(?:=\S+)?)* (checkout|switch)\b(.*)$")
_NEW: Final = frozenset({"-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"})
_SAID: Final = re.compile(
    r"^(?:Switched to(?: a new| and reset)? branch|Already on|Reset branch) '([^'\n]+)'$"
    r"|^On branch (\S+)$|^\[(\S+) (?:\(root-commit\) )?[0-9a-f]{7,40}\] ",
    re.MULTILINE,
)
_DETACHED: Final = re.compile(
    r"^(?:HEAD is now at |Note: switching to |HEAD detached )", re.MULTILINE
)
_HEAD: Final = re.compile(r"^ref: refs/heads/(\S+)$")


def files_touched(event: Event) -> tuple[str, ...]:
    """Paths of the files that a tool opened or edited, or that a prompt names."""
    if event.kind is EventKind.PROMPT:
        return files_named(event.prompt)
    tool = event.tool
    if tool is None or event.kind is not EventKind.TOOL:
        return ()
    patch = tool.input.get("patch") or tool.input.get("input")
    patched = _PATCHED.findall(patch) if isinstance(patch, str) else []
    return tuple(path for path in (tool.path, *patched) if path)[:MOST]


def files_named(text: str) -> tuple[str, ...]:
    """Strings that look like a file's path in a text that a person wrote."""
    return tuple(dict.fromkeys(_NAMED.findall(text)))[:MOST]


def branch_told(event: Event) -> str | None:
    """The branch that is checked out after a git command; "" for none, ``None`` for no news.

    What git printed counts for more than the order: ``git checkout NAME`` may name a file.
    """
    tool = event.tool
    if tool is None or tool.name not in SHELLS or has_failed(event):
        return None
    orders = [segment for segment in segments(tool.command) if segment.startswith("git ")]
    if not orders or any(order.startswith("git -C ") for order in orders):
        return None
    said: list[str] = [found[found.lastindex or 0] for found in _SAID.finditer(tool.output)]
    if said:
        return said[-1]
    if _DETACHED.search(tool.output):
        return ""
    return next(filter(None, map(_ordered, reversed(orders))), None)


def branch_of_head(line: str) -> str:
    """The branch of a repository by its file ``HEAD``; "" for a detached one."""
    found = _HEAD.match(line.strip())
    return found[1] if found else ""


def _ordered(order: str) -> str | None:
    found = _MOVE.match(order)
    if found is None:
        return None
    words: list[str] = found[2].split()
    for flag, name in pairwise(words):
        if flag in _NEW:
            return name
    plain = [word for word in words if not word.startswith("-")]
    return plain[0] if found[1] == "switch" and len(plain) == 1 and "-" not in words else None
