"""``why``: why a memory is there."""

from collections.abc import Mapping

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import (
    one_line,
    page_width,
    present,
    shortened,
    styled,
)
from daemon.requests.link import Direction
from daemon.requests.why import Reasons, Why

DIRECTIONS: Mapping[str, Direction] = {"in": "incoming", "out": "outgoing", "both": "both"}


@click.command()
@click.argument("id_", metavar="ID")
@click.option(
    "--depth",
    default=3,
    show_default=True,
    type=click.IntRange(1, 10),
    help="How many links its lineage is followed for.",
)
@click.option(
    "--direction",
    default="both",
    show_default=True,
    type=click.Choice(tuple(DIRECTIONS)),
    help="Only what led to it (in), or what it led to (out).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def why(id_: str, depth: int, direction: str, as_json: bool) -> None:
    """Say why a memory is there.

    Where it comes from, which decision made it, what took its place, what it is linked with,
    when it was shown and used, how its strength came to be, and what calls it.
    """
    reasons = asked(Why(id=id_, depth=depth, direction=DIRECTIONS[direction]))
    present(reasons, as_json, _print_reasons)


def _print_reasons(reasons: Reasons) -> None:
    memory = reasons.memory
    heading = f"{memory.id}  {one_line(memory.title or memory.text)}"
    click.echo(styled(shortened(heading, page_width()), bold=True))
    for sentence in reasons.sentences:
        click.echo(one_line(sentence))
