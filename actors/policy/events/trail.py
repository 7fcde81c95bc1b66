"""The trail of a session: failures, and edits since.

A test turned green, or a command working at last, means something only against the events before.
The trail is a small value; ``followed`` makes the next one of an event. It is bounded and may be
lost: losing it costs a memory, never a wrong one.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.events import commands, edits
from actors.policy.events.commands import (
    covers,
    error_line,
    families,
    family,
    heads,
    is_repair,
    is_test,
    is_test_file,
    missing_program,
    names_argument,
    names_file,
    of_run,
    program,
    shows_failed_tests,
    shows_passed_tests,
    signature,
    telling,
    tells_its_end,
)
from actors.policy.events.edits import NOTHING, Changing, shell_edits
from actors.policy.events.events import Event, EventKind, Tool

FAILURES: Final = 12  # open failures kept
EDITS: Final = 64  # files kept

SHELLS: Final = frozenset({"Bash", "shell", "local_shell", "run_in_terminal", "run_shell_command"})
EDITORS: Final = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch"})


class Edit(Struct, frozen=True):
    """Edit of one file."""

    path: str
    at: int  # number of the event


class Failure(Struct, frozen=True):
    """A failed command, not yet working again."""

    family: str
    command: str
    error: str  # one line
    at: int  # number of the event
    repairs: tuple[str, ...] = ()  # commands since that change the environment
    signature: str = ""  # the same in another run of the failure
    names: frozenset[str] = frozenset()  # the files that its output names


class SessionTrail(Struct, frozen=True):
    """Trail of a session so far, as far as rules need it."""

    events: int = 0
    failures: tuple[Failure, ...] = ()
    edits: tuple[Edit, ...] = ()
    changing: Changing = NOTHING


class Resolved(Struct, frozen=True):
    """A failure shown to be over by an event."""

    failure: Failure
    command: str  # the one that worked
    edits: tuple[Edit, ...]  # made since the failure


def followed(trail: SessionTrail, event: Event) -> SessionTrail:
    """The trail after an event."""
    after = _followed(trail, event)
    edited = tuple(edit.path for edit in after.edits if edit.at == after.events)
    changing = edits.followed(trail.changing, event, edited)
    return after if changing is after.changing else replace(after, changing=changing)


def _followed(trail: SessionTrail, event: Event) -> SessionTrail:
    trail = replace(trail, events=trail.events + 1)
    if event.kind is EventKind.SESSION_END:
        return SessionTrail()
    if event.tool is None:
        return trail
    if event.tool.name in SHELLS:
        failed = has_failed(event)
        # A red test run says nothing against the edit before it in the same line.
        if not failed or is_test(event.tool.command):
            trail = _after_shell_edits(trail, event.tool, event.cwd)
        return _after_command(trail, event.tool, failed=failed)
    if event.tool.name in EDITORS and event.kind is EventKind.TOOL:
        return _with_edit(trail, event.tool.path) if event.tool.path else trail
    return trail


def resolved(trail: SessionTrail, event: Event) -> Resolved | None:
    """The open failure shown to be over by this event, if any; ``trail``: before it."""
    over = all_resolved(trail, event)
    return over[-1] if over else None


def all_resolved(trail: SessionTrail, event: Event) -> tuple[Resolved, ...]:
    """Every open failure shown to be over by this event; ``trail``: before it."""
    tool = event.tool
    if tool is None or tool.name not in SHELLS or has_failed(event):
        return ()
    over = _over(trail.failures, tool.command)
    if not over:
        return ()
    now = replace(trail, events=trail.events + 1)
    worked = telling(tool.command).partition(" ")[0]
    edited = _after_shell_edits(now, tool, event.cwd, before=worked).edits
    return tuple(
        Resolved(failure, tool.command, tuple(edit for edit in edited if edit.at > failure.at))
        for failure in over
    )


def has_failed(event: Event) -> bool:
    """Return whether an event is a failed command: by its code, or by its count of failures."""
    if event.kind is EventKind.TOOL_ERROR:
        return True
    tool = event.tool
    return tool is not None and is_test(tool.command) and shows_failed_tests(tool.output)


def _over(failures: tuple[Failure, ...], command: str) -> tuple[Failure, ...]:
    kin = family(command)
    return tuple(
        failure
        for failure in failures
        if kin
        and failure.family == kin
        and (not is_test(command) or covers(command, failure.command))
    )


def _after_command(trail: SessionTrail, tool: Tool, *, failed: bool) -> SessionTrail:
    if not failed:
        over = _over(trail.failures, tool.command)
        left = tuple(failure for failure in trail.failures if failure not in over)
        repair = is_repair(tool.command)
        if repair:
            left = tuple(replace(f, repairs=(*f.repairs, repair)[-3:]) for f in left)
        return replace(trail, failures=left)
    kin = family(tool.command)
    if not kin or tool.interrupted:
        return trail
    return replace(trail, failures=_with_failure(trail, tool, kin))


def _with_failure(trail: SessionTrail, tool: Tool, kin: str) -> tuple[Failure, ...]:
    """The failures after this one; a repeated failure keeps the first, so all edits since count."""
    said = tool.error or tool.output
    error, sign = error_line(said), commands.of_run(tool.error, tool.output)
    for known in trail.failures:
        if known.command == tool.command and (
            known.error == error or known.signature == sign != ""
        ):
            return trail.failures
    names = commands.named_files(said) if sign else frozenset[str]()
    fresh = Failure(kin, tool.command, error, trail.events, signature=sign, names=names)
    return (*trail.failures, fresh)[-FAILURES:]


def _after_shell_edits(
    trail: SessionTrail, tool: Tool, cwd: str, *, before: str = ""
) -> SessionTrail:
    """The trail after the edits of a command line, up to the command ``before`` if one is named."""
    for path in shell_edits(tool.command, tool.output, cwd, before):
        trail = _with_edit(trail, path)
    return trail


def _with_edit(trail: SessionTrail, path: str) -> SessionTrail:
    """The trail after one more edit of a file."""
    others = tuple(other for other in trail.edits if other.path != path)
    return replace(trail, edits=(*others, Edit(path, trail.events))[-EDITS:])


# ---- fixes of a failure: edits of files named in it, an install, or another way to a program
#
# A command fails with a signature and later works: the steps in between ended it only where the failure
# itself points there, or where there was one alone: an edit of one file, or one install. A failed test
# names the place of its assertion, which need not be the place of the mistake: the test's own file
# ended it only when nothing else was edited. A success with its exit code hidden by a pipe is none
# while its output tells of a failure; and a line of several commands is over when all of them worked.


class Fix(Struct, frozen=True):
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
