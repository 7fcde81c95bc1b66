"""``remember``: keep a text that a person gives; ``edit``: a memory says or weighs something else."""

import sys
from datetime import datetime
from typing import Literal, get_args

import click

from daemon.api.strength import Rate, SetTier
from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import one_line, say, tell
from daemon.commands.terminal.scope import named_project
from daemon.requests.remember import Decided, Edit, Edited, Remember
from daemon.requests.shapes import Tier
from daemon.requests.wording import DECIDED

Intent = Literal["auto", "new", "update", "supersede"]


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--title", default="", help="A name for it; the first words, unless given.")
@click.option(
    "--type",
    "kind",
    default="",
    help="What it is: fact, decision, rule, wish, trap, …; unless given by its words.",
)
@click.option("--tier", type=click.Choice(get_args(Tier)), default="normal", show_default=True)
@click.option("--trigger", "triggers", multiple=True, help="A phrase that brings it back; repeat.")
@click.option("--project", help="Keep it for this project ('.': the current one), not for all.")
@click.option("--new", is_flag=True, help="Keep it beside what is there, whatever is there.")
@click.option("--update", metavar="ID", help="It is the new text of this memory.")
@click.option("--supersede", metavar="ID", help="It takes the place of this memory.")
@click.option(
    "--hypothesis", is_flag=True, help="It is only supposed: 'reverie confirm' or 'refute'."
)
@click.option("--valid-from", metavar="WHEN", help="True from this date or time on (ISO, UTC).")
@click.option("--valid-until", metavar="WHEN", help="True until then, and not then any more.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def remember(
    text: tuple[str, ...],
    title: str,
    kind: str,
    tier: Tier,
    triggers: tuple[str, ...],
    project: str | None,
    new: bool,
    update: str | None,
    supersede: str | None,
    hypothesis: bool,
    valid_from: str | None,
    valid_until: str | None,
    as_json: bool,
) -> None:
    """Keep a text.

    TEXT is one text, however many words; '-' reads standard input. Secrets in it are
    taken out before anything is stored.
    """
    intent, target = _intent(new, update, supersede)
    decided = asked(
        Remember(
            text=_whole(text),
            title=title,
            type=kind,
            tier=tier,
            triggers=list(triggers),
            project=named_project(project) if project else None,
            intent=intent,
            target=target,
            status="hypothesis" if hypothesis else "confirmed",
            valid_from=valid_from,
            valid_until=valid_until,
        )
    )
    say(decided, as_json, _sentence(decided))


def _intent(new: bool, update: str | None, supersede: str | None) -> tuple[Intent, str | None]:
    if new + (update is not None) + (supersede is not None) > 1:
        raise click.UsageError("Give one of --new, --update and --supersede.")
    if update is not None:
        return "update", update
    if supersede is not None:
        return "supersede", supersede
    return ("new" if new else "auto"), None


def _whole(text: tuple[str, ...]) -> str:
    from_stdin = text == ("-",)
    whole = sys.stdin.buffer.read().decode("utf-8", "replace") if from_stdin else " ".join(text)
    if not whole.strip():
        raise click.UsageError("There is no text to remember.")
    return whole.strip()


def _sentence(decided: Decided) -> str:
    done = DECIDED.get(decided.action, decided.action)
    reason = f" ({one_line(decided.reason)})" if decided.reason else ""
    return f"{decided.id}  {done}{reason}"


@click.command()
@click.argument("id_", metavar="ID")
@click.argument("words", metavar="[TEXT]...", nargs=-1)
@click.option("--title", default="", help="A name for it; the first words, unless given.")
@click.option("--undo", is_flag=True, help="Go back to what it said before its last change.")
@click.option("--tier", type=click.Choice(get_args(Tier)), help="Set how much it weighs.")
@click.option("--promote", is_flag=True, help="Make it stronger at once; its tier stays.")
@click.option("--demote", is_flag=True, help="Make it weaker at once.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def edit(
    id_: str,
    words: tuple[str, ...],
    title: str,
    undo: bool,
    tier: Tier | None,
    promote: bool,
    demote: bool,
    as_json: bool,
) -> None:
    """Change the text of a memory, its tier or its strength.

    '-' reads the text from standard input. What it said before is kept. Edits within five
    minutes after it was recalled count as one change.
    """
    if sum((bool(words), undo, tier is not None, promote, demote)) != 1:
        raise click.UsageError("give the new text, --undo, --tier, --promote or --demote: one")
    if tier is not None:
        tell(asked(SetTier(id=id_, tier=tier)), f"{id_} is {tier}", as_json)
    elif promote or demote:
        done = asked(Rate(id=id_, up=promote))
        tell(done, f"{id_} is {'stronger' if promote else 'weaker'}", as_json)
    else:
        text = sys.stdin.read() if words == ("-",) else " ".join(words)
        edited = asked(Edit(id=id_, text=text, title=title, undo=undo))
        say(edited, as_json, _told(edited, undo=undo))


def _told(edited: Edited, *, undo: bool) -> str:
    said = f"{edited.id} {'says again what it said before' if undo else 'is changed'}"
    if edited.settles_at is not None:
        until = datetime.fromtimestamp(edited.settles_at).astimezone()
        said += f"; it settles at {until:%H:%M:%S}, more edits until then are part of this one"
    return f"{said} (version {edited.version}; undo: reverie edit {edited.id} --undo)"
