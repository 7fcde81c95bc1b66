"""Views: lists for an editor's side bar, each asked for when it is shown.

Working memory is of the last session of the project; dreams and plans are of all, and intentions of
the project and of everywhere. A view that the daemon does not answer is empty.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal

import msgspec

from daemon.projects import project_root
from daemon.requests.dreams import ListDreams
from daemon.requests.intentions import ChangeIntention, ListIntentions
from daemon.requests.plans import Plans
from daemon.requests.sessions import ResumeSession
from daemon.requests.wording import dream_line, title_of
from lsp import pages, reports
from lsp.commands import Commands, parsed
from lsp.hovers import age, cut, one_line
from lsp.session import Session

WITHIN = 2.0  # seconds a view may take
DREAMS = 10
MOST = 100  # entries of a view


class Which(msgspec.Struct, frozen=True):
    """View that is meant."""

    view: Literal["working", "dreams", "intentions"]


class Done(msgspec.Struct, frozen=True):
    """Intention that was carried out."""

    id: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a view: what it is, what is said beside it, and the page that it leads to."""

    title: str
    about: str = ""
    uri: str = ""
    id: str = ""  # of an intention
    icon: Literal["note", "error", "dream", "plan", "due", "waits"]


class Views:
    """The views of one session."""

    def __init__(
        self,
        session: Session,
        commands: Commands,
        root: Callable[[], str | None],
        now: Callable[[], float],
    ) -> None:
        """``root`` is the editor's folder, where no file is open; ``now`` seconds since the epoch."""
        self._session = session
        self._commands = commands
        self._root = root
        self._now = now

    async def entries(self, argument: object) -> list[dict[str, str]]:
        """List the entries of a view."""
        views: dict[str, Callable[[str | None], Awaitable[list[Entry]]]] = {
            "working": self._working,
            "dreams": self._dreams,
            "intentions": self._intentions,
        }
        folder = self._session.folder() or self._root()
        project = str(project_root(Path(folder))) if folder else None
        found = await views[parsed(argument, Which).view](project)
        return msgspec.to_builtins(found[:MOST])  # type: ignore[no-any-return]

    async def intention_done(self, argument: object) -> bool:
        """Note that an intention was carried out."""
        id_ = parsed(argument, Done).id
        return await self._commands.ask(ChangeIntention(id=id_, change="done")) is not None

    async def _working(self, project: str | None) -> list[Entry]:
        if project is None:
            return []
        found = await self._session.ask(ResumeSession(project=project), within=WITHIN)
        if found is None:
            return []
        held = [
            Entry(
                title=cut(one_line(one.text), pages.NAME),
                about=f"{one.attention:.2f}",
                uri=pages.address(one.id),
                icon="note",
            )
            for one in found.working_memory
        ]
        failed = [
            Entry(title=one_line(one.command), about=one_line(one.error), icon="error")
            for one in found.failures
        ]
        return held + failed

    async def _dreams(self, _: str | None) -> list[Entry]:
        plans = await self._session.ask(Plans(), within=WITHIN)
        waiting = [
            Entry(
                title=f"Plan {one.id}: {title_of(one)}",
                about=one_line(one.reason),
                uri=reports.address("plan", one.id),
                icon="plan",
            )
            for one in (plans.plans if plans is not None else ())
        ]
        dreams = await self._session.ask(ListDreams(limit=DREAMS), within=WITHIN)
        return waiting + [
            Entry(
                title=dream_line(one),
                about=age(self._now() - one.began_at),
                uri=reports.address("dream", one.id),
                icon="dream",
            )
            for one in (dreams.dreams if dreams is not None else ())
        ]

    async def _intentions(self, project: str | None) -> list[Entry]:
        request = ListIntentions(project=project, limit=MOST)
        found = await self._session.ask(request, within=WITHIN)
        return [
            Entry(
                title=one_line(one.text),
                about=" · ".join(filter(None, ["due" if one.due else "", one_line(one.when)])),
                id=one.id,
                icon="due" if one.due else "waits",
            )
            for one in (found.intentions if found is not None else ())
        ]
