"""Triggers of an intention: a time, a place in the work, or something that happens.

After Einstein and McDaniel (1990): time-based and event-based prospective memory. A trigger is a
closed union of values; ``holds`` says whether one does, at a moment and in surroundings that are
both arguments.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import lru_cache
from typing import Final

from actors.policy.text.path_patterns import checked_regex, glob_matches, regex_matches
from actors.policy.text.words import stems
from actors.policy.times.recurrence import Schedule, next_occurrence

_stems: Final = lru_cache(maxsize=2048)(stems)  # every open intention asks of the same texts

DEEPEST: Final = 4  # compounds within compounds


class BadTrigger(ValueError):
    """A trigger that could never hold, or is nested too deep: the asker's fault."""


@dataclass(frozen=True, slots=True)
class At:
    """Trigger that holds from a moment on."""

    at: float  # seconds UTC


@dataclass(frozen=True, slots=True)
class After:
    """Trigger that holds when so much time has passed since the intention was made."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Happened:
    """Trigger by an event of this kind whose text has all of these words.

    No kind means any: a prompt says so, or a command does. Words count in any inflection.
    """

    kind: str
    words: str = ""

    def __post_init__(self) -> None:
        if not self.kind and not stems(self.words):
            raise BadTrigger("an event must have a kind, or words that happen in it")


@dataclass(frozen=True, slots=True)
class Touched:
    """Trigger by a file opened or edited whose path fits: a glob, or a regular expression."""

    pattern: str
    regex: bool = False

    def __post_init__(self) -> None:
        if self.regex:
            checked_regex(self.pattern)
        else:
            glob_matches(self.pattern, "")


@dataclass(frozen=True, slots=True)
class OnBranch:
    """While a branch is checked out whose name fits a glob."""

    pattern: str

    def __post_init__(self) -> None:
        glob_matches(self.pattern, "")


@dataclass(frozen=True, slots=True)
class Within:
    """While all that is named here is so: the project, a topic, the mode, the activity."""

    project: str | None = None
    topic: str | None = None
    mode: str | None = None
    activity: str | None = None

    def __post_init__(self) -> None:
        if (self.project, self.topic, self.mode, self.activity) == (None,) * 4:
            raise BadTrigger("a context must name a project, topic, mode or activity")


@dataclass(frozen=True, slots=True)
class Recurs:
    """Once for each occurrence of a schedule; missed ones count as one."""

    schedule: Schedule


@dataclass(frozen=True, slots=True)
class AllOf:
    """Trigger that holds when all of these hold at once."""

    triggers: tuple["Trigger", ...]

    def __post_init__(self) -> None:
        _check_compound(self.triggers)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Trigger that holds when one of these holds."""

    triggers: tuple["Trigger", ...]

    def __post_init__(self) -> None:
        _check_compound(self.triggers)


Trigger = At | After | Happened | Touched | OnBranch | Within | Recurs | AllOf | AnyOf


@dataclass(frozen=True, slots=True)
class Event:
    """Something that just happened: a prompt, a test run, a commit."""

    kind: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Facts that are so now, and what just happened; None where something is not known."""

    project: str | None = None
    branch: str | None = None
    mode: str | None = None
    activity: str | None = None
    topics: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()  # just opened or edited
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Times:
    """Times at which an intention was made, and was last brought to mind (seconds UTC)."""

    made_at: float
    reminded_at: float | None = None


def holds(
    trigger: Trigger, times: Times, now: float, here: Surroundings, zone: tzinfo = UTC
) -> bool:
    """Return whether a trigger holds at ``now`` seconds UTC in these surroundings."""
    match trigger:
        case At(at=at):
            return now >= at
        case After(seconds=seconds):
            return now - times.made_at >= seconds
        case Happened():
            return any(_is_meant(trigger, event) for event in here.events)
        case Touched():
            return any(_fits(trigger, path) for path in here.files)
        case OnBranch(pattern=pattern):
            return here.branch is not None and glob_matches(pattern, here.branch)
        case Within():
            return _is_within(trigger, here)
        case Recurs(schedule=schedule):
            since = times.made_at if times.reminded_at is None else times.reminded_at
            return next_occurrence(schedule, times.made_at, since, zone) <= now
        case AllOf(triggers=triggers):
            return all(holds(one, times, now, here, zone) for one in triggers)
        case _:
            return any(holds(one, times, now, here, zone) for one in trigger.triggers)


def recurs(trigger: Trigger) -> bool:
    """Return whether a trigger holds once for each occurrence and then rests until the next."""
    match trigger:
        case Recurs():
            return True
        case AllOf(triggers=triggers):
            return any(recurs(one) for one in triggers)
        case AnyOf(triggers=triggers):
            return all(recurs(one) for one in triggers)
        case _:
            return False


def parts(trigger: Trigger) -> list[Trigger]:
    """The triggers that a compound is made of, down to those that are none; itself if it is none."""
    match trigger:
        case AllOf(triggers=triggers) | AnyOf(triggers=triggers):
            return [found for one in triggers for found in parts(one)]
        case _:
            return [trigger]


def _is_meant(trigger: Happened, event: Event) -> bool:
    if trigger.kind not in ("", event.kind):
        return False
    return _stems(trigger.words) <= _stems(event.text)


def _fits(trigger: Touched, path: str) -> bool:
    return (regex_matches if trigger.regex else glob_matches)(trigger.pattern, path)


def _is_within(trigger: Within, here: Surroundings) -> bool:
    return (
        trigger.project in (None, here.project)
        and trigger.mode in (None, here.mode)
        and trigger.activity in (None, here.activity)
        and (trigger.topic is None or _is_about(trigger.topic, here.topics))
    )


def _is_about(topic: str, topics: frozenset[str]) -> bool:
    """It is one of the topics, or all of its words are."""
    folded = _folded(topics)
    return topic.casefold() in folded or (bool(words := _stems(topic)) and words <= folded)


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.casefold() for word in words)


def _check_compound(triggers: tuple[Trigger, ...]) -> None:
    if not triggers:
        raise BadTrigger("a compound needs triggers")
    if max(_depth(trigger) for trigger in triggers) >= DEEPEST:
        raise BadTrigger(f"compounds are nested deeper than {DEEPEST}")


def _depth(trigger: Trigger) -> int:
    match trigger:
        case AllOf(triggers=triggers) | AnyOf(triggers=triggers):
            return 1 + max(_depth(one) for one in triggers)
        case _:
            return 0
