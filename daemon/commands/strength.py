"""``useful``, ``pin``, ``promote``, ``tier`` and their opposites: a person's opinion of a memory.

And ``proposals``: what reverie would do, and a person decides.
"""

from typing import get_args

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.numbers import row_number
from daemon.commands.terminal.output import (
    age,
    counted,
    now,
    one_line,
    print_found,
    say,
    tell,
)
from daemon.commands.terminal.scope import current_project
from daemon.requests.shapes import Tier
from daemon.requests.strength import Decide, Feedback, Pin, Proposals, Rate, SetTier, Suppress

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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def useless(id_: str, as_json: bool) -> None:
    """Say that a memory did not help.

    It is trusted less and comes later in answers, and a prompt of this project has to be closer
    to it before it is told.
    """
    tell(
        asked(Feedback(id=id_, useful=False, project=current_project())),
        f"{id_} is not useful",
        as_json,
    )


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


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def promote(id_: str, as_json: bool) -> None:
    """Make a memory stronger at once.

    It lasts half as long again and comes back more easily. Its tier stays: 'reverie tier'
    changes that.
    """
    tell(asked(Rate(id=id_, up=True)), f"{id_} is stronger", as_json)


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def demote(id_: str, as_json: bool) -> None:
    """Make a memory weaker at once.

    It lasts half as long and comes back less easily.
    """
    tell(asked(Rate(id=id_, up=False)), f"{id_} is weaker", as_json)


@click.command()
@click.argument("id_", metavar="ID")
@click.argument("tier_", metavar="TIER", type=click.Choice(get_args(Tier)))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def tier(id_: str, tier_: Tier, as_json: bool) -> None:
    """Set how much a memory weighs.

    TIER is constitutional, critical, important, normal, temporary or deprecated. What it was
    before is printed, so that it can be set back.
    """
    tell(asked(SetTier(id=id_, tier=tier_)), f"{id_} is {tier_}", as_json)


def ordinal(number: int) -> str:
    """`2nd`, `3rd`, `11th`."""
    ending = "th" if 10 <= number % 100 <= 20 else _ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


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


@click.group(invoke_without_command=True)
@click.option("--all", "every", is_flag=True, help="Also those that were accepted or declined.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def proposals(context: click.Context, every: bool, as_json: bool) -> None:
    """Show, and decide, what reverie proposes.

    A memory that people called useful often enough is proposed for the critical tier, which
    never fades. Nothing is promoted by itself.
    """
    if context.invoked_subcommand is not None:
        return
    page = asked(Proposals(state=None if every else "open"))
    moment = now()
    rows = [
        [
            str(one.id),
            "" if one.state == "open" else one.state,
            f"{one.kind} {one.memory} to critical",
            one.reason,
            age(moment - one.at),
            one.title,
        ]
        for one in page.proposals
    ]
    is_open = any(one.state == "open" for one in page.proposals)
    more = "decide with reverie proposals accept ID, or decline ID" if is_open else ""
    print_found(page, as_json, rows, "nothing is proposed", more=more)


@proposals.command()
@click.argument("id_", metavar="ID", type=row_number)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def accept(id_: int, as_json: bool) -> None:
    """Do what is proposed."""
    _decided(id_, accept=True, as_json=as_json)


@proposals.command()
@click.argument("id_", metavar="ID", type=row_number)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def decline(id_: int, as_json: bool) -> None:
    """Leave it; it is not proposed again."""
    _decided(id_, accept=False, as_json=as_json)


def _decided(number: int, *, accept: bool, as_json: bool) -> None:
    done = asked(Decide(id=number, accept=accept))
    say(done, as_json, one_line(done.note))
