"""``demo``: the main job on real parts, in a throw-away home, with its events in words."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import click
from msgspec import Struct

from daemon.api.memories import List
from daemon.api.status import AwaitEmbedded, Status, StatusReply
from daemon.commands.terminal.question import asked
from daemon.home import Home, current_home
from daemon.launch import ensure_daemon, own_command, stop_daemon
from daemon.shapes.memory import MemoryView

if TYPE_CHECKING:
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient


READY_WITHIN = 60.0  # seconds
SETTLED_WITHIN = 60.0  # seconds until everything that was heard is made into memories
HOOK = Path(__file__).resolve().parents[3] / "hooks" / "hook.sh"


class DemoFailed(click.ClickException):
    """A promise of the demonstration was not kept."""


class Stage(Struct):
    """Values in use throughout."""

    home: Home
    project: Path
    source: Path
    secret: Planted


@click.command()
def demo() -> None:
    """Show the main job end to end, on real parts, and leave nothing behind.

    A daemon in a throw-away home, an agent session, a second one that remembers it, an
    editor's hint, a kill and a restart.
    """
    began = time.monotonic()
    with _stage() as stage:
        _start(stage)
        _first_session(stage)
        _second_session(stage)
        _editor(stage)
        _status()
        _kill_and_restart(stage)
        _no_secret(stage)
    click.echo(f"\nDone in {time.monotonic() - began:.1f} s. Nothing is left behind.")


def _say(text: str) -> None:
    click.echo(f"\n{click.style('»', bold=True)} {text}")


@contextmanager
def _stage() -> Generator[Stage]:
    models = current_home().models
    folder = Path(tempfile.mkdtemp(prefix="reverie-"))
    home = Home(folder / "home")
    before = os.environ.get("REVERIE_HOME")
    os.environ["REVERIE_HOME"] = str(home.root)
    try:
        home.prepare()
        for model in models.glob("*") if models.is_dir() else ():
            (home.models / model.name).symlink_to(model)
        project = folder / "shop"
        yield Stage(home, project, make_project(project), planted())
    finally:
        stop_daemon(home)
        if before is None:
            del os.environ["REVERIE_HOME"]
        else:
            os.environ["REVERIE_HOME"] = before
        shutil.rmtree(folder, ignore_errors=True)


def _start(stage: Stage) -> None:
    began = time.monotonic()
    process = ensure_daemon(stage.home, within=READY_WITHIN).pid
    _say(
        f"A daemon (process {process}) serves a throw-away home; it was ready after"
        f" {time.monotonic() - began:.1f} s."
    )


def _hook(event: bytes) -> tuple[bytes, float]:
    """Output of the real hook client for one event, and its time in seconds."""
    began = time.monotonic()
    done = subprocess.run(
        ["/bin/sh", str(HOOK), "claude"], input=event, capture_output=True, check=False
    )
    took = time.monotonic() - began
    if done.returncode != 0:
        raise DemoFailed(f"a hook ended with exit code {done.returncode}")
    return done.stdout, took


def _first_session(stage: Stage) -> None:
    events = session(FIRST, stage.project, stage.secret)
    times = sorted(_hook(event)[1] for event in events)
    _say(
        f"An agent session of {len(events)} events went through the real hook client:"
        f" {1000 * times[len(times) // 2]:.0f} ms in the median,"
        f" {1000 * times[-1]:.0f} ms at most."
    )
    learnt = _learnt()
    click.echo(f"  What was learnt from it ({len(learnt)}):")
    for memory in reversed(learnt):
        click.echo(f"    {memory.id:4} {memory.kind:11} {' '.join(memory.text.split())[:90]}")


def _learnt() -> list[MemoryView]:
    deadline = time.monotonic() + SETTLED_WITHIN
    while _status_now().undone:
        if time.monotonic() > deadline:
            raise DemoFailed("the events were not made into memories in time")
        time.sleep(0.05)
    asked(AwaitEmbedded(), within=SETTLED_WITHIN)
    return asked(List(limit=100), within=5.0).memories


def _status_now() -> StatusReply:
    return asked(Status(), within=5.0)


def _second_session(stage: Stage) -> None:
    start, prompt = session(SECOND, stage.project, stage.secret)
    _hook(start)
    answer, took = _hook(prompt)
    _say(f"A second session asks (answered in {1000 * took:.0f} ms):")
    click.echo(f"    {json.loads(prompt)['prompt']}")
    if not answer:
        raise DemoFailed("the second session was told nothing")
    context = json.loads(answer)["hookSpecificOutput"]["additionalContext"]
    click.echo("  and its agent is given, unasked:")
    for line in context.splitlines():
        click.echo(f"    {line}")


def _editor(stage: Stage) -> None:
    from lsprotocol.types import MarkupContent

    began, text = time.monotonic(), stage.source.read_text(encoding="utf-8")
    try:
        hint, hover = anyio.run(seen, own_command(), stage.project, stage.source.as_uri(), text)
    except TimeoutError as error:
        raise DemoFailed("the editor was given no hint") from error
    line = text.splitlines()[hint.position.line]
    words = hint.label if isinstance(hint.label, str) else "".join(p.value for p in hint.label)
    _say(f"An editor opens {stage.source.name}; after {time.monotonic() - began:.1f} s it shows:")
    click.echo(f"    {hint.position.line + 1:3}  {line}  {click.style(words, dim=True)}")
    click.echo("  and under the pointer:")
    shown = hover.contents if hover is not None else None
    for row in (shown.value if isinstance(shown, MarkupContent) else "(nothing)").splitlines():
        click.echo(f"    | {row}")


def _status() -> None:
    _say("reverie status says:")
    done = subprocess.run([*own_command(), "status"], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        click.echo(f"    {line}")


def _kill_and_restart(stage: Stage) -> None:
    before = _status_now()
    assert before.pid is not None  # it answers
    os.kill(before.pid, signal.SIGKILL)
    began = time.monotonic()
    ensure_daemon(stage.home, within=READY_WITHIN)
    after = _status_now()
    if after.memories != before.memories:
        raise DemoFailed(f"{before.memories} memories before the kill, {after.memories} after")
    _say(
        f"The daemon was killed with SIGKILL and started again in"
        f" {time.monotonic() - began:.1f} s: {after.memories} memories before,"
        f" {after.memories} after; nothing is missing."
    )


def _no_secret(stage: Stage) -> None:
    kept = [path for path in stage.home.root.rglob("*") if path.is_file()]
    for path in kept:
        data = path.read_bytes()
        if any(secret.encode() in data for secret in stage.secret.all):
            raise DemoFailed(f"a planted secret is in {path.name}")
    _say(
        f"Two secrets passed by in a tool's output. Neither is in any of the {len(kept)} files"
        " of the home."
    )
    sys.stdout.flush()


# ---- the sessions of the demonstration, as an agent would send them
#
# The events lie beside this module, in Claude Code's shapes. The project's folder and two secrets,
# made up on the spot so that none stands in the source, are filled in at the time of playing.

WRITTEN_FOR = "/home/you/shop"  # the project's folder as the files have it
PACKAGE = "daemon.commands.local"
FIRST = "first_session.jsonl"
SECOND = "second_session.jsonl"


class Planted(Struct, frozen=True):
    """Secrets in a tool's output; they must not reach the disk."""

    password: str
    key: str

    @property
    def all(self) -> tuple[str, str]:
        """Both."""
        return (self.password, self.key)


def planted() -> Planted:
    """Two fresh secrets of well-known shapes."""
    alphabet = string.ascii_letters + string.digits
    password = "".join(secrets.choice(alphabet) for _ in range(18))
    key = "sk_" + "live_" + "".join(secrets.choice(alphabet) for _ in range(24))
    return Planted(password, key)


def session(name: str, project: Path, secret: Planted) -> list[bytes]:
    """The events of one session, each as the bytes a hook gets on its standard input."""
    text = files(PACKAGE).joinpath(name).read_text(encoding="utf-8")
    return [
        json.dumps(json.loads(line))
        .replace(WRITTEN_FOR, str(project))
        .replace("@@PASSWORD@@", secret.password)
        .replace("@@SECRET@@", secret.key)
        .encode()
        for line in text.splitlines()
    ]


SOURCE = '''"""The shop's settings."""

import os

DATABASE_PORT = 5433
SHOP_CURRENCY = os.environ.get("SHOP_CURRENCY")
'''


def make_project(folder: Path) -> Path:
    """Make a small project with one file, the subject of a lesson; returns the file."""
    git = folder / ".git"  # as little as makes a repository
    for part in ("objects", "refs"):
        (git / part).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    source = folder / "src" / "shop" / "settings.py"
    source.parent.mkdir(parents=True)
    source.write_text(SOURCE, encoding="utf-8")
    return source


# ---- a very small editor: opens one file and asks the real language server for its hints there

WITHIN = 20.0  # seconds until hints are there: the server's imports, and its quiet time


async def seen(
    command: Sequence[str], root: Path, uri: str, text: str
) -> tuple[types.InlayHint, types.Hover | None]:
    """The first hint in a file with this text, and the hover on its line.

    Runs on asyncio. Raises ``TimeoutError`` when there is none in time; the server ends then too.
    """
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient  # 0.8 s, and not at all for --help

    document = types.TextDocumentIdentifier(uri)
    client = LanguageClient("reverie demo", "1")
    client.feature("reverie/status")(_not_shown)
    await client.start_io(*command, "lsp")  # pyright: ignore[reportUnknownMemberType]
    try:
        with anyio.fail_after(WITHIN):
            await client.initialize_async(
                types.InitializeParams(
                    types.ClientCapabilities(), process_id=os.getpid(), root_uri=root.as_uri()
                )
            )
            client.initialized(types.InitializedParams())
            opened = types.TextDocumentItem(uri, "python", 1, text)
            client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
            hint = await _first_hint(client, document, len(text.splitlines()))
            pointer = types.Position(hint.position.line, 2)
            hover = await client.text_document_hover_async(types.HoverParams(document, pointer))
            await client.shutdown_async(None)
    finally:
        client.exit(None)  # without it the client would wait for the server's end for ever
        await client.stop()  # type: ignore[no-untyped-call]
    return hint, hover


def _not_shown(_: object) -> None:
    """The state of the daemon, which an editor may show."""


async def _first_hint(
    client: LanguageClient, document: types.TextDocumentIdentifier, lines: int
) -> types.InlayHint:
    from lsprotocol import types

    whole = types.Range(types.Position(0, 0), types.Position(lines, 0))
    while True:
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
        if hints:
            return hints[0]
        await anyio.sleep(0.1)
