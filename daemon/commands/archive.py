"""``archive`` and ``unarchive``: memories are put away, as they are."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import counted, print_found, tell_count
from daemon.requests.archive import Archive, Unarchive, WhichWouldBeArchived


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1)
@click.option("--candidates", is_flag=True, help="Only show what would be archived, and why.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def archive(ids: tuple[str, ...], candidates: bool, as_json: bool) -> None:
    """Put memories away, as they are.

    They are in no answer any more, and not forgotten: 'reverie unarchive' brings them back.
    With --candidates nothing is done: it shows what the archivist would put away, or of each ID
    whether it is or should be archived.
    """
    if candidates:
        _candidates(list(ids), as_json)
        return
    if not ids:
        raise click.UsageError("Missing argument 'ID...'.")
    tell_count(asked(Archive(ids=list(ids))), "archived", as_json)


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def unarchive(ids: tuple[str, ...], as_json: bool) -> None:
    """Bring memories back from the archive."""
    tell_count(asked(Unarchive(ids=list(ids))), "brought back", as_json)


def _candidates(ids: list[str], as_json: bool) -> None:
    """What the archivist would do; nothing is done."""
    found = asked(WhichWouldBeArchived(ids=ids))
    words = {(True, False): "archived", (False, True): "should go", (False, False): "stays"}
    rows = [
        [one.memory, words[one.is_archived, one.should_archive], one.why, one.title]
        for one in found.memories
    ]
    much = counted(found.total, "memory", "memories")
    more = "" if ids else f"{much} may go, at most {found.room} in one plan; nothing was done"
    print_found(found, as_json, rows, "nothing would be archived", more=more)
