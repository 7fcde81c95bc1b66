"""``simulate``: play a script through the real actors, on a clock of its own."""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from daemon.commands.terminal.output import error_line, page_width, print_json
from daemon.home import Home, current_home

if TYPE_CHECKING:
    from lab.simulation.player import Life
    from lab.simulation.script import Script

BEGINS = "2026-01-05T09:00:00"  # a Monday
KEPT = "simulated"  # the file that says until when a kept home has lived
FAILED, WRONG = 1, 2


@click.command()
@click.argument("script", type=click.File("rb"))
@click.option("--begins", help="The moment it begins (ISO 8601, UTC).  [default: 2026-01-05T09:00]")
@click.option("--seed", type=int, default=0, show_default=True, help="Another order of turns.")
@click.option("--words", is_flag=True, help="Without vectors, even when there is a model.")
@click.option(
    "--home",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep what is lived in this folder, and go on from there the next time.",
)
@click.option("--quiet", is_flag=True, help="Print what was not as expected and nothing else.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def simulate(
    script: BinaryIO,
    begins: str | None,
    seed: int,
    words: bool,
    folder: Path | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play a life from a script, on its own clock.

    SCRIPT is JSON Lines, one happening a line; '-' reads standard input. Months pass in
    seconds; your own memories are not touched. Exit code 1: something was not as the
    script expects; 2: the script is wrong.
    """
    from daemon.lock import AlreadyRunning, held_lock
    from daemon.settings import SettingsError
    from daemon.storage.store import StoreBroken, StoreVanished
    from lab.simulation.report import document, lines
    from lab.simulation.script import ScriptError, read

    name = "script" if script.name == "-" else Path(str(script.name)).name
    os.environ["TZ"] = "UTC"  # times of day in a script are the same everywhere
    time.tzset()
    logging.getLogger().addHandler(logging.NullHandler())  # what crashes is in the timeline
    try:
        checked = read(name, script.read().decode("utf-8", "replace"))
        with _home(folder) as home, held_lock(home):
            life = _lived(checked, home, begins, seed, words, kept=folder is not None)
    except (
        ScriptError, SettingsError, AlreadyRunning, StoreBroken, StoreVanished, _WrongHome,
    ) as error:  # fmt: skip
        raise WrongScript(str(error)) from error
    if as_json:
        print_json(document(life))
    elif not quiet:
        for line in lines(life, page_width()):
            click.echo(line)
    for failure in life.failed:
        error_line(failure)
    if life.failed:
        raise click.exceptions.Exit(FAILED)


class WrongScript(click.ClickException):
    """There is nothing to play: the script, or where it would be played, is wrong."""

    exit_code = WRONG


class _WrongHome(Exception):
    """The folder is not one that a simulated life may be kept in."""


@contextmanager
def _home(folder: Path | None) -> Generator[Home]:
    """A home for this life alone: a folder that goes, or the one that was named."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="reverie-life-") as made:
            home = Home(Path(made) / "home")
            home.prepare()
            yield home
        return
    home = Home(folder.absolute())
    if home.root.resolve() == current_home().root.resolve():
        raise _WrongHome(f"{folder} is where your own memories are: name another folder")
    if home.root.exists() and any(home.root.iterdir()) and not (home.root / KEPT).exists():
        raise _WrongHome(f"{folder} holds something that no simulation put there: name a new one")
    home.prepare()
    (home.root / KEPT).touch()
    yield home


def _lived(
    script: Script, home: Home, begins: str | None, seed: int, words: bool, *, kept: bool
) -> Life:
    from daemon.embedding.provision import found
    from daemon.settings import SettingsError, environment_name, load
    from lab.simulation.clock import FollowingClock
    from lab.simulation.player import lived, projects_of
    from lab.simulation.script import ScriptError
    from lab.simulation.world import Circumstances

    chosen = {environment_name(key): _plain(value) for key, value in script.settings.items()}
    try:
        settings = load(home, chosen).settings
    except SettingsError as error:
        raise ScriptError(f"{script.name}: {error}") from None
    start = _begins(begins, home.root / KEPT)
    wanted = not words and settings.embedding.enabled
    model = found(current_home(), settings.embedding.model) if wanted else None
    given = Circumstances(
        home, settings, FollowingClock(start), model, words, seed, projects_of(script.steps)
    )
    life = lived(script, given, start)
    if kept:
        (home.root / KEPT).write_text(f"{life.ends!r}\n", encoding="ascii")
    return life


def _plain(value: object) -> str:
    """A setting's value as the environment has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ",".join(map(str, cast("list[object]", value)))
    return str(value)


def _begins(given: str | None, kept: Path) -> float:
    """When the life begins: as it is said, else where a kept one ended, else always the same."""
    ended = 0.0
    with suppress(OSError, ValueError):
        ended = float(kept.read_text(encoding="ascii"))
    if given is None:
        return ended or _moment(BEGINS)
    start = _moment(given)
    if start < ended:
        raise _WrongHome(f"this life has lived until {datetime.fromtimestamp(ended, UTC)}")
    return start


def _moment(text: str) -> float:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise click.UsageError(f"{text!r} is no date: write 2026-01-05T09:00") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
