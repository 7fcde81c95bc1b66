"""``learn``: the documents of a project become notes because a person says so, and back."""

from pathlib import Path
from typing import Any

import click

from daemon.client import Client
from daemon.commands.terminal.conversation import asked, conversation
from daemon.commands.terminal.output import (
    counted,
    error_line,
    one_line,
    present,
    print_table,
    say,
    shortened,
)
from daemon.commands.terminal.progress import progress_line
from daemon.requests.learn import Learn, Learnt, TakeBack

SHOWN = 10  # items that a preview prints
TEXT = 160  # characters of each
NAMED = 40  # documents that a preview names, those that say most
QUESTION = "Keep the new items as notes, and the documents to be searched?"
STOPPED = "stopped: what was learnt by then stays; 'reverie learn --undo' takes it back"


@click.command()
@click.option(
    "--docs", "folder", is_flag=False, flag_value=".", metavar="[FOLDER]",
    help="Of this folder's documents; this one, unless named.",
)  # fmt: skip
@click.option(
    "--undo", "run", is_flag=False, flag_value="", metavar="[RUN]",
    help="Take back what a run brought; the last one, unless named.",
)  # fmt: skip
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def learn(folder: str | None, run: str | None, yes: bool, as_json: bool) -> None:
    """Learn what a project's documents say.

    Shows what would be remembered and asks first. With --json and without --yes it only shows.
    """
    if (folder is None) == (run is None):
        raise click.UsageError("give --docs or --undo: one of the two")
    if run is not None:
        _undo(run, as_json)
        return
    where = Path(folder or ".").expanduser().resolve()
    if not where.is_dir():
        raise click.ClickException(f"{where} is no folder")
    if not (yes or _is_agreed(where, as_json)):
        return
    try:
        learnt = _asked(Learn(folder=str(where), take=True))
    except KeyboardInterrupt:
        raise click.ClickException(STOPPED) from None
    present(learnt, as_json, _tell)


def _is_agreed(where: Path, as_json: bool) -> bool:
    """Show what would be learnt and ask; what a program reads is only shown."""
    preview = _asked(Learn(folder=str(where)))
    present(preview, as_json, _show)
    if as_json or not preview.documents:
        return False
    if not click.confirm(QUESTION, default=False, err=True):
        raise click.ClickException("nothing was learnt")
    return True


def _asked(request: Learn) -> Learnt:
    async def ask(client: Client) -> Learnt:
        def told(state: dict[str, Any]) -> None:
            show(f"{state['done']:,} of {counted(state['documents'], 'document')}")

        return await client.ask(request, within=None, progress=told)

    with progress_line() as show:
        return conversation(ask)


def _show(preview: Learnt) -> None:
    """Print which documents say how much that is new, and the first of it."""
    news = [(one.place, [item for item in one.items if item.new]) for one in preview.documents]
    telling = sorted((one for one in news if one[1]), key=lambda one: -len(one[1]))
    print_table([[place, counted(len(items), "new item")] for place, items in telling[:NAMED]])
    if len(telling) > NAMED:
        click.echo(f"and {counted(len(telling) - NAMED, 'document')} more (--json has all of them)")
    items = [(place, item) for place, items in telling for item in items]
    if items:
        click.echo("")
    for place, item in items[:SHOWN]:
        click.echo(f"{item.topic}, {one_line(place)}:{item.line}")
        click.echo(f"  {shortened(one_line(item.text), TEXT)}")
    if len(items) > SHOWN:
        click.echo(f"and {counted(len(items) - SHOWN, 'item')} more")
    click.echo(("\n" if items else "") + _summary(preview, len(items)))
    _tell_left_out(preview)


def _summary(preview: Learnt, new: int) -> str:
    if not preview.documents:
        return "there is no document to learn from"
    documents = counted(len(preview.documents), "document")
    said = counted(sum(len(one.items) for one in preview.documents), "item")
    return f"{documents} with {said} worth a note, {new} of them new{_over(preview)}"


def _over(found: Learnt) -> str:
    ended = sum(one.ended for one in found.documents)
    return f"; {counted(ended, 'earlier note')} {'ends' if ended == 1 else 'end'}" if ended else ""


def _tell_left_out(found: Learnt) -> None:
    """Say which documents are not among them."""
    reasons = (
        (found.off, "where recording is switched off (.nomemory)"),
        (found.unread, "empty, too large, or likely to hold secrets"),
        (found.left_out, "over the limit of one run: name a folder"),
    )
    for count, why in reasons:
        if count:
            error_line(f"{counted(count, 'document')} left out: {why}")


def _tell(learnt: Learnt) -> None:
    documents = counted(len(learnt.documents), "document")
    notes, passages = counted(learnt.notes, "note"), counted(learnt.passages, "passage")
    over = _over(learnt)
    if learnt.notes or learnt.passages or over:
        click.echo(f"learnt {notes} and {passages} of {documents}{over}")
        click.echo(f"take it back: reverie learn --undo {learnt.run}")
    else:
        click.echo(f"learnt nothing new of {documents}")
    _tell_left_out(learnt)


def _undo(run: str, as_json: bool) -> None:
    where = str(Path.cwd())
    done = asked(TakeBack(folder=where, run=run))
    notes = counted(done.count, "note")
    say(done, as_json, f"took back {notes} and the passages of {done.note}")
