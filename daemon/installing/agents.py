"""Connecting agents: writes of ``reverie install``, taken back by ``reverie uninstall``.

Two things are recorded in the data home, how to start the daemon and which hook client to run; the rest
stands in the agent's own files, by its row of the table (``actors/policy/events/agents.py``).
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from actors.policy.events.agents import MARK, PLUGIN, TABLE
from daemon.home import FOLDER_MODE, Home, whole_file
from daemon.installing.files import (
    Change,
    InstallationError,
    Settings,
    connected,
    content,
    copy_of,
    disconnected,
    entries,
    write,
)
from daemon.installing.jsonc import Json, parsed, rewritten
from daemon.launch import own_command, record_command
from daemon.transcripts import claude_folder

ALIASES: Final = {"claude-code": "claude"}
COMPILING_WITHIN = 60.0  # seconds
TRYING_WITHIN = 10.0  # seconds
_SETS_UP: Final = re.compile(rb"hook\.sh.{0,200}" + MARK.encode(), re.DOTALL)


class Places(Struct, frozen=True):
    """Places of an installation."""

    home: Home
    claude: Path  # Claude Code's folder of settings
    hooks: Path  # the folder of hook.sh
    command: tuple[str, ...]  # what runs reverie
    interpreter: Path  # what runs the hooks where nothing could be compiled
    compiler: str | None
    user: Path = field(default_factory=Path.home)
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    project: Path | None = None  # the root of the only project to connect

    @property
    def root(self) -> Path:
        """Folder above each file that is changed."""
        return self.project or self.user

    @property
    def settings(self) -> Path:
        """The user's settings of Claude Code, wherever a symbolic link leads."""
        return (self.claude / "settings.json").resolve()

    @property
    def native_client(self) -> Path:
        """The compiled client."""
        return self.home.root / "bin" / "reverie-hook"

    def folder(self, agent: str) -> Path:
        """The agent's own folder: where it is, the agent is."""
        row = TABLE[agent]
        if agent == "claude":
            return self.claude
        if chosen := self.environ.get(row["variable"]):
            return Path(chosen)
        shared = self.environ.get("XDG_CONFIG_HOME", "")
        xdg = shared if shared.startswith("/") else str(self.user / ".config")
        mac = str(self.user / "Library" / "Application Support")
        path = row["folder"].replace("{config}", mac if sys.platform == "darwin" else xdg)
        return Path(path.replace("{xdg}", xdg).replace("~", str(self.user), 1))

    def file(self, agent: str) -> Path:
        """The agent's file of hooks, wherever a symbolic link leads."""
        row = TABLE[agent]
        if self.project is not None:
            return (self.project / row["project"]).resolve()
        return (self.folder(agent) / row["user"]).resolve()


def usual_places(home: Home, environ: Mapping[str, str], *, project: Path | None = None) -> Places:
    """The places of this user and this installation."""
    return Places(
        home=home,
        claude=claude_folder(environ),
        hooks=Path(__file__).resolve().parents[2] / "hooks",
        command=tuple(own_command()),
        interpreter=Path(sys.executable).resolve(),
        compiler=shutil.which("cc", path=environ.get("PATH")),
        environ=environ,
        project=project,
    )


def agents_here(places: Places) -> list[str]:
    """Agents on this machine, by their folder or their program."""
    path = places.environ.get("PATH", "")
    return [
        agent
        for agent, row in TABLE.items()
        if places.folder(agent).is_dir() or shutil.which(row["program"], path=path)
    ]


def is_connected(agent: str, places: Places) -> bool:
    """Return whether the agent's file of hooks names ours."""
    try:
        return _SETS_UP.search(content(places.file(agent)) or b"") is not None
    except OSError:
        return False


def to_install(agent: str, places: Places) -> list[Change]:
    """Plan the changes for connecting an agent. Raises ``InstallationError``."""
    agent = _known(agent)
    row, path = TABLE[agent], places.file(agent)
    before = _read(path)
    if row["shape"] == PLUGIN:
        return [_plugin(path, before, places)]
    settings = _settings(path, before)
    added = entries(agent, places.hooks, has_plugin=_has_plugin(agent, settings))
    opens = agent == "claude" and bool(added)
    wanted = connected(settings or {**_frame(agent)}, added, opens=opens)
    keeps = disconnected(settings, added) == settings
    changes = [_change(path, before, settings, wanted, keeps=keeps)]
    if row["pointer"] and places.project is None:
        path, name, before, settings = _pointed(agent, places)
        listed = _listed(settings, agent, path)
        pointing: Settings = {**settings, row["pointer"][1]: {**listed, name: True}}
        changes.append(_change(path, before, settings, pointing, keeps=name not in listed))
    return changes


def to_uninstall(agent: str, places: Places) -> list[Change]:
    """Plan the changes for disconnecting an agent. Raises ``InstallationError``."""
    agent = _known(agent)
    row, path = TABLE[agent], places.file(agent)
    before = _read(path)
    if row["shape"] == PLUGIN:
        is_ours = before is not None and MARK.encode() in before
        return [Change(path, before, None if is_ours else before)]

    without_hooks = partial(disconnected, closes=agent == "claude")
    changes = [_given_back(path, before, without_hooks, _frame(agent))]
    if row["pointer"] and places.project is None:
        path, name, before, _ = _pointed(agent, places)

        def without_name(settings: Settings) -> Settings:
            listed = _listed(settings, agent, path)
            others: dict[str, Json] = {key: one for key, one in listed.items() if key != name}
            setting = row["pointer"][1]
            rest = {key: one for key, one in settings.items() if key != setting or others}
            return {**rest, setting: others} if others else rest

        changes.append(_given_back(path, before, without_name, {}))
    return changes


def install(agent: str, places: Places, *, is_first: bool = True) -> list[str]:
    """Connect the agent and report the changes, a line each; doing it again changes nothing.

    ``is_first``: of several, for which the data home is made ready once. Raises ``InstallationError``; then the agent's
    settings are as they were.
    """
    changes, agent = to_install(agent, places), _known(agent)
    try:
        done: list[str] = []
        if is_first:
            places.home.prepare()
            record_command(places.home, places.command)
            how = f"recorded how to start the daemon: {' '.join(places.command)}"
            done = [how, _record_client(places)]
        done.extend(write(change, places.root) for change in changes)
    except OSError as error:
        raise InstallationError(f"cannot connect {agent}: {error}") from error
    return done + list(_remarks(agent, places))


def uninstall(agent: str, places: Places) -> list[str]:
    """Disconnect the agent and report the changes, a line each. No memory is touched.

    The hook client goes with the last agent, but not with a project: others may be connected. Raises ``InstallationError``.
    """
    changes, agent = to_uninstall(agent, places), _known(agent)
    try:
        done = [write(change, places.root) for change in reversed(changes)]
        if places.project is None and not any(is_connected(one, places) for one in TABLE):
            for file in (places.home.hook_client, places.home.client_seal, places.native_client):
                if file.exists():
                    file.unlink()
                    done.append(f"removed {file}")
    except OSError as error:
        raise InstallationError(f"cannot disconnect {agent}: {error}") from error
    return done


def _remarks(agent: str, places: Places) -> Iterator[str]:
    """Remarks for a person on a connected agent."""
    row = TABLE[agent]
    if not row["tried"]:
        yield f"{row['title']}: from its schema, not run with the real client"
    if row["remark"]:
        yield row["remark"]
    if agent != "claude":
        return
    settings = claude_settings(places)
    if _has_plugin(agent, settings):
        yield "the reverie plugin is enabled and brings the hooks: none were added"
    elif find_spec("mcp") is not None:
        served = shlex.join([*places.command, "mcp"])
        yield f"for tools as well: claude mcp add --scope user reverie -- {served}"
    if settings.get("disableAllHooks") is True:
        yield f"{places.settings} has disableAllHooks: no hook runs until it is taken out"


def _frame(agent: str) -> Settings:
    frame: Settings = json.loads(json.dumps(TABLE[agent]["frame"]))
    return frame


def _change(
    path: Path, before: bytes | None, settings: Settings, wanted: Settings, *, keeps: bool = False
) -> Change:
    """The change of a settings file to the wanted settings."""
    if wanted == settings:
        return Change(path, before, before)
    text = (before or b"").decode("utf-8")
    return Change(path, before, rewritten(text, wanted).encode(), keeps)


def _given_back(
    path: Path, before: bytes | None, without: Callable[[Settings], Settings], frame: Settings
) -> Change:
    """The change of a settings file to what it is without us: its copy, where nobody else changed it."""
    settings, copy = _settings(path, before), content(copy_of(path))
    wanted = without(settings)
    if wanted == settings:
        return Change(path, before, before)
    if copy is not None and before is not None:
        earlier = {key: one for key, one in without(_settings(path, copy)).items() if one != {}}
        is_untouched = rewritten(copy.decode("utf-8"), settings).encode() == before
        if is_untouched and wanted in (earlier, {**frame, **earlier}):
            return Change(path, before, copy)
    if copy is None and wanted == frame:  # we made it
        return Change(path, before, None)
    return _change(path, before, settings, wanted)


def _plugin(path: Path, before: bytes | None, places: Places) -> Change:
    if before is not None and MARK.encode() not in before:
        raise InstallationError(f"{path} is not reverie's: move it away first")
    text = (places.hooks / "opencode.js").read_text(encoding="utf-8")
    named = text.replace("{hook}", json.dumps(str(places.hooks / "hook.sh"))[1:-1])
    return Change(path, before, named.encode())


def _pointed(agent: str, places: Places) -> tuple[Path, str, bytes | None, Settings]:
    """The settings file that names the agent's file of hooks, by which name, its text and its content."""
    folder, row = places.folder(agent), TABLE[agent]
    path, hooks = (folder / row["pointer"][0]).resolve(), folder / row["user"]
    if not hooks.is_relative_to(places.user):
        raise InstallationError(
            f"{hooks} is not below {places.user}: {row['title']} cannot name it"
        )
    before = _read(path)
    return path, f"~/{hooks.relative_to(places.user)}", before, _settings(path, before)


def _listed(settings: Settings, agent: str, path: Path) -> dict[str, Json]:
    setting = TABLE[agent]["pointer"][1]
    listed = settings.get(setting, {})
    if not isinstance(listed, dict):
        raise InstallationError(f"{setting} in {path} is no object: mend it first")
    return listed


def _has_plugin(agent: str, settings: Settings) -> bool:
    enabled = settings.get("enabledPlugins")
    return (
        agent == "claude"
        and isinstance(enabled, dict)
        and any(on is True and name.startswith("reverie@") for name, on in enabled.items())
    )


def claude_settings(places: Places) -> Settings:
    """The user's settings of Claude Code. Raises ``InstallationError``."""
    return _settings(places.settings, _read(places.settings))


def _known(agent: str) -> str:
    agent = ALIASES.get(agent, agent)
    if agent not in TABLE:
        raise InstallationError(f"no agent is called {agent!r}: try {', '.join(TABLE)}")
    return agent


def _read(path: Path) -> bytes | None:
    try:
        return content(path)
    except OSError as error:
        raise InstallationError(f"cannot read {path}: {error.strerror}") from error


def _settings(path: Path, text: bytes | None) -> Settings:
    if text is None:
        return {}
    try:
        settings = parsed(text.decode("utf-8")) if text.strip() else {}
    except ValueError as error:
        raise InstallationError(f"{path} is not JSON ({error}): mend it first") from error
    if not isinstance(settings, dict):
        raise InstallationError(f"{path} holds no JSON object: mend it first")
    return settings


def _record_client(places: Places) -> str:
    """Write down which client the hooks run, the compiled one or this interpreter, and say which."""
    reason = _compiled(places)
    client = places.interpreter if reason else places.native_client
    with whole_file(places.home.hook_client) as file:
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
