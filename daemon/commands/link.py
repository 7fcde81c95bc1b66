"""``link`` and ``unlink``: how one memory stands to another."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import one_line, say
from daemon.requests.link import Link, LinkView, Unlink


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


def _link(link: LinkView) -> str:
    relation = one_line(link.relation).replace("_", " ")
    said = f"{link.source} {relation} {link.target} (strength {link.strength:.2f})"
    return f"{said}: {one_line(link.evidence)}" if link.evidence else said
