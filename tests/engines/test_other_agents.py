"""Output of Codex and Gemini CLI, read as an answer or as a reason; what is on their command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from actors.policy.reader.exchange import Answer, Failed, Reason, Request
from daemon.engines.clients import codex_answer, codex_errand, gemini_answer
from daemon.engines.process import Ended, Place

NOTES: dict[str, Any] = {"notes": [], "stopped": ""}


def of_codex(*events: dict[str, Any], result: str = json.dumps(NOTES), code: int = 0) -> Ended:
    """A run of Codex that printed these events and wrote this last message."""
    return Ended(code, "\n".join(map(json.dumps, events)).encode(), "", result.encode())


def of_gemini(code: int = 0, complaints: str = "", **report: Any) -> Ended:
    """A run of Gemini CLI that printed this report."""
    return Ended(code, json.dumps(report).encode() if report else b"", complaints)


DONE = {"type": "turn.completed", "usage": {"input_tokens": 90, "output_tokens": 10}}
TRIED = {"type": "error", "message": "Reconnecting... 2/5 (stream disconnected)"}


def lost(message: str) -> dict[str, Any]:
    """The event of a turn that failed."""
    return {"type": "turn.failed", "error": {"message": message}}


def test_codex_counts_its_tokens_and_may_have_tried_again(request_of_session: Request) -> None:
    answer = codex_answer(of_codex(TRIED, DONE), request_of_session)

    assert answer == Answer(NOTES, 100)


@pytest.mark.parametrize(
    ("ended", "reason"),
    [
        (of_codex(DONE, result=""), Reason.EMPTY),
        (of_codex(DONE, result="null"), Reason.EMPTY),
        (of_codex(DONE, result="No notes."), Reason.FOREIGN),
        (of_codex(TRIED, lost("last status: 429 Too Many Requests"), code=1), Reason.LIMIT),
        (of_codex(lost("You've hit your usage limit."), code=1), Reason.LIMIT),
        (of_codex(lost("unexpected status 401 Unauthorized"), code=1), Reason.LOGGED_OUT),
        (of_codex(TRIED, lost("stream disconnected"), code=1), Reason.OFFLINE),
        (Ended(2, b"", "error: unexpected argument '--ephemeral' found"), Reason.TOO_OLD),
        (Ended(1, b"", ""), Reason.DIED),
    ],
)
def test_anything_else_of_codex_is_a_failure_with_its_reason(
    ended: Ended, reason: Reason, request_of_session: Request
) -> None:
    answer = codex_answer(ended, request_of_session)

    assert isinstance(answer, Failed)
    assert answer.reason == reason


def test_gemini_counts_the_tokens_of_every_model(request_of_session: Request) -> None:
    models = {"small": {"tokens": {"total": 60}}, "large": {"tokens": {"total": 40}}}
    text = f"```json\n{json.dumps(NOTES)}\n```"

    answer = gemini_answer(of_gemini(response=text, stats={"models": models}), request_of_session)

    assert answer == Answer(NOTES, 100)


@pytest.mark.parametrize(
    ("ended", "reason"),
    [
        (of_gemini(response=""), Reason.EMPTY),
        (of_gemini(response="null"), Reason.EMPTY),
        (of_gemini(response="Here are no notes."), Reason.FOREIGN),
        (of_gemini(session_id="x"), Reason.FOREIGN),
        (of_gemini(1, error={"message": "Rate limit reached", "code": 429}), Reason.LIMIT),
        (of_gemini(173, 'x\n{\n"error": {"message": "Slow down", "code": 429}\n}'), Reason.LIMIT),
        (of_gemini(41, "Please set an Auth method in settings.json"), Reason.LOGGED_OUT),
        (of_gemini(1, "Unknown arguments: skip-trust"), Reason.TOO_OLD),
        (of_gemini(1, "TypeError: fetch failed"), Reason.OFFLINE),
        (of_gemini(1), Reason.DIED),
    ],
)
def test_anything_else_of_gemini_is_a_failure_with_its_reason(
    ended: Ended, reason: Reason, request_of_session: Request
) -> None:
    answer = gemini_answer(ended, request_of_session)

    assert isinstance(answer, Failed)
    assert answer.reason == reason


def test_settings_of_codex_are_written_as_it_reads_them(request_of_session: Request) -> None:
    place = Place(Path("/run"))

    line = codex_errand("small", place, request_of_session).words

    assert "project_doc_max_bytes=0" in line
    assert "include_environment_context=false" in line
    assert f'model_instructions_file="{place.files}/instructions.md"' in line
