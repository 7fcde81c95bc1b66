"""Moments of coding that make the hours around them worth remembering.

A test that was red turns green; work is taken back; the user corrects the agent, refuses a step in words, decides
something or says "remember this"; a turn ends by saying that what failed is solved. Each is recognised in one hook event, against the trail of the session before it,
and becomes an event that captures (``capture.event``).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from actors.policy.capture.capture import STRENGTHS, EventKind
from actors.policy.events.commands import is_test, segments
from actors.policy.events.events import Event
from actors.policy.events.events import EventKind as HookKind
from actors.policy.events.signals import Signal, signals
from actors.policy.events.trail import SHELLS, Failure, SessionTrail, has_failed, resolved
from actors.policy.text.pasted import typed
from actors.policy.text.wording import one_line, sentences
from actors.policy.text.words import caseless

REASON: Final = 120  # characters

# Orders that take back work already done; not those that only move, unstage or give up.
_GIT: Final = re.compile(
    r"^git(?: -[cC] \S+| -{1,2}[\w-]+(?:=\S+)?)* (?P<order>revert|reset|checkout|restore)\b"
    r"(?P<rest>.*)$"
)
_GIT_REVERT: Final[Mapping[str, re.Pattern[str]]] = {
    "revert": re.compile(r"\A(?!.* --(?:abort|quit)\b)"),
    "reset": re.compile(r"\A.* --hard\b"),
    "checkout": re.compile(r"\A.* (?:--|\.)(?: |$)"),
    "restore": re.compile(r"\A(?:(?!.* (?:--staged|-S)\b)|.* (?:--worktree|-W)\b)"),
}
_OTHER_REVERT: Final = re.compile(
    r"^(?:hg (?:revert|backout)|svn revert|jj (?:undo|abandon|op (?:undo|restore)))\b"
)
_REMEMBER: Final = caseless(
    r"^(?:(?:please|and|also|ok(?:ay)?|hey|so|important)[,:!]? )*(?:(?:can|could|will) you )?"
    r"(?:please )?(?:remember(?:$|[:!.,]| (?:this|that|it|these|the following)\b)"
    r"|(?:don['’]?t|do not|never) forget(?:$|[:!.,]| (?:this|that|it|these|the following)\b)"
    r"|(?:keep|bear) (?:this|that|it)? ?in mind\b(?! (?:when|while))"
    r"|(?:make|take) (?:a )?note (?:of (?:this|that)|that)\b"
    r"|(?:save|store|add) (?:this|that|it) (?:to|in) (?:your |the )?memory\b)"
    r"|[,;:—-] (?:please )?remember (?:this|that|it)[.!]*$"
)

# The end of a turn, and of a session where a host tells the last words there.
_ENDS: Final = frozenset({HookKind.TURN_END, HookKind.SESSION_END})
READ: Final = 8_000  # characters of last words that are read
_CODE: Final = re.compile(r"`[^`\n]*`")
_SOLVED: Final = re.compile(
    r"^(?:it'?s |all )?(?:fixed|resolved|solved)\b"
    r"|\b(?:is|are|was|were|been) (?:now |finally |all )*(?:fixed|resolved|solved)\b"
    r"|\bi(?:'ve| have)? (?:now |finally )?(?:fixed|resolved|solved)\b"
    r"|\b(?:tests?|suite|build|checks?|it|everything) (?:all )?(?:now )?"
    r"(?:pass(?:es)?|works?|succeeds?|compiles?|builds?)(?: now| again)?(?: cleanly)?"
    r"(?=\s*(?:$|[.,;:!)—-]| and | with ))"
    r"|\ball (?:\d+ )?(?:the )?tests? (?:are )?(?:now )?pass(?:ing)?\b"
    r"|\b(?:the )?(?:root cause|culprit) (?:was|turned out)\b",
)
_HEDGED: Final = re.compile(
    r"\b(?:not|no|never|cannot|nothing|should|would|could|might|may|will|if|once|unless|until"
    r"|when|whether|after|before|try|trying|hopefully|probably|likely|partly|partially|almost"
    r"|nearly|expected|assuming|only|yet|but|however|except|still|let me|need(?:s|ed)? to be"
    r"|to be|can be|want)\b|n't\b|\?",
)
_LEFT_OVER: Final = re.compile(
    r"\bstill (?:fail|broke|red|errors?|crash|see|get|happen|remain|open)"
    r"|\b(?:could|can|did|does|do|is|was)(?:n't| not) (?:yet )?(?:been )?"
    r"(?:able|fix|fixed|resolve|resolved|solve|solved|find|work|pass|reproduce)\b"
    r"|\bunable to\b|\bnot (?:yet )?(?:fixed|resolved|solved|passing|working)\b"
    r"|\b(?:one|two|three|some|several|\d+) (?:other |more )?(?:tests? )?(?:still )?"
    r"(?:fail|fails|failing|failed|failures? remain)\b|\bremain(?:s|ing)? (?:failures?|broken|red)\b",
)


@dataclass(frozen=True, slots=True)
class Moment:
    """An important moment: its kind, how strong it is, and what was seen."""

    kind: EventKind
    strength: float  # 0..1
    reason: str  # one line


def moment(trail: SessionTrail, event: Event, *, decides: bool = False) -> Moment | None:
    """The moment that an event is, if any; ``trail`` is that of the session before it.

    A prompt that asks to be remembered counts as that, even when it also corrects or ``decides``.
    """
    if event.refusal.strip():
        return _moment(EventKind.CORRECTION, "you refused a step and said why")
    if event.kind is HookKind.PROMPT and (found := _in_prompt(event.prompt)) is not None:
        return found
    if decides:
        return _moment(EventKind.DECISION, "you decided something")
    if event.kind in _ENDS:
        return _at_the_end(trail, event.message)
    over = resolved(trail, event)
    if over is not None and is_test(over.command):
        return _moment(EventKind.TEST_FIXED, f"{over.command} passes again")
    return _in_command(event)


def asks_to_remember(prompt: str) -> bool:
    """Return whether a prompt says "remember this" or the like of something in it.

    Not "remember to run the tests" (an order), nor "do you remember" (a question).
    """
    return any(_REMEMBER.search(sentence) for sentence in sentences(typed(prompt)))


def states_resolution(message: str) -> bool:
    """Return whether an agent's last words say plainly that a failure is over.

    A message that hedges, or tells of anything that still fails, does not.
    """
    plain = _CODE.sub(" it ", message[:READ]).casefold().replace("’", "'")
    if _LEFT_OVER.search(plain):
        return False
    return any(
        _SOLVED.search(sentence) and not _HEDGED.search(sentence) for sentence in sentences(plain)
    )


def is_revert(command: str) -> bool:
    """Return whether a command line takes work back: git revert, reset --hard, checkout --, ...."""
    return any(_takes_back(segment) for segment in segments(command))


def _takes_back(segment: str) -> bool:
    git = _GIT.match(segment)
    if git is None:
        return _OTHER_REVERT.match(segment) is not None
    return _GIT_REVERT[git["order"]].match(git["rest"]) is not None


def _in_prompt(prompt: str) -> Moment | None:
    if asks_to_remember(prompt):
        return _moment(EventKind.USER_FLAG, "you asked to remember something")
    if Signal.CORRECTION in signals(prompt):
        return _moment(EventKind.CORRECTION, "you corrected the agent")
    return None


def _at_the_end(trail: SessionTrail, message: str) -> Moment | None:
    """What failed and worked since, or was worked on, and the word that it is over.

    What nothing was done about is only talked about; a test that turned green was a moment then.
    """
    tried = (
        *(one for one in trail.failures if _was_worked_on(trail, one)),
        *(one for one in trail.mended if not is_test(one.command)),
    )
    if not tried or not states_resolution(message):
        return None
    return _moment(
        EventKind.RESOLUTION, f"the failure of {tried[-1].command} was said to be solved"
    )


def _was_worked_on(trail: SessionTrail, failure: Failure) -> bool:
    return bool(failure.repairs) or any(edit.at > failure.at for edit in trail.edits)


def _in_command(event: Event) -> Moment | None:
    tool = event.tool
    if tool is None or tool.name not in SHELLS or has_failed(event) or not is_revert(tool.command):
        return None
    return _moment(EventKind.REVERT, f"{tool.command} took work back")


def _moment(kind: EventKind, reason: str) -> Moment:
    return Moment(kind, STRENGTHS[kind], one_line(reason, REASON))
