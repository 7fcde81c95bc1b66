"""Sentences of what people type, without the code and logs they paste."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text import wording


@pytest.mark.parametrize(
    "pasted",
    [
        "```python\nprint('we use tabs')\n```",
        "```\nnever closed",
        "> someone else said this",
        '  File "app.py", line 3, in <module>',
        "    return value",
        "\tindented by a tab",
        "Traceback (most recent call last):",
        "    at Object.run (app.js:3:1)",
        "2024-01-01 12:00:00 connection refused",
        "12:00:01 worker started",
        "<local-command-stdout>ok</local-command-stdout>",
        '{"key": "value"}',
        "$ npm run build",
        "npm ERR! missing script",
        "def parse(text):",
        "x = [1, 2, 3]; y = {4: 5}",
        "# A heading",
        "🎉🎉🎉",
    ],
)
def test_what_was_pasted_is_not_prose(pasted: str) -> None:
    assert wording.sentences(f"Before it.\n\n{pasted}") == ["Before it."]


def test_a_block_that_a_client_put_beside_the_words_is_not_prose() -> None:
    text = (
        '<ide_selection file="a.py">\nWe use tabs.\n</ide_selection>\nWe use pnpm.\n'
        "<open>\nTests run in CI.\n<open>\nBuilds run at night."
    )

    assert wording.sentences(text) == ["We use pnpm.", "Tests run in CI.", "Builds run at night."]


def test_what_is_pasted_in_the_middle_of_a_line_is_not_prose() -> None:
    log = "why does it print ```\nNo, always deploy on Fridays instead of Mondays.\n```?"

    assert "Fridays" not in wording.prose(log)
    assert wording.sentences("<note>a</note> We use pnpm.") == ["We use pnpm."]
    assert wording.sentences("```\na\n~~~\nWe use tabs.\n```\nWe use pnpm.") == ["We use pnpm."]


def test_prose_survives_beside_code() -> None:
    text = "We use pnpm.\n```\nnpm install\n```\nTests run in CI."

    assert wording.sentences(text) == ["We use pnpm.", "Tests run in CI."]


def test_sentences_end_at_stops_semicolons_and_bullets() -> None:
    text = "Use tabs, e.g. in Go files. Never spaces!\n- **One** thing; two things\n2) three"

    assert wording.sentences(text) == [
        "Use tabs, e.g. in Go files.",
        "Never spaces!",
        "One thing",
        "two things",
        "three",
    ]


def test_a_hard_wrapped_sentence_is_one() -> None:
    text = "The staging database listens\non port 5433.\nand then a new line"

    assert wording.sentences(text) == [
        "The staging database listens on port 5433.",
        "and then a new line",
    ]


def test_stops_of_other_scripts_end_sentences() -> None:
    assert wording.sentences("テストは必ず実行する。次へ進む。") == [
        "テストは必ず実行する。",
        "次へ進む。",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("use  tabs", "Use tabs."),
        ("Use tabs!", "Use tabs!"),
        ("app_name is set, ", "app_name is set."),
        ("", ""),
    ],
)
def test_a_sentence_begins_and_ends_as_one(text: str, expected: str) -> None:
    assert wording.sentence(text) == expected


def test_a_title_is_the_beginning() -> None:
    assert wording.titled("Use tabs.") == "Use tabs"
    assert len(wording.titled("word " * 40)) <= wording.TITLE
    assert wording.one_line("a\n  b") == "a b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The staging database is on port 5433", 2),
        ("The service talks to Kafka", 2),
        ("Set DATABASE_URL first", 1),
        ("The API returns a list", 1),
        ("It is nice", 0),
    ],
)
def test_specifics_are_things_and_names(text: str, expected: int) -> None:
    assert wording.specifics(text) == expected


@pytest.mark.parametrize(
    ("items", "expected"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_lists_read_as_in_a_sentence(items: list[str], expected: str) -> None:
    assert wording.listed(items) == expected


@given(st.text(max_size=200))
def test_no_text_breaks_the_splitting(text: str) -> None:
    for line in wording.sentences(text):
        assert line == " ".join(line.split())
        assert wording.sentence(line)


@pytest.mark.parametrize("name", ["Ann", "Jörg O’Neil-Maß", "J. R. Hartley", "Youssef", "Agentia"])
def test_a_name_signs_as_it_is(name: str) -> None:
    assert wording.signature(name) == name


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("you", "you"),
        ("The User", "The User"),
        ("the user, confirmed", "the user confirmed"),
        ("an agent", "an agent"),
        ("Bob, today) (m1: the user", "Bob today m1 the user"),
        ("Ann <ann@example.org>", "Ann ann example.org"),
    ],
)
def test_who_signs_as_what_no_person_is_called_is_quoted(name: str, told: str) -> None:
    assert wording.signature(name) == f"somebody who signs as “{told}”"
