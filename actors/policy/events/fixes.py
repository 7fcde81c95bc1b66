"""What ended a failure: the files it names that were edited, or what it names that was installed.

A command fails with a signature and later works: what came in between ended it only where the
failure itself points there. A failed test names the place of its assertion, which need not be the
place of the mistake: the test's own file ended it only when nothing else was edited. A success
whose exit code a pipe hides is none while its output tells of a failure; and a line of several
commands is over when all of them worked.
"""

from dataclasses import dataclass

from actors.policy.events.commands import families, is_test, shows_passed_tests, tells_its_end
from actors.policy.events.events import Event, EventKind
from actors.policy.events.signatures import (
    is_test_file,
    names_argument,
    names_file,
    of_run,
    signature,
)
from actors.policy.events.trail import Resolved, SessionTrail, all_resolved, has_failed


@dataclass(frozen=True, slots=True)
class Fix:
    """A failure that is over, and what ended it."""

    family: str  # of the command
    signature: str
    paths: tuple[str, ...]  # edited files that the failure names
    repairs: tuple[str, ...]  # commands that installed what it names


def failed_with(event: Event) -> str:
    """Return the signature of the failure that an event tells of; empty when there is none."""
    tool = event.tool
    if tool is None or not tool.command or tool.interrupted or not has_failed(event):
        return ""
    return of_run(tool.error, tool.output)


def fixes(before: SessionTrail, event: Event) -> tuple[Fix, ...]:
    """Return the failures that this event shows to be over, where it is known what ended them."""
    over = all_resolved(before, event) if before.failures else ()
    if not over or not _shows_success(event):
        return ()
    found = map(_fix, over)
    return tuple({one.signature: one for one in found if one is not None}.values())


def _fix(over: Resolved) -> Fix | None:
    failure = over.failure
    if not failure.signature or not families(failure.command) <= families(over.command):
        return None
    paths = tuple(edit.path for edit in over.edits if names_file(failure.names, edit.path))
    if len(paths) < len(over.edits) and all(map(is_test_file, paths)):
        paths = ()
    repairs = tuple(one for one in failure.repairs if names_argument(failure.error, one))
    if not paths and not repairs:
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
