"""Corrections: what a sentence of a prompt makes of a memory about the same subject."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate.correcting_sentence import MOST, said_in
from actors.policy.gate.corrections import corrected
from actors.policy.text.turn import Turn
from tests.tables import rows


def after(stored: str, sentence: str, *, discussed: bool = False) -> str | None:
    """What the memory says once the sentence was said; None when it is left alone."""
    found = (corrected(told, stored, discussed=discussed) for told in said_in(Turn(sentence)))
    return next((one for one in found if one is not None), None)


OTHER_VALUES = [
    pytest.param(*row, id=f"{name} {number}")
    for name in (
        "another_value_of_the_same_subject_takes_the_old_ones_place",
        "who_or_what_is_no_more_gives_way_to_what_stands_beside_it",
    )
    for number, row in enumerate(rows(__file__, name), 1)
]


@pytest.mark.parametrize(
    ("stored", "sentence", "then"),
    [
        *OTHER_VALUES,
        pytest.param(
            "Audit logs are kept for 90 days.", "audit logs are kept for a year now",
            "Audit logs are kept for a year.", id="an article may count a span of time",
        ),
        pytest.param(
            "The job runs twice a day.", "the job runs for an hour now",
            None, id="and another one counts none",
        ),
        pytest.param(
            "Emails are sent through Mailgun.", "the emails are not sent, it returns 401 now",
            None, id="what is not done is no value",
        ),
        pytest.param(
            "The cache TTL is 5 minutes and entries are keyed by tenant.",
            "no, the cache TTL is 10 minutes",
            "The cache TTL is 10 minutes and entries are keyed by tenant.",
            id="what else a memory says still holds",
        ),
        pytest.param(
            "The API listens on port 8080 and metrics are exposed on 9100.",
            "no, the api is on 8443",
            "The API listens on port 8443 and metrics are exposed on 9100.",
            id="of two values the one of the clause that speaks of it",
        ),
        pytest.param(
            "Full backups run at 02:00, logs are shipped at 04:30.",
            "logs are shipped at 05:00 now",
            "Full backups run at 02:00, logs are shipped at 05:00.",
            id="of two clauses the second",
        ),
    ],
)  # fmt: skip
def test_another_value_of_the_same_subject_takes_the_old_ones_place(
    stored: str, sentence: str, then: str | None
) -> None:
    assert after(stored, sentence) == then


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        pytest.param(*row, id=f"{name} {number}")
        for name in (
            "what_people_report_order_and_stress_in_their_work_corrects_nothing",
            "something_else_that_is_said_of_the_same_subject_corrects_nothing",
            "another_subject_a_question_a_guess_an_order_and_one_more_correct_nothing",
        )
        for number, row in enumerate(rows(__file__, name), 1)
    ],
)
def test_a_report_something_else_a_question_and_an_order_correct_nothing(
    stored: str, sentence: str
) -> None:
    assert after(stored, sentence) is None


def test_a_sentence_without_a_subject_speaks_only_of_what_the_session_was_shown() -> None:
    stored = "The standup is on Tuesday at 9:30."

    assert after(stored, "moved to Wednesday") is None
    assert after(stored, "moved to Wednesday", discussed=True) == (
        "The standup is on Wednesday at 9:30."
    )
    assert after("The default branch is called main.", "renamed, it is called trunk", discussed=True) == (
        "The default branch is called trunk."
    )  # fmt: skip
    assert after("We want a plan in Chunk 5.", "50 is wrong", discussed=True) is None


def test_a_prompt_is_read_sentence_by_sentence_and_a_pasted_document_is_not() -> None:
    prompt = "Thanks! No, the timeout is 5 seconds. Can you look at the logs?"

    assert [told.text for told in said_in(Turn(prompt))] == ["the timeout is 5 seconds."]
    assert said_in(Turn("The timeout is 5 seconds. " * 500)) == ()
    assert len(said_in(Turn("No, the timeout is 5 seconds.\n" * 20))) == MOST


@given(st.text(max_size=200), st.text(max_size=200), st.booleans())
def test_no_text_breaks_it_and_what_is_corrected_differs(
    stored: str, sentence: str, discussed: bool
) -> None:
    assert after(stored, sentence, discussed=discussed) != stored
