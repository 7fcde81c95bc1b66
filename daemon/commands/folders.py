"""``recall --folders``: which folder a question is about, by what each folder is for."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import one_line, present, shown_of, styled
from daemon.requests.folders import FolderPage, Folders


def show(request: Folders, *, as_json: bool) -> None:
    """Show the folders that the question is about, each in one sentence of its own document."""
    present(asked(request), as_json, _print)


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
