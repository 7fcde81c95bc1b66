"""``forecast``: what will have faded by then."""

from datetime import datetime

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import counted, present, print_table
from daemon.commands.terminal.scope import current_project, named_project
from daemon.requests.forecast import Forecast, Foretold


@click.command()
@click.option(
    "--days",
    default=30.0,
    show_default=True,
    type=click.FloatRange(0, 36_500, min_open=True),
    help="How many days ahead.",
)
@click.option("--project", help="Of this project instead of the current one.")
@click.option("--all", "everywhere", is_flag=True, help="Of every project.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1_000))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def forecast(days: float, project: str | None, everywhere: bool, limit: int, as_json: bool) -> None:
    """Tell what will have faded by then.

    From what is stored, if nothing is used until then; what fades soonest first.
    """
    foretold = asked(
        Forecast(
            days=days,
            project=named_project(project) if project else current_project(),
            everywhere=everywhere,
            limit=limit,
        )
    )
    present(foretold, as_json, _print_forecast)


def _print_forecast(foretold: Foretold) -> None:
    until = datetime.fromtimestamp(foretold.until).astimezone()
    click.echo(f"{counted(foretold.memories, 'memory', 'memories')}, now and on {until:%Y-%m-%d}")
    rows = [
        [state, f"{foretold.now[state]:,}", "->", f"{foretold.then[state]:,}"]
        for state in foretold.now
        if foretold.now[state] or foretold.then[state]
    ]
    print_table(rows, indent=2)
    if not foretold.changes:
        click.echo("nothing changes" if foretold.memories else "there are no memories")
        return
    click.echo()
    moved = [
        [
            one.id,
            f"{datetime.fromtimestamp(one.at).astimezone():%Y-%m-%d}",
            f"{one.now} -> {one.then}",
            one.title,
        ]
        for one in foretold.changes
    ]
    print_table(moved)
    if foretold.changing > len(moved):
        click.echo(f"{len(moved)} of {foretold.changing:,} that change; --limit shows more")
