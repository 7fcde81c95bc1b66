"""The trail of a session: failures, and edits since; what ended a failure, and the important moments.

It is bounded and may be lost: losing it costs a memory, never a wrong one.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from enum import Enum
from itertools import islice
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from actors.policy.decay.capture import EventKind as MomentKind
from actors.policy.events import commands
from actors.policy.events.edits import shell_edits
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.patterns import pattern
from actors.policy.text.speech import forms, pattern_of
from actors.policy.text.turn import Turn, with_quotations
from actors.policy.text.wording import one_line
from actors.policy.text.words import expressions

FAILURES: Final = 12  # open failures kept
EDITS: Final = 64  # files kept

SHELLS: Final = frozenset({"Bash", "shell", "local_shell", "run_in_terminal", "run_shell_command"})
EDITORS: Final = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch"})


class Failure(Struct, frozen=True):
    """A failed command, not yet working again."""

    family: str
    command: str
    error: str  # one line
    at: int  # number of the event
    signature: str = ""  # the same in another run of the failure
    names: frozenset[str] = frozenset()  # the files that its output names


class SessionTrail(Struct, frozen=True):
    """Trail of a session so far, as far as rules need it."""

    events: int = 0
    failures: tuple[Failure, ...] = ()
    edits: Mapping[str, int] = field(default_factory=dict[str, int])  # by path, the event's number


class Resolved(Struct, frozen=True):
    """A failure shown to be over by a command that works."""

    failure: Failure
    edits: tuple[str, ...]  # files, edited since the failure


def followed(trail: SessionTrail, event: Event) -> SessionTrail:
    """The trail after an event."""
    trail = replace(trail, events=trail.events + 1)
    tool = event.tool
    if event.kind is EventKind.SESSION_END:
        return SessionTrail()
    if tool is not None and tool.name in SHELLS:
        failed = has_failed(event)
        # A red test run says nothing against the edit before it in the same line.
        if not failed or commands.is_test(tool.command):
            trail = _with_edits(trail, shell_edits(tool.command, event.cwd))
        return _after_command(trail, tool, failed=failed)
    if tool is not None and tool.name in EDITORS and tool.path and event.kind is EventKind.TOOL:
        return _with_edits(trail, [tool.path])
    return trail


def resolved(trail: SessionTrail, event: Event) -> tuple[Resolved, ...]:
    """Every open failure shown to be over by this event; ``trail``: before it."""
    tool = event.tool
    if tool is None or tool.name not in SHELLS or has_failed(event):
        return ()
    over = _over(trail.failures, tool.command)
    if not over:
        return ()
    now = replace(trail, events=trail.events + 1)
    worked = commands.telling(tool.command).partition(" ")[0]
    edited = _with_edits(now, shell_edits(tool.command, event.cwd, worked)).edits.items()
    return tuple(
        Resolved(failure, tuple(path for path, at in edited if at > failure.at)) for failure in over
    )


def has_failed(event: Event) -> bool:
    """Return whether an event is a failed command: by its code, or by its count of failures."""
    if event.kind is EventKind.TOOL_ERROR:
        return True
    tool = event.tool
    if tool is None or not commands.is_test(tool.command):
        return False
    return commands.shows_failed_tests(tool.output)


def _over(failures: tuple[Failure, ...], command: str) -> tuple[Failure, ...]:
    kin, is_test = commands.family(command), commands.is_test(command)
    return tuple(
        one
        for one in failures
        if one.family == kin and (not is_test or commands.covers(command, one.command))
    )


def _after_command(trail: SessionTrail, tool: Tool, *, failed: bool) -> SessionTrail:
    if not failed:
        over = _over(trail.failures, tool.command)
        left = tuple(failure for failure in trail.failures if failure not in over)
        return replace(trail, failures=left)
    kin = commands.family(tool.command)
    if not kin or tool.interrupted:
        return trail
    said = tool.error or tool.output
    error, sign = commands.error_line(said), commands.of_run(tool.error, tool.output)
    for known in trail.failures:
        if known.command == tool.command and (
            known.error == error or known.signature == sign != ""
        ):
            return trail  # a repeated failure keeps the first, so all edits since count
    names = commands.named_files(said) if sign else frozenset[str]()
    fresh = Failure(kin, tool.command, error, trail.events, signature=sign, names=names)
    return replace(trail, failures=(*trail.failures, fresh)[-FAILURES:])


def _with_edits(trail: SessionTrail, paths: Iterable[str]) -> SessionTrail:
    edits = dict(trail.edits)
    for path in paths:
        edits.pop(path, None)  # of several edits of a file the last counts
        edits[path] = trail.events
    return replace(trail, edits=dict(islice(edits.items(), max(0, len(edits) - EDITS), None)))


# ---- fixes of a failure: edits of files named in it
#
# A command fails with a signature and later works: the steps in between ended it only where the failure
# itself points there, or where one file alone was edited. A failed test
# names the place of its assertion, which need not be the place of the mistake: the test's own file
# ended it only when nothing else was edited. A success with its exit code hidden by a pipe is none
# while its output tells of a failure; and a line of several commands is over when all of them worked.


class Fix(Struct, frozen=True):
    """A failure now over, and its fix."""

    family: str  # of the command
    signature: str
    paths: tuple[str, ...]  # edited files that the failure names


def failed_with(event: Event) -> str:
    """Return the signature of an event's failure; empty when there is none."""
    tool = event.tool
    if tool is None or not tool.command or tool.interrupted or not has_failed(event):
        return ""
    return commands.of_run(tool.error, tool.output)


def fixes(before: SessionTrail, event: Event) -> tuple[Fix, ...]:
    """Return the failures shown to be over by this event, as far as their fix is known."""
    if not before.failures or event.tool is None:
        return ()
    worked = commands.families(event.tool.command)
    tried = (_fix(one, worked) for one in resolved(before, event))
    found = {one.signature: one for one in tried if one is not None}
    return tuple(found.values()) if found and _shows_success(event) else ()


def _fix(over: Resolved, worked: frozenset[str]) -> Fix | None:
    failure = over.failure
    if not failure.signature or not commands.families(failure.command) <= worked:
        return None
    paths = tuple(path for path in over.edits if commands.names_file(failure.names, path))
    if len(paths) < len(over.edits) and all(map(commands.is_test_file, paths)):
        paths = ()
    if not paths and len(over.edits) != 1:
        return None
    return Fix(failure.family, failure.signature, paths or over.edits)


def _shows_success(event: Event) -> bool:
    tool = event.tool
    if tool is None or event.kind is not EventKind.TOOL or tool.interrupted:
        return False
    if tool.input.get("run_in_background") is True:
        return False
    if commands.tells_its_end(tool.command):
        return True
    if commands.is_test(tool.command):
        return commands.shows_passed_tests(tool.output)
    return not commands.signature(tool.output)


# ---- moments of coding that make the hours around them worth remembering
#
# An agent's last words about a failure count for nothing: in two recorded projects (477 turns, 147
# notes of a reader) such moments captured 38 % of the turns with 72 of the notes, commands working
# again 34 % with 71.


# ---- signals of a prompt besides its task: a correction, or praise
#
# Bare words ("actually", "wait", "yes") stand in most prompts of a programmer without being meant as
# signals. Here a word counts only in the frame in which it is said of oneself or of the agent's last
# answer: "actually" opens a sentence, "wait" is not waiting for something, "yes" goes on to agree.
# Code and quotations are not read. The rules read English; every doubt is decided for silence.


class Signal(Enum):
    """Signal of a prompt about the turns before."""

    CORRECTION = "correction"
    REINFORCEMENT = "reinforcement"


_QUOTED: Final = pattern(r"`[^`]*`|\"[^\"]*\"|“[^“”]*”|«[^«»]*»|(?<!\w)'[^']*'(?!\w)")
_FORMS: Final = forms(__name__)
_CORRECTION: Final = pattern_of(_FORMS["correction"])
_PRAISE: Final = pattern_of(_FORMS["praise"])
_EXPRESSIONS: Final = expressions(__name__)
# Praise that is taken back in the same breath.
_BUT: Final = pattern(_EXPRESSIONS["but"])


def signals(turn: Turn) -> tuple[Signal, ...]:
    """The signals of a person's words, each once: correction, reinforcement."""
    found: set[Signal] = set()
    for sentence in map(_without_quotations, turn.sentences):
        if _CORRECTION.search(sentence):
            found.add(Signal.CORRECTION)
        praise = _PRAISE.search(sentence)
        if praise and not _BUT.search(sentence, praise.end()):
            found.add(Signal.REINFORCEMENT)
    return tuple(signal for signal in Signal if signal in found)


def _without_quotations(sentence: str) -> str:
    """The sentence in lower case, without its quotations."""
    composed = unicodedata.normalize("NFC", with_quotations(sentence, ()))
    return " ".join(_QUOTED.sub(" ", composed.casefold()).split())


REASON: Final = 120  # characters

# Orders that take back work already done; not those that only move, unstage or give up.
_GIT: Final = pattern(_EXPRESSIONS["git"])
_GIT_REVERT: Final[Mapping[str, re.Pattern[str]]] = {
    "revert": pattern(r"\A(?!.* --(?:abort|quit)\b)"),
    "reset": pattern(r"\A.* --hard\b"),
    "checkout": pattern(r"\A.* (?:--|\.)(?: |$)"),
    "restore": pattern(r"\A(?:(?!.* (?:--staged|-S)\b)|.* (?:--worktree|-W)\b)"),
}
_OTHER_REVERT: Final = pattern(_EXPRESSIONS["other_revert"])
_REMEMBER: Final = pattern_of(_FORMS["remember"])


class Moment(Struct, frozen=True):
    """An important moment."""

    kind: MomentKind
    reason: str  # one line


def moment(trail: SessionTrail, event: Event, *, decides: bool = False) -> Moment | None:
    """The moment in an event, if any; ``trail``: of the session before it.

    A prompt with a request to remember counts as one, even when it also corrects or ``decides``.
    """
    if event.refusal.strip():
        return Moment(MomentKind.CORRECTION, "you refused a step and said why")
    if event.kind is EventKind.PROMPT and asks_to_remember(event.turn):
        return Moment(MomentKind.USER_FLAG, "you asked to remember something")
    if event.kind is EventKind.PROMPT and Signal.CORRECTION in event.turn.read(signals):
        return Moment(MomentKind.CORRECTION, "you corrected the agent")
    if decides:
        return Moment(MomentKind.DECISION, "you decided something")
    tool = event.tool
    if tool is None or tool.name not in SHELLS or has_failed(event):
        return None
    if not resolved(trail, event):
        if not is_revert(tool.command):
            return None
        kind, done = MomentKind.REVERT, "took work back"
    elif commands.is_test(tool.command):
        kind, done = MomentKind.TEST_FIXED, "passes again"
    else:
        kind, done = MomentKind.RESOLUTION, "works again"
    return Moment(kind, one_line(f"{tool.command} {done}", REASON))


def asks_to_remember(turn: Turn) -> bool:
    """Return whether a person says "remember this" or the like of something.

    Not "remember to run the tests" (an order), nor "do you remember" (a question).
    """
    return any(map(_REMEMBER.search, turn.sentences))


def is_revert(command: str) -> bool:
    """Return whether a command line takes work back: git revert, reset --hard, checkout --, ...."""
    return any(_takes_back(segment) for segment in commands.segments(command))


def _takes_back(segment: str) -> bool:
    git = _GIT.match(segment)
    if git is None:
        return _OTHER_REVERT.match(segment) is not None
    return _GIT_REVERT[git["order"]].match(git["rest"]) is not None
