"""``doctor --try-update``: how an update would change the database, tried on a copy."""

import click

from daemon.commands.terminal.output import counted, present
from daemon.durability.migrating import Tried, copy_of, migrated
from daemon.home import Home


def try_update(home: Home, *, as_json: bool) -> None:
    """Run the migrations on a copy off to the side and tell what came out: nothing is changed.

    Raises ``click.ClickException`` when there is no database, or the copy is not sound afterwards.
    """
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
