"""``edit``: a memory says something else from now on."""

import sys
from datetime import datetime

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import say
from daemon.requests.edit import Edit, Edited


@click.command()
@click.argument("id_", metavar="ID")
@click.argument("words", metavar="[TEXT]...", nargs=-1)
@click.option("--title", default="", help="A name for it; the first words, unless given.")
@click.option("--undo", is_flag=True, help="Go back to what it said before its last change.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def edit(id_: str, words: tuple[str, ...], title: str, undo: bool, as_json: bool) -> None:
    """Change the text of a memory.

    '-' reads the text from standard input. What it said before is kept. Edits within five
    minutes after it was recalled count as one change.
    """
    if undo == bool(words):
        raise click.UsageError("give the new text, or --undo: one of the two")
    text = sys.stdin.read() if words == ("-",) else " ".join(words)
    edited = asked(Edit(id=id_, text=text, title=title, undo=undo))
    say(edited, as_json, _told(edited, undo=undo))


def _told(edited: Edited, *, undo: bool) -> str:
    said = f"{edited.id} {'says again what it said before' if undo else 'is changed'}"
    if edited.settles_at is not None:
        until = datetime.fromtimestamp(edited.settles_at).astimezone()
        said += f"; it settles at {until:%H:%M:%S}, more edits until then are part of this one"
    return f"{said} (version {edited.version}; undo: reverie edit {edited.id} --undo)"
