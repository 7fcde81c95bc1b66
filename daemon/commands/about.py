"""``about``: what bears on a file."""

from pathlib import Path

import click

from daemon.commands.recall import print_result
from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import (
    age,
    counted,
    now,
    one_line,
    page_width,
    present,
    shortened,
    styled,
)
from daemon.requests.about import About, Bearing, EndedView


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-k", default=10, show_default=True, type=click.IntRange(1, 1000), help="Results.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def about(file: Path, k: int, as_json: bool) -> None:
    """Find what bears on a file.

    Memories about what it defines, about the file itself, and about what it uses. Then the files that
    sessions changed together with it, and the failures that an edit of it ended.
    """
    found = asked(About(path=str(file.absolute()), k=k))
    present(found, as_json, _print)


def _print(found: Bearing) -> None:
    if not (found.found.results or found.together or found.ended):
        click.echo("nothing that is known bears on this file")
    for scored in found.found.results:
        print_result(scored, explain=True)
    _print_changes(found)


def _print_changes(found: Bearing) -> None:
    moment = now()
    if found.together:
        click.echo(styled("changed together with it:", bold=True))
    for one in found.together:
        when = f"{_commit(one.commit)}session {one.session[:8]}, {age(moment - one.at)}"
        times = f"{one.times} of {counted(one.of, 'time')}"
        click.echo(shortened(f"  {one_line(one.path)} ({times}; last {when})", page_width()))
    print_ended(found.ended, "an edit of it ended:")


def print_ended(failures: list[EndedView], heading: str) -> None:
    """Failures and what ended each, under a heading; nothing for none."""
    if failures:
        click.echo(styled(heading, bold=True))
    for one in failures:
        when = f"{_commit(one.commit)}session {one.session[:8]}, {age(now() - one.at)}"
        did = ", ".join((*one.paths, *(f"`{repair}`" for repair in one.repairs)))
        click.echo(shortened(f"  {one_line(one.family)}: {one_line(one.signature)}", page_width()))
        click.echo(shortened(f"    by {one_line(did)} ({when})", page_width()))


def _commit(name: str) -> str:
    return f"commit {name[:9]}, " if name else ""
