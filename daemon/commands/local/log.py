"""``journal``: events as they arrived; ``log``: their results, also live."""

from collections import deque
from collections.abc import Callable
from datetime import datetime
from typing import Any

import click

from daemon.api.journal import Follow, Journal, Log
from daemon.asking import DaemonAway, Refused
from daemon.commands.terminal.output import error_line, print_json, print_lines
from daemon.commands.terminal.question import asked, conversation
from daemon.commands.terminal.verbs import carry_out
from daemon.commands.terminal.words import counted, moment_given, page_width, printable, shortened
from daemon.home import current_home

LOG_LIMIT = 200
DAEMON_LINES = 50
STOPPED = "the daemon has stopped: nothing more happens; 'reverie log --follow' starts it again"
# How a person reads each kind; one that is missing here is shown under its own name.
WORDS = {
    "MemoryCreated": "remembered",
    "MemoryUpdated": "changed",
    "MemoryDeleted": "left recall",
    "MemoryRestored": "came back",
    "MemorySuppressed": "suppressed",
    "MemoryUnsuppressed": "no longer suppressed",
    "NoteRead": "read",
    "NoteJudged": "judged",
    "SearchPerformed": "searched",
    "DreamStarted": "dream begins",
    "DreamCompleted": "dream ended",
    "ConnectionDiscovered": "connected",
    "PlanProposed": "plan proposed",
    "PlanDecided": "plan decided",
}


def _since(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> float:
    try:
        return 0.0 if value is None else moment_given(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def journal(as_json: bool) -> None:
    """Show which events arrived.

    The oldest first, without what they contain.
    """
    after: int | None = 0
    with conversation() as talk:
        while after is not None:
            asks = Journal(after=after)
            page = talk.ask(asks)
            if not as_json:
                print_lines(asks.lines(page))
            for event in page.events if as_json else ():
                print_json(event)
            after = page.after


@click.command()
@click.option(
    "--since", callback=_since, metavar="TIME", help="2h, today, last week, 2026-11-22, …"
)
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    help=f"At most so many: {LOG_LIMIT}, and {DAEMON_LINES} lines with --daemon.",
)
@click.option("-f", "--follow", is_flag=True, help="What happens from now on, until Ctrl-C.")
@click.option("--daemon", is_flag=True, help="The daemon's own log: ids and numbers, never a text.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, or one a line.")
def log(
    since: float,
    limit: int | None,
    follow: bool,
    daemon: bool,
    as_json: bool,
) -> None:
    """Show what was learnt, changed and shown.

    The newest last. Nobody waits for you who follow: when you read more slowly than things happen, the
    oldest are left out, and a line says how many.
    """
    if daemon:
        if since or as_json or follow:
            raise click.UsageError("--daemon goes with --limit alone")
        show_daemon_log(limit or DAEMON_LINES)
    elif follow:
        if since or limit:
            raise click.UsageError("--follow goes with --json alone")
        _follow(Follow(titles=not as_json), print_json if as_json else _print_event)
    else:
        asks = Log(since=since, limit=limit or LOG_LIMIT)
        carry_out(asks, as_json=as_json)


def _follow(request: Follow, show: Callable[[dict[str, Any]], None]) -> None:
    def show_frame(frame: dict[str, Any]) -> None:
        if frame["dropped"]:
            error_line(f"{counted(frame['dropped'], 'event')} came too fast and were left out")
        for event in frame["events"]:
            show(event)

    try:
        asked(request, within=None, progress=show_frame)
    except DaemonAway as error:
        raise click.ClickException(STOPPED) from error
    except Refused as error:
        raise click.ClickException(STOPPED if error.code == "stopping" else str(error)) from error


def _print_event(event: dict[str, Any]) -> None:
    clock = datetime.fromtimestamp(event["at"]).astimezone().strftime("%H:%M:%S")
    word = WORDS.get(event["type"], event["type"])
    titles = event.get("titles", {})
    said = [
        _said(name, value, titles) for name, value in event["data"].items() if value is not None
    ]
    line = f"{clock}  {word:<20}  {'  '.join(said)}"
    click.echo(shortened(printable(line), page_width()))


def _said(name: str, value: object, titles: dict[str, str]) -> str:
    if name in ("id", "one", "other"):
        title = titles.get(str(value), "")
        return f"{value} {shortened(title, 40)}".rstrip()
    return f"{name} {value}"


# ---- ``log --daemon``: the daemon's own log, which holds no memory's text


def show_daemon_log(lines: int) -> None:
    """Print its last lines."""
    path = current_home().log
    if not path.is_file():
        raise click.ClickException(f"there is no log yet at {path}")
    with path.open("rb") as file:
        last = deque(file, maxlen=lines)
    click.echo(printable(b"".join(last).decode("utf-8", "replace")), nl=False)
