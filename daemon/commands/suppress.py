"""``suppress`` and ``unsuppress``: a memory is brought back less."""

from __future__ import annotations

import click

from daemon.commands.strength import ordinal
from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.done import tell
from daemon.commands.terminal.output import counted, say
from daemon.requests.suppress import Suppress


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def suppress(id_: str, as_json: bool) -> None:
    """Bring a memory back less.

    For a day no prompt gets it; after that it comes later in every answer, the more often you
    say so. 'reverie unsuppress' takes it back within the day. Nothing is deleted.
    """
    done = asked(Suppress(id=id_))
    often = "" if done.count == 1 else f", for the {ordinal(done.count)} time"
    tell(done, f"{id_} is suppressed{often}; undo within a day: reverie unsuppress {id_}", as_json)


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def unsuppress(id_: str, as_json: bool) -> None:
    """Take the last suppression of a memory back."""
    done = asked(Suppress(id=id_, back=True))
    since = f", as it was after {counted(done.count, 'suppression')}" if done.count else ""
    say(done, as_json, f"{id_} is back{since}")
