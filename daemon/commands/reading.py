"""Sessions of transcripts, read by the reader: what that costs comes first."""

from typing import Any

import click
import msgspec

from daemon.commands.terminal.conversation import watched
from daemon.commands.terminal.output import ask_first, counted, error_line, present
from daemon.requests.learn import Learn
from daemon.requests.past_sessions import ReadTranscripts, TranscriptsRead

QUESTION = "Have them read? What is shown of them goes to that engine."
STOPPED = "stopped: what was read by then stays, and the same command goes on with the rest"


def have_read(request: Learn, *, dry_run: bool, yes: bool, as_json: bool) -> bool:
    """Have the reader read what would be learnt; tell whether one is in use.

    Raises ``click.ClickException`` where a person does not agree or stops it.
    """
    wanted = ReadTranscripts(
        folder=request.folder, transcripts=request.transcripts, limit=request.limit,
        moved_from=request.moved_from, since=request.since,
    )  # fmt: skip
    found = watched(wanted, _progress)
    if not found.engine:
        return False
    if dry_run or not yes or not found.sessions:
        present(found, as_json, _show)
    if dry_run or not found.sessions or (as_json and not yes):
        return True
    if not yes:
        ask_first(QUESTION, "nothing was read")
    try:
        read = watched(msgspec.structs.replace(wanted, take=True), _progress)
    except KeyboardInterrupt:
        raise click.ClickException(STOPPED) from None
    present(read, as_json, _tell)
    return True


def _progress(state: dict[str, Any]) -> str:
    return f"{min(state['done'], state['documents']):,} of {counted(state['documents'], 'session')}"


def _show(found: TranscriptsRead) -> None:
    """Print how much there is to read, and what it costs about."""
    price = "not known yet" if found.dollars is None else f"about ${found.dollars:.2f}"
    if found.sessions:
        click.echo(
            f"{found.engine} would read {counted(found.sessions, 'session')} with"
            f" {counted(found.prompts, 'prompt')}, the oldest first:"
            f" about {found.tokens:,} tokens, cost {price}"
        )
    else:
        click.echo("there is no session left to read")
    _tell_left_out(found)


def _tell(read: TranscriptsRead) -> None:
    """Print what came of it."""
    price = "" if read.dollars is None else f", ${read.dollars:.2f}"
    click.echo(
        f"{read.engine} read {counted(read.sessions, 'session')}: {counted(read.notes, 'note')},"
        f" {read.tokens:,} tokens{price}"
    )
    if read.notes:
        click.echo(f"look at them: reverie inbox; take them back: reverie learn --undo {read.run}")
    _tell_failures(read)


def _tell_failures(found: TranscriptsRead) -> None:
    for failure in found.failures:
        error_line(f"not read: {failure}")


def _tell_left_out(found: TranscriptsRead) -> None:
    reasons = (
        (found.before, "session", "they were read before"),
        (found.heard, "session", "their events were reported as they happened: reverie reader now"),
        (found.unread, "session", "nothing was typed in them, or their files are too large"),
        (found.off, "event", "where recording is switched off ('reverie status' says by what)"),
    )
    for count, what, why in reasons:
        if count:
            error_line(f"{counted(count, what)} left out: {why}")
    _tell_failures(found)
