"""The daemon as a service of the user's session: the files for it, and its word to who watches it."""

import os
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import trio
from msgspec import Struct

from daemon.home import Home, whole_file
from daemon.lock import TAKEN

# ---- files for starting the daemon with the user's session: systemd's, and launchd's
#
# Only these files are written and no service is asked: they count from the next login, and a running
# daemon stays as it is. launchd's is written from its documentation and was not run.

MARK: Final = b"written by reverie"  # in each file, so that no other is taken for ours
LABEL: Final = "reverie.daemon"
# Systemd begins it anew after 120 s without a word of the daemon, and 2 s after it failed; one that
# hooks started already is no failure.
UNIT: Final = """# {mark}; `reverie up --not-at-login` removes it
[Unit]
Description=reverie, a memory for coding agents

[Service]
Type=notify
ExecStart={started}
Environment={home}
Restart=on-failure
RestartSec=2
RestartPreventExitStatus={taken}
SuccessExitStatus={taken}
WatchdogSec=120
TimeoutStartSec=infinity

[Install]
WantedBy=default.target
"""


class NotOurs(Exception):
    """A file lies where ours would; the text says which, in one line."""


class Autostart(Struct, frozen=True):
    """The file to write, its content, and the link for its start, if there is one."""

    file: Path
    text: bytes
    link: Path | None = None


def autostart(
    home: Home, command: Sequence[str], environ: Mapping[str, str], platform: str = sys.platform
) -> Autostart:
    """Unit for starting this home's daemon by this ``reverie`` on this platform."""
    words = [*command, "daemon"]
    if platform == "darwin":
        agents = Path.home() / "Library" / "LaunchAgents"
        return Autostart(agents / f"{LABEL}.plist", _property_list(home, words))
    chosen = environ.get("XDG_CONFIG_HOME", "")
    config = Path(chosen) if chosen.startswith("/") else Path.home() / ".config"
    units = config / "systemd" / "user"
    program, *rest = [_quoted(word) for word in words]
    unit = UNIT.format(
        mark=MARK.decode(),
        started=" ".join([program, *(word.replace("$", "$$") for word in rest)]),  # not in a path
        home=_quoted(f"REVERIE_HOME={home.root}"),
        taken=TAKEN,
    )
    link = units / "default.target.wants" / "reverie.service"
    return Autostart(units / "reverie.service", unit.encode(), link)


def switch_on(wanted: Autostart) -> list[Path]:
    """Write the file and its link; return the new paths. Again: none.

    Raises ``NotOurs``, and ``OSError`` where it cannot be written.
    """
    new: list[Path] = []
    if _ours(wanted.file) != wanted.text:
        wanted.file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(wanted.file) as file:
            file.write(wanted.text)
        new.append(wanted.file)
    if wanted.link is not None and not wanted.link.is_symlink():
        wanted.link.parent.mkdir(parents=True, exist_ok=True)
        wanted.link.symlink_to(wanted.file)
        new.append(wanted.link)
    return new


def switch_off(wanted: Autostart) -> list[Path]:
    """Remove the link, the file, and folders above them left empty; return the removed paths.

    Raises ``NotOurs``.
    """
    if _ours(wanted.file) is None:
        return []
    gone = [path for path in (wanted.link, wanted.file) if path and os.path.lexists(path)]
    for path in gone:
        path.unlink()
    with suppress(OSError):  # it is not empty, and so are those above it
        for folder in (*gone[0].parents[:1], *wanted.file.parents[:3]):
            if folder.is_dir():
                folder.rmdir()
    return gone


def _ours(file: Path) -> bytes | None:
    """Our own text there, ``None`` without a file. Raises ``NotOurs``."""
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return None
    if MARK not in text:
        raise NotOurs(f"{file} is there and not reverie's: move it away first")
    return text


def _quoted(word: str) -> str:
    """A word as systemd reads it back: quoted, with its own signs taken literally."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def _property_list(home: Home, words: Sequence[str]) -> bytes:
    """The agent for launchd: begun at login, and again when it fails."""
    import plistlib  # a daemon that reports to systemd needs no XML

    text = plistlib.dumps(
        {
            "Label": LABEL,
            "ProgramArguments": list(words),
            "EnvironmentVariables": {"REVERIE_HOME": os.fspath(home.root)},
            "RunAtLoad": True,
            "KeepAlive": {"SuccessfulExit": False},
            "ProcessType": "Background",
        },
        sort_keys=False,
    )
    return text.replace(b"<plist", b"<!-- " + MARK + b" -->\n<plist", 1)


# ---- the daemon's word to systemd: being ready, and again and again the turning of its loop
#
# By the protocol of ``sd_notify``: one datagram a word to the socket of ``NOTIFY_SOCKET``. Whoever started
# the daemon by hand or by a hook set none, and hears nothing.

A_WATCH = 3  # words in the time after which systemd would begin the daemon anew


async def report(environ: Mapping[str, str]) -> None:
    """Report the daemon as ready, then as alive, until cancelled."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    if address.startswith("@"):  # Linux's names that are no files
        address = "\0" + address[1:]
    every = float(environ.get("WATCHDOG_USEC") or 0) / 1e6 / A_WATCH
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.setblocking(False)
        _say(channel, address, b"READY=1")
        while every > 0:
            await trio.sleep(every)
            _say(channel, address, b"WATCHDOG=1")


def _say(channel: socket.socket, address: str, word: bytes) -> None:
    with suppress(OSError):  # nobody listens any more: that is not the daemon's business
        channel.sendto(word, address)
