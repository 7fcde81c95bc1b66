"""``intend``: what a person means to do later; made, listed, put off and ended."""

from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Any, get_args

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import (
    age,
    duration,
    now,
    one_line,
    present,
    print_found,
    print_table,
    say,
    shown_of,
)
from daemon.commands.terminal.scope import current_project, named_project
from daemon.requests.intentions import (
    Change,
    ChangeIntention,
    EraseIntention,
    Intend,
    IntentionShown,
    IntentionView,
    ListIntentions,
    Priority,
    ShowIntention,
)

Form = dict[str, Any]
ERASED_WITHIN = 620.0  # seconds: every file is rewritten
BEFORE_DEADLINE = 86_400.0  # seconds: what has a deadline alone is brought back then
ABOUT_ONE = ("show", "done", "cancel", "snooze", "erase")  # options that take an ID
CHANGES: dict[str, Change] = {"done": "done", "cancel": "cancelled", "snooze": "snoozed"}


def _zone() -> tzinfo:
    from daemon.clock import LocalZone

    return LocalZone()


def _said(read: Callable[[], Any], option: str) -> Any:
    """What an option says; what is not understood becomes one line."""
    from actors.policy.times.naming_times import BadTime
    from actors.policy.times.recurrence import BadSchedule

    try:
        return read()
    except (BadTime, BadSchedule) as wrong:
        raise click.BadParameter(f"{wrong}.", param_hint=f"'{option}'") from None


def _moment(text: str, option: str) -> float:
    from actors.policy.times.naming_times import moment_named

    return float(_said(lambda: moment_named(text, now(), _zone()), option))


def _seconds(text: str, option: str) -> float:
    from actors.policy.times.naming_times import duration_named

    return float(_said(lambda: duration_named(text), option))


def _recurring(text: str) -> Form:
    from actors.policy.times.naming_times import schedule_named

    return {"every": _said(lambda: schedule_named(text), "--every")}


@click.command()
@click.argument("text", nargs=-1)
@click.option("--at", metavar="WHEN", help="tomorrow 9:00, friday, 2026-12-01 14:30, …")
@click.option("--in", "after", metavar="DURATION", help="2h, 30m, 3 days, …")
@click.option("--every", metavar="SCHEDULE", help="30m, hourly, daily 9:00, weekly mon, monthly 15")
@click.option("--on-file", "files", multiple=True, metavar="GLOB", help="A file is touched.")
@click.option("--on-branch", "branches", multiple=True, metavar="GLOB", help="A branch; repeat.")
@click.option(
    "--when", "events", multiple=True, metavar="TEXT", help="A prompt or command says it."
)
@click.option("--all-of", is_flag=True, help="When all of these hold; one is enough otherwise.")
@click.option(
    "--priority", type=click.Choice(get_args(Priority)), default="normal", show_default=True
)
@click.option("--deadline", metavar="WHEN", help="More urgent a day before; over after it.")
@click.option("--project", help="Only in this project ('.': the current one), not in all.")
@click.option("--list", "listed", is_flag=True, help="Show what you mean to do; the due first.")
@click.option("--all", "everything", is_flag=True, help="With --list: of every project, and ended.")
@click.option("--limit", default=100, show_default=True, type=click.IntRange(1, 1_000))
@click.option("--show", metavar="ID", help="Show one with its past.")
@click.option("--done", metavar="ID", help="It is done; what recurs comes back at its next time.")
@click.option("--cancel", metavar="ID", help="Give it up, every occurrence of it.")
@click.option("--snooze", metavar="ID", help="Put it off, for half an hour or --in DURATION.")
@click.option("--erase", metavar="ID", help="Erase it for good, with the prompts that say it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def intend(text: tuple[str, ...], as_json: bool, **said: Any) -> None:
    """Be reminded of something when it is time.

    TEXT is what to do. Say when: at a time, at a file, on a branch, or when something is said.
    The agent's next matching prompt gets it as a note, at most five times, half an hour apart.
    With --list, --show, --done, --cancel, --snooze or --erase it is about what you mean to do
    already. Memories that say what is erased are erased with 'reverie forget --erase'.
    """
    chosen = [name for name in ("listed", *ABOUT_ONE) if said[name]]
    if len(chosen) + bool(text) != 1:
        options = ", ".join(f"--{name}" for name in ABOUT_ONE)
        raise click.UsageError(f"Give TEXT, --list, or one of {options}.")
    match chosen:
        case []:
            _intend(" ".join(text), said, as_json)
        case ["listed"]:
            _list(said, as_json)
        case ["show"]:
            present(asked(ShowIntention(id=said["show"])), as_json, _print_one)
        case ["erase"]:
            erased = asked(EraseIntention(id=said["erase"]), within=ERASED_WITHIN)
            say(erased, as_json, f"erased {one_line(said['erase'])} ({one_line(erased.note)})")
        case _:
            (name,) = chosen
            put_off = _seconds(said["after"], "--in") if said["after"] else None
            changed = asked(ChangeIntention(id=said[name], change=CHANGES[name], seconds=put_off))
            one = changed.intention
            say(changed, as_json, f"{one.id}  {_standing(one, now())}: {one_line(one.text)}")


def _glob(pattern: str) -> str:
    if pattern.startswith("re:"):
        raise click.UsageError(
            "--on-file takes a glob ('*.sql'): expressions are understood no more"
        )
    return pattern


def _intend(text: str, said: dict[str, Any], as_json: bool) -> None:
    triggers: list[Form] = [
        *([{"at": _moment(said["at"], "--at")}] if said["at"] else []),
        *([{"after": _seconds(said["after"], "--in")}] if said["after"] else []),
        *([_recurring(said["every"])] if said["every"] else []),
        *({"file": _glob(pattern)} for pattern in said["files"]),
        *({"branch": name} for name in said["branches"]),
        *({"event": ["", words]} for words in said["events"]),
    ]
    until = _moment(said["deadline"], "--deadline") if said["deadline"] else None
    if not triggers and until is not None:
        triggers = [{"at": until - BEFORE_DEADLINE}]
    if not triggers:
        raise click.UsageError(
            "Say when: --at, --in, --every, --on-file, --on-branch, --when or --deadline."
        )
    together = {"all" if said["all_of"] else "any": triggers}
    project = said["project"]
    made = asked(
        Intend(
            text=text,
            trigger=triggers[0] if len(triggers) == 1 else together,
            priority=said["priority"],
            deadline=until,
            project=named_project(project) if project else None,
        )
    )
    one = made.intention
    where = f" (in {one.project})" if one.project else ""
    say(made, as_json, f"{one.id}  you will be reminded {one_line(one.when)}{where}")


def _list(said: dict[str, Any], as_json: bool) -> None:
    project = said["project"]
    listed = asked(
        ListIntentions(
            project=named_project(project) if project else current_project(),
            everywhere=said["everything"],
            ended=said["everything"],
            limit=said["limit"],
        )
    )
    moment = now()
    rows = [
        [one.id, _standing(one, moment), one.priority, one.text, one.when]
        for one in listed.intentions
    ]
    none = "nothing is intended; 'reverie intend TEXT --at WHEN' changes that"
    print_found(listed, as_json, rows, none, more=shown_of(rows, listed.total))


def _standing(one: IntentionView, moment: float) -> str:
    """Where it stands, in a word or two."""
    if one.status == "snoozed" and one.snoozed_until is not None:
        return f"snoozed {duration(max(0.0, one.snoozed_until - moment + 30))}"
    if one.status in ("active", "triggered"):
        return "due" if one.due else "open"
    return {"fulfilled": "done"}.get(one.status, one.status)


def _print_one(shown: IntentionShown) -> None:
    one, moment = shown.intention, now()
    by = f"in session {one.session}" if one.session else "by hand"
    facts = [
        ["what", one.text],
        ["when", one.when],
        ["state", _standing(one, moment)],
        ["priority", one.priority],
        ["project", one.project or "every"],
        ["made", f"{age(moment - one.made_at)}, {by}"],
        ["reminders", str(one.reminders)],
    ]
    if one.deadline is not None:
        local = datetime.fromtimestamp(one.deadline).astimezone()
        facts.append(["deadline", f"{local:%Y-%m-%d %H:%M}"])
    print_table(facts)
    click.echo("\npast")
    rows = [[age(moment - past.at), past.what, past.session or ""] for past in shown.past]
    print_table(rows, indent=2)
