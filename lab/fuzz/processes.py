"""Borders of a process: the daemon's socket and spool, an editor's stream, the command line."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import time
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from daemon.cli import run
from lab.benchmarks.editors import editor as editing
from lab.benchmarks.processes import Process, daemon, started_with
from lab.fuzz.functions import a_frame
from lab.fuzz.noise import as_json, bent, noisy, torn
from lab.fuzz.samples import COMMANDS, EDITOR, SPOOLED, WORDS
from lab.fuzz.within import HANGS, Findings, tried

MEMORY: Final = 300.0  # MB of a daemon after it all; a fresh one has 58
SPOOLED_AT_ONCE: Final = 200
OWN: Final = 10**6  # the ids of what is bent begin here, far from those of right requests


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
                    found.add(_last_words(folder), before)
                    return found
                before = data
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
                try:
                    while line.recv(1 << 16):
                        pass
                except TimeoutError:
                    found.add("no answer, no end", data)
        _still_well(process, found)
    return found


def spooled(count: int, chance: Random, folder: Path) -> Findings:
    """Files in the spool of a real daemon: taken in or set aside."""
    found = Findings()
    with daemon(folder) as process:
        for first in range(0, count, SPOOLED_AT_ONCE):
            for number in range(first, min(count, first + SPOOLED_AT_ONCE)):
                name = f"{number:020d}-{chance.randbytes(16).hex()}.json"
                (folder / "spool" / name).write_bytes(noisy(SPOOLED, chance))
            until = time.monotonic() + HANGS
            while any((folder / "spool").glob("*.json")):
                if time.monotonic() > until:
                    found.add("the spool is not drained", first)
                    break
                try:
                    process.ask("status", "--json")
                except subprocess.CalledProcessError:
                    found.add(_last_words(folder), first)
                    return found
                time.sleep(0.1)
        _still_well(process, found)
    return found


def _last_words(home: Path) -> str:
    """Say that the daemon does not answer, or is gone, and what its log says of that."""
    log = (home / "logs" / "daemon.log").read_text(errors="replace").splitlines()
    return f"the daemon does not answer, or is gone: {[line for line in log if ' ERROR ' in line][-2:]}"


def _still_well(process: Process, found: Findings) -> None:
    """It answers, nothing in it crashed, and it is no giant."""
    status = process.ask("status", "--json")
    crashes = {name: one["crashes"] for name, one in status["actors"].items() if one.get("crashes")}
    if crashes:
        found.add(f"actors crashed: {crashes}", "")
    log = (process.home / "logs" / "daemon.log").read_text(errors="replace").splitlines()
    for number, line in enumerate(log):
        if "Traceback" in line:
            places = [one.strip() for one in log[number : number + 60] if one.startswith("  File ")]
            found.add(f"a traceback stands in the log, of {places[-1:]}", log[number - 1])
    if (private := process.memory()["private"]) > MEMORY:
        found.add(f"{private:.0f} MB of private memory", "")


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
                data = as_json(message)
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
            words = [chance.choice(COMMANDS), *chance.choices(WORDS, k=chance.randrange(6))]
            said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")
            with redirect_stdout(said), redirect_stderr(said):
                tried(partial(run, words), words, (), found)
        _still_well(process, found)
    return found
