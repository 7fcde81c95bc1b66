"""``useful``, ``useless`` and ``pin``: a person's opinion of a memory."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import (
    counted,
    say,
    tell,
)
from daemon.commands.terminal.scope import current_project
from daemon.requests.shapes import Done
from daemon.requests.strength import Feedback, Pin, Suppress

_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def useful(id_: str, as_json: bool) -> None:
    """Say that a memory helped.

    It is trusted more and comes sooner in answers, and a prompt of this project is told it more
    easily. Only use makes it last.
    """
    tell(
        asked(Feedback(id=id_, useful=True, project=current_project())), f"{id_} is useful", as_json
    )


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--suppress", is_flag=True, help="Bring it back less: in no prompt for a day.")
@click.option("--take-back", is_flag=True, help="Take the last --suppress back, within the day.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def useless(id_: str, suppress: bool, take_back: bool, as_json: bool) -> None:
    """Say that a memory did not help.

    It is trusted less and comes later in answers, and a prompt of this project has to be closer
    to it before it is told. With --suppress it comes later in every answer from then on, the more
    often you say so. Nothing is deleted.
    """
    if suppress and take_back:
        raise click.UsageError("give one of --suppress and --take-back")
    if suppress or take_back:
        done = asked(Suppress(id=id_, back=take_back))
        if take_back:
            say(done, as_json, _taken_back(id_, done))
        else:
            tell(done, _suppressed(id_, done), as_json)
        return
    done = asked(Feedback(id=id_, useful=False, project=current_project()))
    tell(done, f"{id_} is not useful", as_json)


def _suppressed(id_: str, done: Done) -> str:
    often = "" if done.count == 1 else f", for the {ordinal(done.count)} time"
    undo = f"undo within a day: reverie useless {id_} --take-back"
    return f"{id_} is suppressed{often}; {undo}"


def _taken_back(id_: str, done: Done) -> str:
    since = f", as it was after {counted(done.count, 'suppression')}" if done.count else ""
    return f"{id_} is back{since}"


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--off", is_flag=True, help="Let them fade again.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def pin(ids: tuple[str, ...], off: bool, as_json: bool) -> None:
    """Keep memories from fading.

    A pinned memory is never archived.
    """
    done = asked(Pin(ids=list(ids), pinned=not off))
    tell(done, f"{'unpinned' if off else 'pinned'} {done.count}", as_json)


def ordinal(number: int) -> str:
    """`2nd`, `3rd`, `11th`."""
    ending = "th" if 10 <= number % 100 <= 20 else _ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"
