"""``confirm`` and ``refute``: what came of something that was only supposed."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import tell_count
from daemon.requests.claims import Confirm, Refute


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def confirm(ids: tuple[str, ...], as_json: bool) -> None:
    """Say that something supposed or noticed is so.

    A hypothesis becomes a fact; one that was refuted is back in recall. A decision that was only
    noticed never fades from then on.
    """
    tell_count(asked(Confirm(ids=list(ids))), "confirmed", as_json)


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--because", default="", metavar="TEXT", help="Why; 'reverie why ID' tells it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def refute(ids: tuple[str, ...], because: str, as_json: bool) -> None:
    """Say that something is not so.

    It leaves recall; 'reverie confirm' brings it back.
    """
    tell_count(asked(Refute(ids=list(ids), because=because)), "refuted", as_json)
