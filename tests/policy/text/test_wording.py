"""Sentences of what people type, without the code and logs they paste."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text import wording
from actors.policy.text.wording import HARD, Note, Settings, packed, shortened, tokens


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


def test_a_log_in_the_middle_of_a_line_is_not_prose() -> None:
    log = "why does it print ```\nNo, always deploy on Fridays instead of Mondays.\n```?"

    assert "Fridays" not in wording.prose(log)


BLOCKS = (
    '<ide_selection file="a.py">\nWe use tabs.\n</ide_selection>\nWe use pnpm.\n'
    "<open>\nTests run in CI.\n<open>\nBuilds run at night."
)
SENTENCES = {
    "beside blocks of a client": (
        BLOCKS,
        ["We use pnpm.", "Tests run in CI.", "Builds run at night."],
    ),
    "behind a tag": ("<note>a</note> We use pnpm.", ["We use pnpm."]),
    "behind a fence": ("```\na\n~~~\nWe use tabs.\n```\nWe use pnpm.", ["We use pnpm."]),
    "beside code": (
        "We use pnpm.\n```\nnpm install\n```\nTests run in CI.",
        ["We use pnpm.", "Tests run in CI."],
    ),
    "ended by stops, semicolons and bullets": (
        "Use tabs, e.g. in Go files. Never spaces!\n- **One** thing; two things\n2) three",
        ["Use tabs, e.g. in Go files.", "Never spaces!", "One thing", "two things", "three"],
    ),
    "wrapped": (
        "The staging database listens\non port 5433.\nand then a new line",
        ["The staging database listens on port 5433.", "and then a new line"],
    ),
    "of other scripts": (
        "テストは必ず実行する。次へ進む。",
        ["テストは必ず実行する。", "次へ進む。"],
    ),
}


@pytest.mark.parametrize(("text", "expected"), SENTENCES.values(), ids=SENTENCES)
def test_the_sentences_of_prose_are_told_apart(text: str, expected: list[str]) -> None:
    assert wording.sentences(text) == expected


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


# ---- what fits into a prompt: characters, cuts at sentences and words


REDIS = "Redis caches sessions. It expires them after a day, which surprised everyone."
CUTS = {
    "at a sentence that keeps half": (REDIS, 40, "Redis caches sessions."),
    "at a word when a sentence keeps less": (
        "Ok. The quick brown fox jumps over",
        20,
        "Ok. The quick brown…",
    ),
    "at a word": ("The quick brown fox", 16, "The quick brown…"),
    "nowhere when it fits": ("  The quick brown fox\n", 19, "The quick brown fox"),
    "at a full stop of CJK": (
        "我们使用数据库。然后部署系统到服务器上面去",
        14,
        "我们使用数据库。",
    ),
    "not between a letter and its marks": (
        "a" * 8 + "e\u0301" + "b" * 9,
        10,
        "a" * 8 + "…",
    ),
    "never shorter than a letter and an ellipsis": ("abcdef", 1, ""),
    "to less than nothing": ("abcdef", -5, ""),
}


@pytest.mark.parametrize(("text", "limit", "cut"), CUTS.values(), ids=CUTS)
def test_a_text_is_cut_where_it_reads_best(text: str, limit: int, cut: str) -> None:
    assert shortened(text, limit) == cut


def size(notes: list[Note]) -> int:
    """Characters of these, frames included."""
    return sum(len(note.text) + note.overhead for note in notes)


def test_the_best_notes_go_in_first() -> None:
    notes = [Note(1, "x" * 300, 0.2), Note(2, "y" * 300, 0.9), Note(3, "z" * 300, 0.5)]

    result = packed(notes, Settings(characters=620))

    assert [note.identity for note in result] == [2, 3]
    assert size(result) == 600


def test_a_smaller_note_may_follow_one_that_did_not_fit() -> None:
    notes = [Note(1, "a" * 500, 0.9), Note(2, "b" * 500, 0.8), Note(3, "short", 0.7)]

    result = packed(notes, Settings(characters=560))

    assert [note.identity for note in result] == [1, 3]


def test_what_is_left_of_the_room_is_no_place_for_a_scrap_but_for_a_short_note() -> None:
    settings = Settings(characters=150)
    found = packed(
        [
            Note(1, "a" * 100, 0.9),
            Note(2, "b" * 90, 0.8),
            Note(3, "c" * 50, 0.7),
            Note(4, "d", 0.6),
        ],
        settings,
    )

    assert [note.identity for note in found] == [1, 3]
    assert size(found) == 150


def test_a_long_note_is_cut_and_says_so() -> None:
    (note,) = packed([Note(1, "word " * 1_000, 1.0)], Settings())

    assert len(note.text) <= 600
    assert note.text.endswith("word…")


def test_frames_count_against_the_budget() -> None:
    result = packed([Note(1, "a" * 90, 1.0, "b" * 23)], Settings(characters=200), frame=100)

    assert result == []


def test_no_setting_exceeds_the_hard_limit() -> None:
    notes = [Note(i, "word " * 200, 1.0) for i in range(40)]

    result = packed(notes, Settings(characters=100_000, note=1_000))

    assert HARD - 1_000 < size(result) <= HARD


def test_four_characters_are_a_token() -> None:
    assert [tokens(text) for text in ("", "abc", "abcd", "abcde")] == [0, 1, 1, 2]


@given(st.text(max_size=300), st.integers(0, 120))
def test_a_cut_is_a_beginning_within_its_limit(text: str, limit: int) -> None:
    cut = shortened(text, limit)

    assert len(cut) <= limit
    assert text.strip().startswith(cut.removesuffix("…").rstrip()) or cut == text.strip()


@given(
    st.lists(st.tuples(st.text(max_size=200), st.floats(0, 1), st.integers(0, 30)), max_size=12),
    st.integers(0, 400),
    st.integers(0, 100),
)
def test_the_budget_holds_and_no_note_goes_in_twice(
    rows: list[tuple[str, float, int]], characters: int, frame: int
) -> None:
    notes = [Note(i, text, score, "b" * more) for i, (text, score, more) in enumerate(rows)]

    result = packed(notes, Settings(characters=characters), frame=frame)

    assert frame + size(result) <= max(characters, frame)
    assert len({note.identity for note in result}) == len(result)
