"""``timeline``: what was remembered when."""

from datetime import datetime

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import (
    age,
    counted,
    duration,
    now,
    one_line,
    page_width,
    print_json,
    print_table,
    shortened,
    styled,
)
from daemon.commands.terminal.scope import current_project, named_project
from daemon.requests.timeline import Remembered, Timeline, TimelinePage

MINUTE = 60.0  # seconds


@click.command()
@click.argument("id_", metavar="[ID]", required=False)
@click.option("--project", help="Of this project instead of the current one, or of ID's.")
@click.option("--all", "everywhere", is_flag=True, help="Of every project.")
@click.option(
    "--minutes",
    default=60,
    show_default=True,
    type=click.IntRange(1, 527_040),
    help="With ID: how far around it.",
)
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1_000))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def timeline(
    id_: str | None,
    project: str | None,
    everywhere: bool,
    minutes: int,
    limit: int,
    as_json: bool,
) -> None:
    """Show what was remembered when.

    The newest first, with what happened to each since. With an ID: its own history, and
    what was remembered around the same time, the nearest first.
    """
    here = None if id_ is not None else current_project()
    page = asked(
        Timeline(
            id=id_,
            project=named_project(project) if project else here,
            everywhere=everywhere,
            window=minutes * MINUTE,
            limit=limit,
        )
    )
    if as_json:
        print_json(page)
    elif page.about is not None:
        _print_around(page, page.about, minutes)
    else:
        _print_page(page)


def _print_page(page: TimelinePage) -> None:
    moment = now()
    for memory in page.memories:
        _print_memory(memory, f"made {age(moment - memory.created_at)}", moment)
    if not page.memories:
        click.echo("there are no memories")
    elif len(page.memories) < page.total:
        click.echo(f"{len(page.memories)} of {counted(page.total, 'memory', 'memories')}")


def _print_around(page: TimelinePage, about: Remembered, minutes: int) -> None:
    moment = now()
    _print_memory(about, f"made {age(moment - about.created_at)}", moment)
    around = f"within {minutes} minutes of it"
    click.echo(f"\n{around}" if page.memories else f"\nnothing else was remembered {around}")
    for memory in page.memories:
        apart = memory.apart or 0.0
        side = "before" if apart < 0 else "after"
        _print_memory(memory, f"{duration(abs(apart))} {side} it", moment)
    if len(page.memories) < page.total:
        click.echo(f"{len(page.memories)} of {page.total:,}; --limit shows more")


def _print_memory(memory: Remembered, when: str, moment: float) -> None:
    local = datetime.fromtimestamp(memory.created_at).astimezone()
    title = one_line(memory.title)
    heading = (
        f"{local:%Y-%m-%d %H:%M}  {memory.id}  {one_line(memory.kind)}  {memory.state}  {title}"
    )
    click.echo(styled(shortened(heading, page_width()), bold=True))
    click.echo(f"  {when}")
    rows = [[age(moment - one.at), one.what, one.detail] for one in memory.past]
    print_table(rows, indent=2)
