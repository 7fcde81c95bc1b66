"""``migrate --dry-run``: how an update would change the database, tried on a copy."""

import click

from daemon.commands.terminal.output import counted, present
from daemon.durability.migrating import Tried, copy_of, migrated
from daemon.home import current_home

AT_START = "the daemon migrates at its next start and keeps a copy; --dry-run tries it on a copy"


@click.command()
@click.option("--dry-run", is_flag=True, help="On a copy, which is removed again.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def migrate(dry_run: bool, as_json: bool) -> None:
    """Try how an update would change the database.

    The daemon migrates by itself when it starts for the first time after an update, and keeps a
    copy of before. Here the same migrations run on a copy off to the side: nothing is changed.
    The exit code is 1 when what came out is not sound.
    """
    if not dry_run:
        raise click.UsageError(AT_START)
    home = current_home()
    if not home.database.exists():
        raise click.ClickException(f"there is no database in {home.root} yet")
    with copy_of(home.database, home) as copy:
        tried = migrated(copy)
    present(tried, as_json, _tell)
    if tried.damage:
        raise click.ClickException(f"the migrated copy is not sound: {tried.damage}")


def _tell(tried: Tried) -> None:
    before, after = tried.before, tried.after
    if before.schema == after.schema:
        click.echo(f"schema {after.schema} is this version's: nothing to migrate")
    else:
        state = "not sound" if tried.damage else "sound"
        click.echo(
            f"schema {before.schema} becomes {after.schema} in {tried.seconds:.1f} s,"
            f" on a copy that is {state} afterwards; the database itself is as it was"
        )
    living = counted(after.memories, "living memory", "living memories")
    events = counted(after.rows.get("journal", 0), "event")
    click.echo(f"{living} (before: {before.memories:,}), {events} afterwards")
    new = [name for name in after.rows if name not in before.rows]
    if new:
        click.echo(f"new tables: {', '.join(new)}")
    for name in before.rows:
        was, count = before.rows[name], after.rows.get(name, 0)
        if was != count:
            click.echo(f"{name}: {was:,} rows become {count:,}")
