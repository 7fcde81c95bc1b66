"""``proposals``: what reverie would do, and a person decides."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import age, now, one_line, print_json, print_table, say
from daemon.requests.proposals import Decide, Proposals


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
    if as_json:
        print_json(page)
        return
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
    print_table(rows)
    if not rows:
        click.echo("nothing is proposed")
    elif any(one.state == "open" for one in page.proposals):
        click.echo("decide with reverie proposals accept ID, or decline ID")


@proposals.command()
@click.argument("id_", metavar="ID", type=int)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def accept(id_: int, as_json: bool) -> None:
    """Do what is proposed."""
    _decided(id_, accept=True, as_json=as_json)


@proposals.command()
@click.argument("id_", metavar="ID", type=int)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def decline(id_: int, as_json: bool) -> None:
    """Leave it; it is not proposed again."""
    _decided(id_, accept=False, as_json=as_json)


def _decided(number: int, *, accept: bool, as_json: bool) -> None:
    done = asked(Decide(id=number, accept=accept))
    say(done, as_json, one_line(done.note))
