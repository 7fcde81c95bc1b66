"""Offers of ``install``, made once, in a terminal: to learn of an existing past, and the reader."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Final

import click

from daemon.commands.terminal.output import error_line
from daemon.commands.terminal.words import counted, now
from daemon.home import FILE_MODE, Home
from daemon.projects import checkout_of, project_root

OFFERED: Final = "learn-offered"  # in the data home
READER_OFFERED: Final = "reader-offered"  # likewise
PAST: Final = 90 * 86_400.0  # seconds back in which sessions are looked for
LATER: Final = "later: reverie learn --transcripts, reverie learn --git, reverie learn --docs"


def offer_to_learn(home: Home) -> None:
    """Ask whether to look at this project's past for learning; it is asked once in a home."""
    if not sys.stdin.isatty() or (home.root / OFFERED).exists():
        return
    # Not before: most installations need none of it.
    from daemon.api.learn import Learn
    from daemon.commands.terminal.verbs import carry_out
    from daemon.transcripts import transcripts_folder

    here = Path.cwd()
    commits, sessions = _past(here)
    if not (commits or sessions):
        return
    (home.root / OFFERED).touch(mode=FILE_MODE)
    past = [
        *([counted(sessions, "session")] if sessions else []),
        *(["commits"] if commits else []),
    ]
    asks = f"This project has {' and '.join(past)}. Look at what could be learnt of them?"
    if not click.confirm(asks, default=False, err=True):
        error_line(LATER)
        return

    def requests() -> Iterator[Learn]:
        if sessions:
            since, talks = now() - PAST, str(transcripts_folder(os.environ))
            yield Learn(folder=str(here), transcripts=talks, since=since)
        if commits:
            yield Learn(folder=str(here), git=True)

    for request in requests():
        try:
            carry_out(request)
        except click.ClickException as error:
            error_line(error.message)


def offer_reader(home: Home) -> None:
    """Ask whether the person's own client reads ended sessions; it is asked once in a home."""
    if not sys.stdin.isatty() or (home.root / READER_OFFERED).exists() or not which("claude"):
        return
    # Not before: most installations need none of it.
    from daemon.api.reader import UseReader
    from daemon.asking import Refused
    from daemon.commands.terminal.verbs import carry_out

    (home.root / READER_OFFERED).touch(mode=FILE_MODE)
    click.echo("\nSessions that are over can be read by your own client, which writes a few notes:")
    try:
        carry_out(UseReader(engine="claude"))
    except (click.ClickException, Refused) as error:
        error_line(f"{error}; later: reverie reader use claude")


def _past(here: Path) -> tuple[bool, int]:
    """Tell whether the project of a folder has commits, and count its sessions of Claude Code."""
    from daemon.sources import DiskFolder
    from daemon.transcripts import transcripts, transcripts_folder

    project = project_root(here)
    found = transcripts(
        transcripts_folder(os.environ),
        now() - PAST,
        lambda place: bool(place) and project_root(Path(place)) == project,
    )
    checkout = Path(checkout_of(str(project), str(here)))
    return bool(DiskFolder(checkout).commits(1)), len(found)
