"""Below a folder that holds ``.nomemory`` nothing is recorded and nothing told, by any client.

A word stands for what happens there: no file of the data home may hold it.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from daemon import home as places
from daemon.launch import own_command
from tests.daemon.process import Daemon
from tests.holders import holders
from tests.hooks.clients import Client, Home
from tests.patience import PATIENCE

WORD = "quetzalcoatl"
HEARD = "xylophone"
FACT = "the blue whale database listens on port 5432 in staging"
ASKED = "which port does the blue whale database listen on in staging?"
TOO_LARGE = 15 * 1024 * 1024 + 1  # bytes: only the size of such an event is sent


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    """A folder in which recording is off, beside one in which it is on."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "diary" / "of ada").mkdir(parents=True)
    (tmp_path / "diary" / ".nomemory").touch()
    return tmp_path / "diary"


@pytest.fixture
def daemon() -> Generator[Daemon]:
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        home = places.Home(Path(folder))
        home.prepare()
        one = Daemon(home).start()
        yield one
        one.kill()


def prompt(cwd: Path, text: str, session: str = "s1") -> dict[str, Any]:
    return {
        "hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": str(cwd), "prompt": text,
    }  # fmt: skip


def tool(cwd: Path, name: str, output: str, **given: str) -> dict[str, Any]:
    return {
        "hook_event_name": "PostToolUse", "session_id": "s1", "cwd": str(cwd), "tool_name": name,
        "tool_input": given, "tool_response": {"stdout": output},
    }  # fmt: skip


def happened(diary: Path) -> list[dict[str, Any]]:
    """Events of a session there, and of tools that were sent there from elsewhere."""
    shop, transcript = diary.parent / "shop", diary.parent / "transcript.jsonl"
    transcript.write_text(json.dumps({"type": "assistant", "message": WORD}) + "\n")
    session = {"session_id": "s1", "cwd": str(diary / "of ada"), "transcript_path": str(transcript)}
    return [
        {**session, "hook_event_name": "SessionStart", "source": "startup"},
        prompt(diary, f"remember that the code word is {WORD}"),
        tool(diary, "Bash", f"{WORD} failed", command=f"make {WORD}"),
        {**session, "hook_event_name": "Stop", "last_assistant_message": f"The cause was {WORD}."},
        {**session, "hook_event_name": "PostCompact", "compact_summary": f"We decided: {WORD}."},
        {**session, "hook_event_name": "Frobnicate", "what": WORD},
        {
            **session, "cwd": str(shop), "hook_event_name": "InstructionsLoaded",
            "file_path": str(diary / f"{WORD}.md"), "load_reason": "include",
        },
        tool(shop, "Read", WORD, file_path=str(diary / "today.md")),
        tool(shop, "Write", "", file_path="../diary/today.md", content=f"We decided: {WORD}."),
        tool(shop, "Bash", WORD, command="cat '../diary/of ada/today.md' | head"),
    ]  # fmt: skip


def sent(client: Client, home: Home, cwd: Path, raw: bytes) -> bytes:
    """What a hook prints that an agent runs in this folder."""
    done = client.run(home, raw, cwd=str(cwd))
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def said(client: Client, home: Home, event: dict[str, Any]) -> bytes:
    return sent(client, home, Path(event["cwd"]), json.dumps(event).encode())


def test_nothing_of_it_reaches_the_disk_and_nothing_is_told(
    client: Client, daemon: Daemon, diary: Path
) -> None:
    home, shop = Home(daemon.home.root), diary.parent / "shop"
    daemon.remember(FACT)
    answers = [said(client, home, event) for event in happened(diary)]
    answers.append(said(client, home, prompt(diary, ASKED)))
    answers.append(sent(client, home, diary, b"x" * TOO_LARGE))
    answers.append(sent(client, home, diary, f'{{"cwd": "{diary}", "prompt": "{WORD}'.encode()))
    told = said(client, home, prompt(shop, f"{ASKED} {HEARD}", "s2"))
    daemon.settled()

    assert set(answers) == {b""}
    assert "5432" in told.decode()
    assert [one["session"] for one in daemon.ask("journal")["events"]] == ["s2"]
    assert holders(home.root, HEARD)
    assert holders(home.root, WORD, str(diary)) == []
    assert daemon.ask("status")["actors"]["intake"]["switched_off"] == len(answers) - 1


def test_nothing_of_it_is_spooled_when_nobody_answers(
    client: Client, home: Home, diary: Path
) -> None:
    for event in happened(diary):
        said(client, home, event)
    sent(client, home, diary, b"x" * TOO_LARGE)
    sent(client, home, diary, f"no JSON: {WORD}".encode())
    said(client, home, prompt(diary.parent / "shop", HEARD))

    (kept,) = home.spooled()
    assert kept["event"]["prompt"] == HEARD
    assert holders(home.root, WORD) == []


def test_what_was_spooled_before_the_mark_was_laid_is_dropped(
    python: Client, daemon: Daemon, diary: Path
) -> None:
    home = Home(daemon.home.root)
    daemon.end()
    (home.root / "command").write_text("/bin/true\n")
    (diary / ".nomemory").unlink()
    for event in happened(diary):
        said(python, home, event)
    before = len(home.spooled())
    (diary / ".nomemory").touch()
    daemon.start()
    daemon.settled()

    assert before == len(happened(diary))
    assert daemon.ask("journal")["events"] == []
    assert holders(home.root, WORD) == []


# ---- Pauses and private folders


def reverie(home: Home, folder: Path, *arguments: str) -> None:
    """Run ``reverie`` there."""
    subprocess.run(
        [*own_command(), *arguments], cwd=folder, env={**os.environ, **home.environ},
        capture_output=True, timeout=PATIENCE, check=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("options", "config"),
    [
        (["pause"], ""),
        (["pause", "--project"], ""),
        (["pause", "--session", "s1"], ""),
        ([], "[recording]\nprivate = ['d*y']\n"),
        ([], "[recording\nprivate = "),
    ],
)
def test_in_a_pause_nor_in_a_private_folder_is_anything_spooled(
    python: Client, home: Home, diary: Path, options: list[str], config: str
) -> None:
    (diary / ".nomemory").unlink()
    (home.root / "config.toml").write_text(config)
    if options:
        reverie(home, diary, *options)
    said(python, home, tool(diary, "Bash", WORD, command=f"make {WORD}"))
    sent(python, home, diary, b"x" * TOO_LARGE)
    during = home.spooled()
    (home.root / "config.toml").unlink()
    reverie(home, diary, "resume")
    said(python, home, prompt(diary, HEARD))

    assert during == []
    assert [one["event"]["prompt"] for one in home.spooled()] == [HEARD]
    assert holders(home.root, WORD) == []


def test_what_was_spooled_before_a_pause_is_taken_in_during_it(
    python: Client, daemon: Daemon, diary: Path
) -> None:
    home, shop = Home(daemon.home.root), diary.parent / "shop"
    daemon.end()
    (home.root / "command").write_text("/bin/true\n")
    said(python, home, prompt(shop, HEARD))
    reverie(home, shop, "pause")
    daemon.start()
    daemon.settled()

    assert len(daemon.ask("journal")["events"]) == 1
