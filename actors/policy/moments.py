"""Moments of coding that make the hours around them worth remembering (H14).

A test that was red turns green; work is taken back; the user corrects the agent; the user says
"remember this". Each is recognised in one hook event, against the trail of the session before it,
and becomes an event that captures (``capture.event``).
"""

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from actors.policy.capture import PROFILES, EventKind
from actors.policy.commands import is_test, segments
from actors.policy.events import Event
from actors.policy.events import EventKind as HookKind
from actors.policy.signals import Signal, signals
from actors.policy.trail import SHELLS, SessionTrail, has_failed, resolved
from actors.policy.wording import one_line, sentences

REASON: Final = 120  # characters

# Orders that take back work already done; not those that only move, unstage or give up.
_GIT: Final = re.compile(
    r"^git(?: -[cC] \S+| -{1,2}[\w-]+(?:=\S+)?)* (?P<order>revert|reset|checkout|restore)\b"
    r"(?P<rest>.*)$"
)
_GIT_REVERT: Final = MappingProxyType(
    {
        "revert": re.compile(r"(?!.* --(?:abort|quit)\b)"),
        "reset": re.compile(r".* --hard\b"),
        "checkout": re.compile(r".* (?:--|\.)(?: |$)"),
        "restore": re.compile(r"(?!.* (?:--staged|-S)\b)|.* (?:--worktree|-W)\b"),
    }
)
_OTHER_REVERT: Final = re.compile(
    r"^(?:hg (?:revert|backout)|svn revert|jj (?:undo|abandon|op (?:undo|restore)))\b"
)
_REMEMBER: Final = re.compile(
    r"^(?:(?:please|and|also|ok(?:ay)?|hey|so|important)[,:!]? )*(?:(?:can|could|will) you )?"
    r"(?:please )?(?:remember(?:$|[:!.,]| (?:this|that|it|these|the following)\b)"
    r"|(?:don['’]?t|do not|never) forget(?:$|[:!.,]| (?:this|that|it|these|the following)\b)"
    r"|(?:keep|bear) (?:this|that|it)? ?in mind\b(?! (?:when|while))"
    r"|(?:make|take) (?:a )?note (?:of (?:this|that)|that)\b"
    r"|(?:save|store|add) (?:this|that|it) (?:to|in) (?:your |the )?memory\b)"
    r"|[,;:—-] (?:please )?remember (?:this|that|it)[.!]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Moment:
    """An important moment: its kind, how strong it is, and what was seen."""

    kind: EventKind
    strength: float  # 0..1
    reason: str  # one line


def moment(trail: SessionTrail, event: Event) -> Moment | None:
    """The moment that an event is, if any; ``trail`` is that of the session before it (H14).

    A prompt that asks to be remembered counts as that, even when it also corrects.
    """
    if event.kind is HookKind.PROMPT:
        return _in_prompt(event.prompt)
    over = resolved(trail, event)
    if over is not None and is_test(over.command):
        return _moment(EventKind.TEST_FIXED, f"{over.command} passes again")
    return _in_command(event)


def asks_to_remember(prompt: str) -> bool:
    """Whether a prompt says "remember this" or the like of something in it (H14).

    Not "remember to run the tests" (an order), nor "do you remember" (a question).
    """
    return any(_REMEMBER.search(sentence) for sentence in sentences(prompt))


def is_revert(command: str) -> bool:
    """Whether a command line takes work back: git revert, reset --hard, checkout --, ... (H14)."""
    return any(_takes_back(segment) for segment in segments(command))


def _takes_back(segment: str) -> bool:
    git = _GIT.match(segment)
    if git is None:
        return _OTHER_REVERT.match(segment) is not None
    return _GIT_REVERT[git["order"]].match(git["rest"]) is not None


def _in_prompt(prompt: str) -> Moment | None:
    if asks_to_remember(prompt):
        return _moment(EventKind.USER_FLAG, "the user asked to remember it")
    if Signal.CORRECTION in signals(prompt):
        return _moment(EventKind.CORRECTION, "the user corrected what was said or done")
    return None


def _in_command(event: Event) -> Moment | None:
    tool = event.tool
    if tool is None or tool.name not in SHELLS or has_failed(event) or not is_revert(tool.command):
        return None
    return _moment(EventKind.REVERT, f"{tool.command} took work back")


def _moment(kind: EventKind, reason: str) -> Moment:
    return Moment(kind, PROFILES[kind].strength, one_line(reason, REASON))
