"""``install`` and ``uninstall``: connect coding agents with reverie, and take it back."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shutil import which
from typing import Final

import click

from actors.policy.events.agents import TABLE, told_at
from daemon.commands.terminal.output import error_line, show
from daemon.commands.terminal.words import counted, now
from daemon.home import FILE_MODE, Home, current_home
from daemon.installing.agents import (
    ALIASES,
    Places,
    agents_here,
    is_connected,
    to_install,
    to_uninstall,
    usual_places,
)
from daemon.installing.agents import install as connect
from daemon.installing.agents import uninstall as disconnect
from daemon.installing.files import Change
from daemon.projects import checkout_of, project_root

ALL = "all"
CLAUDE = "claude"  # the client that was tried as a reader
AGENT = click.Choice([*TABLE, *ALIASES, ALL])
UNTRIED = ", ".join(row["title"] for row in TABLE.values() if not row["tried"])
INSTALL = f"""Connect an agent with reverie.

Adds reverie's hooks to the agent's settings and leaves the rest of them as it is; "all" stands for every
agent that is found, and without an AGENT it says which these are. The change is shown first, and asked
about at a terminal. Doing it again changes nothing.

From its schema, not run: {UNTRIED}.
"""
UNINSTALL = """Disconnect an agent.

Takes reverie's hooks out of the agent's settings: a file that nobody changed since is as it was before, byte
for byte. No memory is touched.
"""


@click.command(help=INSTALL)
@click.argument("agent", type=AGENT, required=False)
@click.option("--project", is_flag=True, help="Of this project alone.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def install(agent: str | None, project: bool, yes: bool, as_json: bool) -> None:
    """Connect an agent with reverie."""
    places = _places(project)
    if agent is None:
        _say_found(places, as_json)
        return
    agents = agents_here(places) if agent == ALL else [agent]
    changes = [c for one in agents for c in to_install(one, places)]

    def order(one: str) -> list[str]:
        return connect(one, places, is_first=one == agents[0])

    _make(agents, changes, order, yes=yes, as_json=as_json)
    if not (yes or as_json):
        offer_to_learn(places.home)
        if CLAUDE in agents:
            offer_reader(places.home)


@click.command(help=UNINSTALL)
@click.argument("agent", type=AGENT)
@click.option("--project", is_flag=True, help="Of this project alone.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def uninstall(agent: str, project: bool, yes: bool, as_json: bool) -> None:
    """Disconnect an agent."""
    places = _places(project)
    every = [one for one in TABLE if is_connected(one, places)]
    agents = every if agent == ALL else [agent]
    changes = [change for one in agents for change in to_uninstall(one, places)]
    _make(
        agents, changes, lambda one: disconnect(one, places),
        yes=yes, as_json=as_json,
    )  # fmt: skip


def _places(project: bool) -> Places:
    here = str(Path.cwd())
    root = Path(checkout_of(str(project_root(Path(here))), here)) if project else None
    return usual_places(current_home(), os.environ, project=root)


def _say_found(places: Places, as_json: bool) -> None:
    """Say which agents are on this machine, and which of them are connected."""
    there = agents_here(places)
    rows = [
        {"agent": agent, "title": TABLE[agent]["title"], "folder": str(places.folder(agent)),
         "connected": is_connected(agent, places), "tried": TABLE[agent]["tried"],
         "told_at": told_at(TABLE[agent])}
        for agent in there
    ]  # fmt: skip
    lines = [
        f"{agent:<10}{TABLE[agent]['title']}:"
        f" {'connected' if is_connected(agent, places) else 'not connected'};"
        f" can be told at {', '.join(told_at(TABLE[agent]))}"
        for agent in there
    ]
    lines.append(
        "connect one with: reverie install AGENT; every one with: reverie install all"
        if there else "no agent that reverie knows is found here"
    )  # fmt: skip
    show({"agents": rows}, as_json, lines)


def _make(
    agents: Sequence[str],
    changes: Sequence[Change],
    order: Callable[[str], list[str]],
    *,
    yes: bool,
    as_json: bool,
) -> None:
    """Show the changes, ask where somebody can answer, and have them made."""
    shown = [change for change in changes if change.is_one]
    for change in shown:
        click.echo(change.diff(), err=as_json)
    asks = not (yes or as_json) and shown and sys.stdin.isatty()
    if asks and not click.confirm("Make these changes?", default=False, err=True):
        raise click.Abort
    done = [line for one in agents for line in order(one)]
    files = [{"file": str(change.path), "diff": change.diff()} for change in shown]
    show({"done": done, "changes": files}, as_json, done or ["nothing to change"])


# ---- offers of ``install``, made once, in a terminal: to learn of an existing past, and the reader

OFFERED: Final = "learn-offered"  # in the data home
READER_OFFERED: Final = "reader-offered"  # likewise
PAST: Final = 90 * 86_400.0  # seconds back in which sessions are looked for, as `learn` does
LATER: Final = "later: reverie learn --transcripts, reverie learn --git, reverie learn --docs"


def offer_to_learn(home: Home) -> None:
    """Ask whether to look at this project's past for learning; it is asked once in a home."""
    if not sys.stdin.isatty() or (home.root / OFFERED).exists():
        return
    # Not before: most installations need none of it.
    from daemon.api.learn import Learn, ReadTranscripts
    from daemon.commands.terminal.verbs import carry_out

    here = Path.cwd()
    commits, sessions = _past(here)
    if not (commits or sessions):
        return
    (home.root / OFFERED).touch(mode=FILE_MODE)
    past = [
        *([counted(sessions, "session")] if sessions else []),
        *(["commits"] if commits else []),
    ]
    asks = f"This project has {' and '.join(past)}. Look at what could be learnt of them?"
    if not click.confirm(asks, default=False, err=True):
        error_line(LATER)
        return

    def requests() -> Iterator[Learn | ReadTranscripts]:
        if sessions:
            yield ReadTranscripts(folder=str(here))
        if commits:
            yield Learn(folder=str(here), git=True)

    for request in requests():
        try:
            carry_out(request)
        except click.ClickException as error:
            error_line(error.message)


def offer_reader(home: Home) -> None:
    """Ask whether the person's own client reads ended sessions; it is asked once in a home."""
    if not sys.stdin.isatty() or (home.root / READER_OFFERED).exists() or not which("claude"):
        return
    # Not before: most installations need none of it.
    from daemon.api.reader import UseReader
    from daemon.asking import Refused
    from daemon.commands.terminal.verbs import carry_out

    (home.root / READER_OFFERED).touch(mode=FILE_MODE)
    click.echo("\nSessions that are over can be read by your own client, which writes a few notes:")
    try:
        carry_out(UseReader(engine="claude"))
    except (click.ClickException, Refused) as error:
        error_line(f"{error}; later: reverie reader use claude")


def _past(here: Path) -> tuple[bool, int]:
    """Tell whether the project of a folder has commits, and count its sessions of Claude Code."""
    from daemon.sources import DiskFolder
    from daemon.transcripts import transcripts, transcripts_folder

    project = project_root(here)
    found = transcripts(
        transcripts_folder(os.environ),
        now() - PAST,
        lambda place: bool(place) and project_root(Path(place)) == project,
    )
    checkout = Path(checkout_of(str(project), str(here)))
    return bool(DiskFolder(checkout).commits(1)), len(found)
