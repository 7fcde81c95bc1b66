"""Sessions of Claude Code from before there was a memory, learnt beside a real daemon, and taken back."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from daemon.api.learn import ReadTranscripts
from daemon.home import Home
from daemon.shapes.learnt import Learnt
from tests.cli.conftest import Hooked, Program, Run, document
from tests.cli.fake_daemon import FakeDaemon, Say

DAY = 86_400
THEN = int(datetime.now(UTC).timestamp()) - 30 * DAY
PNPM = "We should always use pnpm here, never npm."
LOCK = "We always use uv instead of pip in this repository, because CI checks the lock file."
MINE = "I prefer short commit messages."
REMIND = "Remind me to rotate the certificates when I open deploy.py."


def line(kind: str, text: str, at: float, folder: Path, **fields: Any) -> str:
    moment = datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")
    content = text if kind == "user" else [{"type": "text", "text": text}]
    message = {"id": f"m{at}", "role": kind, "content": content}
    entry = {
        "type": kind, "uuid": f"{kind}-{text}-{at}", "timestamp": moment, "cwd": str(folder),
        "isSidechain": False, "message": message, **fields,
    }  # fmt: skip
    return json.dumps(entry, separators=(",", ":")) + "\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The client's folder of the transcripts of this project, which is a repository."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / ".claude"))
    found = tmp_path / ".claude/projects/-shop"
    found.mkdir(parents=True)
    return found


def session(folder: Path, name: str, *said: str, at: float = THEN, **fields: Any) -> Path:
    """A session in which a person said this, a minute between, and the agent agreed."""
    where = fields.pop("where", folder.parents[2])
    answer = fields.pop("answer", "I shall.")
    path = folder / f"{name}.jsonl"
    with path.open("a") as file:
        for number, text in enumerate(said):
            when = at + 60 * number
            file.write(line("user", text, when, where, **fields))
            file.write(line("assistant", answer, when + 1, where, **fields))
    os.utime(path, (at, at))
    return path


def passages(command: Program, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document(command("recall", query, "--passages", "--json"))[
        "passages"
    ]
    return found


def learn(command: Program, *words: str) -> Any:
    return document(command("learn", "--transcripts", "--yes", "--json", *words))


def notes(command: Program) -> dict[str, dict[str, Any]]:
    """The living memories, of every project, by their texts."""
    return {one["text"]: one for one in document(command("list", "--json"))["memories"]}


def test_sessions_are_shown_learnt_once_dated_and_taken_back(
    command: Program, folder: Path
) -> None:
    session(folder, "one", PNPM, REMIND, MINE)
    session(folder, "two", LOCK, ".memory off", at=THEN + DAY)
    shown = command("learn", "--transcripts", stdin="n\n")
    before = notes(command)
    done = command("learn", "--transcripts", "--yes")
    learnt = notes(command)
    again = command("learn", "--transcripts", "--yes")
    due = document(command("intend", "--list", "--json"))
    undone = command("learn", "--undo")

    assert "2 sessions with 3 items worth a note, 3 of them new" in shown.stdout
    assert before == {}
    assert "3 of them new; 5 turns to be searched" in shown.stdout
    assert "learnt 3 notes and 5 passages of 2 sessions" in done.stdout, done.stderr
    assert {text: round(one["created_at"]) for text, one in learnt.items()} == {
        PNPM: THEN, MINE: THEN + 120, LOCK: THEN + DAY,
    }  # fmt: skip
    assert learnt[MINE]["project"] is None
    assert {one["exposures"] for one in learnt.values()} == {0}
    assert due["intentions"] == []
    assert again.stdout == "learnt nothing new of 2 sessions\n"
    assert "took back 3 notes" in undone.stdout, undone.stderr
    assert notes(command) == {}
    assert passages(command, "pnpm") == []
    assert learn(command)["notes"] == 3


def test_turns_and_summaries_can_be_searched_by_when_they_were_said(
    command: Program, folder: Path
) -> None:
    why = "Why is the export slow?"
    path = session(folder, "one", why, answer="It opens a connection for each row of the ledger.")
    with path.open("a") as file:
        summed = "The importer was rewritten around a queue."
        file.write(line("user", summed, THEN + DAY, folder.parents[2], isCompactSummary=True))
    os.utime(path, (THEN, THEN))

    done = learn(command)
    (turn,) = passages(command, "connection for each row of the ledger")
    (summary,) = passages(command, "importer rewritten around a queue")
    again = learn(command)

    assert (done["turns"], done["passages"]) == (2, 2)
    assert turn["text"].startswith(why)
    assert (turn["kind"], round(turn["at"])) == ("turn", THEN + 1)
    assert (summary["kind"], round(summary["at"])) == ("summary", THEN + DAY)
    assert (again["turns"], again["passages"]) == (0, 0)


def test_sessions_that_were_heard_others_and_what_is_older_are_left_out(
    command: Program, folder: Path, hooked: Hooked
) -> None:
    elsewhere = folder.parents[2].parent / "elsewhere"
    session(folder, "heard", PNPM)
    session(folder, "old", LOCK, at=THEN - 90 * DAY)
    session(folder, "other", LOCK, where=elsewhere)
    session(folder, "agent-1", LOCK)
    session(folder, "aside", LOCK, isSidechain=True)
    hooked("UserPromptSubmit", "heard", prompt="Go on.", cwd=str(folder.parents[2]))

    done = command("learn", "--transcripts", "--yes")

    assert done.stdout == "learnt nothing new of 1 session\n"
    assert "1 session left out: their events were reported as they happened" in done.stderr
    assert notes(command) == {}


def test_where_and_while_recording_was_off_nothing_is_learnt(
    command: Program, folder: Path, home: Home
) -> None:
    project = folder.parents[2]
    (project / "private").mkdir()
    (project / "private/.nomemory").touch()
    pause = f'{{"since": {THEN + 30}.0, "until": {THEN + 90}.0, "folders": [], "session": ""}}'
    (home.root / "pauses.json").write_text(f"[{pause}]")
    session(folder, "private", LOCK, where=project / "private")
    session(folder, "paused", PNPM, LOCK, MINE)

    done = command("learn", "--transcripts", "--yes")

    assert set(notes(command)) == {PNPM, MINE}
    assert "4 events left out: where recording is switched off" in done.stderr


# ---- where a reader is in use: what it costs is said before anything is read


PLAN = Learnt(
    engine="claude", run="", sessions=3, prompts=40, tokens=12_000, dollars=0.0123, notes=0, heard=2,
    before=1, unread=0, off=0, failures=[],
)  # fmt: skip
MADE = msgspec.structs.replace(
    PLAN, run="learn-1a2b3c4d", sessions=2, tokens=9_000, notes=7,
    failures=["learn-1a2b3c4d.s3: its limit is reached"],
)  # fmt: skip
COST = (
    "claude would read 3 sessions with 40 prompts, the oldest first: about 12,000 tokens,"
    " cost about $0.01\n"
)


@pytest.fixture
def asked(daemon: FakeDaemon) -> list[ReadTranscripts]:
    """Tell what the daemon is asked; it has three sessions to read."""
    seen: list[ReadTranscripts] = []

    def answer(request: ReadTranscripts, say: Say) -> Learnt:
        seen.append(request)
        say({"done": 1, "documents": 3})
        return MADE if request.yes else PLAN

    daemon.answers[ReadTranscripts] = answer
    return seen


def taken(asked: list[ReadTranscripts]) -> list[bool]:
    return [one.yes for one in asked]


def test_it_is_asked_first_with_count_tokens_and_price(
    run: Run, asked: list[ReadTranscripts]
) -> None:
    refused = run("learn", "--transcripts", input="n\n")

    assert COST in refused.output
    assert "1 session left out: they were read before" in refused.output
    assert "2 sessions left out: their events were reported as they happened" in refused.output
    assert "What is shown of them goes to that engine." in refused.output
    assert (refused.exit_code, taken(asked)) == (1, [False])


def test_what_was_read_is_said_with_how_to_take_it_back(
    run: Run, asked: list[ReadTranscripts]
) -> None:
    done = run("learn", "--transcripts", "--yes")

    assert COST not in done.output
    assert "claude read 2 sessions: 7 notes, 9,000 tokens, $0.01\n" in done.output
    assert "reverie inbox; take them back: reverie learn --undo learn-1a2b3c4d" in done.output
    assert "not read: learn-1a2b3c4d.s3: its limit is reached" in done.output
    assert (done.exit_code, taken(asked)) == (0, [True])


def test_what_may_not_be_read_is_said_first(daemon: FakeDaemon, run: Run) -> None:
    barred = ["2 of them: /shop holds .noreader"]
    daemon.reply(ReadTranscripts, msgspec.structs.replace(PLAN, failures=barred))

    done = run("learn", "--transcripts", input="n\n")

    assert "not read: 2 of them: /shop holds .noreader" in done.output
