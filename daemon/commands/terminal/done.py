"""One line for a person, or a document for a program, when something was done."""

from __future__ import annotations

import click

from daemon.commands.terminal.output import counted, one_line, print_json
from daemon.requests.shapes import Done


def tell_count(done: Done, verb: str, as_json: bool) -> None:
    """``forgot 2 memories``, and what there is to say of them."""
    if as_json:
        print_json(done)
    else:
        note = f" ({one_line(done.note)})" if done.note else ""
        click.echo(f"{verb} {counted(done.count, 'memory', 'memories')}{note}")


def tell(done: Done, sentence: str, as_json: bool) -> None:
    """The sentence, unless nothing changed; and what there is to say of it."""
    if as_json:
        print_json(done)
    elif not done.count:
        click.echo("nothing changed" + (f" ({one_line(done.note)})" if done.note else ""))
    else:
        click.echo(sentence + (f" ({one_line(done.note)})" if done.note else ""))
