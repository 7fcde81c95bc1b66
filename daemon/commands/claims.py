"""``confirm`` and ``refute``: what came of something that was only supposed."""

from __future__ import annotations

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import counted, one_line, print_json
from daemon.requests.claims import Confirm, Refute
from daemon.requests.shapes import Done


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def confirm(ids: tuple[str, ...], as_json: bool) -> None:
    """Say that something supposed is so.

    A hypothesis becomes a fact; one that was refuted is back in recall.
    """
    _told(asked(Confirm(ids=list(ids))), "confirmed", as_json)


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--because", default="", metavar="TEXT", help="Why; 'reverie why ID' tells it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def refute(ids: tuple[str, ...], because: str, as_json: bool) -> None:
    """Say that something is not so.

    It leaves recall; 'reverie confirm' brings it back.
    """
    _told(asked(Refute(ids=list(ids), because=because)), "refuted", as_json)


def _told(done: Done, verb: str, as_json: bool) -> None:
    if as_json:
        print_json(done)
        return
    note = f" ({one_line(done.note)})" if done.note else ""
    click.echo(f"{verb} {counted(done.count, 'memory', 'memories')}{note}")
