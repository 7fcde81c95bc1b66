"""``export``: every living memory as JSON Lines."""

import sys
from functools import partial
from pathlib import Path
from typing import BinaryIO

import click
import msgspec

from daemon.client import Client
from daemon.commands.terminal.conversation import conversation
from daemon.commands.terminal.jsonl import STDIN
from daemon.commands.terminal.output import counted, error_line
from daemon.commands.terminal.progress import progress_line
from daemon.commands.terminal.scope import named_project
from daemon.home import whole_file
from daemon.requests.exports import Export

PAGE_WITHIN = 60.0  # seconds for a page of an export


@click.command("export")
@click.argument("file", metavar="[FILE]", default=STDIN)
@click.option("--project", help="Only of this project ('.': the current one).")
def export_rows(file: str, project: str | None) -> None:
    """Write every living memory as JSON Lines.

    To standard output, unless a FILE is named, which only you may read. 'reverie import'
    takes it back.
    """
    ask = partial(Export, project=named_project(project) if project else None)
    if file == STDIN:
        conversation(partial(_export, ask, sys.stdout.buffer))
        return
    target = Path(file)
    with whole_file(target) as out:
        count = conversation(partial(_export, ask, out))
    error_line(f"wrote {counted(count, 'memory', 'memories')} to {target}")


async def _export(ask: partial[Export], out: BinaryIO, client: Client) -> int:
    count, after = 0, 0
    with progress_line(beside_results=out is sys.stdout.buffer) as show:
        while True:
            page = await client.ask(ask(after=after), within=PAGE_WITHIN)
            out.writelines(msgspec.json.encode(row) + b"\n" for row in page.rows)
            out.flush()
            count += len(page.rows)
            show(f"{counted(count, 'memory', 'memories')} written")
            if page.after is None:
                return count
            after = page.after
