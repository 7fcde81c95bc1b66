"""Remarks: what of a prompt is against something known, and which memory it is about."""

import pytest

from actors.policy.gate.remarks import APART, BRIEF, NEAR, beside, concerned, is_beside, remark_in

OLD = "Build artefacts are uploaded to Nexus."


@pytest.mark.parametrize(
    "prompt",
    [
        "not anymore, artifactory",
        "let's go with sessions.db rather than a file a project",
        "I don't want each app to have a repository of its own",
        "you're wrong about the websockets, it is working",
        "Bjorn is off the rota now, Dina took his slot",
    ],
)
def test_a_sentence_that_says_something_is_otherwise_is_a_remark_even_as_an_order(
    prompt: str,
) -> None:
    assert remark_in(prompt) == prompt


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "add a button to the header",
        "should we use pnpm instead of npm?",
        "the build runs at 01:00. does it overlap with the reindex?",
        "ERROR: expected pnpm instead of npm\n    at run (index.js:3:1)\n    at main (index.js:9:1)",
    ],
)
def test_orders_questions_and_what_was_pasted_are_none(prompt: str) -> None:
    assert remark_in(prompt) == ""


def test_of_a_longer_prompt_it_is_the_sentence_and_the_one_behind_it() -> None:
    before = "The importer reads the whole file into memory before it begins. " * 4
    said = "Rather than a table do a list. It fits the page. " + "Look at the other views as well. "

    assert remark_in(before + said) == "Rather than a table do a list. It fits the page."
    assert remark_in(before * (BRIEF // len(before) + 1) + said) == ""


def test_quoted_words_stay_in_the_remark_and_make_none() -> None:
    said = 'the footer says "press q to quit" instead of "esc closes the view"'

    assert remark_in(said) == said
    assert remark_in('add the text "use pnpm instead of npm here" to the page') == ""


def test_it_is_about_the_memory_that_is_clearly_nearest() -> None:
    assert concerned({1: 0.6, 2: 0.3}) == 1
    assert concerned({1: NEAR}) == 1
    assert concerned({1: 0.6, 2: 0.6 - APART / 2}) is None
    assert concerned({1: NEAR - 0.01, 2: 0.0}) is None
    assert concerned({}) is None


def test_what_is_kept_says_what_it_is_about() -> None:
    kept = beside("not anymore, artifactory", OLD)

    assert is_beside(kept, OLD)
    assert not is_beside(kept, "Another.")
    assert not is_beside(OLD, OLD)
