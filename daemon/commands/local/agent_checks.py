"""Checks of ``doctor`` where agents are concerned: the hook client and their settings."""

import json
import os
from pathlib import Path

import msgspec
import trio

from daemon.commands.local.checks import Check
from daemon.home import Home, distrust
from daemon.installing.agents import Places, agents_here, is_connected, to_install
from daemon.installing.files import InstallationError, Settings, disconnected
from hooks import ownership


class ClaudeSettings(msgspec.Struct, frozen=True):
    """Settings of Claude Code for running hooks, under its own names."""

    disableAllHooks: bool = False
    enabledPlugins: dict[str, object] = {}


def hook_check(home: Home) -> Check:
    """Check the hook client recorded by an installation; without one a slower one runs."""
    record = home.hook_client
    if not record.is_file():
        return Check("hook", "warn", "no hook client is recorded", "reverie install AGENT")
    client = Path(record.read_text(encoding="utf-8").partition("\n")[0])
    if not (client.is_absolute() and client.is_file() and os.access(client, os.X_OK)):
        return Check("hook", "fail", f"{client} cannot be run", "reverie install AGENT")
    if reason := distrust(record) or distrust(client, strict=ownership.PROGRAM):
        return Check("hook", "fail", f"not used: {reason}", "reverie install AGENT")
    return Check("hook", "ok", str(client))


def reader_check(home: Home) -> Check | None:
    """Check the presence of the engine for reading sessions; nothing where nobody reads."""
    # Not before: most homes have none.
    from daemon.engines.choice import BadChoice, choice_of, described
    from daemon.engines.process import Place
    from daemon.settings import SettingsError, load

    try:
        choice = choice_of(load(home, os.environ).settings.reader)
    except SettingsError:
        return None  # said with the model
    if choice is None:
        return None
    try:
        found = trio.run(described, choice, Place.of(home))
    except BadChoice as error:
        return Check("reader", "fail", str(error), "reverie reader use")
    if found.trouble:
        return Check("reader", "warn", found.trouble, "reverie reader use")
    return Check("reader", "ok", f"{found.name} {found.version}".strip())


def claude_check(places: Places) -> Check:
    """Claude Code runs our hooks, by its settings or by the plugin."""
    if not places.claude.is_dir():
        return Check("claude", "ok", f"Claude Code is not used here ({places.claude})")
    remedy = f"mend {places.settings}"
    try:
        settings = msgspec.json.decode(places.settings.read_bytes(), type=ClaudeSettings)
        whole: Settings = json.loads(places.settings.read_bytes())
        ours = disconnected(whole) != whole
    except FileNotFoundError:
        settings, whole, ours = ClaudeSettings(), {}, False
    except (ValueError, InstallationError) as error:
        return Check("claude", "fail", f"{places.settings}: {error}", remedy)
    if settings.disableAllHooks:
        return Check("claude", "fail", "its settings have disableAllHooks", remedy)
    if any(
        on is True and name.startswith("reverie@") for name, on in settings.enabledPlugins.items()
    ):
        return Check("claude", "ok", "the plugin brings the hooks")
    if not ours:
        return Check("claude", "warn", "not connected with reverie", "reverie install claude")
    if json.dumps(str(places.hooks))[1:-1] not in json.dumps(whole):
        return Check(
            "claude", "warn", "connected with another installation", "reverie install claude"
        )
    return Check("claude", "ok", f"connected, by {places.settings}")


def others_check(places: Places) -> Check:
    """Check whether connected agents beside Claude Code run the hooks of this installation."""
    ours = [one for one in agents_here(places) if one != "claude" and is_connected(one, places)]
    old: list[str] = []
    for agent in ours:
        try:
            if any(change.is_one for change in to_install(agent, places)):
                old.append(agent)
        except InstallationError as error:
            return Check("agents", "fail", str(error), "mend that file")
    if old:
        told = f"connected by another version or installation: {', '.join(old)}"
        return Check("agents", "warn", told, f"reverie install {old[0]}")
    return Check("agents", "ok", f"connected: {', '.join(ours)}" if ours else "no other connected")
