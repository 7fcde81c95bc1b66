"""The settings that hold here, for commands that need no daemon."""

import os

from daemon.commands.terminal.output import explained
from daemon.home import Home
from daemon.settings import Loaded, SettingsError, load


def loaded(home: Home) -> Loaded:
    """The settings of this home and this environment.

    Raises ``click.ClickException`` when one is wrong.
    """
    with explained(SettingsError):
        return load(home, os.environ)
