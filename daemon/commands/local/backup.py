"""``backup``: copies of the database in their folder, kept by day or by name; listed and brought back."""

from pathlib import Path

import click
from msgspec import Struct

from daemon.api import backup as operations
from daemon.commands.terminal.output import ask_first, error_line, show
from daemon.commands.terminal.verbs import command
from daemon.commands.terminal.words import age, counted, megabytes, now
from daemon.durability.copies import (
    Copy,
    Examined,
    copies,
    copy_at,
    copy_named,
    examined,
    memories_in,
    sound_copies,
)
from daemon.durability.restoring import BroughtBack, bring_back, why_not
from daemon.home import Home, current_home
from daemon.launch import stop_daemon
from daemon.lock import held_lock

NO_BACKUP = "there is no backup yet; 'reverie backup now' makes one"


class Listed(Struct, frozen=True):
    """A copy as it is listed."""

    file: str
    at: float  # seconds UTC
    size: int  # bytes
    memories: int | None


@click.group()
def backup() -> None:
    """Make, list and bring back backups.

    One is made on each day of use by itself, when nobody is working.
    """


backup.add_command(command(operations, "backup now"))
backup.add_command(command(operations, "backup delete"))


@backup.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def list_backups(as_json: bool) -> None:
    """Show which backups there are.

    The newest first, with what was set aside when another was brought back.
    """
    home, moment = current_home(), now()
    found = [
        Listed(copy.path.name, copy.at, copy.size, memories_in(copy.path)) for copy in copies(home)
    ]
    rows = [
        [one.file, age(moment - one.at), megabytes(one.size), _memories(one.memories)]
        for one in found
    ]
    document = {"folder": str(home.backups), "backups": found}
    show(document, as_json, [*rows, f"they lie in {home.backups}"] if rows else [NO_BACKUP])


def _memories(count: int | None) -> str:
    return "cannot be read" if count is None else counted(count, "memory", "memories")


@backup.command()
@click.argument("file", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def restore(file: str | None, yes: bool, as_json: bool) -> None:
    """Put a backup in the place of the database.

    FILE is a file that 'reverie backup list' shows, a name that you gave, or a path; without it
    the newest sound one is taken. Asks first, and stops the daemon. Today's database is kept beside the
    backups: 'reverie backup restore' with its name undoes it.
    """
    home, moment = current_home(), now()
    copy, found = _chosen(home, file)
    memories = counted(found.memories, "memory", "memories")
    what = f"{memories} as of {age(moment - copy.at)} ({copy.path.name})"
    if not yes:
        ask_first(f"Put {what} in the place of {_today(home)}?")
    if stop_daemon(home) is not None:
        error_line("the daemon has stopped; hooks and commands start it again")
    home.prepare()
    with held_lock(home):
        done = bring_back(home, copy, moment)
    document = {
        "file": str(copy.path),
        "at": copy.at,
        "memories": found.memories,
        "aside": str(done.aside) if done.aside else None,
        "events": done.events,
    }
    show(document, as_json, [f"brought back {what}{_since(done)}"])


def _since(done: BroughtBack) -> str:
    """Say the fate of events after the copy."""
    if done.aside is None:
        return ""
    if done.events is None:
        return f"; what came since then is only in {done.aside}, which cannot be read"
    again = f"{counted(done.events, 'event')} since then will be worked through again, and "
    kept = f"what was kept by hand since is only in {done.aside}"
    return f"; {again if done.events else ''}{kept}"


def _chosen(home: Home, file: str | None) -> tuple[Copy, Examined]:
    """The chosen copy, looked through; raises ``ClickException`` for an unusable one."""
    if file is None:
        found = next(sound_copies(home), None)
        if found is None:
            raise click.ClickException(f"there is no sound backup in {home.backups}")
        return found
    copy = copy_at(home.backups / file) or copy_named(home, file) or copy_at(Path(file))
    if copy is None:
        raise click.ClickException(f"there is no backup {file!r}; see 'reverie backup list'")
    looked = examined(copy.path)
    if why := why_not(looked):
        raise click.ClickException(f"{copy.path} cannot be brought back: {why}")
    return copy, looked


def _today(home: Home) -> str:
    if not home.database.exists():
        return "a database that is gone"
    memories = memories_in(home.database)
    if memories is None:
        return "today's database, which cannot be read"
    return f"today's database with {counted(memories, 'memory', 'memories')}"
