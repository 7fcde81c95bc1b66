"""Connecting an agent: what ``reverie install`` writes and ``reverie uninstall`` takes back.

For Claude Code that is three things: how to start the daemon and which hook client to
run, both recorded in the data home, and one entry an event in the user's settings. The
entries are those of ``hooks/hooks.json`` with this installation's path. Each carries
``MARK``, by which it is known again; whatever else is in the settings stays as it is, and
the file as it was before the last change lies beside it.

The native client is compiled where a C compiler is at hand, and recorded only after it
has carried an event to the spool of a home without a daemon. Otherwise this
installation's interpreter is recorded, and the hooks run in Python.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from daemon.home import FILE_MODE, FOLDER_MODE, Home, whole_file
from daemon.launch import own_command, record_command

AGENTS = {"claude": "claude", "claude-code": "claude"}  # name given: name on the wire
MARK = "--reverie"  # the last argument of each entry that is ours; hook.sh ignores it
PLUGIN_ROOT = "${CLAUDE_PLUGIN_ROOT}/hooks"
BACKUP = "settings.json.before-reverie"
UPCOMING = "PreToolUse"
CHANGING = ("Edit", "Write", "MultiEdit", "NotebookEdit", "Bash")  # tools that a hook precedes
COMPILING_WITHIN = 60.0  # seconds
TRYING_WITHIN = 10.0  # seconds

# What the user wrote: its shape is checked where it is touched.
Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
Settings = dict[str, Json]


class InstallationError(Exception):
    """The agent could not be connected or disconnected; the text says why, in one line."""


@dataclass(frozen=True, slots=True)
class Places:
    """Places that an installation touches or names."""

    home: Home
    claude: Path  # Claude Code's folder of settings
    hooks: Path  # the folder of hook.sh
    command: tuple[str, ...]  # what runs reverie
    interpreter: Path  # what runs the hooks where nothing could be compiled
    compiler: str | None

    @property
    def settings(self) -> Path:
        """The user's settings of Claude Code, wherever a symbolic link leads."""
        return (self.claude / "settings.json").resolve()

    @property
    def hook_client(self) -> Path:
        """Path where hook.sh looks up which client to run."""
        return self.home.hook_client

    @property
    def native_client(self) -> Path:
        """The compiled client."""
        return self.home.root / "bin" / "reverie-hook"


def usual_places(home: Home, environ: Mapping[str, str]) -> Places:
    """The places of this user and this installation."""
    configured = environ.get("CLAUDE_CONFIG_DIR")
    return Places(
        home=home,
        claude=Path(configured) if configured else Path.home() / ".claude",
        hooks=Path(__file__).resolve().parents[1] / "hooks",
        command=tuple(own_command()),
        interpreter=Path(sys.executable).resolve(),
        compiler=shutil.which("cc", path=environ.get("PATH")),
    )


def install(agent: str, places: Places, *, before_tools: bool = False) -> list[str]:
    """Connect the agent and say what was done, a line each.

    ``before_tools``: whether a hook runs before a call too (``injection.before_tools``). Doing it again changes nothing. Raises ``InstallationError``; then the agent's settings
    are as they were.
    """
    _known(agent)
    settings = _read(places.settings)
    has_plugin = _has_plugin(settings)
    entries = _entries(places.hooks)
    before = _before(entries["PostToolUse"]) if before_tools else []
    every = {**entries, UPCOMING: entries[UPCOMING] + before}
    only = {UPCOMING: before} if before else {}
    wanted = connected(settings, only if has_plugin else every)
    try:
        places.home.prepare()
        record_command(places.home, places.command)
        done = [f"recorded how to start the daemon: {' '.join(places.command)}"]
        done.append(_record_client(places))
        done.extend(_write(places, settings, wanted))
    except OSError as error:
        raise InstallationError(f"cannot connect {agent}: {error}") from error
    if has_plugin:
        added = "one before tools was added" if before_tools else "none were added"
        done.append(f"the reverie plugin is enabled and brings the hooks: {added}")
    elif find_spec("mcp") is not None:
        served = shlex.join([*places.command, "mcp"])
        done.append(f"for tools as well: claude mcp add --scope user reverie -- {served}")
    if settings.get("disableAllHooks") is True:
        done.append(f"{places.settings} has disableAllHooks: no hook runs until it is taken out")
    return done


def uninstall(agent: str, places: Places) -> list[str]:
    """Disconnect the agent and say what was done, a line each. No memory is touched.

    Raises ``InstallationError``.
    """
    _known(agent)
    settings = _read(places.settings)
    try:
        done = _write(places, settings, disconnected(settings))
        for file in (places.hook_client, places.home.client_seal, places.native_client):
            if file.exists():
                file.unlink()
                done.append(f"removed {file}")
    except OSError as error:
        raise InstallationError(f"cannot disconnect {agent}: {error}") from error
    return done


def connected(settings: Settings, entries: dict[str, list[Json]]) -> Settings:
    """The settings with our entries at the end of each event's list, once.

    Raises ``InstallationError`` when the settings' hooks are not what the agent reads.
    """
    result = disconnected(settings)
    if entries:
        hooks = _hooks(result)
        result["hooks"] = {**hooks, **{e: hooks.get(e, []) + new for e, new in entries.items()}}
    return result


def disconnected(settings: Settings) -> Settings:
    """The settings without our entries, and without the lists that only they filled.

    Raises ``InstallationError`` when the settings' hooks are not what the agent reads.
    """
    before = _hooks(settings)
    after: dict[str, Json] = {}
    for event, groups in before.items():
        kept = [group for group in groups if not _all_ours(group)]
        if kept or not groups:
            after[event] = [_without_ours(group) for group in kept]
    result: Settings = {**settings, "hooks": after}
    if not after and (before or "hooks" not in settings):
        del result["hooks"]
    return result


def _hooks(settings: Settings) -> dict[str, list[Json]]:
    """The settings' list of groups for each event."""
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise InstallationError('the settings\' "hooks" is no object: mend it first')
    listed: dict[str, list[Json]] = {}
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise InstallationError(f"the settings' hooks for {event} are no list: mend them first")
        listed[event] = groups
    return listed


def _handlers(group: Json) -> list[Json]:
    """The handlers in a group; none where the group is not what the agent reads."""
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []


def _all_ours(group: Json) -> bool:
    handlers = _handlers(group)
    return bool(handlers) and all(_is_ours(handler) for handler in handlers)


def _without_ours(group: Json) -> Json:
    if not isinstance(group, dict) or not any(map(_is_ours, _handlers(group))):
        return group
    return {**group, "hooks": [one for one in _handlers(group) if not _is_ours(one)]}


def _is_ours(handler: Json) -> bool:
    arguments = handler.get("args") if isinstance(handler, dict) else None
    return isinstance(arguments, list) and arguments[-1:] == [MARK]


def _entries(hooks: Path) -> dict[str, list[Json]]:
    """The plugin's own entries, with this installation's path and our mark."""
    text = (hooks / "hooks.json").read_text(encoding="utf-8")
    # Placed inside JSON strings, so written the way JSON writes a string.
    text = text.replace(PLUGIN_ROOT, json.dumps(str(hooks))[1:-1])
    listed: dict[str, list[Json]] = json.loads(text)["hooks"]
    for handler in (
        one for groups in listed.values() for group in groups for one in _handlers(group)
    ):
        if isinstance(handler, dict) and isinstance(handler["args"], list):
            handler["args"].append(MARK)
    return listed


def _before(after: list[Json]) -> list[Json]:
    """The entry after a tool's call as one before the calls that may change something."""
    return [{**group, "matcher": "|".join(CHANGING)} for group in after if isinstance(group, dict)]


def _has_plugin(settings: Settings) -> bool:
    enabled = settings.get("enabledPlugins")
    return isinstance(enabled, dict) and any(
        on is True and name.startswith("reverie@") for name, on in enabled.items()
    )


def _known(agent: str) -> str:
    if agent not in AGENTS:
        raise InstallationError(f"no agent is called {agent!r}: try {' or '.join(AGENTS)}")
    return AGENTS[agent]


def _read(path: Path) -> Settings:
    try:
        settings: Json = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InstallationError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise InstallationError(f"{path} is not JSON ({error}): mend it first") from error
    if not isinstance(settings, dict):
        raise InstallationError(f"{path} holds no JSON object: mend it first")
    return settings


def _write(places: Places, before: Settings, after: Settings) -> list[str]:
    """Replace the settings as a whole, keeping what was; nothing when nothing changes."""
    path = places.settings
    if after == before:
        return [f"left {path} as it is"]
    path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.touch(mode=FILE_MODE)
    fresh.write_text(json.dumps(after, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    done = [f"changed the hooks in {path}"]
    if path.exists():
        shutil.copymode(path, fresh)
        shutil.copy2(path, path.with_name(BACKUP))
        done.append(f"the file as it was: {path.with_name(BACKUP)}")
    fresh.replace(path)
    return done


def _record_client(places: Places) -> str:
    """Write down which client the hooks run, and say which."""
    reason = _compiled(places)
    client = places.interpreter if reason else places.native_client
    with whole_file(places.hook_client) as file:
        file.write(f"{client}\n".encode())
    return f"hooks run on {client}" + (f" ({reason})" if reason else "")


def _compiled(places: Places) -> str:
    """Compile the native client and try it; the reason why it is not there, else nothing."""
    if places.compiler is None:
        return "no C compiler is at hand"
    folder = places.native_client.parent
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        program = Path(scratch) / "reverie-hook"
        named = f'-DREVERIE_HOOKS="{places.hooks}"'
        # Static where the platform has it: half a millisecond less a hook.
        for linking in (["-static"], []):
            words = [places.compiler, "-std=c99", "-O2", *linking, named, "-o", str(program)]
            if _succeeds([*words, str(places.hooks / "hook.c")], COMPILING_WITHIN):
                break
        else:
            return f"{places.compiler} could not compile hook.c"
        if not _carries_an_event(program, places, Path(scratch) / "home"):
            return "the compiled client does not work here"
        program.chmod(0o700)
        program.replace(places.native_client)
    return ""


def _succeeds(words: list[str], within: float) -> bool:
    try:
        subprocess.run(words, capture_output=True, timeout=within, check=True)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _carries_an_event(program: Path, places: Places, root: Path) -> bool:
    """Return whether the client spools an event where no daemon is; none is started."""
    home = Home(root)
    home.prepare()
    record_command(home, [sys.executable, "-c", "pass"])
    try:
        run = subprocess.run(
            [program, "claude", places.hooks],
            input=b'{"hook_event_name":"Setup"}',
            env={**os.environ, "REVERIE_HOME": str(root)},
            capture_output=True,
            timeout=TRYING_WITHIN,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return (run.returncode, run.stdout) == (0, b"") and any(home.spool.glob("*.json"))
