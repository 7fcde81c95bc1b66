"""``import`` and ``export``: JSON Lines become memories, and back; ``gate`` only judges pairs."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

import anyio
import click
import msgspec

from daemon.client import Client
from daemon.commands.terminal.conversation import EXPLAINED, conversation
from daemon.commands.terminal.jsonl import STDIN, batches, read_lines, write_line
from daemon.commands.terminal.output import counted, error_line, now, print_json
from daemon.commands.terminal.progress import progress_line
from daemon.commands.terminal.scope import named_project
from daemon.home import whole_file
from daemon.requests.status import AwaitEmbedded, Embedded
from daemon.requests.transfer import Export, Import, ImportRow, Judge, Pair

BATCH_ROWS = 500  # the most that the daemon takes at a time
UNDER_WAY = 2  # pages at a time: one is written, the next one made ready
BATCH_WITHIN = 920.0  # seconds: the gate judges every row; the daemon gives up before
STEP = 1e-6  # seconds between the times of two rows without one: their order, and no more
PAGE_WITHIN = 60.0  # seconds for a page of an export
BATCH_PAIRS = 100  # each pair is two texts to embed


@click.command("import")
@click.argument("file", metavar="FILE.jsonl")
@click.option("--no-gate", is_flag=True, help="Keep every row as it is, beside what is there.")
@click.option("--no-embed", is_flag=True, help="Do not wait until every row has its vector.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def import_rows(file: str, no_gate: bool, no_embed: bool, as_json: bool) -> None:
    """Keep every row of a JSON Lines file.

    A row is {"text", "key"?, "project"?, "title"?, "created_at"?, "type"?, "tier"?,
    "triggers"?, "status"?, "valid_from"?, "valid_until"?}; '-' reads standard input. Nothing is kept when a line is wrong. Returns
    when every row is durable and has its vector.
    """
    rows = list(_timed(read_lines(file, ImportRow), now()))
    began = monotonic()
    actions, embedded = conversation(partial(_import, rows, not no_gate, not no_embed))
    spent = monotonic() - began
    if as_json:
        print_json(
            {
                "rows": len(rows),
                "actions": actions,
                "embedded": embedded,
                "seconds": round(spent, 3),
            }
        )
    else:
        kinds = ", ".join(f"{count:,} {action}" for action, count in sorted(actions.items()))
        click.echo(
            f"{counted(len(rows), 'row')} in {spent:.1f} s" + (f": {kinds}" if kinds else "")
        )
    if actions.get("REFUSED"):
        error_line(f"{counted(actions['REFUSED'], 'row')} refused: nothing but a secret")
    if embedded is not None and embedded.state != "ready":
        error_line(
            f"without vectors: {embedded.detail or embedded.state}; "
            "recall finds these rows by their words"
        )


def _timed(rows: Iterable[ImportRow], start: float) -> Iterator[ImportRow]:
    """The rows with their project resolved, and increasing times where they have none."""
    for number, row in enumerate(rows):
        at = row.created_at if row.created_at is not None else start + number * STEP
        project = named_project(row.project) if row.project else None
        yield msgspec.structs.replace(row, created_at=at, project=project)


async def _import(
    rows: list[ImportRow], gate: bool, embed: bool, client: Client
) -> tuple[dict[str, int], Embedded | None]:
    with progress_line() as show:
        actions = await _kept(rows, gate, client, show)
        if not embed or not rows:
            return dict(actions), None

        def left(state: dict[str, Any]) -> None:
            show(f"{state['pending']:,} memories wait for their vectors")

        return dict(actions), await client.ask(AwaitEmbedded(), within=None, progress=left)


async def _kept(
    rows: list[ImportRow], gate: bool, client: Client, show: Callable[[str], None]
) -> Counter[str]:
    """What became of the rows, sent in pages, in order.

    Without the gate a page is sent as soon as the one before it is ready to be written: the daemon
    makes it ready meanwhile. The gate judges a page after the one before it is durable.
    """
    actions: Counter[str] = Counter()
    places = anyio.Semaphore(1 if gate else UNDER_WAY)

    async def keep(page: list[ImportRow], ready: anyio.Event) -> None:
        async with places:
            imported = await client.ask(
                Import(rows=page, gate=gate, ahead=not gate),
                within=BATCH_WITHIN,
                progress=lambda _: ready.set(),
            )
        ready.set()
        actions.update(outcome.action for outcome in imported.outcomes)
        show(f"{actions.total():,} of {len(rows):,} rows kept")

    problem: Exception | None = None
    try:
        async with anyio.create_task_group() as tasks:
            for page in batches(rows, BATCH_ROWS):
                ready = anyio.Event()
                tasks.start_soon(keep, page, ready)
                await ready.wait()
    except* EXPLAINED as errors:
        problem = errors.exceptions[0]
    if problem is not None:
        raise problem
    return actions


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


@click.command()
@click.option("--pairs", metavar="FILE.jsonl", required=True, help="The pairs ('-': stdin).")
def gate(pairs: str) -> None:
    """Say what the gate would do with pairs of texts.

    A line is {"id", "existing", "incoming"}; the answer is {"id", "action",
    "similarity", "contradiction"}. Nothing is stored.
    """
    lines = list(read_lines(pairs, Pair))
    if lines:
        conversation(partial(_judge, lines))


async def _judge(pairs: list[Pair], client: Client) -> None:
    done = 0
    with progress_line(beside_results=True) as show:
        for batch in batches(pairs, BATCH_PAIRS):
            judged = await client.ask(Judge(pairs=batch), within=BATCH_WITHIN)
            for verdict in judged.verdicts:
                write_line(verdict)
            done += len(batch)
            show(f"{done:,} of {len(pairs):,} pairs judged")
