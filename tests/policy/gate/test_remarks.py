"""Remarks: what of a prompt may be against something known, and which memory it is about."""

import pytest

from actors.policy.gate.remarks import (
    APART,
    MOST,
    NEAR,
    NEARER,
    SHARED,
    Remark,
    concerned,
    remarks_in,
)
from actors.policy.gate.said import READ

NEXUS = "Build artefacts are uploaded to Nexus."


def changes(prompt: str) -> list[str]:
    return [one.line for one in remarks_in(prompt) if one.changes]


@pytest.mark.parametrize(
    "prompt",
    [
        "not anymore, artifactory",
        "let's go with sessions.db rather than a file a project",
        "we don't want each app to have a repository of its own",
        "you're wrong about the websockets, it is working",
        "Bjorn is off the rota now, Dina took his slot",
        "the sheet was kicked out of the build, numbers are resources",
        "moved to Wednesday, the room stays",
    ],
)
def test_a_sentence_that_says_something_is_otherwise_is_a_remark_even_as_an_order(
    prompt: str,
) -> None:
    assert changes(prompt) == [prompt]


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "add a button to the header",
        "should we use pnpm instead of npm?",
        "set the limit to 40 instead of 30, just for this run",
        "this weekend the shop is not open",
        "I think the limit is wrong",
        "ERROR: expected pnpm instead of npm\n    at run (index.js:3:1)\n    at main (index.js:9:1)",
    ],
)
def test_orders_questions_guesses_and_what_holds_for_the_moment_are_none(prompt: str) -> None:
    assert remarks_in(prompt) == ()


def test_of_a_longer_prompt_the_sentence_and_the_one_behind_it_are_noted() -> None:
    before = "The importer reads the whole file into memory before it begins. " * 6
    said = "Rather than a table do a list. It fits the page. " + "Look at the other views too. " * 4
    (found,) = remarks_in(before + said)

    assert found.line == "Rather than a table do a list."
    assert found.text == "Rather than a table do a list. It fits the page."
    assert len(before) > READ


def test_a_brief_prompt_is_noted_whole_once_for_each_sentence() -> None:
    prompt = "the port is 5433. it is not 5432. add a test for the pool"

    assert [one.text for one in remarks_in(prompt)] == [prompt] * 2
    assert [one.changes for one in remarks_in(prompt)] == [True, False]


def test_few_sentences_of_a_prompt_are_compared() -> None:
    assert len(remarks_in("The port is not 1. " * 9)) == MOST


def test_quoted_words_stay_in_the_remark_and_make_none() -> None:
    said = 'the footer says "press q to quit" instead of "esc closes the view"'

    assert [one.text for one in remarks_in(said)] == [said]
    assert remarks_in('add the text "use pnpm instead of npm here" to the page') == ()


def about(remark: Remark, cosines: dict[int, float], texts: dict[int, str]) -> int | None:
    found = concerned(remark, cosines, texts)
    return None if found is None else found.identity


def test_it_is_about_the_memory_that_is_clearly_nearest() -> None:
    remark = Remark("not anymore, artifactory", "", changes=True)
    texts = {1: NEXUS, 2: "Java version is 11."}

    assert about(remark, {1: 0.6, 2: 0.3}, texts) == 1
    assert about(remark, {1: 0.6, 2: 0.6 - APART / 2}, texts) is None
    assert about(remark, {1: NEAR, 2: 0.0}, texts) == 1
    assert about(remark, {1: NEAR - 0.01, 2: 0.0}, texts) is None
    assert about(remark, {1: 0.9}, {}) is None


def test_what_says_a_memory_again_is_nothing_against_it() -> None:
    remark = Remark("java version is 11, not 8", "Java version is 11, not 8", changes=True)

    assert about(remark, {1: 0.9}, {1: "Java version is 11."}) is None


def test_a_telling_word_that_both_have_brings_a_memory_nearer() -> None:
    remark = Remark("nexus was switched off, use artifactory", "", changes=True)
    texts = {1: NEXUS, 2: "Java version is 11."}

    assert about(remark, {1: NEAR - SHARED, 2: NEAR - SHARED - APART}, texts) == 1
    assert about(remark, {1: NEAR - 2 * SHARED, 2: 0.0}, texts) is None
    assert concerned(remark, {1: 0.5}, {1: NEXUS}) == (1, 0.5 + SHARED)


def test_without_a_word_of_change_it_gives_the_same_subject_another_value() -> None:
    known = {1: "The reference salinity of the model is 34.8 psu."}

    def of(line: str, cosine: float = NEARER) -> int | None:
        return about(Remark(line, "", changes=False), {1: cosine}, known)

    assert of("we subtract 35.0 psu as reference salinity") == 1
    assert of("we subtract 35.0 psu as reference salinity", NEAR) is None
    assert of("we subtract 34.8 psu as reference salinity") is None
    assert of("the cruise salinity was 35.0 psu") is None
    assert of("the pump runs at 35.0 bar") is None
