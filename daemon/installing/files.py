"""Agents' settings files: our hooks in them, and changes that are taken back byte for byte."""

import difflib
import json
import os
import re
import shlex
import shutil
from pathlib import Path
from typing import Final

from msgspec import Struct

from actors.policy.events.agents import COMMAND, GROUPED, MARK, TABLE
from daemon.home import FILE_MODE, FOLDER_MODE
from daemon.installing.jsonc import Json

# ---- files of agents: changes in them, and the way back
#
# A file is replaced as a whole. As it was without us it lies beside it; where it says nothing else by the time we are
# taken out it is given back byte for byte, and the copy goes. Of one changed by others only our part is taken out.


class Change(Struct, frozen=True):
    """One file as it is and as it is to be; ``None`` where there is none."""

    path: Path
    before: bytes | None
    after: bytes | None
    keeps: bool = False  # what is there is without us: keep a copy

    @property
    def is_one(self) -> bool:
        """Return whether anything changes."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff; empty when there is none."""
        old, new = (
            (text or b"").decode("utf-8", "replace").splitlines()
            for text in (self.before, self.after)
        )
        return "\n".join(
            difflib.unified_diff(old, new, str(self.path), str(self.path), lineterm="")
        )


def content(path: Path) -> bytes | None:
    """The file's bytes. Raises ``OSError`` where it is there and cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def copy_of(path: Path) -> Path:
    """Path of the file as it was without us."""
    return path.with_name(f"{path.name}.before-reverie")


def write(change: Change, root: Path) -> str:
    """Make a change, and say so; empty folders below ``root`` go with the last file in them. Raises ``OSError``."""
    path = change.path
    copy = copy_of(path)
    if not change.is_one:
        return f"left {path} as it is"
    if change.after is None:
        path.unlink()
        for folder in path.parents:
            if not folder.is_relative_to(root) or folder == root or any(folder.iterdir()):
                break
            folder.rmdir()
        return f"removed {path}"
    path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    if change.keeps and change.before is not None:
        _replace(copy, change.before, path)
    _replace(path, change.after, path)
    if content(copy) == change.after:
        copy.unlink()
        return f"gave {path} back"
    return f"changed the hooks in {path}" + (f"; as it was: {copy}" if change.keeps else "")


def _replace(path: Path, data: bytes, like: Path) -> None:
    """Write a file as a whole, with the permissions of another one."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.touch(mode=FILE_MODE)
    fresh.write_bytes(data)
    if like.exists():
        shutil.copymode(like, fresh)
    fresh.replace(path)


# ---- our hooks in a settings file: recognizing, adding and taking them out
#
# An entry of ours carries ``MARK`` at the end of its command line, by which it is known again; whatever
# else is in the settings stays as it is. Values in, values out.

Settings = dict[str, Json]
Entries = dict[str, list[Json]]

PLUGIN_ROOT: Final = "${CLAUDE_PLUGIN_ROOT}/hooks"
# By which Claude Code may open a note that it was told as a line, without asking: it reads and changes nothing.
OPENING: Final = "Bash(reverie show:*)"
# Read into the shell that is there, so that it costs nothing; a script that is gone would leave with 2, at
# which Claude Code 2.1.330 erased each prompt.
READ_IN: Final = '[ -r "$0" ] && . "$0"; exit 0'
_OURS: Final = re.compile(rf"hook\.sh['\"]? [\w/-]+ {MARK}(?![\w-])")


class InstallationError(Exception):
    """The agent could not be connected or disconnected; the text says why, in one line."""


def entries(agent: str, hooks: Path, *, has_plugin: bool = False) -> Entries:
    """Entries for an agent's hook file, by event; none where Claude Code's plugin brings them."""
    if agent != "claude":
        return _of_table(agent, hooks)
    return {} if has_plugin else _of_plugin(hooks)


def connected(settings: Settings, added: Entries, *, opens: bool = False) -> Settings:
    """The settings with our entries at the end of each event's list, once.

    ``opens``: and with Claude Code's permission to open a note (``OPENING``), which stays where it is. Raises
    ``InstallationError`` when the settings' hooks are not in the agent's form.
    """
    result = disconnected(settings, added)
    if added:
        hooks = _hooks(result)
        listed = _listed(hooks, added)
        result["hooks"] = {**hooks, **{e: listed.get(e, []) + new for e, new in added.items()}}
    permissions, allowed = result.get("permissions", {}), _allowed(result)
    if opens and isinstance(permissions, dict) and allowed is not None and OPENING not in allowed:
        result["permissions"] = {**permissions, "allow": [*allowed, OPENING]}
    return result


def disconnected(
    settings: Settings, known: Entries | None = None, *, closes: bool = False
) -> Settings:
    """The settings without our entries, and without lists filled by them alone.

    ``known`` are the events whose lists matter; ``closes``: without the permission to open a note too. Raises
    ``InstallationError`` when the settings' hooks are not in the agent's form.
    """
    before = _hooks(settings)
    after = dict(before)
    for event, listed in _listed(before, known or {}).items():
        kept = [one for one in listed if not _all_ours(one)]
        if kept or not listed:
            after[event] = [_without_ours(one) for one in kept]
        else:
            del after[event]
    result: Settings = {**settings, "hooks": after}
    if not after and (before or "hooks" not in settings):
        del result["hooks"]
    return _without_permission(result) if closes else result


def _allowed(settings: Settings) -> list[Json] | None:
    """The rules of calls without a question; None where the settings are not in Claude Code's form."""
    permissions = settings.get("permissions", {})
    allowed = permissions.get("allow", []) if isinstance(permissions, dict) else None
    return allowed if isinstance(allowed, list) else None


def _without_permission(settings: Settings) -> Settings:
    """The settings without our rule, and without lists filled by it alone."""
    permissions, allowed = settings.get("permissions"), _allowed(settings)
    if not isinstance(permissions, dict) or allowed is None or OPENING not in allowed:
        return settings
    others = [one for one in allowed if one != OPENING]
    rest = {key: value for key, value in permissions.items() if key != "allow" or others}
    if others:
        rest["allow"] = others
    left = {key: value for key, value in settings.items() if key != "permissions" or rest}
    return {**left, "permissions": rest} if rest else left


def _hooks(settings: Settings) -> Settings:
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise InstallationError('the settings\' "hooks" is no object: mend it first')
    return hooks


def _listed(hooks: Settings, known: Entries) -> Entries:
    """The lists of the events; some agents keep switches beside them."""
    listed: Entries = {}
    for event, groups in hooks.items():
        if isinstance(groups, list):
            listed[event] = groups
        elif event in known:
            raise InstallationError(f"the settings' hooks for {event} are no list: mend them first")
    return listed


def _handlers(entry: Json) -> list[Json]:
    """The handlers of a group; an entry outside of a group is its own."""
    if not isinstance(entry, dict):
        return []
    handlers = entry.get("hooks", [entry])
    return handlers if isinstance(handlers, list) else []


def _all_ours(entry: Json) -> bool:
    handlers = _handlers(entry)
    return bool(handlers) and all(_is_ours(handler) for handler in handlers)


def _without_ours(entry: Json) -> Json:
    if not isinstance(entry, dict) or not any(map(_is_ours, _handlers(entry))):
        return entry
    return {**entry, "hooks": [one for one in _handlers(entry) if not _is_ours(one)]}


def _is_ours(handler: Json) -> bool:
    if not isinstance(handler, dict):
        return False
    arguments = handler.get("args")
    if isinstance(arguments, list) and arguments[-1:] == [MARK]:
        return True
    return any(isinstance(one, str) and _OURS.search(one) is not None for one in handler.values())


def _of_plugin(hooks: Path) -> Entries:
    """The plugin's own entries, with this installation's path and our mark."""
    text = (hooks / "hooks.json").read_text(encoding="utf-8")
    # Placed inside JSON strings, so written the way JSON writes a string.
    text = text.replace(PLUGIN_ROOT, json.dumps(str(hooks))[1:-1])
    listed: Entries = json.loads(text)["hooks"]
    for handler in (
        one for groups in listed.values() for group in groups for one in _handlers(group)
    ):
        if isinstance(handler, dict) and isinstance(handler["args"], list):
            handler["args"] = ["-c", READ_IN, *handler["args"], MARK]
    return listed


def _of_table(agent: str, hooks: Path) -> Entries:
    row = TABLE[agent]
    found: Entries = {}
    for event, name in row["heard"].items():
        template = row["commands"].get(event, COMMAND)
        line = template.replace("{hook}", shlex.quote(str(hooks / "hook.sh"))).replace(
            "{agent}", name
        )
        entry: Settings = json.loads(json.dumps(row["entry"]))
        for key, value in entry.items():
            entry[key] = line if value == "{command}" else value
        chosen = row["matchers"].get(event)
        some: Settings = {"matcher": chosen} if chosen else {}
        found[event] = [
            {**some, "hooks": [entry]} if row["shape"] == GROUPED else {**some, **entry}
        ]
    return found
