"""``learn``: what documents, commits and sessions say becomes notes because a person says so, and back."""

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from daemon.commands.reading import have_read
from daemon.commands.terminal.conversation import asked, watched
from daemon.commands.terminal.output import (
    ask_first,
    counted,
    error_line,
    one_line,
    present,
    print_table,
    say,
    shortened,
)
from daemon.commands.terminal.times import moment_given
from daemon.requests.learn import Learn, Learnt, TakeBack
from daemon.transcripts import transcripts_folder

SHOWN = 10  # items that a preview prints
TEXT = 160  # characters of each
NAMED = 40  # documents that a preview names, those that say most
QUESTIONS = {
    "document": "Keep the new items as notes, and the documents to be searched?",
    "commit": "Keep the new reasons as notes, each dated when it was said?",
    "session": "Keep the new items as notes, and what was said to be searched, each dated then?",
}
OFF = {
    "document": "document",
    "commit": "commit",
    "session": "event",  # a session may be in part
}
OVER = "over the limit of one run: name a folder"
STOPPED = "stopped: what was learnt by then stays; 'reverie learn --undo' takes it back"


@click.command()
@click.option(
    "--docs", "folder", is_flag=False, flag_value=".", metavar="[FOLDER]",
    help="Of this folder's documents; this one, unless named.",
)  # fmt: skip
@click.option("--git", is_flag=True, help="Of the messages of this repository's commits.")
@click.option("--transcripts", is_flag=True, help="Of Claude Code's sessions in this project.")
@click.option(
    "--from", "before", metavar="DIR",
    help="Of its sessions in this folder, where the project was before it moved.",
)  # fmt: skip
@click.option(
    "--since", default="90d", show_default=True, callback=moment_given, metavar="TIME",
    help="Of what was said in sessions since then: 30d, last week, 2026-11-22, …",
)  # fmt: skip
@click.option(
    "--limit", default=1_000, show_default=True, type=click.IntRange(1, 10_000),
    help="Of so many commits or sessions at most, the newest.",
)  # fmt: skip
@click.option(
    "--undo", "run", is_flag=False, flag_value="", metavar="[RUN]",
    help="Take back what a run brought; the last one, unless named.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Only show what would be learnt.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def learn(
    folder: str | None, git: bool, transcripts: bool, before: str | None, since: float, limit: int,
    run: str | None, dry_run: bool, yes: bool, as_json: bool,
) -> None:  # fmt: skip
    """Learn what a project's documents, commits and sessions say.

    Shows what would be remembered and asks first. With --json and without --yes it only shows. Sessions
    are read by the reader where one is in use: how many, their tokens and the price come first.
    """
    if (folder is not None) + (run is not None) + git + transcripts != 1:
        raise click.UsageError("give --docs, --git, --transcripts or --undo: one of them")
    if before is not None and not transcripts:
        raise click.UsageError("--from goes with --transcripts")
    if run is not None:
        _undo(run, as_json)
        return
    where = Path(folder or ".").expanduser().resolve()
    if not where.is_dir():
        raise click.ClickException(f"{where} is no folder")
    talks = str(transcripts_folder(os.environ)) if transcripts else ""
    moved = str(Path(before).expanduser().absolute()) if before else ""
    request = Learn(
        folder=str(where), git=git, limit=limit, transcripts=talks, moved_from=moved, since=since
    )
    if transcripts and have_read(request, dry_run=dry_run, yes=yes, as_json=as_json):
        return
    if dry_run:
        present(_asked(request), as_json, _show)
        return
    if yes or _is_agreed(request, as_json):
        take(request, as_json)


def show_and_take(request: Learn) -> None:
    """Show what would be learnt, ask, and have it learnt. Raises ``click.ClickException`` when it is not."""
    if _is_agreed(request, as_json=False):
        take(request, as_json=False)


def take(request: Learn, as_json: bool) -> None:
    """Have it learnt, and say what came of it."""
    try:
        learnt = _asked(msgspec.structs.replace(request, take=True))
    except KeyboardInterrupt:
        raise click.ClickException(STOPPED) from None
    present(learnt, as_json, _tell)


def _is_agreed(request: Learn, as_json: bool) -> bool:
    """Show what would be learnt and ask; what a program reads is only shown."""
    preview = _asked(request)
    present(preview, as_json, _show)
    new = preview.turns or any(item.new for one in preview.documents for item in one.items)
    if as_json or not (preview.documents if _kind(preview) == "document" else new):
        return False
    ask_first(QUESTIONS[_kind(preview)], "nothing was learnt")
    return True


def _kind(found: Learnt) -> str:
    """Name what was read: documents, commits, or sessions."""
    if found.sessions or found.heard:
        return "session"
    return "commit" if found.commits else "document"


def _read(found: Learnt) -> str:
    """Say how much was read."""
    if _kind(found) == "session":
        return f"{counted(found.sessions, 'session')} with {counted(found.prompts, 'prompt')}"
    return counted(found.commits or len(found.documents), _kind(found))


def _asked(request: Learn) -> Learnt:
    what = "commit" if request.git else "session" if request.transcripts else "document"

    def said(state: dict[str, Any]) -> str:
        return f"{min(state['done'], state['documents']):,} of {counted(state['documents'], what)}"

    return watched(request, said)


def _show(preview: Learnt) -> None:
    """Print which documents say how much that is new, and the first of it."""
    news = [(one.place, [item for item in one.items if item.new]) for one in preview.documents]
    telling = sorted((one for one in news if one[1]), key=lambda one: -len(one[1]))
    print_table([[place, counted(len(items), "new item")] for place, items in telling[:NAMED]])
    if len(telling) > NAMED:
        more = counted(len(telling) - NAMED, _kind(preview))
        click.echo(f"and {more} more (--json has all of them)")
    items = [(place, item) for place, items in telling for item in items]
    if items:
        click.echo("")
    for place, item in items[:SHOWN]:
        line = f":{item.line}" if item.line else ""
        click.echo(f"{item.topic}, {one_line(place)}{line}")
        click.echo(f"  {shortened(one_line(item.text), TEXT)}")
    if len(items) > SHOWN:
        click.echo(f"and {counted(len(items) - SHOWN, 'item')} more")
    click.echo(("\n" if items else "") + _summary(preview, len(items)))
    _tell_left_out(preview)


def _summary(preview: Learnt, new: int) -> str:
    if not (preview.documents or preview.turns):
        return f"there is no {_kind(preview)} to learn from"
    said = counted(sum(len(one.items) for one in preview.documents), "item")
    both = "and" if _kind(preview) == "session" else "with"
    line = f"{_read(preview)} {both} {said} worth a note, {new} of them new{_over(preview)}"
    return f"{line}; {counted(preview.turns, 'turn')} to be searched" if preview.turns else line


def _over(found: Learnt) -> str:
    ended = sum(one.ended for one in found.documents)
    return f"; {counted(ended, 'earlier note')} {'ends' if ended == 1 else 'end'}" if ended else ""


def _tell_left_out(found: Learnt) -> None:
    """Say which documents are not among them."""
    kind = _kind(found)
    dated = kind != "document"
    reasons = (
        (found.off, OFF[kind], "where recording is switched off ('reverie status' says by what)"),
        (found.heard, kind, "their events were reported as they happened"),
        (0 if dated else found.unread, kind, "empty, too large, or likely to hold secrets"),
        (0 if dated else found.left_out, kind, OVER),
        (found.left_out if kind == "commit" else 0, "note", "the newest 300 of a run are kept"),
        (found.left_out if kind == "session" else 0, kind, "a run has no more room: run it again"),
    )
    for count, what, why in reasons:
        if count:
            error_line(f"{counted(count, what)} left out: {why}")
    if dated and found.unread:
        error_line(f"{counted(found.unread, kind)} not read, or not whole: too large, or damaged")


def _tell(learnt: Learnt) -> None:
    notes, passages = counted(learnt.notes, "note"), counted(learnt.passages, "passage")
    over = _over(learnt)
    if learnt.notes or learnt.passages or over:
        both = notes if _kind(learnt) == "commit" else f"{notes} and {passages}"
        click.echo(f"learnt {both} of {_read(learnt)}{over}")
        click.echo(f"take it back: reverie learn --undo {learnt.run}")
    else:
        click.echo(f"learnt nothing new of {_read(learnt)}")
    _tell_left_out(learnt)


def _undo(run: str, as_json: bool) -> None:
    where = str(Path.cwd())
    done = asked(TakeBack(folder=where, run=run))
    notes = counted(done.count, "note")
    say(done, as_json, f"took back {notes} of {done.note}, and its passages")
