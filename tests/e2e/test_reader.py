"""The reader as processes: the installed ``reverie``, its daemon, the hooks and a program that reads."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from daemon.launch import own_command
from daemon.lock import alive
from tests.e2e.conftest import Claude, Reverie
from tests.e2e.messages_api import said, used
from tests.patience import PATIENCE

HOSTILE = Path(__file__).resolve().parents[1] / "engines" / "hostile.py"


def use(reverie: Reverie, act: str) -> Path:
    """Have sessions read by a program that does this; the file in which it writes who ran."""
    pids = reverie.folder.parent / "pids"
    words = (sys.executable, "-I", str(HOSTILE), act, str(pids))
    done = reverie.run("reader", "use", "command", "--yes", "--", *words)
    assert done.returncode == 0, done.stderr
    return pids


def until(holds: Callable[[], bool]) -> None:
    """Wait for other processes: until this holds."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_nothing_is_left_of_a_reading_whose_daemon_was_killed(reverie: Reverie) -> None:
    pids = use(reverie, "stubborn")
    where = {"session_id": "s1", "cwd": str(reverie.folder)}
    reverie.told(hook_event_name="SessionStart", source="startup", **where)
    reverie.told(hook_event_name="UserPromptSubmit", prompt="We deploy on Tuesdays.", **where)
    reverie.settle()
    words = [*own_command(), "reader", "now", "--session", "s1", "--yes"]
    reading = subprocess.Popen(
        words, env=reverie.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until(lambda: pids.exists() and pids.read_text().strip() != "")
    reverie.kill()
    reading.wait(PATIENCE)

    until(lambda: not [pid for pid in pids.read_text().split() if alive(int(pid))])
    until(lambda: not [path for path in (reverie.home.root / "run").rglob("*") if path.is_file()])


def test_a_reading_by_order_gives_its_notes_to_the_inbox(reverie: Reverie) -> None:
    use(reverie, "right")
    where = {"session_id": "s1", "cwd": str(reverie.folder)}
    reverie.told(hook_event_name="SessionStart", source="startup", **where)
    reverie.told(
        hook_event_name="UserPromptSubmit", prompt="The staging database listens on 5433.", **where
    )
    reverie.told(hook_event_name="Stop", last_assistant_message="Noted.", **where)
    reverie.settle()

    done = reverie.run("reader", "now", "--session", "s1", "--yes")

    assert done.returncode == 0, done.stderr
    (note,) = reverie.document("inbox")["notes"]
    assert "5433" in json.dumps(note)


def test_what_happens_where_engines_run_is_not_recorded(reverie: Reverie) -> None:
    reverie.document("up")
    where = {"session_id": "own", "cwd": str(reverie.home.root / "run" / "reader")}
    reverie.told(hook_event_name="UserPromptSubmit", prompt="Write notes of this session.", **where)
    reverie.settle()

    assert reverie.journal() == []


@pytest.fixture
def client_of_claude(claude: Claude) -> Generator[Claude]:
    """The real client where the daemon finds it, and a daemon that asks the scripted API."""
    claude.reverie.environ["PATH"] = (
        f"{Path(claude.program).parent}:{claude.reverie.environ['PATH']}"
    )
    daemon = subprocess.Popen(
        [*own_command(), "daemon"],
        env=claude.environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: claude.reverie.pid() is not None)
    try:
        yield claude
    finally:
        claude.reverie.kill()
        daemon.wait(PATIENCE)


@pytest.mark.real_client
def test_what_the_real_client_was_told_is_read_by_it_unless_it_asked_elsewhere(
    client_of_claude: Claude,
) -> None:
    claude, reverie = client_of_claude, client_of_claude.reverie
    assert reverie.run("reader", "use", "claude", "--yes").returncode == 0
    here = claude.run("Remember: the staging database listens on port 5433.", said("I will."))
    claude.api.asked.clear()
    claude.api.turns[:] = [used("StructuredOutput", notes=[], stopped="Nothing is open.")]
    reverie.settle()

    read = reverie.run("reader", "now", "--session", here.session, "--yes")

    assert "1 session read" in read.stdout
    (asked,) = claude.api.asked
    assert "listens on port 5433" in json.dumps(asked["messages"])

    reverie.environ["CLAUDE_CODE_USE_BEDROCK"] = "1"
    where = {"session_id": "elsewhere", "cwd": str(reverie.folder)}
    reverie.told(hook_event_name="UserPromptSubmit", prompt="The port is 5434 now.", **where)
    reverie.settle()

    unread = reverie.run("reader", "now", "--session", "elsewhere", "--yes")

    assert "its client asks Amazon Bedrock, the reader would ask 127.0.0.1" in unread.stdout
    assert claude.api.asked == [asked]
