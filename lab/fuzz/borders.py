"""Each border where bytes of others come in: what is put to it, and what may not come of it."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import subprocess
import time
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import click
import msgpack

from actors.intake import reading
from actors.policy.secrets.redaction import redacted
from daemon.cli import run
from daemon.commands.declared import HELP
from daemon.commands.terminal.jsonl import read_lines
from daemon.files import read_spooled
from daemon.shapes.rows import ImportRow
from daemon.wire import MOST_VALUES, Decoder, WireError
from lab.benchmarks.editors import editor as editing
from lab.benchmarks.processes import Process, daemon, started_with
from lab.fuzz.inputs import EDITOR, EVENTS, ROWS, SPOOLED, WORDS, bent, noisy, request, torn

HANGS: Final = 60  # seconds after which an input counts as hung
SLOW: Final = 5.0  # seconds of CPU for one input
MEMORY: Final = 300.0  # MB of a daemon after it all; a fresh one has 58
OWN: Final = 10**6  # the ids of what is bent begin here, far from those of right requests
# What would serve, wait for, or change this machine, and not only this home.
UNTRIED: Final = frozenset(
    "daemon hook lsp mcp up down log install uninstall demo model eval doctor"
    " snapshot pause resume dream".split()
)
COMMANDS: Final = tuple(sorted(HELP.keys() - UNTRIED))


class Hung(BaseException):
    """The input did not end; no ``except Exception`` hides it."""


@dataclass
class Findings:
    """Faults at a border, each kind once, with the first input that showed it."""

    found: dict[str, str] = field(default_factory=dict[str, str])
    slowest: float = 0.0  # seconds of CPU

    def add(self, what: str, given: object) -> None:
        """Note something that must not be."""
        self.found.setdefault(what, ascii(given)[:300])

    def tried(
        self, act: Callable[[], object], given: object, may: tuple[type[Exception], ...] = ()
    ) -> None:
        """Do it; anything raised but ``may``, a hang and slowness are findings."""
        before = time.process_time()
        signal.alarm(HANGS)
        try:
            act()
        except may:
            pass
        except Hung:
            self.add("hung", given)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            self.add(f"{type(error).__name__} at {last.filename}:{last.lineno}", given)
        finally:
            signal.alarm(0)
        spent = time.process_time() - before
        self.slowest = max(self.slowest, spent)
        if spent > SLOW:
            self.add(f"more than {SLOW:g} s of CPU", given)

    def still_well(self, process: Process) -> None:
        """Look whether a daemon answers, nothing in it crashed, and it is no giant."""
        status = process.ask("status", "--json")
        crashes = {
            name: one["crashes"] for name, one in status["actors"].items() if one.get("crashes")
        }
        if crashes:
            self.add(f"actors crashed: {crashes}", "")
        log = _log(process.home)
        for number, line in enumerate(log):
            if "Traceback" in line:
                places = [one.strip() for one in log[number:][:60] if one.startswith("  File ")]
                self.add(f"a traceback stands in the log, of {places[-1:]}", log[number - 1])
        if (private := process.memory()["private"]) > MEMORY:
            self.add(f"{private:.0f} MB of private memory", "")


def _log(home: Path) -> list[str]:
    return (home / "logs" / "daemon.log").read_text(errors="replace").splitlines()


def _away(home: Path) -> str:
    last = [line for line in _log(home) if " ERROR " in line][-2:]
    return f"the daemon does not answer, or is gone: {last}"


# ---- borders that are functions


def events(count: int, chance: Random, _: Path) -> Findings:
    """An event as a hook sends it, read as intake reads it."""
    found = Findings()
    for _number in range(count):
        raw = noisy(EVENTS, chance)
        found.tried(partial(reading.read, "claude", raw, redacted), raw)
    return found


def a_frame(chance: Random) -> bytes:
    """A frame whose body is bent, whose bytes are torn, or both; a few are right."""
    kind, body = request(chance)
    if chance.random() < 0.3:
        kind, body = "hook", ["claude", chance.randbytes(16), 1, noisy(EVENTS, chance)]
    way = chance.randrange(4)
    try:
        payload = msgpack.packb(
            [1, chance.randrange(99), kind, bent(body, chance) if way else body],
            unicode_errors="replace",
        )
    except (ValueError, OverflowError):  # deeper, or a larger number, than the format holds
        payload = chance.randbytes(40)
    data = len(payload).to_bytes(4, "big") + payload
    return torn(data, chance) if way in (0, 3) and chance.random() < 0.7 else data


def frames(count: int, chance: Random, _: Path) -> Findings:
    """Bytes in pieces to the decoder, which refuses in its own words."""
    found = Findings()
    for _number in range(count):
        data = a_frame(chance) + a_frame(chance)
        step = chance.choice((1, 7, 65536)) if len(data) < 4096 else 65536

        def decode(data: bytes = data, step: int = step) -> None:
            decoder = Decoder(MOST_VALUES)
            for at in range(0, len(data), step):
                decoder.feed(data[at : at + step])
                list(decoder.frames())

        found.tried(decode, data, (WireError,))
    return found


def spool(count: int, chance: Random, folder: Path) -> Findings:
    """A file of the spool: an event or none."""
    return _files(count, chance, folder / "x.json", SPOOLED, read_spooled)


def rows(count: int, chance: Random, folder: Path) -> Findings:
    """A file to import: rows, or one line of complaint."""
    path = folder / "x.jsonl"
    return _files(count, chance, path, ROWS, lambda _: list(read_lines(str(path), ImportRow)))


def _files(
    count: int, chance: Random, path: Path, samples: tuple[Any, ...], read: Callable[[Path], object]
) -> Findings:
    found = Findings()
    for _ in range(count):
        path.write_bytes(noisy(samples, chance))
        found.tried(partial(read, path), path.read_bytes()[:300], (click.ClickException,))
    return found


# ---- borders of a process


def sockets(count: int, chance: Random, folder: Path) -> Findings:
    """Frames to a real daemon: each connection is answered or closed, and the next one served."""
    found = Findings()
    with daemon(folder) as process:
        address, before = (folder / "address").read_text().strip(), b""
        for _ in range(count):
            data = a_frame(chance)
            with socket.socket(socket.AF_UNIX) as line, suppress(BrokenPipeError, ConnectionError):
                line.settimeout(HANGS)
                try:
                    line.connect(address)
                except (FileNotFoundError, ConnectionRefusedError):
                    found.add(_away(folder), before)
                    return found
                before = data
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
                try:
                    while line.recv(1 << 16):
                        pass
                except TimeoutError:
                    found.add("no answer, no end", data)
        found.still_well(process)
    return found


def editor(count: int, chance: Random, folder: Path) -> Findings:
    """Messages to a real language server, which answers right ones in between."""
    found = Findings()
    environ = {"HOME": str(folder), "REVERIE_HOME": str(folder), "PYTHONPATH": str(Path.cwd())}
    with (
        (folder / "lsp.err").open("wb") as errors,
        editing(environ, started_with("lsp"), errors=errors) as (client, running),
    ):
        assert running.stdin is not None
        client.initialize()
        data = b""
        try:
            for number in range(count):
                message: Any = bent(chance.choice(EDITOR), chance)
                if isinstance(message, dict):
                    message["jsonrpc"] = "2.0"
                    if "id" in message:
                        message["id"] = OWN + number
                data = json.dumps(message).encode()
                data = torn(data, chance) if chance.random() < 0.3 else data
                running.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
                running.stdin.flush()
                if number % 50 == 49:
                    client.hover("file:///a.py", 0, 0)
            client.leave()
            running.wait(HANGS)
        except (OSError, AssertionError, subprocess.TimeoutExpired) as error:
            found.add(f"the server left or hung: {type(error).__name__} {error}"[:300], data)
    subprocess.run(started_with("down"), env=environ, check=False, capture_output=True)
    if b"Traceback" in (folder / "lsp.err").read_bytes():
        found.add("a traceback was printed", (folder / "lsp.err").read_bytes()[-300:])
    return found


def commands(count: int, chance: Random, folder: Path) -> Findings:
    """Words of the command line, in this process and before a real daemon."""
    found = Findings()
    with daemon(folder) as process:
        os.environ.update({"REVERIE_HOME": str(folder), "HOME": str(folder)})
        os.chdir(folder)
        for _ in range(count):
            words = [
                chance.choice(COMMANDS),
                *chance.choices((*COMMANDS, *WORDS), k=chance.randrange(6)),
            ]
            said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")
            with redirect_stdout(said), redirect_stderr(said):
                found.tried(partial(run, words), words)
        found.still_well(process)
    return found


BORDERS: Final[dict[str, Callable[[int, Random, Path], Findings]]] = {
    "events": events, "frames": frames, "spool": spool, "rows": rows,
    "socket": sockets, "editor": editor, "commands": commands,
}  # fmt: skip
