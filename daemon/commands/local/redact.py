"""``redact``: the redaction of secrets as a filter. Needs no daemon and stores nothing."""

import sys

import click
import msgspec

from daemon.commands.terminal.jsonl import STDIN, read_lines, write_line
from daemon.commands.terminal.output import explained
from daemon.home import current_home
from daemon.own_patterns import UnreadablePatterns, redact_of


class TextLine(msgspec.Struct, frozen=True):
    """One line of ``--jsonl``."""

    id: str
    text: str


@click.command()
@click.option("--jsonl", is_flag=True, help='Lines of {"id", "text"} in, with "found" added out.')
def redact(jsonl: bool) -> None:
    """Take the secrets out of a text.

    Reads standard input and writes it as it would be stored.
    """
    with explained(UnreadablePatterns):
        redact_text = redact_of(current_home())
    if not jsonl:
        text, _found = redact_text(sys.stdin.buffer.read().decode("utf-8", "replace"))
        click.echo(text, nl=False)
        return
    for line in read_lines(STDIN, TextLine):
        text, found = redact_text(line.text)
        write_line({"id": line.id, "text": text, "found": found})
