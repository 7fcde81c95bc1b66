"""Plans in an editor: looked at, done, taken back, left.

What ``reverie plans`` and ``reverie plan show|apply|undo|dismiss`` do, as commands and
as code actions on the lines that mention a plan's memories.
"""

import math
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import anyio
import msgspec

from daemon.requests.plans import (
    ApplyPlan,
    DismissPlan,
    Plans,
    PlanShown,
    PlanState,
    PlanView,
    ShowPlan,
    UndoPlan,
)
from daemon.requests.wording import STATES, acts_of, counted, title_of
from lsp.actions import DonePlan
from lsp.commands import Commands, parsed
from lsp.editor import Link
from lsp.reports import WAITING, address, plan_page, plans_page
from lsp.session import Session

FRESH = 5.0  # seconds for which code actions go by the plans that were asked for last
SOON = 0.25  # seconds that code actions wait for them
MOST = 20  # plans looked at for code actions: a person decides about few


class Number(msgspec.Struct, frozen=True):
    """Plan that is meant."""

    id: int


class Which(msgspec.Struct, frozen=True):
    """Plan or plans that are meant; ``show`` tells whether the editor is to show them."""

    id: int | None = None
    state: PlanState | None = "open"
    show: bool = True


class Waiting:
    """The plans that wait, as code actions need them: asked for now and then, never waited for."""

    def __init__(self, session: Session, monotonic: Callable[[], float]) -> None:
        self._session = session
        self._now = monotonic
        self._plans: list[PlanView] = []
        self._asked_at = -math.inf

    async def about(self, ids: Collection[str]) -> list[PlanView]:
        """The plans that say something of these memories."""
        if not ids:
            return []
        if self._now() - self._asked_at > FRESH:
            with anyio.move_on_after(SOON):
                found = await self._session.ask(Plans(limit=MOST), within=SOON)
                self._plans = found.plans if found is not None else []
                self._asked_at = self._now()
        return [plan for plan in self._plans if any(step.memory in ids for step in plan.steps)]

    def changed(self) -> None:
        """One was decided: ask again."""
        self._plans, self._asked_at = [], -math.inf


class PlanCommands:
    """The commands about plans of one session."""

    def __init__(
        self,
        session: Session,
        editor: Link,
        commands: Commands,
        waiting: Waiting,
        now: Callable[[], float],
    ) -> None:
        """``now`` is the time in seconds since the epoch."""
        self._session = session
        self._editor = editor
        self._ask = commands.ask
        self._page = partial(commands.show, changed=True)
        self._waiting = waiting
        self._now = now

    async def show(self, argument: object) -> list[dict[str, Any]] | None:
        """Show one plan, or those of a state; the answer has them in short."""
        which = parsed(argument, Which)
        if which.id is not None:
            shown = await self._ask(ShowPlan(id=which.id))
            if shown is None:
                return None
            if which.show:
                await self._page(address("plan", which.id), plan_page(shown.plan, self._now()))
            return [_short(shown.plan)]
        page = await self._ask(Plans(state=which.state))
        if page is None:
            return None
        if which.show and page.plans:
            await self._page(WAITING, plans_page(page.plans, self._now()))
        elif which.show:
            self._editor.say("No plan waits.")
        return [_short(one) for one in page.plans]

    async def apply(self, argument: object) -> dict[str, Any] | None:
        """Do what a plan says, all of it at once."""
        shown = await self._ask(ApplyPlan(id=parsed(argument, Number).id))
        if shown is None:
            return None
        one = shown.plan
        if one.state != "applied":
            self._editor.say(f"Nothing was done: {one.note or 'the plan is out of date'}.")
        else:
            self._session.applied = done = DonePlan(one.id, acts_of(one, done=True))
            said = f"Plan {done.id} is done{'' if shown.count else ' already'}: {done.what}"
            if self._session.settings.undo_prompt:
                self._session.start(partial(self._offer_undo, done), said)
            else:
                self._editor.say(
                    f"{said}. The code action “Undo plan {done.id}” at a hint,"
                    f" or `reverie plan undo {done.id}`, takes it back."
                )
        return self._decided(shown)

    async def _offer_undo(self, done: DonePlan, said: str) -> None:
        if await self._editor.choice(said, ("Undo",)):
            await self.undo({"id": done.id})

    async def undo(self, argument: object) -> dict[str, Any] | None:
        """Take back what a plan did; without an argument, the one done last from here."""
        last = self._session.applied
        number = parsed(argument, Which).id or (last.id if last else None)
        if number is None:
            self._editor.say("No plan was done from here: say which one.")
            return None
        shown = await self._ask(UndoPlan(id=number))
        if shown is None:
            return None
        one = shown.plan
        if one.state == "applied":
            self._editor.say(one.note or "Nothing could be taken back.")
        else:
            if last is not None and last.id == number:
                self._session.applied = None
            restored = sum(step.outcome == "restored" for step in one.steps)
            self._editor.say(
                f"Taken back: {counted(restored, 'memory', 'memories')} as before."
                if shown.count
                else f"Plan {number} was not done, or was taken back before: nothing changed."
            )
        return self._decided(shown)

    async def dismiss(self, argument: object) -> dict[str, Any] | None:
        """Leave everything as it is."""
        number = parsed(argument, Number).id
        shown = await self._ask(DismissPlan(id=number))
        if shown is None:
            return None
        self._editor.say(
            f"Plan {number} is left: nothing changes, and it is not proposed again for 90 days."
            if shown.count
            else f"Plan {number} is {STATES[shown.plan.state]} already."
        )
        return self._decided(shown)

    def _decided(self, shown: PlanShown) -> dict[str, Any]:
        self._waiting.changed()
        if self._session.settings.documents:
            self._editor.refresh_page(address("plan", shown.plan.id))
            self._editor.refresh_page(WAITING)
        return _short(shown.plan) | {"count": shown.count}


def _short(one: PlanView) -> dict[str, Any]:
    return {
        "id": one.id, "title": title_of(one), "reason": one.reason, "state": one.state,
        "note": one.note,
    }  # fmt: skip
