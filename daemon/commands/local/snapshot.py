"""``snapshot``: copies with a name, and a project's memories brought back out of one."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from daemon.api.backup import BAD_NAME, BackupNow
from daemon.commands.local.backup import at_rest, listed, restore
from daemon.commands.terminal.output import ask_first, present, print_found, print_table, say
from daemon.commands.terminal.verbs import carry_out
from daemon.commands.terminal.words import age, counted, named_project, now, one_line, shortened
from daemon.durability import restoring
from daemon.durability.copies import NAME, Copy, counted_in, examined, opened
from daemon.durability.copying import copy_of, keep, migrated, snapshot_of, snapshots
from daemon.durability.marker import marker_of, write_marker
from daemon.durability.restoring import Differences, why_not
from daemon.home import Home, current_home
from daemon.storage.database.schema import SCHEMA_VERSION, version_of
from daemon.storage.database.sql import Sql
from daemon.views import short_id

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
    print_found(document, as_json, rows, NO_SNAPSHOT)


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
    present(found, as_json, lambda _: _tell(found, undo))


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
    print_table(rows)
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


def _tell(found: Differences, undo: str) -> None:
    if not found.all:
        click.echo(f"nothing to bring back: {_counts(found)}")
        return
    click.echo(_counts(found))
    click.echo(undo)


@snapshot.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def delete(name: str, as_json: bool) -> None:
    """Delete a snapshot."""
    copy = _named(current_home(), name)
    copy.path.unlink(missing_ok=True)
    say({"file": str(copy.path)}, as_json, f"deleted {name}, made {age(now() - copy.at)}")


def _named(home: Home, name: str) -> Copy:
    copy = snapshot_of(home, name)
    if copy is None:
        raise click.ClickException(f"there is no snapshot {name!r}; see 'reverie snapshot list'")
    return copy


def _usable(home: Home, name: str) -> Copy:
    copy = _named(home, name)
    if why := why_not(examined(copy.path)):
        raise click.ClickException(f"{copy.path} cannot be used: {why}")
    return copy
