"""Fixes of a failure: edits of files named in it, an install, or another way to a program.

A command fails with a signature and later works: the steps in between ended it only where the failure
itself points there, or where there was one alone: an edit of one file, or one install. A failed test
names the place of its assertion, which need not be the place of the mistake: the test's own file
ended it only when nothing else was edited. A success with its exit code hidden by a pipe is none
while its output tells of a failure; and a line of several commands is over when all of them worked.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from actors.policy.events.commands import (
    families,
    heads,
    is_test,
    program,
    shows_passed_tests,
    tells_its_end,
)
from actors.policy.events.events import Event, EventKind
from actors.policy.events.signatures import (
    is_test_file,
    missing_program,
    names_argument,
    names_file,
    of_run,
    signature,
)
from actors.policy.events.trail import Resolved, SessionTrail, all_resolved, has_failed


@dataclass(frozen=True, slots=True)
class Fix:
    """A failure now over, and its fix."""

    family: str  # of the command
    signature: str
    paths: tuple[str, ...]  # edited files that the failure names
    repairs: tuple[str, ...]  # commands that installed what it names, or run what was not found


def failed_with(event: Event) -> str:
    """Return the signature of an event's failure; empty when there is none."""
    tool = event.tool
    if tool is None or not tool.command or tool.interrupted or not has_failed(event):
        return ""
    return of_run(tool.error, tool.output)


def fixes(before: SessionTrail, event: Event) -> tuple[Fix, ...]:
    """Return the failures shown to be over by this event, as far as their fix is known."""
    if not before.failures:
        return ()
    tried = [*map(_fix, all_resolved(before, event)), *_reached(before, event)]
    found = {one.signature: one for one in tried if one is not None}
    return tuple(found.values()) if found and _shows_success(event) else ()


def _reached(before: SessionTrail, event: Event) -> Iterator[Fix]:
    """Yield a fix for each missing program now run by another path or runner."""
    missing = {one: name for one in before.failures if (name := missing_program(one.error))}
    run = heads(event.tool.command) if missing and event.tool is not None else {}
    for failure, name in missing.items():
        head = run.get(program(name), "")
        if failure.signature and head not in ("", name, heads(failure.command).get(program(name))):
            yield Fix(failure.family, failure.signature, (), (head,))


def _fix(over: Resolved) -> Fix | None:
    failure = over.failure
    if not failure.signature or not families(failure.command) <= families(over.command):
        return None
    paths = tuple(edit.path for edit in over.edits if names_file(failure.names, edit.path))
    if len(paths) < len(over.edits) and all(map(is_test_file, paths)):
        paths = ()
    repairs = tuple(one for one in failure.repairs if names_argument(failure.error, one))
    if not paths and not repairs:
        paths, repairs = tuple(edit.path for edit in over.edits), failure.repairs
        if len(paths) + len(repairs) != 1:
            return None
    return Fix(failure.family, failure.signature, paths, repairs)


def _shows_success(event: Event) -> bool:
    tool = event.tool
    if tool is None or event.kind is not EventKind.TOOL or tool.interrupted:
        return False
    if tool.input.get("run_in_background") is True:
        return False
    if tells_its_end(tool.command):
        return True
    return shows_passed_tests(tool.output) if is_test(tool.command) else not signature(tool.output)
