"""Files changed together: the files of one commit, and of a turn until it is committed.

Follows a session: files edited and not committed yet, and the arguments of ``git add``. A commit of
many files is a sweep (a format, a rename) and says nothing about files changing together: with more
than thirty it is left out, as Zimmermann et al. do ("Mining version histories", 2004).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from actors.policy.events.command_lines import pipelines, plain, program_of, unwrapped
from actors.policy.events.events import Event, EventKind
from actors.policy.events.shell_edits import below
from actors.policy.patterns import pattern

PENDING: Final = 64  # edited files, and names given to `git add`, that wait for a commit
TOGETHER: Final = 30  # files of one commit

_REPORTED: Final = pattern(r"^\[[^\]\n]{0,200} ([0-9a-f]{7,40})\] ", re.MULTILINE)
_LOGGED: Final = pattern(r"^([0-9a-f]{7,40}) (\S.{3,200})$", re.MULTILINE)
_COUNTED: Final = pattern(r"(?:^|\s)(\d{1,6}) files? changed\b")
_ALL_TRACKED: Final = pattern(r"-[a-zA-Z]*a|--all\Z")
_FILE: Final = pattern(r"\.\w{1,12}\Z")


@dataclass(frozen=True, slots=True)
class Group:
    """Files changed together, by their absolute paths."""

    paths: tuple[str, ...]
    committed: bool = False
    commit: str = ""  # its hash, as far as git said it


@dataclass(frozen=True, slots=True)
class Changing:
    """Changes of a session not yet committed."""

    edited: tuple[str, ...] = ()  # since the last commit, the latest last
    turn: tuple[str, ...] = ()  # of this turn
    added: tuple[str, ...] = ()  # by `git add`; "" is everything
    group: Group | None = None  # of the last event


NOTHING: Final = Changing()


def followed(before: Changing, event: Event, edited: tuple[str, ...]) -> Changing:
    """Return the state after an event with edits of these files."""
    now = before if before.group is None else replace(before, group=None)
    paths = tuple(path for path in edited if path.startswith("/"))
    if paths:
        now = replace(now, edited=_latest(now.edited, paths), turn=_latest(now.turn, paths))
    if event.kind is EventKind.SESSION_END:
        return Changing(group=_group(now.turn))
    if event.kind is EventKind.TURN_END and now.turn:
        return replace(now, turn=(), group=_group(now.turn))
    line = event.tool.command if event.tool is not None else ""
    if event.kind is EventKind.TOOL and "git" in line and (" add" in line or "commit" in line):
        return _after_git(now, line, event)
    return now


def commit_of(event: Event) -> str:
    """Return the hash of the commit made in an event; empty when git did not say it."""
    return _hash(event.tool.command, event.tool.output) if event.tool is not None else ""


def _after_git(now: Changing, line: str, event: Event) -> Changing:
    """Return the state after a line with a possible ``git add`` or commit."""
    committed = False
    for order, folder, arguments in _orders(line, event.cwd):
        if order == "commit":
            committed = True
            if any(map(_ALL_TRACKED.match, arguments)):
                now = replace(now, added=("",))
        else:
            now = replace(now, added=_latest(now.added, _named(arguments, folder)))
    if not committed:
        return now
    said = event.tool.output if event.tool is not None else ""
    paths = _of_commit(now, said)
    left = tuple(path for path in now.edited if path not in paths)
    turn = tuple(path for path in now.turn if path not in paths)
    return Changing(left, turn, (), _group(paths, committed=True, commit=_hash(line, said)))


def _named(arguments: list[str], folder: str) -> tuple[str, ...]:
    """List the arguments of a ``git add``, as absolute paths; "" is everything."""
    names = [one for one in arguments if not one.startswith("-")]
    if not names or ":/" in names:
        return ("",)
    return tuple(below(folder, "." if one == "*" else one) for one in names)


def _of_commit(now: Changing, output: str) -> tuple[str, ...]:
    """List the edited files among the added ones, and the files added by name.

    When git counts fewer, some were committed elsewhere: the ones of this turn are meant.
    """
    folders = tuple(f"{one.rstrip('/')}/" for one in now.added)
    whole = not now.added or "" in now.added
    edited = [one for one in now.edited if whole or one in now.added or one.startswith(folders)]
    paths = tuple(dict.fromkeys((*edited, *filter(_FILE.search, now.added))))
    counted = _COUNTED.search(output)
    if counted and len(paths) > int(counted[1]):
        return tuple(one for one in paths if one in now.turn)
    return paths


def _group(paths: tuple[str, ...], *, committed: bool = False, commit: str = "") -> Group | None:
    return Group(paths, committed, commit) if 0 < len(paths) <= TOGETHER else None


def _orders(line: str, folder: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each ``git add`` and ``git commit`` of a line: the order, where it runs, its arguments."""
    for pipeline in pipelines(line):
        for command in pipeline:
            words = [plain(word) for word in unwrapped(command.words)]
            program = program_of(words[0]) if words else ""
            if program == "cd" and len(words) > 1:
                folder = below(folder, words[1])
            elif program == "git" and words[1:2] in (["add"], ["commit"]):
                yield words[1], folder, words[2:]


def _hash(line: str, output: str) -> str:
    """Return the commit's hash: as git reports it, or before the same subject in a log."""
    reported = _REPORTED.search(output)
    if reported:
        return reported[1]
    return next((one for one, subject in _LOGGED.findall(output) if subject in line), "")


def _latest(before: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """Each once, the latest last, at most as many as wait for a commit."""
    if not new:
        return before
    return (*(one for one in before if one not in new), *dict.fromkeys(new))[-PENDING:]
