"""``journal``: which events arrived."""

from functools import partial

import click

from daemon.client import Client
from daemon.commands.terminal.conversation import ANSWER_WITHIN, conversation
from daemon.commands.terminal.jsonl import write_line
from daemon.commands.terminal.output import age, now, print_table
from daemon.requests.journal import Journal, JournalPage

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
