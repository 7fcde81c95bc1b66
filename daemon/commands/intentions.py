"""``intend`` and ``intentions``: what a person means to do later."""

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
REGEX = "re:"


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
    from actors.policy.intentions.intention_triggers import Recurs
    from actors.policy.intentions.trigger_forms import form
    from actors.policy.times.naming_times import schedule_named

    return form(Recurs(_said(lambda: schedule_named(text), "--every")))


def _file(pattern: str) -> Form:
    if pattern.startswith(REGEX):
        return {"file_regex": pattern.removeprefix(REGEX)}
    return {"file": pattern}


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--at", metavar="WHEN", help="tomorrow 9:00, friday, 2026-12-01 14:30, …")
@click.option("--in", "after", metavar="DURATION", help="2h, 30m, 3 days, …")
@click.option("--every", metavar="SCHEDULE", help="30m, hourly, daily 9:00, weekly mon, monthly 15")
@click.option("--on-file", "files", multiple=True, metavar="GLOB", help="Or re:REGEX; repeat.")
@click.option("--on-branch", "branches", multiple=True, metavar="GLOB", help="A branch; repeat.")
@click.option(
    "--when", "events", multiple=True, metavar="TEXT", help="A prompt or command says it."
)
@click.option("--topic", "topics", multiple=True, help="A prompt is about it; repeat.")
@click.option("--all-of", is_flag=True, help="When all of these hold; one is enough otherwise.")
@click.option(
    "--priority", type=click.Choice(get_args(Priority)), default="normal", show_default=True
)
@click.option("--deadline", metavar="WHEN", help="More urgent a day before; over after it.")
@click.option("--project", help="Only in this project ('.': the current one), not in all.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def intend(
    text: tuple[str, ...],
    at: str | None,
    after: str | None,
    every: str | None,
    files: tuple[str, ...],
    branches: tuple[str, ...],
    events: tuple[str, ...],
    topics: tuple[str, ...],
    all_of: bool,
    priority: Priority,
    deadline: str | None,
    project: str | None,
    as_json: bool,
) -> None:
    """Be reminded of something when it is time.

    TEXT is what to do. Say when: at a time, at a file, on a branch, or when something is said.
    The agent's next matching prompt gets it as a note, at most five times, half an hour apart.
    """
    triggers: list[Form] = [
        *([{"at": _moment(at, "--at")}] if at else []),
        *([{"after": _seconds(after, "--in")}] if after else []),
        *([_recurring(every)] if every else []),
        *(_file(pattern) for pattern in files),
        *({"branch": name} for name in branches),
        *({"event": ["", words]} for words in events),
        *({"within": [None, topic, None, None]} for topic in topics),
    ]
    until = _moment(deadline, "--deadline") if deadline else None
    if not triggers and until is not None:
        triggers = [{"at": until - BEFORE_DEADLINE}]
    if not triggers:
        raise click.UsageError(
            "Say when: --at, --in, --every, --on-file, --on-branch, --when, --topic or --deadline."
        )
    made = asked(
        Intend(
            text=" ".join(text),
            trigger=triggers[0]
            if len(triggers) == 1
            else {"all" if all_of else "any": list(triggers)},
            priority=priority,
            deadline=until,
            project=named_project(project) if project else None,
        )
    )
    one = made.intention
    where = f" (in {one.project})" if one.project else ""
    say(made, as_json, f"{one.id}  you will be reminded {one_line(one.when)}{where}")


@click.group(invoke_without_command=True)
@click.option("--project", help="Of this project instead of the current one.")
@click.option("--all", "everything", is_flag=True, help="Of every project, and ended ones.")
@click.option("--limit", default=100, show_default=True, type=click.IntRange(1, 1_000))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def intentions(
    ctx: click.Context, project: str | None, everything: bool, limit: int, as_json: bool
) -> None:
    """Show, and end, what you mean to do later.

    What is due comes first, then the most urgent.
    """
    if ctx.invoked_subcommand is not None:
        return
    listed = asked(
        ListIntentions(
            project=named_project(project) if project else current_project(),
            everywhere=everything,
            ended=everything,
            limit=limit,
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


@intentions.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(id_: str, as_json: bool) -> None:
    """Show one intention with its past."""
    present(asked(ShowIntention(id=id_)), as_json, _print_one)


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


def _changed(request: ChangeIntention, as_json: bool) -> None:
    changed = asked(request)
    one = changed.intention
    say(changed, as_json, f"{one.id}  {_standing(one, now())}: {one_line(one.text)}")


@intentions.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def done(id_: str, as_json: bool) -> None:
    """Say that it is done.

    What recurs comes back at its next time.
    """
    _changed(ChangeIntention(id=id_, change="done"), as_json)


@intentions.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def cancel(id_: str, as_json: bool) -> None:
    """Give it up, every occurrence of it."""
    _changed(ChangeIntention(id=id_, change="cancelled"), as_json)


@intentions.command()
@click.argument("id_", metavar="ID")
@click.argument("duration_", metavar="[DURATION]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def snooze(id_: str, duration_: str | None, as_json: bool) -> None:
    """Put it off, for half an hour unless you say otherwise."""
    seconds = _seconds(duration_, "DURATION") if duration_ else None
    _changed(ChangeIntention(id=id_, change="snoozed", seconds=seconds), as_json)


@intentions.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def erase(id_: str, as_json: bool) -> None:
    """Erase it for good, with the prompts that say it.

    Memories that say the same are erased with 'reverie forget --erase'.
    """
    erased = asked(EraseIntention(id=id_), within=ERASED_WITHIN)
    say(erased, as_json, f"erased {one_line(id_)} ({one_line(erased.note)})")
