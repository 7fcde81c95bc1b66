"""``link`` and ``unlink``: how one memory stands to another."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import (
    counted,
    one_line,
    page_width,
    print_json,
    say,
    shortened,
    styled,
)
from daemon.requests.link import Chains, ChainsFound, ChainView, Direction, Link, LinkView, Unlink


@click.command()
@click.argument("source", metavar="ID")
@click.argument("relation")
@click.argument("target", metavar="OTHER")
@click.option(
    "--strength", default=1.0, show_default=True, type=float, help="How sure it is, from 0 to 1."
)
@click.option("--evidence", default="", help="Why, in a line.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def link(
    source: str, relation: str, target: str, strength: float, evidence: str, as_json: bool
) -> None:
    """Say how one memory stands to another.

    RELATION is caused, enabled, supersedes, contradicts, derived_from or supports; read it
    as a sentence: m4 caused m7. Said again, the strength and the evidence are the new ones.
    """
    done = asked(
        Link(source=source, relation=relation, target=target, strength=strength, evidence=evidence)
    )
    drawn = ("linked " if done.new else "changed ") + _link(done.link)
    say(done, as_json, f"{drawn}\nundo with reverie unlink {done.link.id}")


@click.command()
@click.argument("words", metavar="LINK", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def unlink(words: tuple[str, ...], as_json: bool) -> None:
    """Take a link between two memories out.

    LINK is its id, such as m1:supersedes:m2, or the three words: m1 supersedes m2.
    """
    if len(words) not in (1, 3):
        raise click.UsageError("Give a link's id, or three words: ID RELATION OTHER.")
    done = asked(Unlink(link=":".join(words)))
    said = f"unlinked {':'.join(words)}" if done.count else done.note
    say(done, as_json, one_line(said))


def print_chains(one: str, other: str, direction: Direction, *, as_json: bool) -> None:
    """The ways from one memory to another, on the page."""
    found = asked(Chains(one=one, other=other, direction=direction))
    if as_json:
        print_json(found)
        return
    if not found.chains:
        click.echo(f"no chain of links leads from {one_line(one)} to {one_line(other)}")
        return
    for chain in found.chains:
        _print_chain(chain, found)
    if found.total > len(found.chains):
        click.echo(f"{len(found.chains)} of {counted(found.total, 'chain')}, the surest ones")


def _print_chain(chain: ChainView, found: ChainsFound) -> None:
    width = page_width()
    heading = f"{counted(len(chain.links), 'link')}, {chain.confidence:.0%} sure"
    click.echo(styled(heading, bold=True))
    for place, memory in enumerate(chain.memories):
        title = one_line(found.titles.get(memory, ""))
        click.echo(shortened(f"  {memory}  {title}", width))
        if place < len(chain.links):
            click.echo(shortened(f"    {_link(chain.links[place])}", width))


def _link(link: LinkView) -> str:
    relation = one_line(link.relation).replace("_", " ")
    said = f"{link.source} {relation} {link.target} (strength {link.strength:.2f})"
    return f"{said}: {one_line(link.evidence)}" if link.evidence else said
