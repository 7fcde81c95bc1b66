"""Late answers: notes a prompt or a start did not get in time, until an event can carry them.

An agent goes on when its hook gives up, so a later answer is for nobody. The question is kept instead
and asked again with the next event of its session able to carry context: then it is answered by the
knowledge of the moment. In memory alone, and not for long.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from actors.core.equipment import Latest
from actors.policy.events.events import Event, EventKind

LASTS: Final = 120.0  # seconds after which an answer is of no use any more
TRIES: Final = 3  # times that one is asked again: a model that is away may stay away
LATE_KEPT: Final = 200  # sessions times two
ANSWERED: Final = (EventKind.SESSION_START, EventKind.PROMPT)  # in this order also when late
# What each event makes moot: a prompt the one before it, an emptied context everything.
MOOT: Final[Mapping[EventKind, tuple[EventKind, ...]]] = MappingProxyType(
    {
        EventKind.PROMPT: (EventKind.PROMPT,),
        EventKind.SESSION_START: ANSWERED,
        EventKind.PRE_COMPACT: ANSWERED,
        EventKind.SESSION_END: ANSWERED,
    }
)


@dataclass(frozen=True, slots=True)
class Late:
    """A prompt or a start with a late answer, and the time of its question, in seconds UTC."""

    event: Event
    project: str | None
    at: float
    tries: int = 0

    def beside(self, event: Event) -> "Late":
        """The start of a session beside its first prompt, which has its task."""
        if self.event.kind is EventKind.SESSION_START and event.kind is EventKind.PROMPT:
            return replace(self, event=replace(self.event, task=event.prompt))
        return self


Key = tuple[str, EventKind]


@dataclass(slots=True)
class LateAnswers:
    """Questions of sessions without an answer in time."""

    late: int = 0
    later: int = 0  # told with a later event
    moot: int = 0
    _since: Latest[Key, float] = field(default_factory=lambda: Latest(LATE_KEPT))
    _kept: Latest[Key, Late] = field(default_factory=lambda: Latest(LATE_KEPT))

    def statistics(self) -> dict[str, Any]:
        """Late answers, the ones of them told later, and the ones moot by then."""
        return {
            "late": self.late, "told_later": self.later, "moot": self.moot,
            "waiting": len(self._kept),
        }  # fmt: skip

    def heard(self, event: Event, at: float) -> None:
        """Let go of the questions an event of an agent makes moot."""
        if not _is_of_a_person(event):
            return
        for kind in MOOT.get(event.kind, ()):
            key = (event.session, kind)
            self._since[key] = max(at, self._since.get(key, at))
            kept = self._kept.get(key)
            if kept is not None and kept.at < at:
                del self._kept[key]
                self.moot += 1

    def unanswered(self, event: Event, project: str | None, at: float, now: float) -> None:
        """No hook got an answer to it: it was spooled, and comes in any order and however late."""
        self.heard(event, at)
        if now - at <= LASTS:
            self.again(Late(event, project, at))

    def again(self, late: Late) -> None:
        """There is, or may be, more to tell than was told in time."""
        event, key = late.event, (late.event.session, late.event.kind)
        if event.kind not in ANSWERED or not _is_of_a_person(event):
            return
        self.late += not late.tries
        if late.at < self._since.get(key, late.at):
            self.moot += 1
        elif late.tries < TRIES:
            self._kept[key] = replace(late, tries=late.tries + 1)

    def count_later(self, count: int) -> None:
        """So many were told with a later event."""
        self.later += count

    def taken(self, session: str, now: float) -> list[Late]:
        """Questions to ask again for this session now, by whoever tells the answer."""
        if not self._kept:
            return []
        kept = [self._kept.pop((session, kind), None) for kind in ANSWERED]
        found = [one for one in kept if one is not None]
        fresh = [one for one in found if now - one.at <= LASTS]
        self.moot += len(found) - len(fresh)
        return fresh


def _is_of_a_person(event: Event) -> bool:
    """Return whether it is of a session itself: no subagent's, and no prompt written by the client."""
    machine_made = event.kind is EventKind.PROMPT and not event.is_typed_prompt
    return bool(event.session) and not event.agent_id and not machine_made
