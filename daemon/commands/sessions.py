"""``session``: what agents' sessions attend to, and what they were told."""

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.output import (
    age,
    counted,
    now,
    one_line,
    present,
    print_found,
    print_section,
    print_table,
    say,
    shown_of,
)
from daemon.commands.terminal.scope import current_project, named_project
from daemon.requests.sessions import (
    ClearSession,
    ListSessions,
    ResumeSession,
    SessionResumed,
    SessionShown,
    SessionView,
    ShowSession,
)


@click.group()
def session() -> None:
    """Show, and empty, the sessions of agents.

    A session's name may be shortened while no other one begins the same.
    """


@session.command("list")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1_000))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def list_sessions(limit: int, as_json: bool) -> None:
    """Show which sessions are known.

    The one seen last first.
    """
    listed = asked(ListSessions(limit=limit))
    moment = now()
    rows = [_row(one, moment) for one in listed.sessions]
    print_found(listed, as_json, rows, "no session is known yet", more=shown_of(rows, listed.total))


def _row(one: SessionView, moment: float) -> list[str]:
    status = f"{one.status}, silent" if one.silent else one.status
    return [one.session, age(moment - one.seen_at), one.agent, status, one.task]


@session.command()
@click.argument("name", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(name: str, as_json: bool) -> None:
    """Show one session.

    What it attends to now, and which notes it has in its context.
    """
    present(asked(ShowSession(session=name)), as_json, _print_session)


def _print_session(shown: SessionShown) -> None:
    one, moment = shown.session, now()
    notes = "switched off in this session" if one.silent else "on"
    facts = [
        ["session", one.session],
        ["agent", one.agent],
        ["project", one.project or "none"],
        ["started", age(moment - one.started_at)],
        ["seen", f"{age(moment - one.seen_at)}, {one.status}"],
        ["notes", notes],
        ["asked for", one.task or "none"],
    ]
    print_table(facts)
    held = [
        [held.id, f"{held.attention:.2f}", held.tier, held.title] for held in shown.working_memory
    ]
    delivered = [
        [
            note.id or "gone",
            age(moment - note.at),
            "may be told again" if note.faded else "",
            note.title,
        ]
        for note in shown.delivered
    ]
    for title, rows in (("working memory", held), ("delivered", delivered)):
        click.echo(f"\n{title}" if rows else f"\n{title}: empty")
        print_table(rows, indent=2)


@session.command()
@click.argument("name", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def clear(name: str, as_json: bool) -> None:
    """Empty a session.

    Its working memory and its ledger of what was delivered; no memory is touched.
    """
    done = asked(ClearSession(session=name))
    what = counted(done.count, "entry", "entries")
    say(done, as_json, f"cleared {what} ({one_line(done.note)})")


@session.command()
@click.argument("name", metavar="[ID]", required=False)
@click.option("--project", help="The last session of this project instead of the current one.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def resume(name: str | None, project: str | None, as_json: bool) -> None:
    """Tell what a session was doing.

    The last one of the current project, unless named: its task, what it attended to, what
    failed and was not mended, and what is still intended.
    """
    where = named_project(project) if project else current_project()
    resumed = asked(ResumeSession(session=name, project=None if name else where))
    present(resumed, as_json, _print_resumed)


def _print_resumed(resumed: SessionResumed) -> None:
    one = resumed.session
    click.echo(f"{one.session}, {one.status}, seen {age(now() - one.seen_at)}")
    if one.task:
        click.echo(f"asked for: {one_line(one.task)}")
    if resumed.summary:
        click.echo(f"summary: {one_line(resumed.summary)}")
    sections = (
        ("attended to", [[held.id, held.text] for held in resumed.working_memory]),
        ("failed, and not mended", [[gone.command, gone.error] for gone in resumed.failures]),
        ("edited", [[path] for path in resumed.edited]),
        (
            "intended",
            [
                [open_.id, "due" if open_.due else open_.status, open_.text, open_.when]
                for open_ in resumed.intentions
            ],
        ),
    )
    for title, rows in sections:
        print_section(title, rows)
    if not any(rows for _, rows in sections):
        click.echo("nothing is left open")
