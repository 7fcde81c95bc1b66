"""``forget``, ``refute``, ``purge`` and back: memories leave recall, come back, or are erased."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import ask_first, counted, print_found, tell_count
from daemon.commands.terminal.scope import named_project
from daemon.home import current_home
from daemon.requests.forget import (
    Archive,
    Confirm,
    Forget,
    Purge,
    Refute,
    Unforget,
    WhichWouldBeArchived,
)

NOTHING = "nothing was erased"
ERASED_WITHIN = 620.0  # seconds: every file is rewritten; the daemon gives up before


@click.command()
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--archive", is_flag=True, help="Put them away as they are, and not forgotten.")
@click.option("--candidates", is_flag=True, help="Only show what reverie would put away, and why.")
@click.option("--erase", is_flag=True, help="Out of every file, for good.")
@click.option("--with-events", is_flag=True, help="With --erase: and what else mentions the text.")
@click.option("--yes", is_flag=True, help="With --erase: do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def forget(
    ids: tuple[str, ...],
    archive: bool,
    candidates: bool,
    erase: bool,
    with_events: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Take memories out of recall.

    'reverie unforget' brings them back, unless they were erased. With --erase it says what else
    mentions the text, if anything does, and asks.
    """
    if archive + candidates + erase > 1:
        raise click.UsageError("give one of --archive, --candidates and --erase")
    if (with_events or yes) and not erase:
        raise click.UsageError("--with-events and --yes go with --erase")
    if candidates:
        _show_candidates(list(ids), as_json)
        return
    if not ids:
        raise click.UsageError("Missing argument 'ID...'.")
    if archive:
        tell_count(asked(Archive(ids=list(ids))), "archived", as_json)
        return
    if erase and not yes:
        _confirm_erasure(ids, with_events=with_events)
    request = Forget(ids=list(ids), erase=erase, with_events=with_events)
    done = asked(request, within=ERASED_WITHIN)
    tell_count(done, "erased" if erase else "forgot", as_json)


def _show_candidates(ids: list[str], as_json: bool) -> None:
    """Show what the archivist would put away, or where these stand; nothing is done."""
    archivals = asked(WhichWouldBeArchived(ids=ids))
    words = {(True, False): "archived", (False, True): "should go", (False, False): "stays"}
    rows = [
        [one.memory, words[one.is_archived, one.should_archive], one.why, one.title]
        for one in archivals.memories
    ]
    much = counted(archivals.total, "memory", "memories")
    more = "" if ids else f"{much} may go, at most {archivals.room} in one plan; nothing was done"
    print_found(archivals, as_json, rows, "nothing would be archived", more=more)


def _confirm_erasure(ids: tuple[str, ...], *, with_events: bool) -> None:
    """Ask where something else mentions the text in another form, or snapshots go with it."""
    others = asked(Forget(ids=list(ids), looks=True), within=ERASED_WITHIN).note
    named = _snapshots()
    if not others:
        if named:
            ask_first(f"Erase it{named} for good?", NOTHING)
        return
    click.echo(f"in another form the text stands in {others}", err=True)
    question = (
        f"Erase it with these events, passages and sessions{named} for good?"
        if with_events
        else f"Erase it{named} for good and leave these as they are? (--with-events takes them too)"
    )
    ask_first(question, NOTHING)


def _snapshots() -> str:
    """Name the snapshots, which go with every erasure as each copy does; empty where there is none."""
    from daemon.durability.snapshots import snapshots  # not for what erases nothing

    names = sorted({copy.name for copy in snapshots(current_home())})
    return f", and every copy with it (snapshots: {', '.join(names)})," if names else ""


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def unforget(ids: tuple[str, ...], as_json: bool) -> None:
    """Bring forgotten or archived memories back."""
    tell_count(asked(Unforget(ids=list(ids))), "brought back", as_json)


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
    if not yes:
        ask_first(f"Erase {what}{_snapshots()} for good?", NOTHING)
    tell_count(asked(request, within=ERASED_WITHIN), "erased", as_json)


def _purge_of(project: str | None, everything: bool) -> tuple[Purge, str]:
    if project and everything:
        raise click.UsageError("Give one of --project and --everything.")
    if everything:
        return Purge(what="everything"), "every memory there is"
    if project:
        named = named_project(project)
        return Purge(what="project", project=named), f"every memory of {named}"
    return Purge(what="forgotten"), "every forgotten memory"


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def confirm(ids: tuple[str, ...], as_json: bool) -> None:
    """Say that something supposed or noticed is so.

    A hypothesis becomes a fact; one that was refuted is back in recall. A decision that was only
    noticed never fades from then on.
    """
    tell_count(asked(Confirm(ids=list(ids))), "confirmed", as_json)


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--because", default="", metavar="TEXT", help="Why; 'reverie why ID' tells it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def refute(ids: tuple[str, ...], because: str, as_json: bool) -> None:
    """Say that something is not so.

    It leaves recall; 'reverie confirm' brings it back.
    """
    tell_count(asked(Refute(ids=list(ids), because=because)), "refuted", as_json)
