"""Agents' use of the memories shown to them, from existing rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from daemon.api.operation import Line, Operation
from daemon.commands.terminal.words import age, counted, now
from daemon.shapes.replies import BadRequest, Reply
from daemon.views import short_id

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

LONGEST: Final = 520  # weeks
NAMED: Final = 5  # memories


class Week(msgspec.Struct, frozen=True, kw_only=True):
    """Seven days. A memory counts once a session, in the week in which it was first shown there."""

    begins: float  # seconds since the epoch, UTC
    sessions: int  # that were shown anything
    shown: int
    cited: int
    used: int  # cited, edited after, or confirmed
    ignored: int  # shown, and no sign of use


class Ignored(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that was shown and of which there is no sign of use."""

    id: str
    title: str
    sessions: int


class AgentsFigures(Reply, frozen=True, kw_only=True):
    """The weeks, newest first, and what was most often shown for nothing."""

    weeks: list[Week]
    ignored: list[Ignored]


class Agents(Operation[AgentsFigures], frozen=True, kw_only=True):
    """Request for the use that agents made of what they were shown, week by week."""

    NAME = "agents"
    weeks: int = 8

    async def answer(self, parts: Parts, _: Progress) -> AgentsFigures:
        from daemon.storage import evaluation

        if not 0 < self.weeks <= LONGEST:
            raise BadRequest(f"{self.weeks} weeks: it must be between 1 and {LONGEST}")
        at = parts.clock.now()
        rows = await parts.reader.read(evaluation.weeks, at, self.weeks)
        ignored = await parts.reader.read(evaluation.most_ignored, at, self.weeks, NAMED)
        return AgentsFigures(
            weeks=[
                Week(
                    begins=at - (back + 1) * evaluation.WEEK,
                    sessions=sessions,
                    shown=shown,
                    cited=cited,
                    used=used,
                    ignored=shown - used,
                )
                for back, sessions, shown, cited, used in rows
            ],
            ignored=[
                Ignored(id=short_id(number), title=title, sessions=sessions)
                for number, title, sessions in ignored
            ],
        )

    def lines(self, found: AgentsFigures) -> Iterator[Line]:
        """A row for each week, and the memories shown for nothing."""
        if not found.weeks:
            yield "no agent was shown a memory in the last eight weeks"
            return
        yield ["week from", "sessions", "shown", "cited", "used", "ignored"]
        for week in found.weeks:
            begun, shown = age(now() - week.begins), week.shown
            parts = (f"{n:,} ({n / shown:.0%})" for n in (week.cited, week.used, week.ignored))
            yield [begun, f"{week.sessions:,}", f"{shown:,}", *parts]
        if found.ignored:
            yield "\nshown most often and never used:"
        for one in found.ignored:
            yield ["", one.id, f"in {counted(one.sessions, 'session')}", one.title]
