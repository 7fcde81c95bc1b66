"""``install`` and ``uninstall``: connect a coding agent with reverie, and take it back."""

import os

import click

from daemon.commands.local.config import loaded
from daemon.commands.terminal.output import say
from daemon.home import current_home
from daemon.installation import AGENTS, usual_places
from daemon.installation import install as connect
from daemon.installation import uninstall as disconnect

AGENT = click.Choice(list(AGENTS))


@click.command()
@click.argument("agent", type=AGENT)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def install(agent: str, as_json: bool) -> None:
    """Connect an agent with reverie.

    Adds reverie's hooks to the agent's settings and leaves the rest of them as it is. With
    injection.before_tools there is one more, before edits and commands.
    Doing it again changes nothing.
    """
    home = current_home()
    before_tools = loaded(home).settings.injection.before_tools
    done = connect(agent, usual_places(home, os.environ), before_tools=before_tools)
    _told(done, as_json)


@click.command()
@click.argument("agent", type=AGENT)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def uninstall(agent: str, as_json: bool) -> None:
    """Disconnect an agent.

    Takes reverie's hooks out of the agent's settings. No memory is touched.
    """
    done = disconnect(agent, usual_places(current_home(), os.environ))
    _told(done, as_json)


def _told(done: list[str], as_json: bool) -> None:
    say({"done": done}, as_json, "\n".join(done))
