"""``doctor --fix`` of a damaged database: asks, has it repaired, tells the result."""

import click

from daemon.commands.terminal.output import error_line, progress_line
from daemon.commands.terminal.words import counted, now
from daemon.durability.repair import Came, Repaired, finish
from daemon.durability.repair import repair as made_anew
from daemon.home import Home
from daemon.launch import stop_daemon
from daemon.lock import held_lock

QUESTION = (
    "The database is damaged. A new one is made of what can be read, of the newest sound backup and"
    " of the journal; the damaged file is kept beside the backups. Go on?"
)
NAMED = 8  # tables of which a part may be missing
FINISHED = "what an earlier repair had made is in its place now"


def repaired(home: Home, *, yes: bool) -> Repaired | None:
    """Repair the database once a person says so; ``None`` when there is nothing to tell of it."""
    if not yes and not click.confirm(QUESTION, default=False, err=True):
        error_line("the database was left as it is")
        return None
    stop_daemon(home)
    with held_lock(home):
        if finish(home, now()):
            error_line(FINISHED)
            return None
        with progress_line() as show:
            return made_anew(home, now(), show)


def tell(done: Repaired) -> None:
    """Print the origins of everything recovered, and the losses."""
    click.echo(_came(done.memories, "memory", "memories", done))
    click.echo(_came(done.events, "event", "events", done))
    if done.replayed:
        again = counted(done.replayed, "event")
        click.echo(
            f"{again} that missing memories were made of: worked through again at the next start"
        )
    click.echo(_came(done.others, "other row", "other rows", done))
    if done.parted:
        click.echo(f"{counted(done.parted, 'row')} of what is missing left with it")
    if done.incomplete:
        named, more = ", ".join(done.incomplete[:NAMED]), len(done.incomplete) - NAMED
        others = f" and {counted(more, 'other table')}" if more > 0 else ""
        click.echo(f"perhaps not whole: {named}{others}")
    click.echo("words are indexed anew; the daemon makes the vectors and takes the spool in")
    if done.aside:
        click.echo(f"the damaged file is kept: {done.aside}")


def _came(came: Came, word: str, plural: str, done: Repaired) -> str:
    from_backup = f", {came.restored:,} from {done.backup}" if done.backup else ""
    return (
        f"{counted(came.salvaged, word, plural)} from the damaged file{from_backup},"
        f" {came.missing:,} missing"
    )
