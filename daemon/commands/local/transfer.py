"""``import`` and ``export``: JSON Lines become memories, and back; ``gate`` only judges pairs."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, Final

import click
import msgspec

from daemon.api.link import Link
from daemon.api.status import AwaitEmbedded, Embedded
from daemon.api.transfer import Export, Exported, ExportGone, Import, Judge, Leave, Pair
from daemon.commands.terminal.files import (
    STDIN,
    batches,
    decoded_lines,
    read_lines,
    target_file,
)
from daemon.commands.terminal.output import error_line, json_text, print_json, progress_line
from daemon.commands.terminal.question import Conversation, conversation
from daemon.commands.terminal.words import counted, named_project, now
from daemon.shapes.replies import PAGE
from daemon.shapes.rows import Decided, GoneRow, ImportRow, Left, check, check_gone

BATCH_ROWS = 500  # the most that the daemon takes at a time
BATCH_WITHIN = 920.0  # seconds: the gate judges every row; the daemon gives up before
STEP = 1e-6  # seconds between the times of two rows without one: their order, and no more
PAGE_WITHIN = 60.0  # seconds for a page of an export, or for a link
CREATED = "CREATE"  # the action of a row that was not here
BATCH_PAIRS = 100  # each pair is two texts to embed


Outcomes = list[tuple[ImportRow, Decided]]  # rows and what became of each
Line = ImportRow | GoneRow


@click.command("import")
@click.argument("file", metavar="FILE.jsonl")
@click.option("--merge", is_flag=True, help="Take what is not here, as it is in another home.")
@click.option("--no-gate", is_flag=True, help="Keep every row as it is, beside what is there.")
@click.option("--no-embed", is_flag=True, help="Do not wait until every row has its vector.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def import_rows(file: str, merge: bool, no_gate: bool, no_embed: bool, as_json: bool) -> None:
    """Keep every row of a JSON Lines file.

    A row is {"text", "key"?, "project"?, "title"?, "created_at"?, "type"?, "tier"?,
    "triggers"?, "status"?, "valid_from"?, "valid_until"?}; '-' reads standard input. Nothing is kept when a line is wrong.
    Returns when every row is durable and has its vector.

    With --merge FILE is what 'reverie export --whole' wrote in another home: every memory comes as
    it is there, strength, pin and links with it, and what is here already or was erased here
    stays away. What ended or was erased there ends or is erased here too, unless
    you said it here later.
    """
    if merge and no_gate:
        raise click.UsageError("--merge asks no gate: give it without --no-gate")
    lines = _read(file, merge=merge)
    rows = [line for line in lines if isinstance(line, ImportRow)]
    gone = [line for line in lines if merge and isinstance(line, GoneRow)]
    began = monotonic()
    empty = Import(rows=[], gate=not (no_gate or merge), merge=merge)
    with progress_line() as show, conversation() as talk:
        outcomes = _kept(rows, empty, talk, show)
        if merge:
            _linked(outcomes, talk, show)
        left = _gone(gone, talk, show)
        embedded = None if no_embed or not rows else _embedded(talk, show)
    actions = Counter(one.action for _, one in outcomes)
    spent = monotonic() - began
    if as_json:
        print_json(
            {
                "rows": len(rows),
                "actions": actions,
                **({"brought": _brought(outcomes), "left": left} if merge else {}),
                "embedded": embedded,
                "seconds": round(spent, 3),
            }
        )
    else:
        kinds = ", ".join(f"{count:,} {action}" for action, count in sorted(actions.items()))
        click.echo(
            f"{counted(len(rows), 'row')} in {spent:.1f} s" + (f": {kinds}" if kinds else "")
        )
        if left.ended or left.erased:
            click.echo(f"as in the other home: {left.ended:,} ended, {left.erased:,} erased")
    if actions.get("REFUSED"):
        error_line(f"{counted(actions['REFUSED'], 'row')} refused: nothing but a secret")
    if embedded is not None and embedded.state != "ready":
        error_line(
            f"without vectors: {embedded.detail or embedded.state}; "
            "recall finds these rows by their words"
        )


def _read(file: str, *, merge: bool) -> list[Line]:
    if merge and Path(file).is_dir():
        raise click.ClickException(
            f"{file} is a folder: 'REVERIE_HOME={file} reverie export --whole FILE' writes what to merge"
        )
    return list(_timed(decoded_lines(file, _line), now()))


class _Kind(msgspec.Struct):
    """Field for recognizing a line without a text."""

    gone: str | None = None


_KIND: Final = msgspec.json.Decoder(_Kind)
_ROW: Final = msgspec.json.Decoder(ImportRow)
_GONE: Final = msgspec.json.Decoder(GoneRow)


def _line(line: bytes) -> Line:
    """The row of a line; raises ``BadRequest`` for an unacceptable one."""
    try:
        is_gone = _KIND.decode(line).gone is not None
    except RecursionError:  # a row says better where it is wrong
        is_gone = False
    if is_gone:
        gone = _GONE.decode(line)
        check_gone(gone)
        return gone
    row = _ROW.decode(line)
    check(row)
    return row


def _brought(outcomes: Outcomes) -> list[str]:
    return [one.id for _, one in outcomes if one.action == CREATED]


def _timed(rows: Iterable[Line], start: float) -> Iterator[Line]:
    """The lines with their project resolved, and increasing times where rows have none.

    A row without a time was said at none: no ended or erased memory comes back by it.
    """
    for number, row in enumerate(rows):
        project = named_project(row.project) if row.project else None
        if isinstance(row, GoneRow) or row.created_at is not None:
            yield msgspec.structs.replace(row, project=project)
        else:
            yield msgspec.structs.replace(
                row, created_at=start + number * STEP, since=0.0, project=project
            )


def _embedded(talk: Conversation, show: Callable[[str], None]) -> Embedded:
    """Wait until every row has its vector."""

    def waiting(state: dict[str, Any]) -> None:
        show(f"{state['pending']:,} wait for their vectors; Ctrl-C leaves these to the background")

    return talk.ask(AwaitEmbedded(), within=None, progress=waiting)


def _gone(rows: list[GoneRow], talk: Conversation, show: Callable[[str], None]) -> Left:
    """Have memories gone from the other home leave; returns their number."""
    left = Left(ended=0, erased=0)
    for page in batches(rows, PAGE):
        show(f"{counted(len(rows), 'text')} ended or erased in the other home")
        some = talk.ask(Leave(rows=page), within=Leave.WITHIN)
        left = Left(ended=left.ended + some.ended, erased=left.erased + some.erased)
    return left


def _linked(outcomes: Outcomes, talk: Conversation, show: Callable[[str], None]) -> None:
    """Draw the links of a merge of which both ends are here and one has just come."""
    ids = {row.id: one.id for row, one in outcomes if one.id}
    came = set(_brought(outcomes))
    links = [
        Link(
            source=one.id, relation=link.relation, target=ids[link.to], strength=link.strength,
            evidence=link.evidence,
        )
        for row, one in outcomes
        for link in row.links
        if one.id and link.to in ids and came & {one.id, ids[link.to]}
    ]  # fmt: skip
    for done, link in enumerate(links, 1):
        talk.ask(link, within=PAGE_WITHIN)
        show(f"{done:,} of {len(links):,} links drawn")


def _kept(
    rows: list[ImportRow], empty: Import, talk: Conversation, show: Callable[[str], None]
) -> Outcomes:
    """Outcomes of the rows, sent in pages, in order: each is looked at after the one before it is durable."""
    outcomes: Outcomes = []
    for page in batches(rows, BATCH_ROWS):
        asked = msgspec.structs.replace(empty, rows=page)
        imported = talk.ask(asked, within=BATCH_WITHIN)
        outcomes.extend(zip(page, imported.outcomes, strict=True))
        show(f"{len(outcomes):,} of {len(rows):,} rows kept")
    return outcomes


@click.command("export")
@click.argument("file", metavar="[FILE]", default=STDIN)
@click.option("--project", help="Only of this project ('.': the current one).")
@click.option(
    "--whole",
    is_flag=True,
    help="With strength, pins, links and what ended or was erased, for import --merge.",
)
def export_rows(file: str, project: str | None, whole: bool) -> None:
    """Write every living memory as JSON Lines.

    To standard output, unless a FILE is named, which only you may read. 'reverie import'
    takes it back.
    """
    first = Export(project=named_project(project) if project else None, whole=whole)
    if file == STDIN:
        _export(first, sys.stdout.buffer)
        return
    target = Path(file)
    with target_file(target) as out:
        count = _export(first, out)
    error_line(f"wrote {counted(count, 'memory', 'memories')} to {target}")


def _export(asked: Export, out: BinaryIO) -> int:
    count = 0
    with progress_line(beside_results=out is sys.stdout.buffer) as show, conversation() as talk:
        if asked.whole:
            for page in _pages(ExportGone(project=asked.project), talk):
                _write(page, out)
        for page in _pages(asked, talk):
            _write(page, out)
            count += len(page.rows)
            show(f"{counted(count, 'memory', 'memories')} written")
    return count


def _pages(asked: Export | ExportGone, talk: Conversation) -> Iterator[Exported]:
    while True:
        page = talk.ask(asked, within=PAGE_WITHIN)
        yield page
        if page.after is None:
            return
        asked = msgspec.structs.replace(asked, after=page.after)


def _write(page: Exported, out: BinaryIO) -> None:
    out.writelines(json_text(row) + b"\n" for row in page.rows)
    out.flush()


@click.command()
@click.option("--pairs", metavar="FILE.jsonl", required=True, help="The pairs ('-': stdin).")
def gate(pairs: str) -> None:
    """Say what the gate would do with pairs of texts.

    A line is {"id", "existing", "incoming"}; the answer is {"id", "action",
    "similarity", "contradiction"}. Nothing is stored.
    """
    lines = list(read_lines(pairs, Pair))
    done = 0
    with progress_line(beside_results=True) as show, conversation() as talk:
        for batch in batches(lines, BATCH_PAIRS):
            judged = talk.ask(Judge(pairs=batch), within=BATCH_WITHIN)
            for verdict in judged.verdicts:
                print_json(verdict)
            done += len(batch)
            show(f"{done:,} of {len(lines):,} pairs judged")
