"""Outcomes: what a person made of an agent's edit that says what a memory says.

An edit *carries* a memory when the lines that it adds cite it. When a person saves the file later,
the edit was kept if all of these lines are still there, and undone if none of them is and those that
it replaced are all back; anything else says nothing. Lines are compared without the space around
them, so that a formatter changes nothing, and a short one (``}``, ``else:``) stands anywhere and
does not count. Every doubt is decided against an outcome.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from actors.policy.decay.reinforcement import Use
from actors.policy.events.command_lines import program_of
from actors.policy.events.commands import segments
from actors.policy.events.events import Tool, listing, mapping
from actors.policy.events.shell_edits import below, shell_edits

SHORT: Final = 8  # characters of a line that does not count
HELD: Final = 32  # edits of one session that are looked out for, the newest
# Orders by which git, or its like, puts other texts into files.
_MOVERS: Final = frozenset({"git", "hg", "jj", "svn"})
_MOVES: Final = frozenset(
    "abandon am apply backout checkout cherry-pick clean merge pull rebase reset restore revert"
    " stash switch undo update".split()
)


@dataclass(frozen=True, slots=True)
class Edit:
    """An agent's edit of a file, by its lines, and the memories that it carries."""

    path: str
    at: float  # seconds UTC
    before: frozenset[str]  # lines that it was made in, replaced ones among them
    added: frozenset[str]  # lines that were not among those
    memories: frozenset[int] = frozenset()


def edit_of(tool: Tool, folder: str, at: float) -> Edit | None:
    """The edit that a tool made; None when it adds no line, or does not tell what was there before.

    A file that is written as a whole, and a patch, do not tell that.
    """
    several = [mapping(one) for one in listing(tool.input.get("edits"))] or [tool.input]
    before = _lines(_texts(one.get("old_string") for one in several))
    added = _lines(_texts(one.get("new_string") for one in several)) - before
    if not tool.path or not before or not added:
        return None
    return Edit(below(folder, tool.path), at, before, added)


def became(edit: Edit, text: str) -> Use | None:
    """Outcome of an edit by this text of its file: ``KEPT``, ``UNDONE`` or neither."""
    lines = _lines([text])
    if edit.added <= lines:
        return Use.KEPT
    if edit.before <= lines and edit.added.isdisjoint(lines):
        return Use.UNDONE
    return None


def unsettled(edits: Iterable[Edit], tool: Tool, folder: str) -> tuple[Edit, ...]:
    """The edits that are still as a tool's call left them: what an agent takes back nobody undoes."""
    if any(map(_moves_files, segments(tool.command))):
        return ()
    written = {one.path for one in shell_edits(tool.command, tool.output, folder)}
    own = edit_of(tool, folder, 0.0)
    return tuple(
        edit
        for edit in edits
        if edit.path not in written
        and not (own and own.path == edit.path and own.before & edit.added)
    )


def _moves_files(segment: str) -> bool:
    words = segment.split()
    return bool(words) and program_of(words[0]) in _MOVERS and not _MOVES.isdisjoint(words)


def _texts(values: Iterable[object]) -> list[str]:
    return [value for value in values if isinstance(value, str)]


def _lines(texts: Iterable[str]) -> frozenset[str]:
    bare = (line.strip() for text in texts for line in text.splitlines())
    return frozenset(line for line in bare if len(line) > SHORT)
