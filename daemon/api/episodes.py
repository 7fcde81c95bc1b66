"""Important moments: their captures, past and possible; memories that may explain a failure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json import loads
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

import msgspec

from daemon.api.about import EndedView, ended_lines
from daemon.api.operation import (
    Limit,
    Line,
    OfEveryProject,
    OfProject,
    Operation,
    Option,
    Terminal,
    Title,
    Verb,
)
from daemon.commands.terminal.words import age, counted, local, now, one_line
from daemon.shapes.replies import Reply
from daemon.views import memory_view, short_id, view

if TYPE_CHECKING:
    from actors.policy.decay.capture import Raised
    from daemon.context import Parts, Progress

LISTED: Final = 5  # turns of an episode in a list
GONE: Final = "(no longer in the archive)"
FAILURE_LIMIT: Final = 16_384  # characters of a failure that are read


# ---- what moments captured


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that an important moment captured."""

    said: str  # what was asked in it; empty when the archive has it no more
    session: str
    at: float  # when it ended
    score: float
    hours: float  # from the turn to the moment; negative: it ended after the moment
    memories: list[str]  # that were made in it


class Episode(msgspec.Struct, frozen=True, kw_only=True):
    """An important moment and the turns that it captured."""

    id: str
    kind: str  # user_flag, decision, correction, test_fixed, resolution, revert
    reason: str  # one line; empty once erased
    strength: float
    at: float
    session: str | None
    project: str | None
    span: float  # hours from the first member to the last
    members: list[Member]  # by score


class EpisodesPage(Reply, frozen=True, kw_only=True):
    """Episodes, newest first."""

    episodes: list[Episode]
    total: int
    capturing: bool = True  # whether moments capture anything now


class ListEpisodes(Operation[EpisodesPage], frozen=True, kw_only=True):
    """Show which moments kept the turns around them.

    The newest first: what made the moment important, and which turns have to do with it.
    """

    NAME = "episodes"
    VERBS = (Verb("episodes"),)
    project: OfProject = None
    everywhere: OfEveryProject = False
    limit: Limit = 20

    async def answer(self, parts: Parts, _: Progress) -> EpisodesPage:
        from daemon.storage import episodes

        project = None if self.everywhere else parts.project_meant(self.project)
        total, found = await parts.reader.read(episodes.episodes, project, self.limit)
        capturing = parts.settings.tagging.enabled
        return EpisodesPage(
            episodes=[_view(*one) for one in found], total=total, capturing=capturing
        )

    def lines(self, page: EpisodesPage) -> Iterator[Line]:
        for episode in page.episodes:
            yield from _told(episode)
        if not page.episodes:
            yield "no moment has captured anything yet"
        elif len(page.episodes) < page.total:
            yield f"{len(page.episodes)} of {counted(page.total, 'episode')}"
        if not page.capturing:
            yield "nothing is captured now: tagging.enabled = true turns it on"


def _view(moment: Raised, turns: list[dict[str, Any]]) -> Episode:
    members: list[Member] = []
    for one in turns:
        ids = loads(one.pop("memories"))
        members.append(Member(memories=[short_id(number) for number in ids], **one))
    hours = [one.hours for one in members]
    return view(Episode, moment, span=max(hours) - min(hours), members=members)


def _told(episode: Episode) -> Iterator[Line]:
    said = one_line(episode.reason) or episode.kind.replace("_", " ")
    yield Title(f"{local(episode.at):%Y-%m-%d %H:%M}  {episode.id}  {said}")
    session = f", in session {one_line(episode.session)}" if episode.session else ""
    kept = counted(len(episode.members), "turn")
    yield f"  {age(now() - episode.at)}{session}; {kept} kept, over {episode.span:.1f} h"
    for member in episode.members[:LISTED]:
        apart = f"{abs(member.hours):.1f} h {'after' if member.hours < 0 else 'before'}"
        turn = one_line(member.said) or GONE
        yield ["", apart, f"score {member.score:.2f}", turn, ", ".join(member.memories)]
    if len(episode.members) > LISTED:
        yield f"  … and {len(episode.members) - LISTED} more (--json has all of them)"


# ---- what may explain a failure


class PossibleCause(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that may explain a failure."""

    id: str
    title: str
    created_at: float
    shared: tuple[str, ...]  # names that both say


class LookedBack(Reply, frozen=True, kw_only=True):
    """Memories that may explain the failure, the likeliest first."""

    causes: list[PossibleCause]
    names: list[str]  # that were looked for
    ended: EndedView | None = None  # what ended such a failure the last time


class LookBack(Operation[LookedBack], frozen=True, kw_only=True):
    """Find what may explain a failure.

    Looks back 30 days for memories that name the same variables, paths or dotted names, and
    shows the likeliest three. They are guesses, and nothing changes.
    """

    NAME = "backfill"
    VERBS = (Verb("backfill"),)
    failure: Annotated[str, Option("--failure", "What failed, in the words of its message.")] = ""
    project: OfProject = None
    everywhere: OfEveryProject = False

    def prepared(self, _: Terminal, /) -> Self:
        if not self.failure:
            raise ValueError("Say what failed: --failure TEXT.")
        return self

    async def answer(self, parts: Parts, _: Progress) -> LookedBack:
        from actors.policy.decay.capture import entities
        from daemon.answers.journal import earlier, ended

        failure = self.failure[:FAILURE_LIMIT]
        project = parts.project_meant(self.project)
        names = sorted(entities(failure))
        found = await earlier(parts, failure, names, project, everywhere=self.everywhere)
        before = await ended(parts, failure, project)
        return LookedBack(
            causes=[
                memory_view(PossibleCause, memory, shared=cause.shared) for memory, cause in found
            ],
            names=names,
            ended=view(EndedView, before) if before is not None else None,
        )

    def lines(self, found: LookedBack) -> Iterator[Line]:
        if found.ended is not None:
            yield from ended_lines([found.ended], "it was ended before:")
        if not found.names:
            yield "the failure names no variable, path or dotted name to look for"
            return
        if not found.causes:
            yield f"nothing of the last 30 days names {_listed(found.names)}"
            return
        for cause in found.causes:
            yield [
                cause.id,
                age(now() - cause.created_at),
                f"names {_listed(cause.shared)}",
                cause.title,
            ]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(one_line(name) for name in names)
