"""The built-in ground truth: 110 questions about 120 memories of four made-up projects.

``corpus.jsonl`` and ``queries.jsonl`` were written before the first run and are not changed to suit
recall; docs/measured/evaluation.md tells of the first result. They are kept in a home made for it, by a
daemon of its own, and both are gone afterwards.
"""

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import msgspec

from daemon.api.transfer import Import
from daemon.client import Client
from daemon.home import Home
from daemon.launch import POLL, stop_daemon
from daemon.shapes.rows import ImportRow
from lab.evaluation.run import ANSWER_WITHIN, Show, embedded
from lab.evaluation.truth import Line

NAME = "built-in"
HERE = Path(__file__).resolve().parent
DAY = 86_400.0
COMING_UP = 25.0  # seconds until a daemon that was started and interrupted has come and gone


class Kept(ImportRow, frozen=True, kw_only=True):
    """A memory of the corpus: a row of an import, with its age in place of its time."""

    age_days: float


def corpus() -> list[Kept]:
    """The memories."""
    return _lines("corpus.jsonl", Kept)


def questions() -> list[Line]:
    """The questions."""
    return _lines("queries.jsonl", Line)


def _lines(name: str, type_: type[Any]) -> list[Any]:
    decoder = msgspec.json.Decoder(type_)
    return decoder.decode_lines((HERE / name).read_bytes())


@contextmanager
def throwaway_home(own: Home) -> Generator[Home]:
    """A home with the settings and models of the user's own, which ends with its daemon."""
    folder = Path(tempfile.mkdtemp(prefix="reverie-"))
    home = Home(folder / "home")
    try:
        home.prepare()
        for model in own.models.glob("*") if own.models.is_dir() else ():
            (home.models / model.name).symlink_to(model)
        if own.config.is_file():
            shutil.copy(own.config, home.config)
        yield home
    finally:
        _ended(home)
        shutil.rmtree(folder, ignore_errors=True)


def _ended(home: Home) -> None:
    """Stop the daemon of this home; one just started is waited for."""
    until = monotonic() + COMING_UP
    while stop_daemon(home) is None and home.command.exists() and monotonic() < until:
        sleep(POLL)


async def keep_corpus(client: Client, now: float, show: Show) -> dict[str, str]:
    """Keep the memories as they are written; returns the id of each key.

    The gate is left out: it adapts to the model while it works, so its merges differ from run to
    run, and two runs could not be compared. Only recall is measured.
    """
    oldest_first = sorted(corpus(), key=lambda one: -one.age_days)
    rows: list[ImportRow] = [
        msgspec.structs.replace(one, created_at=now - one.age_days * DAY) for one in oldest_first
    ]
    imported = await client.ask(Import(rows=rows, gate=False), within=ANSWER_WITHIN)
    await embedded(client, show)
    return {str(row.key): outcome.id for row, outcome in zip(rows, imported.outcomes, strict=True)}
