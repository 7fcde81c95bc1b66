"""Output of Claude Code, Codex and Gemini CLI, read as an answer or as a reason; what is on their command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from actors.policy.reader.exchange import Answer, Failed, Reason, Request
from daemon.engines.clients import (
    claude_answer,
    claude_errand,
    codex_answer,
    codex_errand,
    gemini_answer,
)
from daemon.engines.process import Ended, Place
from tests.engines.conftest import reason_of


def printed(code: int = 0, **report: Any) -> Ended:
    """A run of the client that printed this report."""
    return Ended(code, json.dumps(report).encode(), "")


def test_the_object_its_tokens_and_its_price_are_the_clients_own(
    request_of_session: Request,
) -> None:
    usage = {"input_tokens": 90, "cache_read_input_tokens": 600, "output_tokens": 10}
    document: dict[str, Any] = {"notes": [], "stopped": ""}

    answer = claude_answer(
        printed(structured_output=document, usage=usage, total_cost_usd=0.004), request_of_session
    )

    assert answer == Answer(document, 700, 0.004)


def test_what_a_failed_request_cost_counts(request_of_session: Request) -> None:
    answer = claude_answer(
        printed(1, is_error=True, result="overloaded", usage={"input_tokens": 900}),
        request_of_session,
    )

    assert isinstance(answer, Failed)
    assert answer.tokens == 900


def test_an_answer_that_the_client_threw_away_counts_as_it_is_estimated(
    request_of_session: Request,
) -> None:
    answer = claude_answer(
        printed(1, is_error=True, subtype="error_max_budget_usd"), request_of_session
    )

    assert isinstance(answer, Failed)
    assert answer.reason == Reason.LIMIT
    assert answer.tokens > 0


def test_a_model_that_a_person_names_may_cost_more(request_of_session: Request) -> None:
    place = Place(Path("/run"))

    small, large = (
        claude_errand(model, place, request_of_session).words for model in ("haiku", "opus")
    )

    assert small[small.index("--max-budget-usd") + 1] == "0.05"
    assert large[large.index("--max-budget-usd") + 1] == "0.50"


def test_nothing_of_the_session_is_on_the_command_line(request_of_session: Request) -> None:
    line = " ".join(claude_errand("haiku", Place(Path("/run")), request_of_session).words)

    assert "staging database" not in line
    assert "deploys on Fridays" not in line


# ---- Codex and Gemini CLI


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


def test_gemini_counts_the_tokens_of_every_model(request_of_session: Request) -> None:
    models = {"small": {"tokens": {"total": 60}}, "large": {"tokens": {"total": 40}}}
    text = f"```json\n{json.dumps(NOTES)}\n```"

    answer = gemini_answer(of_gemini(response=text, stats={"models": models}), request_of_session)

    assert answer == Answer(NOTES, 100)


FAILURES = {
    claude_answer: [
        (printed(structured_output=None, result="No notes."), Reason.EMPTY),
        (printed(structured_output=[1]), Reason.FOREIGN),
        (printed(1, is_error=True, result="API Error: 429 rate_limit_error"), Reason.LIMIT),
        (printed(1, is_error=True, result="You've hit your session limit · resets 3pm"), Reason.LIMIT),
        (printed(1, is_error=True, result="Not logged in · Please run /login"), Reason.LOGGED_OUT),
        (printed(1, is_error=True, subtype="error_max_turns"), Reason.DIED),
        (printed(0, is_error=True, result="Unable to connect to API (ECONNREFUSED)"), Reason.OFFLINE),
        (Ended(1, b"", "error: unknown option '--safe-mode'\n"), Reason.TOO_OLD),
        (Ended(139, b"", ""), Reason.DIED),
        (Ended(0, b"Execution error", ""), Reason.FOREIGN),
    ],
    codex_answer: [
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
    gemini_answer: [
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
}  # fmt: skip


@pytest.mark.parametrize(
    ("read", "ended", "reason"), [(read, *row) for read, rows in FAILURES.items() for row in rows]
)
def test_anything_else_of_a_client_is_a_failure_with_its_reason(
    read: Callable[[Ended, Request], Answer | Failed],
    ended: Ended,
    reason: Reason,
    request_of_session: Request,
) -> None:
    assert reason_of(read(ended, request_of_session)) == reason


def test_settings_of_codex_are_written_as_it_reads_them(request_of_session: Request) -> None:
    place = Place(Path("/run"))

    line = codex_errand("small", place, request_of_session).words

    assert "project_doc_max_bytes=0" in line
    assert "include_environment_context=false" in line
    assert f'model_instructions_file="{place.files}/instructions.md"' in line
