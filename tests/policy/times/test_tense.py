"""Texts about the past and questions about it (row K28; docs/adr/0006)."""

import pytest

from actors.policy.times.tense import NOTE, asks_of_past, tells_of_past


@pytest.mark.parametrize(
    "text",
    [
        "The API originally used cookie sessions.",
        "Redis was replaced by Valkey in March.",
        "We used to deploy from a laptop.",
        "The v1 endpoint is deprecated.",
        "Login no longer needs a password.",
    ],
)
def test_a_note_that_tells_how_it_was_is_noticed(text: str) -> None:
    assert tells_of_past(text)


@pytest.mark.parametrize(
    "phrase",
    [
        "originally", "initially", "formerly", "previously", "used to be", "no longer", "at first",
        "back then", "in the past", "legacy", "deprecated", "obsolete", "superseded",
        "replaced by", "was replaced", "was later dropped", "was removed", "was retired",
    ],
)  # fmt: skip
@pytest.mark.parametrize("mark", ["", " \u2026"])
def test_every_sign_of_the_past_is_noticed_in_any_case(phrase: str, mark: str) -> None:
    """In texts of ASCII alone and in others, which are looked at in another way."""
    for said in (phrase, phrase.upper(), phrase.title()):
        assert tells_of_past(f"Cookies {said}, here.{mark}")
    assert not tells_of_past(f"Cookies x{phrase}x, here.{mark}")


@pytest.mark.parametrize(
    "text",
    [
        "The API uses JWT.",
        "The profiler is used to testing slow queries.",
        "Deploy on Fridays is forbidden.",
        "Replace the token every week.",
    ],
)
def test_a_note_about_the_present_is_left_alone(text: str) -> None:
    assert not tells_of_past(text)


def test_a_long_text_is_about_more_than_the_past() -> None:
    text = "The API originally used cookies. " + "It is a service of many parts. " * 20

    assert len(text) > NOTE
    assert not tells_of_past(text)


@pytest.mark.parametrize("query", ["What did we use before?", "How has the login evolved?"])
def test_a_question_about_the_past_is_noticed(query: str) -> None:
    assert asks_of_past(query)


@pytest.mark.parametrize("query", ["What does the API use?", "which port is staging on"])
def test_a_question_about_now_is_not(query: str) -> None:
    assert not asks_of_past(query)
