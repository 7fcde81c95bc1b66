"""``folders``: what each folder of a project is for."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import one_line, present, shown_of, styled
from daemon.commands.terminal.scope import current_project, named_project
from daemon.requests.folders import FolderPage, Folders


@click.command()
@click.argument("query", nargs=-1)
@click.option("--project", help="Of this project instead of the current one.")
@click.option("--all", "everywhere", is_flag=True, help="Of every project that has memories.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1_000))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def folders(
    query: tuple[str, ...], project: str | None, everywhere: bool, limit: int, as_json: bool
) -> None:
    """Find the folder that a QUERY is about.

    By one sentence of each folder's README or spec.md, read as they are now. Without a QUERY, all of them.
    """
    page = asked(
        Folders(
            query=" ".join(query),
            project=named_project(project) if project else current_project(),
            everywhere=everywhere,
            limit=limit,
        )
    )
    present(page, as_json, _print)


def _print(page: FolderPage) -> None:
    if not page.folders:
        click.echo("no folder with a README or a spec.md is about that")
    for one in page.folders:
        name = one.project.rstrip("/").rpartition("/")[2]
        click.echo(styled(one_line(f"{name}/{one.folder}"), bold=True))
        click.echo(
            f"  {one_line(one.description) or 'its document says nothing of what it is for'}"
        )
    if more := shown_of(page.folders, page.total):
        click.echo(more)
