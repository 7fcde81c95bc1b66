"""``merge``: the memories of another home of the same person, brought into this one."""

from functools import partial
from pathlib import Path
from secrets import token_hex

import click

from daemon.commands.local.config import loaded
from daemon.commands.local.secret_files import clean_memories
from daemon.commands.local.snapshot import changing, check_current
from daemon.commands.terminal.output import ask_first, counted, now, present, say
from daemon.commands.terminal.progress import progress_line
from daemon.durability import merging
from daemon.durability.merging import Merged
from daemon.durability.migrating import copy_of, migrated
from daemon.home import Home, current_home, distrust

BEFORE = "before-merge"


@click.command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--undo", "run", is_flag=False, flag_value="", metavar="[RUN]",
    help="Forget what a merge brought; the last one, unless named.",
)  # fmt: skip
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def merge(folder: Path | None, run: str | None, yes: bool, as_json: bool) -> None:
    """Bring the memories of another home into this one.

    DIR is the other data home, or a copy of its database; it is only read, and may be of an
    earlier version. What this home has stays as it is, what it erased stays away, and what comes
    keeps its strength, pins, projects and links. Done twice it brings nothing twice. Shows what would come and asks first; with
    --json and without --yes it only shows.
    """
    if (folder is None) == (run is None):
        raise click.UsageError("give DIR or --undo: one of the two")
    home = current_home()
    check_current(home)
    if folder is None:
        _undo(home, run or "", as_json)
        return
    with copy_of(_database(folder, home), home) as copy:
        if damage := migrated(copy).damage:
            raise click.ClickException(f"{folder} is not sound: {damage}")
        with progress_line() as show:
            clean_memories(copy, loaded(home).settings.redact(), show)
        found = merging.preview(home.database, copy)
        is_news = bool(found.memories + found.ended + found.again + found.intentions)
        if is_news and not yes and not as_json:
            click.echo(f"would bring {_counts(found)}")
            ask_first("Bring these into this home?")
        if is_news and (yes or not as_json):
            with changing(home, BEFORE), progress_line() as show:
                name = f"merge-{token_hex(4)}"
                found = merging.merge(home.database, copy, name, now(), show)
    present(found, as_json, partial(_tell, is_news=is_news))


def _database(folder: Path, home: Home) -> Path:
    """The other database; raises ``ClickException`` when it cannot be one to merge."""
    path = folder.expanduser().absolute()
    database = Home(path).database if path.is_dir() else path
    if not database.is_file():
        raise click.ClickException(f"there is no database {database}")
    if database.samefile(home.database):
        raise click.ClickException(f"{folder} is this home")
    if reason := distrust(database):
        raise click.ClickException(f"{folder} is not used: {reason}")
    return database


def _counts(found: Merged) -> str:
    """What comes, and what is left as it is; nothing of what is none."""
    come = (
        (found.memories, counted(found.memories, "memory", "memories")),
        (found.ended, f"{found.ended:,} that had ended"),
        (found.again, f"{found.again:,} that an undo took back"),
        (found.intentions, counted(found.intentions, "intention")),
    )
    stay = (
        (found.there, f"{found.there:,} here already"),
        (found.erased, f"{found.erased:,} erased here"),
        (found.noticed, f"{found.noticed:,} noticed in dreams"),
    )
    left = ", ".join(said for count, said in stay if count)
    said = ", ".join(said for count, said in come if count) or "nothing new"
    return f"{said}; left as it is: {left}" if left else said


def _tell(found: Merged, *, is_news: bool) -> None:
    click.echo(f"brought {_counts(found)}" if is_news else _counts(found))
    if is_news:
        click.echo(f"take it back: reverie merge --undo {found.run}")


def _undo(home: Home, name: str, as_json: bool) -> None:
    run = merging.run_of(home.database, name)
    if run is None:
        raise click.ClickException(f"there is no merge {name}" if name else "nothing was merged")
    with changing(home, BEFORE):
        count = merging.take_back(home.database, run, now())
    memories = counted(count, "memory", "memories")
    say({"run": run, "count": count}, as_json, f"forgot {memories}; merging again brings them back")
