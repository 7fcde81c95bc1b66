"""Dreams in an editor: one now, with its progress and a way to stop it, and what came of it.

A dream that is ordered here goes over a connection of its own: who stops it closes that
connection, and the daemon stops at its next checkpoint. A dream that begins by itself is
shown only where the user asked for it (``reverie.progress``).
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anyio
import msgspec

from daemon.client import DaemonAway, Refused
from daemon.requests.dreams import (
    BY_A_PERSON,
    CancelDreaming,
    DreamNow,
    Dreamt,
    ShowDream,
)
from daemon.requests.journal import Follow
from daemon.requests.wording import DOING, dream_line, step_line
from lsp.commands import AWAY, Commands, parsed
from lsp.connection import Away
from lsp.editor import Link, Work
from lsp.reports import address, dream_page
from lsp.session import Session

TOLD_EVERY = 0.5  # seconds between two words of how far a dream is
STOP_WITHIN = 5.0  # seconds until the daemon has heard that its own dream is to stop
LOOK_AGAIN = 5.0  # seconds until a follower that was cut off, or was off, looks again
SILENT = 60.0  # seconds without a word of a dream that began by itself: it was put off
STAGES = ("replay", "cross_reference", "strengthen", "prune", "transfer")


class Which(msgspec.Struct, frozen=True):
    """Dream that is meant: its number, or the last one."""

    id: int | None = None


class Dreams:
    """The commands about dreams of one session."""

    def __init__(
        self, session: Session, editor: Link, commands: Commands, now: Callable[[], float]
    ) -> None:
        """``now`` is the time in seconds since the epoch."""
        self._session = session
        self._editor = editor
        self._commands = commands
        self._now = now
        self._dreaming = False
        self._ordered = False  # the dream that is under way, by somebody, here or elsewhere
        self._heard: list[dict[str, Any]] = []  # of a dream that began by itself
        self._news = anyio.Event()

    async def dream(self, _argument: object = None) -> dict[str, Any] | None:
        """Dream now; the answer says what came of it."""
        if self._dreaming:
            self._editor.say("A dream is under way already.")
            return None
        self._dreaming = True
        try:
            async with self._editor.working("Dreaming") as work:
                found = await self._dreamt(work)
        finally:
            self._dreaming = False
        if isinstance(found, str):
            self._editor.say(found)
            return None
        if found is None:
            line = "The dream stops at its next checkpoint; what its finished stages found stays."
            self._editor.say(line)
            return {"outcome": "cancelled", "dream": None, "line": line}
        line = dream_line(found.dream) if found.dream else f"No dream: {found.note}"
        self._editor.say(f"{line}.")
        return {
            "outcome": found.outcome,
            "dream": found.dream.id if found.dream else None,
            "line": line,
        }

    async def _dreamt(self, work: Work) -> Dreamt | str | None:
        """What came of it; a line when the daemon would not; ``None`` when it was stopped."""
        latest: list[dict[str, Any]] = []
        told = anyio.Event()

        def seen(frame: dict[str, Any]) -> None:
            latest[:] = [frame]
            told.set()

        found: Dreamt | str | None = None
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_stop_when_cancelled, work, tasks.cancel_scope)
            tasks.start_soon(_tell, work, latest, told)
            try:
                found = await self._session.connection.ask_alone(DreamNow(), progress=seen)
            except DaemonAway:
                away = isinstance(self._session.connection.presence, Away)
                found = AWAY if away else "The daemon went away; the dream is gone on with later."
            except Refused as refused:
                found = str(refused)
            tasks.cancel_scope.cancel()
        return found

    async def show(self, argument: object) -> str | None:
        """Show what came of a dream, or of the last one."""
        number = parsed(argument, Which).id or 0
        report = await self._commands.ask(
            ShowDream(id=number),
            refused={"no_such_dream": "There is no such dream: `reverie.dream` dreams now."},
        )
        if report is None:
            return None
        text = dream_page(report, self._now())
        await self._commands.show(address("dream", report.dream.id), text, changed=True)
        return text

    # ---- dreams that begin by themselves

    async def watch(self) -> None:
        """Show them as progress, where that is wanted; until cancelled."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._show_scheduled)
            while True:
                if self._session.settings.progress:
                    with suppress(DaemonAway, Refused):  # it is looked for again
                        await self._session.connection.ask_alone(Follow(), progress=self._happened)
                await anyio.sleep(LOOK_AGAIN)

    def _happened(self, frame: dict[str, Any]) -> None:
        """A frame of what happened; only dreams count here that began by themselves."""
        for event in frame["events"]:
            if event["type"] not in ("DreamStarted", "DreamProgress", "DreamCompleted"):
                continue
            if event["type"] == "DreamStarted":
                self._ordered = event["data"].get("why") == BY_A_PERSON
            if not (self._ordered or self._dreaming) and self._session.settings.progress:
                self._heard.append(event)
                self._news.set()
            if event["type"] == "DreamCompleted":
                self._ordered = False

    async def _show_scheduled(self) -> None:
        while True:
            event = await self._next()
            if event["type"] == "DreamCompleted":
                continue
            async with (
                self._editor.working("Dreaming by itself") as work,
                anyio.create_task_group() as tasks,
            ):
                tasks.start_soon(self._stop_scheduled, work)
                _show(work, event)
                with anyio.move_on_after(SILENT) as silence:
                    while (event := await self._next())["type"] != "DreamCompleted":
                        silence.deadline = anyio.current_time() + SILENT
                        _show(work, event)
                tasks.cancel_scope.cancel()

    async def _stop_scheduled(self, work: Work) -> None:
        await work.cancelled.wait()
        await self._session.ask(CancelDreaming(), within=STOP_WITHIN)

    async def _next(self) -> dict[str, Any]:
        while not self._heard:
            self._news = anyio.Event()
            await self._news.wait()
        return self._heard.pop(0)


def _show(work: Work, event: dict[str, Any]) -> None:
    stage = event["data"].get("stage")
    done = STAGES.index(stage) + 1 if stage in STAGES else 0
    doing = DOING[STAGES[min(done, len(STAGES) - 1)]]
    work.report(f"{doing} ({min(done + 1, len(STAGES))} of {len(STAGES)})", 20 * done)


async def _stop_when_cancelled(work: Work, scope: anyio.CancelScope) -> None:
    await work.cancelled.wait()
    scope.cancel()


async def _tell(work: Work, latest: list[dict[str, Any]], told: anyio.Event) -> None:
    """At most two words a second."""
    await told.wait()
    shown: dict[str, Any] | None = None
    while True:
        if latest[0] is not shown:
            shown = latest[0]
            work.report(step_line(shown), 100 * shown["done"] // max(1, shown["total"]))
        await anyio.sleep(TOLD_EVERY)
