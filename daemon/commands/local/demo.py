"""``demo``: the main job on real parts, in a throw-away home, with its events in words."""

import json
import os
import secrets
import shutil
import signal
import string
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import click
from msgspec import Struct

from daemon.api.memories import List
from daemon.api.status import AwaitEmbedded, Status, StatusReply
from daemon.commands.terminal.question import asked
from daemon.home import Home, current_home
from daemon.launch import POLL, ensure_daemon, stop_daemon

READY_WITHIN = 60.0  # seconds
COMING_UP = 25.0  # seconds until a daemon that was started and interrupted has come and gone
SETTLED_WITHIN = 60.0  # seconds until everything that was heard is made into memories
HOOK = Path(__file__).resolve().parents[3] / "hooks" / "hook.sh"
# The events lie beside this module, in Claude Code's shapes; the project's folder and two secrets,
# made up on the spot so that none stands in the source, are filled in at the time of playing.
WRITTEN_FOR = "/home/you/shop"  # the project's folder as the files have it
PACKAGE = "daemon.commands.local"


class DemoFailed(click.ClickException):
    """A promise of the demonstration was not kept."""


class Stage(Struct):
    """Values in use throughout."""

    home: Home
    project: Path
    password: str
    key: str


@click.command()
def demo() -> None:
    """Show the main job end to end, on real parts, and leave nothing behind.

    A daemon in a throw-away home, an agent session, a second one that remembers it, a kill and a
    restart.
    """
    with _stage() as stage:
        _first_session(stage)
        _second_session(stage)
        _kill_and_restart(stage)
        _no_secret(stage)
    click.echo("\nNothing is left behind.")


def _say(text: str) -> None:
    click.echo(f"\n{click.style('»', bold=True)} {text}")


@contextmanager
def throwaway_home(*, with_settings: bool) -> Generator[Home]:
    """A home with the models of the user's own, and its settings, which ends with its daemon."""
    own, folder = current_home(), Path(tempfile.mkdtemp(prefix="reverie-"))
    home = Home(folder / "home")
    try:
        home.prepare()
        for model in own.models.glob("*") if own.models.is_dir() else ():
            (home.models / model.name).symlink_to(model)
        if with_settings and own.config.is_file():
            shutil.copy(own.config, home.config)
        yield home
    finally:
        # One that was started and interrupted comes up before it can go.
        until = time.monotonic() + COMING_UP
        while stop_daemon(home) is None and home.command.exists() and time.monotonic() < until:
            time.sleep(POLL)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _stage() -> Generator[Stage]:
    letters = string.ascii_letters + string.digits
    password, key = ("".join(secrets.choice(letters) for _ in range(size)) for size in (18, 24))
    with throwaway_home(with_settings=False) as home:
        before = os.environ.get("REVERIE_HOME")
        os.environ["REVERIE_HOME"] = str(home.root)
        try:
            process = ensure_daemon(home, within=READY_WITHIN).pid
            _say(f"A daemon (process {process}) serves a throw-away home.")
            yield Stage(home, home.root.parent, password, "sk_" + "live_" + key)
        finally:
            if before is None:
                del os.environ["REVERIE_HOME"]
            else:
                os.environ["REVERIE_HOME"] = before


def _session(name: str, stage: Stage) -> list[bytes]:
    """The events of one session, each as the bytes a hook gets on its standard input."""
    text = files(PACKAGE).joinpath(name).read_text(encoding="utf-8")
    text = text.replace(WRITTEN_FOR, str(stage.project))
    text = text.replace("@@PASSWORD@@", stage.password).replace("@@SECRET@@", stage.key)
    return [line.encode() for line in text.splitlines()]


def _hook(event: bytes) -> tuple[bytes, float]:
    """Output of the real hook client for one event, and its time in milliseconds."""
    began = time.monotonic()
    command = ["/bin/sh", str(HOOK), "claude"]
    done = subprocess.run(command, input=event, capture_output=True, check=False)
    took = 1000 * (time.monotonic() - began)
    if done.returncode != 0:
        raise DemoFailed(f"a hook ended with exit code {done.returncode}")
    return done.stdout, took


def _first_session(stage: Stage) -> None:
    times = sorted(_hook(event)[1] for event in _session("first_session.jsonl", stage))
    _say(
        f"An agent session of {len(times)} events went through the real hook client:"
        f" {times[len(times) // 2]:.0f} ms in the median, {times[-1]:.0f} ms at most."
    )
    deadline = time.monotonic() + SETTLED_WITHIN
    while _status().undone:
        if time.monotonic() > deadline:
            raise DemoFailed("the events were not made into memories in time")
        time.sleep(0.05)
    asked(AwaitEmbedded(), within=SETTLED_WITHIN)
    learnt = asked(List(limit=100), within=5.0).memories
    click.echo(f"  What was learnt from it ({len(learnt)}):")
    for memory in reversed(learnt):
        click.echo(f"    {memory.id:4} {memory.kind:11} {' '.join(memory.text.split())[:90]}")


def _status() -> StatusReply:
    return asked(Status(), within=5.0)


def _second_session(stage: Stage) -> None:
    start, prompt = _session("second_session.jsonl", stage)
    _hook(start)
    answer, took = _hook(prompt)
    _say(f"A second session asks (answered in {took:.0f} ms):")
    click.echo(f"    {json.loads(prompt)['prompt']}")
    if not answer:
        raise DemoFailed("the second session was told nothing")
    click.echo("  and its agent is given, unasked:")
    for line in json.loads(answer)["hookSpecificOutput"]["additionalContext"].splitlines():
        click.echo(f"    {line}")


def _kill_and_restart(stage: Stage) -> None:
    before = _status()
    assert before.pid is not None  # it answers
    os.kill(before.pid, signal.SIGKILL)
    ensure_daemon(stage.home, within=READY_WITHIN)
    after = _status()
    if after.memories != before.memories:
        raise DemoFailed(f"{before.memories} memories before the kill, {after.memories} after")
    _say(
        f"The daemon was killed with SIGKILL and started again: {before.memories} memories before,"
        f" {after.memories} after; nothing is missing."
    )


def _no_secret(stage: Stage) -> None:
    kept = [path for path in stage.home.root.rglob("*") if path.is_file()]
    for path in kept:
        data = path.read_bytes()
        if any(secret.encode() in data for secret in (stage.password, stage.key)):
            raise DemoFailed(f"a planted secret is in {path.name}")
    _say(
        f"Two secrets passed by in a tool's output. Neither is in any of the {len(kept)} files"
        " of the home."
    )
