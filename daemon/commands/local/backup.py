"""``backup`` and ``snapshot``: copies of the database in their folder, kept by day or by name; listed, checked and brought back."""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing, contextmanager
from pathlib import Path

import click
from msgspec import Struct

from daemon.api import backup as operations
from daemon.api.backup import BAD_NAME, BackupNow
from daemon.commands.terminal.output import (
    ask_first,
    error_line,
    print_lines,
    show,
)
from daemon.commands.terminal.verbs import carry_out, command
from daemon.commands.terminal.words import (
    age,
    counted,
    megabytes,
    named_project,
    now,
    one_line,
    shortened,
)
from daemon.durability import restoring
from daemon.durability.copies import (
    NAME,
    Copy,
    Examined,
    copies,
    copy_at,
    counted_in,
    examined,
    memories_in,
    newest,
    newest_sound,
    opened,
)
from daemon.durability.copying import copy_of, keep, migrated, snapshot_of, snapshots
from daemon.durability.marker import marker_of, write_marker
from daemon.durability.restoring import BroughtBack, Differences, bring_back, why_not
from daemon.home import Home, current_home
from daemon.launch import stop_daemon
from daemon.lock import held_lock
from daemon.storage.database.schema import SCHEMA_VERSION, version_of
from daemon.storage.database.sql import Sql
from daemon.views import short_id

# ---- ``backup``: copies of the database in their folder; listed, checked and brought back

NO_BACKUP = "there is no backup yet; 'reverie backup now' makes one"


class Listed(Struct, frozen=True):
    """A copy as it is listed."""

    file: str
    at: float  # seconds UTC
    size: int  # bytes
    memories: int | None


@click.group()
def backup() -> None:
    """Make, list, check and bring back backups.

    One is made on each day of use by itself, when nobody is working.
    """


backup.add_command(command(operations, "backup now"))


@backup.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def list_backups(as_json: bool) -> None:
    """Show which backups there are.

    The newest first, with what was set aside when another was brought back.
    """
    home = current_home()
    found, rows = listed(copies(home), lambda copy: copy.path.name)
    document = {"folder": str(home.backups), "backups": found}
    show(document, as_json, [*rows, f"they lie in {home.backups}"] if rows else [NO_BACKUP])


def listed(
    found: Iterable[Copy], name: Callable[[Copy], str]
) -> tuple[list[Listed], list[list[str]]]:
    """Copies as they are listed, and their rows for a person."""
    moment = now()
    all_of_them = [Listed(name(copy), copy.at, copy.size, memories_in(copy.path)) for copy in found]
    return all_of_them, [
        [
            one.file,
            age(moment - one.at),
            megabytes(one.size),
            "cannot be read"
            if one.memories is None
            else counted(one.memories, "memory", "memories"),
        ]
        for one in all_of_them
    ]


@backup.command()
@click.argument("file", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def verify(file: str | None, as_json: bool) -> None:
    """Check that a backup is sound.

    FILE is a name that 'reverie backup list' or 'reverie snapshot list' shows, or a path; without
    it the newest is looked through. The exit code is 1 when it is not sound.
    """
    home = current_home()
    copy = _named(home, file) if file else newest(home)
    if copy is None:
        raise click.ClickException(NO_BACKUP)
    found = examined(copy.path)
    if found.damage:
        raise click.ClickException(f"{copy.path} is not sound: {found.damage}")
    document = {
        "file": str(copy.path),
        "at": copy.at,
        "size": copy.size,
        "memories": found.memories,
    }
    memories = counted(found.memories, "memory", "memories")
    show(document, as_json, [f"{copy.path} is sound: {memories}, {megabytes(copy.size)}"])


@backup.command()
@click.argument("file", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def restore(file: str | None, yes: bool, as_json: bool) -> None:
    """Put a backup in the place of the database.

    FILE is a name that 'reverie backup list' shows, or a path; without it the newest sound
    one is taken. Asks first, and stops the daemon. Today's database is kept beside the
    backups: 'reverie backup restore' with its name undoes it.
    """
    home, moment = current_home(), now()
    copy, found = _chosen(home, file)
    memories = counted(found.memories, "memory", "memories")
    what = f"{memories} as of {age(moment - copy.at)} ({copy.path.name})"
    if not yes:
        ask_first(f"Put {what} in the place of {_today(home)}?")
    with at_rest(home):
        done = bring_back(home, copy, moment)
    document = {
        "file": str(copy.path),
        "at": copy.at,
        "memories": found.memories,
        "aside": str(done.aside) if done.aside else None,
        "events": done.events,
    }
    show(document, as_json, [f"brought back {what}{_since(done)}"])


@contextmanager
def at_rest(home: Home) -> Generator[None]:
    """Stop the daemon and hold its lock."""
    if stop_daemon(home) is not None:
        error_line("the daemon has stopped; hooks and commands start it again")
    home.prepare()
    with held_lock(home):
        yield


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
        found = newest_sound(home)
        if found is None:
            raise click.ClickException(f"there is no sound backup in {home.backups}")
        return found
    copy = _named(home, file)
    looked = examined(copy.path)
    if why := why_not(looked):
        raise click.ClickException(f"{copy.path} cannot be brought back: {why}")
    return copy, looked


def _named(home: Home, file: str) -> Copy:
    copy = copy_at(home.backups / file) or copy_at(Path(file)) or snapshot_of(home, file)
    if copy is None or not copy.path.is_file():
        raise click.ClickException(f"there is no backup {file!r}; see 'reverie backup list'")
    return copy


def _today(home: Home) -> str:
    if not home.database.exists():
        return "a database that is gone"
    memories = memories_in(home.database)
    if memories is None:
        return "today's database, which cannot be read"
    return f"today's database with {counted(memories, 'memory', 'memories')}"


# ---- ``snapshot``: copies with a name, and a project's memories brought back out of one

BEFORE = "before-restore"
NO_SNAPSHOT = "there is no snapshot; 'reverie snapshot make NAME' makes one"
SHOWN = 10  # memories that a preview names
TEXT = 80  # characters of each


@click.group()
def snapshot() -> None:
    """Keep copies by name, and bring some memories back.

    A snapshot stays until you delete it, or erase something: that takes every copy.
    """


@snapshot.command("make")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def make(name: str, as_json: bool) -> None:
    """Make a snapshot of this name now."""
    home = current_home()
    if not NAME.fullmatch(name):
        raise click.ClickException(BAD_NAME)
    if snapshot_of(home, name) is not None:
        raise click.ClickException(f"there is a snapshot {name!r}: delete it first")
    carry_out(BackupNow(name=name), as_json=as_json)


@snapshot.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def list_snapshots(as_json: bool) -> None:
    """Show which snapshots there are, the newest first."""
    home = current_home()
    found, rows = listed(snapshots(home), lambda copy: copy.name)
    document = {"folder": str(home.backups), "snapshots": found}
    show(document, as_json, rows or [NO_SNAPSHOT])


@snapshot.command("restore")
@click.argument("name")
@click.option("--project", help="Only memories of this project ('.': the current one).")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def restore_snapshot(
    ctx: click.Context,
    name: str,
    project: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Bring memories back as they were.

    With --project those of it alone, with their versions, links, strength and opinions;
    everything else stays as it is today. What is erased stays erased, and what came since is
    left alone. Says what would change, asks, and stops the daemon; undone by
    'reverie snapshot restore before-restore' with the same project. Without one the whole
    snapshot takes the place of the database, as 'reverie backup restore' does.
    """
    home = current_home()
    copy = _usable(home, name)
    if project is None:
        ctx.invoke(restore, file=copy.path.name, yes=yes, as_json=as_json)
        return
    check_current(home)
    folder = named_project(project)
    with copy_of(copy.path, home) as past:
        if damage := migrated(past):
            raise click.ClickException(f"{copy.path} cannot be brought to this version: {damage}")
        found = _agreed(home, past, folder, yes=yes or as_json)
        if found.all and (yes or not as_json):
            with changing(home, BEFORE):
                found = restoring.bring_project_back(home.database, past, folder, now())
    undo = f"undo it: reverie snapshot restore {BEFORE} --project {one_line(project)}"
    counts = _counts(found)
    show(found, as_json, [counts, undo] if found.all else [f"nothing to bring back: {counts}"])


def _agreed(home: Home, past: Path, project: str, *, yes: bool) -> Differences:
    """The coming changes, once a person has seen them and agrees."""
    found = restoring.differences(home.database, past, project)
    if yes or not found.all:
        return found
    with closing(opened(past)) as connection:
        titles = Sql(connection)
        rows = [
            [short_id(number), what, shortened(one_line(str(title)), TEXT)]
            for what, numbers in _sorts(found)
            for number in numbers[:SHOWN]
            for title in titles.column("SELECT title FROM memory WHERE id = ?", (number,))
        ]
    print_lines(rows)
    more = len(found.all) - len(rows)
    click.echo(f"and {more:,} more" if more else "", nl=bool(more))
    ask_first(f"{_counts(found, 'would be ')}. Go on?")
    return found


@contextmanager
def changing(home: Home, before: str) -> Generator[None]:
    """Change the database at rest, after a snapshot of this name of its state before."""
    with at_rest(home):
        keep(home, before, now())
        yield
        write_marker(home, counted_in(home.database, marker_of))


def check_current(home: Home) -> None:
    """Raise ``ClickException`` when there is no database, or one not yet migrated."""
    if not home.database.exists():
        raise click.ClickException(f"there is no database in {home.root}: 'reverie up' makes one")
    if counted_in(home.database, version_of) != SCHEMA_VERSION:
        raise click.ClickException("the database is of another version: 'reverie up' migrates it")


def _sorts(found: Differences) -> list[tuple[str, tuple[int, ...]]]:
    return [
        ("comes back", found.back),
        ("changes back", found.changed),
        ("ends again", found.ended),
    ]


def _counts(found: Differences, verb: str = "") -> str:
    counts = [
        f"{counted(len(found.back), 'memory', 'memories')} {verb}brought back",
        f"{len(found.changed):,} changed back",
        f"{len(found.ended):,} ended again",
        f"{found.unchanged + found.newer:,} left alone",
    ]
    if found.erased:
        counts.append(f"{found.erased:,} gone for good")
    return ", ".join(counts)


@snapshot.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def delete(name: str, as_json: bool) -> None:
    """Delete a snapshot."""
    copy = _snapshot_named(current_home(), name)
    copy.path.unlink(missing_ok=True)
    show({"file": str(copy.path)}, as_json, [f"deleted {name}, made {age(now() - copy.at)}"])


def _snapshot_named(home: Home, name: str) -> Copy:
    copy = snapshot_of(home, name)
    if copy is None:
        raise click.ClickException(f"there is no snapshot {name!r}; see 'reverie snapshot list'")
    return copy


def _usable(home: Home, name: str) -> Copy:
    copy = _snapshot_named(home, name)
    if why := why_not(examined(copy.path)):
        raise click.ClickException(f"{copy.path} cannot be used: {why}")
    return copy
