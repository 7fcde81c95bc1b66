"""Orders of a person to the reader: another engine, and sessions to be read now."""

import math
import os
from typing import Any, Final

import trio

from actors.policy.reader import order
from actors.reader.messages import (
    Chosen,
    HowItReads,
    ReaderState,
    ReadingReport,
    ReadingStep,
    ReadNow,
)
from daemon.context import Parts, Progress
from daemon.engines.choice import Choice, engine_of
from daemon.settings import environment_name, load
from daemon.shapes.replies import BadRequest
from daemon.storage import readings

LOOK_WITHIN: Final = 30.0  # seconds for what the store answers
NEWEST: Final = 200  # waiting sessions that are looked at


async def choose(parts: Parts, choice: Choice | None) -> None:
    """Write the engine a person agreed to into ``config.toml``, and have it read from now on.

    Raises ``BadRequest`` where the file cannot be written, or the setting would not hold.
    """
    # Not before: the daemon needs neither else.
    import click

    from daemon.commands.local.config_file import set_values

    values = _written(choice)
    names = [environment_name(f"reader.{key}") for key in values]
    if fixed := [name for name in names if name in os.environ]:
        raise BadRequest(f"{fixed[0]} is set for the daemon and wins: take it away first")
    try:
        await trio.to_thread.run_sync(set_values, parts.home.config, "reader", values)
        await trio.to_thread.run_sync(load, parts.home, os.environ)
    except click.ClickException as error:
        raise BadRequest(error.format_message()) from None
    engine = None if choice is None else await engine_of(choice, parts.place, parts.reader)
    chosen = Chosen(engine, parts.clock.now())
    await parts.mailboxes.session_reader.ask(chosen, within=LOOK_WITHIN)


def _written(choice: Choice | None) -> dict[str, str | list[str] | None]:
    """The settings of a choice; absent ones are removed."""
    if choice is None:
        return dict.fromkeys(("engine", "command", "url", "model", "agents"))
    return {
        "engine": choice.engine,
        "command": list(choice.command) or None,
        "url": choice.url or None,
        "model": choice.model or None,
        "agents": list(choice.agents) or None,
    }


async def state_of(parts: Parts, *, by_person: bool) -> ReaderState:
    """The reader as it is."""
    asked = HowItReads(parts.clock.now(), by_person)
    return await parts.mailboxes.session_reader.ask(asked, within=LOOK_WITHIN)


async def waiting(parts: Parts) -> tuple[str, ...]:
    """Waiting sessions: with unread events, and over or still."""
    state, at = await state_of(parts, by_person=False), parts.clock.now()
    if state.since is None:
        return ()
    rows = await parts.reader.read(readings.unread_sessions, state.since, NEWEST)
    sessions = [
        order.Session(
            row.session, row.started_at, row.seen_at, row.status == order.ENDED, row.emptied_at,
            row.unread_since, row.prompts,
        )
        for row in rows
    ]  # fmt: skip
    still = parts.settings.reader.still
    return tuple(one.session for one in sessions if one.prompts and order.is_ripe(one, at, still))


async def read_now(
    parts: Parts, sessions: tuple[str, ...] | None, progress: Progress, *, dry_run: bool
) -> ReadingReport:
    """Have sessions read, or all ended ones; an asker who leaves stops it."""
    send, receive = trio.open_memory_channel[dict[str, Any]](1)

    def step(made: ReadingStep) -> None:
        figures = {"done": made.done, "sessions": made.sessions}
        try:
            send.send_nowait({**figures, "notes": made.notes, "tokens": made.tokens})
        except (trio.WouldBlock, trio.BrokenResourceError):
            return  # a person sees the next one

    async def tell() -> None:
        async for frame in receive:
            await progress(frame)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(tell)
        with send:
            report = await parts.mailboxes.session_reader.ask(
                ReadNow(sessions, dry_run, step), within=math.inf
            )
    return report
