"""``backfill``: which earlier memories may explain a failure."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import age, now, one_line, present, print_table
from daemon.commands.terminal.scope import current_project, named_project
from daemon.requests.backfill import LookBack, LookedBack


@click.command()
@click.argument("id_", metavar="[ID]", required=False)
@click.option("--failure", metavar="TEXT", help="What failed, instead of a memory that tells it.")
@click.option("--apply", "apply", is_flag=True, help="Strengthen what is found; else only show it.")
@click.option("--project", help="Of this project instead of the current one.")
@click.option("--all", "everywhere", is_flag=True, help="Of every project.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def backfill(
    id_: str | None,
    failure: str | None,
    apply: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Find what may explain a failure.

    Looks back 30 days for memories that name the same variables, paths or dotted names, and
    shows the likeliest three. They are guesses; nothing changes without --apply.
    """
    if (id_ is None) == (failure is None):
        raise click.UsageError("Name a memory that tells of the failure, or give --failure TEXT.")
    meant = named_project(project) if project else None
    if meant is None and id_ is None:
        meant = current_project()
    found = asked(
        LookBack(id=id_, failure=failure, project=meant, everywhere=everywhere, apply=apply)
    )
    present(found, as_json, _print)


def _print(found: LookedBack) -> None:
    names = ", ".join(one_line(name) for name in found.names)
    if not found.names:
        click.echo("the failure names no variable, path or dotted name to look for")
        return
    if not found.causes:
        click.echo(f"nothing new of the last 30 days names {names}")
        return
    moment = now()
    rows = [
        [
            cause.id,
            age(moment - cause.created_at),
            f"stability {cause.stability:.1f} → {cause.proposed:.1f} days",
            f"names {', '.join(one_line(name) for name in cause.shared)}",
            one_line(cause.title),
        ]
        for cause in found.causes
    ]
    print_table(rows)
    if found.applied:
        click.echo("strengthened; `reverie why ID` shows it with each")
    else:
        click.echo("possible causes, nothing was changed: --apply strengthens them")
