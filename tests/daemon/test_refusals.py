"""What a person says in refusing a tool's call is learnt by the rules of typed prompts, by a real daemon."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.daemon.conftest import Make
from tests.daemon.process import Daemon, wait_for
from tests.policy.events.test_transcripts import WITH_WORDS, denied

WISH = "We don't want agent selection at the call site if we can help it."
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"  # no real one


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    """A transcript in which a call was refused with a wish."""
    path = tmp_path / "t.jsonl"
    path.write_text(denied(userFeedback=WISH) + "\n")
    return path


def end(transcript: Path, name: str = "Stop", **more: Any) -> dict[str, Any]:
    return {
        "hook_event_name": name, "session_id": "s1", "cwd": "/", "prompt_id": "p1",
        "transcript_path": str(transcript), **more,
    }  # fmt: skip


def of(call: str) -> dict[str, Any]:
    return {"content": [{"type": "tool_result", "tool_use_id": call}]}


def heard(daemon: Daemon, count: int) -> None:
    """Wait until so many events are in the journal, and worked through."""
    wait_for(lambda: len(daemon.journal()) >= count, daemon.running)
    daemon.settled()
    assert len(daemon.journal()) == count


def kept(daemon: Daemon) -> list[dict[str, Any]]:
    memories: list[dict[str, Any]] = daemon.ask("list", limit=50)["memories"]
    return memories


@pytest.mark.parametrize("name", ["Stop", "SessionEnd"])
def test_a_wish_in_a_refusal_is_the_users(daemon: Daemon, transcript: Path, name: str) -> None:
    daemon.hook(b"a" * 16, end(transcript, name))
    heard(daemon, 2)
    (memory,) = kept(daemon)

    assert memory["text"] == WISH
    assert memory["status"] == "confirmed"


def test_it_counts_once_however_often_it_is_found(daemon: Daemon, transcript: Path) -> None:
    daemon.hook(b"a" * 16, end(transcript))
    heard(daemon, 2)
    daemon.kill()
    daemon.start()
    daemon.hook(b"b" * 16, end(transcript, last_assistant_message="Done."))
    transcript.write_text(denied(userFeedback="wait") + "\n" + denied(message=of("toolu_2")) + "\n")
    daemon.hook(b"c" * 16, end(transcript, "SessionEnd"))

    heard(daemon, 5)  # three ends and two refusals


def test_what_says_nothing_that_lasts_is_not_kept_and_a_secret_is_not_in_any_file(
    daemon: Daemon, transcript: Path
) -> None:
    transcript.write_text(denied(userFeedback=f"wait, is {TOKEN} the right one?") + "\n")
    daemon.hook(b"a" * 16, end(transcript))
    heard(daemon, 2)

    assert kept(daemon) == []
    daemon.kill()
    assert TOKEN.encode() not in daemon.home.database.read_bytes()


def test_a_client_that_reports_it_as_a_failure_is_heard_as_well(daemon: Daemon) -> None:
    refused = end(Path("/nowhere"), "PostToolUseFailure", tool_name="Edit", tool_use_id="t1")
    daemon.hook(b"a" * 16, {**refused, "error": WITH_WORDS.rpartition("\n")[0] + "\n" + WISH})
    heard(daemon, 1)

    assert [memory["text"] for memory in kept(daemon)] == [WISH]


def test_without_learning_no_transcript_is_read(make: Make, transcript: Path) -> None:
    daemon = make(REVERIE_FEATURES_EXTRACTION="false").start()
    daemon.hook(b"a" * 16, end(transcript))

    heard(daemon, 1)


def test_where_recording_is_off_a_refusal_is_not_recorded(
    daemon: Daemon, transcript: Path, tmp_path: Path
) -> None:
    (tmp_path / ".nomemory").touch()
    daemon.hook(b"a" * 16, end(transcript, cwd=str(tmp_path)))

    heard(daemon, 0)
