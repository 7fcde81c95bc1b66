"""``useful``, ``useless`` and ``pin``: what a person thinks of a memory."""

from __future__ import annotations

import click

from daemon.commands.conversation import asked
from daemon.commands.output import one_line, print_json
from daemon.requests.memories import Feedback, Pin
from daemon.requests.shapes import Done


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def useful(id_: str, as_json: bool) -> None:
    """Say that a memory helped.

    It becomes stronger and is trusted more.
    """
    _told(asked(Feedback(id=id_, useful=True)), f"{id_} is useful", as_json)


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def useless(id_: str, as_json: bool) -> None:
    """Say that a memory did not help.

    It is trusted less, and comes back less.
    """
    _told(asked(Feedback(id=id_, useful=False)), f"{id_} is not useful", as_json)


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--off", is_flag=True, help="Let them fade again.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def pin(ids: tuple[str, ...], off: bool, as_json: bool) -> None:
    """Keep memories from fading.

    A pinned memory is never archived.
    """
    done = asked(Pin(ids=list(ids), pinned=not off))
    _told(done, f"{'unpinned' if off else 'pinned'} {done.count}", as_json)


def _told(done: Done, sentence: str, as_json: bool) -> None:
    if as_json:
        print_json(done)
    elif not done.count:
        click.echo("nothing changed" + (f" ({one_line(done.note)})" if done.note else ""))
    else:
        click.echo(sentence + (f" ({one_line(done.note)})" if done.note else ""))
