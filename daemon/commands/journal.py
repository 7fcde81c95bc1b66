"""``journal``: which events arrived; ``log``: what was learnt, changed and shown."""

import re
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import click

from daemon.client import Client
from daemon.commands.terminal.conversation import ANSWER_WITHIN, asked, conversation
from daemon.commands.terminal.jsonl import write_line
from daemon.commands.terminal.output import age, now, print_json, print_table
from daemon.requests.journal import Journal, JournalPage, Log

JOURNAL_FIELDS = ("event_id", "received_at", "kind", "session", "done")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def journal(as_json: bool) -> None:
    """Show which events arrived.

    The oldest first, without what they contain.
    """
    conversation(partial(_journal, as_json))


async def _journal(as_json: bool, client: Client) -> None:
    after: int | None = 0
    while after is not None:
        page = await client.ask(Journal(after=after), within=ANSWER_WITHIN)
        _print_events(page, as_json)
        after = page.after


def _print_events(page: JournalPage, as_json: bool) -> None:
    if as_json:
        for event in page.events:
            write_line({name: event[name] for name in JOURNAL_FIELDS})
        return
    moment = now()
    rows = [
        [
            age(moment - float(event["received_at"])),
            str(event["kind"]),
            "done" if event["done"] else "open",
            str(event["event_id"])[:12],
            str(event["session"] or ""),
        ]
        for event in page.events
    ]
    print_table(rows)


LOG_LIMIT = 200
UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def moment_given(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> float:
    """``2h``, ``3d``, or a date and time of ISO 8601, as seconds since the epoch."""
    if value is None:
        return 0.0
    back = re.fullmatch(r"(\d+)([smhdw])", value)
    if back:
        return now() - timedelta(**{UNITS[back[2]]: int(back[1])}).total_seconds()
    try:
        return datetime.fromisoformat(value).astimezone().timestamp()
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither like 2h or 3d nor a date.") from None


@click.command()
@click.option("--since", callback=moment_given, metavar="TIME", help="2h, 3d, 2026-11-22, …")
@click.option("--session", help="Only of this session of an agent.")
@click.option("--limit", default=LOG_LIMIT, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def log(since: float, session: str | None, limit: int, as_json: bool) -> None:
    """Show what was learnt, changed and shown.

    The newest last.
    """
    entries = asked(Log(since=since, session=session, limit=limit)).entries
    if as_json:
        print_json({"entries": entries})
        return
    moment = now()
    print_table([_log_row(entry, moment) for entry in entries])
    if not entries:
        click.echo("nothing happened")


def _log_row(entry: dict[str, Any], moment: float) -> list[str]:
    """When, what, which memory; then its title and the reason, as far as there are any."""
    said = [str(entry[name]) for name in ("title", "detail") if entry.get(name)]
    return [
        age(moment - float(entry["at"])),
        str(entry["what"]),
        str(entry["memory"] or ""),
        ": ".join(said),
    ]
