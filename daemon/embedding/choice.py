"""Choice of the model: the file of the settings now, followed while the daemon runs.

A model fetched, added or chosen is taken up within seconds, without a restart. The deciding files
are looked at by their times alone; settings are read again only when one of them changed.
"""

import logging
import os
from pathlib import Path
from typing import Final

import trio
from msgspec import Struct

from daemon.embedding.models import model_file
from daemon.embedding.process import NO_MODEL, EmbeddingProcess
from daemon.home import Home
from daemon.settings import Embedding, SettingsError, load

log = logging.getLogger(__name__)

LOOK: Final = 2.0  # seconds between two looks: somebody waits at a terminal


Seen = tuple[int, int, int]  # inode, bytes and time of a path; zeros where nothing is


class Choice(Struct, frozen=True):
    """The file of the model, or why there is none."""

    path: Path | None
    absent: str
    seen: Seen


def chosen(home: Home, settings: Embedding) -> Choice:
    """The choice by these settings of embedding."""
    path = model_file(home, settings.model) if settings.enabled else None
    return Choice(path, absence(settings), _seen(path))


def absence(settings: Embedding) -> str:
    """Reason why there would be no vectors: none are wanted, or the model named is not here."""
    if not settings.enabled:
        return "embedding.enabled is false"
    if settings.model:
        return f"the model {settings.model!r} is not here: see `reverie model list`"
    return NO_MODEL


async def follow(
    worker: EmbeddingProcess, home: Home, used: Choice, *, every: float = LOOK
) -> None:
    """Have the worker use whatever model is chosen, until cancelled; ``every``: seconds."""
    decisive: list[Seen] = []
    while True:
        await trio.sleep(every)
        paths = (home.config, *home.model_folders, used.path)
        now = await trio.to_thread.run_sync(list, map(_seen, paths))
        if now == decisive:
            continue
        decisive, found = now, await trio.to_thread.run_sync(chosen_now, home)
        if found is not None and found != used:
            log.info("model_chosen file=%s", None if found.path is None else found.path.name)
            used = found
            worker.use(found.path, absent=found.absent)


def chosen_now(home: Home) -> Choice | None:
    """The choice by the settings in their file; ``None`` while it cannot be read; blocks."""
    try:
        return chosen(home, load(home, os.environ).settings.embedding)
    except (SettingsError, OSError) as error:  # it may be half written
        log.warning("model_not_followed error=%s", type(error).__name__)
        return None


def _seen(path: Path | None) -> Seen:
    try:
        found = path.stat() if path is not None else None
    except OSError:
        found = None
    return (0, 0, 0) if found is None else (found.st_ino, found.st_size, found.st_mtime_ns)
