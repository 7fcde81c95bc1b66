"""``events``: follow what happens, as it happens."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

import anyio
import click

from daemon.client import Client, DaemonAway, Refused
from daemon.commands.terminal.conversation import conversation
from daemon.commands.terminal.jsonl import write_line
from daemon.commands.terminal.output import (
    counted,
    error_line,
    page_width,
    printable,
    shortened,
    styled,
)
from daemon.requests.events import Follow

STOPPED = "the daemon has stopped: nothing more happens; 'reverie events' starts it again"
# How a person reads each kind; one that is missing here is shown under its own name.
WORDS = {
    "MemoryCreated": "remembered",
    "MemoryUpdated": "changed",
    "MemoryDeleted": "left recall",
    "MemoryRestored": "came back",
    "MemoryPromoted": "found useful",
    "MemoryDemoted": "found useless",
    "MemorySuppressed": "suppressed",
    "MemoryUnsuppressed": "no longer suppressed",
    "SearchPerformed": "searched",
    "DreamStarted": "dream begins",
    "DreamProgress": "dreaming",
    "DreamCompleted": "dream ended",
    "ConsolidationStarted": "consolidating",
    "ConsolidationCompleted": "consolidated",
    "RetentionDecayed": "faded",
    "ConnectionDiscovered": "connected",
    "ActivationSpread": "came to mind",
    "ImportanceScored": "importance",
    "PlanProposed": "plan proposed",
    "PlanDecided": "plan decided",
    "Heartbeat": "quiet",
}


@click.command()
@click.option("--recent", is_flag=True, help="Begin with what happened just before.")
@click.option("--count", type=click.IntRange(1), help="Leave after so many.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document a line.")
def events(recent: bool, count: int | None, as_json: bool) -> None:
    """Follow what happens, as it happens.

    Until Ctrl-C. Nobody waits for you: when you read more slowly than things happen, the oldest are left out,
    and a line says how many.
    """
    show = write_line if as_json else _print_event
    conversation(partial(_follow, Follow(recent=recent, titles=not as_json), count, show))


async def _follow(
    request: Follow, count: int | None, show: Callable[[dict[str, Any]], None], client: Client
) -> None:
    left = count
    with anyio.CancelScope() as scope:

        def told(frame: dict[str, Any]) -> None:
            nonlocal left
            if frame["dropped"]:
                error_line(f"{counted(frame['dropped'], 'event')} came too fast and were left out")
            for event in frame["events"]:
                if left == 0:
                    return
                show(event)
                left = None if left is None else left - 1
            if left == 0:
                scope.cancel()

        try:
            await client.ask(request, within=None, progress=told)
        except DaemonAway as error:
            raise click.ClickException(STOPPED) from error
        except Refused as error:
            raise click.ClickException(
                STOPPED if error.code == "stopping" else str(error)
            ) from error


def _print_event(event: dict[str, Any]) -> None:
    clock = datetime.fromtimestamp(event["at"]).astimezone().strftime("%H:%M:%S")
    word = WORDS.get(event["type"], event["type"])
    titles = event.get("titles", {})
    said = [
        _said(name, value, titles) for name, value in event["data"].items() if value is not None
    ]
    line = f"{clock}  {word:<20}  {'  '.join(said)}"
    click.echo(styled(shortened(printable(line), page_width()), dim=event["type"] == "Heartbeat"))


def _said(name: str, value: object, titles: dict[str, str]) -> str:
    if name in ("id", "one", "other"):
        title = titles.get(str(value), "")
        return f"{value} {shortened(title, 40)}".rstrip()
    return f"{name} {value}"
