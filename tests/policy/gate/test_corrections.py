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


@pytest.mark.parametrize(
    ("stored", "sentence", "then"),
    rows(__file__, "another_value_of_the_same_subject_takes_the_old_ones_place"),
)  # fmt: skip
def test_another_value_of_the_same_subject_takes_the_old_ones_place(
    stored: str, sentence: str, then: str
) -> None:
    assert after(stored, sentence) == then


@pytest.mark.parametrize(
    ("stored", "sentence", "then"),
    rows(__file__, "who_or_what_is_no_more_gives_way_to_what_stands_beside_it"),
)  # fmt: skip
def test_who_or_what_is_no_more_gives_way_to_what_stands_beside_it(
    stored: str, sentence: str, then: str | None
) -> None:
    assert after(stored, sentence) == then


def test_an_article_may_count_a_span_of_time() -> None:
    assert after("Audit logs are kept for 90 days.", "audit logs are kept for a year now") == (
        "Audit logs are kept for a year."
    )
    assert after("The job runs twice a day.", "the job runs for an hour now") is None


def test_what_is_not_done_is_no_value() -> None:
    assert (
        after("Emails are sent through Mailgun.", "the emails are not sent, it returns 401 now")
        is None
    )


def test_what_else_a_memory_says_still_holds() -> None:
    stored = "The cache TTL is 5 minutes and entries are keyed by tenant."

    assert after(stored, "no, the cache TTL is 10 minutes") == (
        "The cache TTL is 10 minutes and entries are keyed by tenant."
    )


@pytest.mark.parametrize(
    ("stored", "sentence", "then"),
    [
        (
            "The API listens on port 8080 and metrics are exposed on 9100.",
            "no, the api is on 8443",
            "The API listens on port 8443 and metrics are exposed on 9100.",
        ),
        (
            "Full backups run at 02:00, logs are shipped at 04:30.",
            "logs are shipped at 05:00 now",
            "Full backups run at 02:00, logs are shipped at 05:00.",
        ),
    ],
)
def test_of_two_values_the_one_gives_way_whose_clause_speaks_of_it(
    stored: str, sentence: str, then: str
) -> None:
    assert after(stored, sentence) == then


@pytest.mark.parametrize(
    ("stored", "sentence"),
    rows(__file__, "what_people_report_order_and_stress_in_their_work_corrects_nothing"),
)
def test_what_people_report_order_and_stress_in_their_work_corrects_nothing(
    stored: str, sentence: str
) -> None:
    assert after(stored, sentence) is None


@pytest.mark.parametrize(
    ("stored", "sentence"),
    rows(__file__, "something_else_that_is_said_of_the_same_subject_corrects_nothing"),
)
def test_something_else_that_is_said_of_the_same_subject_corrects_nothing(
    stored: str, sentence: str
) -> None:
    assert after(stored, sentence) is None


@pytest.mark.parametrize(
    ("stored", "sentence"),
    rows(__file__, "another_subject_a_question_a_guess_an_order_and_one_more_correct_nothing"),
)
def test_another_subject_a_question_a_guess_an_order_and_one_more_correct_nothing(
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
