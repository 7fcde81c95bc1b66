"""Output of Claude Code, read as an answer or as a reason."""

import json
from pathlib import Path
from typing import Any

import pytest

from actors.policy.reader.exchange import Answer, Failed, Reason, Request
from daemon.engines.clients import claude_answer, claude_errand
from daemon.engines.process import Ended, Place


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


@pytest.mark.parametrize(
    ("ended", "reason"),
    [
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
)  # fmt: skip
def test_anything_else_is_a_failure_with_its_reason(
    ended: Ended, reason: Reason, request_of_session: Request
) -> None:
    answer = claude_answer(ended, request_of_session)

    assert isinstance(answer, Failed)
    assert answer.reason == reason


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
