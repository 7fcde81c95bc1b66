"""``forget``, ``archive``, their undoing, and ``purge``: how a memory ends by a person's wish."""

from __future__ import annotations

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import counted, one_line, page_width, print_json, table
from daemon.commands.terminal.scope import named_project
from daemon.requests.archive import Archive, Unarchive, WhichWouldBeArchived
from daemon.requests.forget import Forget, Unforget
from daemon.requests.purge import Purge
from daemon.requests.shapes import Done

ERASED_WITHIN = 620.0  # seconds: every file is rewritten; the daemon gives up before


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--erase", is_flag=True, help="Out of every file, for good.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def forget(ids: tuple[str, ...], erase: bool, as_json: bool) -> None:
    """Take memories out of recall.

    'reverie unforget' brings them back, unless they were erased.
    """
    done = asked(Forget(ids=list(ids), erase=erase), within=ERASED_WITHIN)
    _told(done, "erased" if erase else "forgot", as_json)


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def unforget(ids: tuple[str, ...], as_json: bool) -> None:
    """Bring forgotten memories back."""
    _told(asked(Unforget(ids=list(ids))), "brought back", as_json)


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
    _told(asked(Archive(ids=list(ids))), "archived", as_json)


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def unarchive(ids: tuple[str, ...], as_json: bool) -> None:
    """Bring memories back from the archive."""
    _told(asked(Unarchive(ids=list(ids))), "brought back", as_json)


@click.command()
@click.option("--project", help="Everything of this project ('.': the current one).")
@click.option("--everything", is_flag=True, help="Every memory there is.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def purge(project: str | None, everything: bool, yes: bool, as_json: bool) -> None:
    """Erase memories for good.

    Those that were forgotten, unless a project or everything is named. Asks first.
    """
    request, what = _purge_of(project, everything)
    if not yes and not click.confirm(f"Erase {what} for good?", default=False, err=True):
        raise click.ClickException("nothing was erased")
    _told(asked(request, within=ERASED_WITHIN), "erased", as_json)


def _purge_of(project: str | None, everything: bool) -> tuple[Purge, str]:
    if project and everything:
        raise click.UsageError("Give one of --project and --everything.")
    if everything:
        return Purge(what="everything"), "every memory there is"
    if project:
        named = named_project(project)
        return Purge(what="project", project=named), f"every memory of {named}"
    return Purge(what="forgotten"), "every forgotten memory"


def _candidates(ids: list[str], as_json: bool) -> None:
    """What the archivist would do; nothing is done."""
    found = asked(WhichWouldBeArchived(ids=ids))
    if as_json:
        print_json(found)
        return
    words = {(True, False): "archived", (False, True): "should go", (False, False): "stays"}
    rows = [
        [one.memory, words[one.is_archived, one.should_archive], one.why, one.title]
        for one in found.memories
    ]
    for line in table(rows, page_width()):
        click.echo(line)
    if ids:
        return
    if not found.total:
        click.echo("nothing would be archived")
        return
    much = counted(found.total, "memory", "memories")
    click.echo(f"{much} may go, at most {found.room} in one plan; nothing was done")


def _told(done: Done, verb: str, as_json: bool) -> None:
    if as_json:
        print_json(done)
    else:
        note = f" ({one_line(done.note)})" if done.note else ""
        click.echo(f"{verb} {counted(done.count, 'memory', 'memories')}{note}")
