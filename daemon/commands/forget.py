"""``forget`` and ``unforget``: memories leave recall, and come back."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import tell_count
from daemon.requests.forget import Forget, Unforget

ERASED_WITHIN = 620.0  # seconds: every file is rewritten; the daemon gives up before


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--erase", is_flag=True, help="Out of every file, for good.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def forget(ids: tuple[str, ...], erase: bool, as_json: bool) -> None:
    """Take memories out of recall.

    'reverie unforget' brings them back, unless they were erased.
    """
    done = asked(Forget(ids=list(ids), erase=erase), within=ERASED_WITHIN)
    tell_count(done, "erased" if erase else "forgot", as_json)


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def unforget(ids: tuple[str, ...], as_json: bool) -> None:
    """Bring forgotten memories back."""
    tell_count(asked(Unforget(ids=list(ids))), "brought back", as_json)
