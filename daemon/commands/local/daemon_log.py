"""``log --daemon``: the daemon's own log, which holds no memory's text."""

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import click

from daemon.commands.terminal.words import printable
from daemon.home import current_home

POLL = 0.25  # seconds between two looks at a log that is followed
CHUNK = 65536  # bytes a read


def show_daemon_log(lines: int, *, follow: bool) -> None:
    """Print its last lines; with ``follow`` also new ones, until Ctrl-C."""
    path = current_home().log
    if not path.is_file() and not follow:
        raise click.ClickException(f"there is no log yet at {path}")
    position = 0
    if path.is_file():
        with path.open("rb") as file:
            last = deque(file, maxlen=lines)
            position = file.tell()
        click.echo(printable(b"".join(last).decode("utf-8", "replace")), nl=False)
    if follow:
        for piece in followed(path, position):
            click.echo(printable(piece.decode("utf-8", "replace")), nl=False)


def followed(path: Path, position: int) -> Iterator[bytes]:
    """Lines appended from now on; from the beginning again when the log was rotated."""
    while True:
        whole = path.stat().st_size if path.is_file() else 0
        if whole < position:
            position = 0
        if whole > position:
            with path.open("rb") as file:
                file.seek(position, os.SEEK_SET)
                piece = file.read(CHUNK)
            position += len(piece)
            yield piece
        else:
            sleep(POLL)
