"""``session``: what agents' sessions attend to, and what they were told."""

from __future__ import annotations

import click

from daemon.commands.conversation import asked
from daemon.commands.output import age, counted, now, one_line, page_width, print_json, table
from daemon.requests.sessions import (
    ClearSession,
    ListSessions,
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
    if as_json:
        print_json(listed)
        return
    moment = now()
    for line in table([_row(one, moment) for one in listed.sessions], page_width()):
        click.echo(line)
    if not listed.sessions:
        click.echo("no session is known yet")
    elif len(listed.sessions) < listed.total:
        click.echo(f"{len(listed.sessions)} of {listed.total:,}; --limit shows more")


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
    shown = asked(ShowSession(session=name))
    if as_json:
        print_json(shown)
    else:
        _print_session(shown)


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
        ["last prompt", one.task or "none"],
    ]
    for line in table(facts, page_width()):
        click.echo(line)
    held = [
        [held.id, f"{held.attention:.2f}", held.tier, held.title] for held in shown.working_memory
    ]
    delivered = [[note.id or "gone", age(moment - note.at), note.title] for note in shown.delivered]
    for title, rows in (("working memory", held), ("delivered", delivered)):
        click.echo(f"\n{title}" if rows else f"\n{title}: empty")
        for line in table(rows, page_width() - 2):
            click.echo(f"  {line}")


@session.command()
@click.argument("name", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def clear(name: str, as_json: bool) -> None:
    """Empty a session.

    Its working memory and its ledger of what was delivered; no memory is touched.
    """
    done = asked(ClearSession(session=name))
    if as_json:
        print_json(done)
    else:
        click.echo(f"cleared {counted(done.count, 'entry', 'entries')} ({one_line(done.note)})")
