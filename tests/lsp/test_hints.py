"""Which matches become hints, and what a hint says."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.shapes.memory import MatchView
from lsp.documents import Place
from lsp.hints import LABEL, WINDOW, chosen, hint, label
from tests.lsp.test_documents import memory


def at(line: int, id_: str, score: float = 0.9) -> Place:
    return Place(line, 0, line, 1, memory(id_=id_, score=score))


def ids(places: list[Place]) -> list[str]:
    return [place.memory.id for place in places]


def test_weak_matches_get_no_hint() -> None:
    places = [at(1, "weak", 0.4), at(2, "strong", 0.5)]

    assert ids(chosen(places, min_score=0.5, most=3, muted=())) == ["strong"]


def test_a_line_gets_the_hint_of_its_best_match() -> None:
    places = [at(1, "good", 0.7), at(1, "best", 0.9)]

    assert ids(chosen(places, min_score=0.0, most=3, muted=())) == ["best"]


def test_a_name_that_calls_one_memory_is_hinted_at_beside_one_that_calls_sixty() -> None:
    def named(phrase: str, id_: str, made: float) -> Place:
        known = memory(id_=id_, score=1.0)
        return Place(1, 0, 1, 1, msgspec.structs.replace(known, phrase=phrase, created_at=made))

    crowd = [named("gateway", f"m{n}", 100.0 + n) for n in range(60)]

    places = [*crowd[:30], named("ledger", "only", 1.0), *crowd[30:]]

    assert ids(chosen(places, min_score=0.75, most=3, muted=())) == ["only"]


def test_a_memory_is_hinted_at_once_in_a_file_where_it_scores_best() -> None:
    places = [at(3, "m1", 0.8), at(40, "m1"), at(41, "m1"), at(3 + WINDOW, "m1")]

    assert [p.line for p in chosen(places, min_score=0.0, most=3, muted=())] == [40]


def test_the_best_of_a_window_are_hinted_at() -> None:
    places = [at(line, f"m{line}", score=line / 10) for line in range(10)]

    assert ids(chosen(places, min_score=0.0, most=3, muted=())) == ["m7", "m8", "m9"]


@given(
    st.lists(st.tuples(st.integers(0, 300), st.integers(0, 5), st.floats(0, 1)), max_size=60),
    st.integers(0, 4),
)
def test_no_window_has_more_hints_than_wanted(
    rows: list[tuple[int, int, float]], most: int
) -> None:
    places = [at(line, f"m{id_}", score) for line, id_, score in rows]

    lines = [place.line for place in chosen(places, min_score=0.3, most=most, muted=())]

    assert all(
        sum(first <= line < first + WINDOW for line in lines) <= most for first in range(300)
    )
    assert len(set(lines)) == len(lines)


def test_a_label_is_the_title_else_the_text_on_one_line() -> None:
    assert label(memory_with("Retries: at most 3", "long text")) == "· Retries: at most 3"
    assert label(memory_with("", "two\n lines")) == "· two lines"


def test_a_label_says_that_what_it_is_about_changed_and_keeps_its_length() -> None:
    stale = msgspec.structs.replace(memory_with("t" * 60, ""), stale="charge in pay.py is gone")

    assert label(stale) == "· " + "t" * 29 + "… (stale)"
    assert len(label(stale)) == LABEL


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("`Client.close` closes once", "· closes once"),
        ("Client.close: never twice", "· never twice"),
        ("Client.closes is another", "· Client.closes is another"),
        ("Client.close", "· Client.close"),
        ("Never call Client.close", "· Never call Client.close"),
    ],
)
def test_a_label_leaves_out_the_symbol_that_its_line_defines(title: str, words: str) -> None:
    at_home = msgspec.structs.replace(memory_with(title, ""), phrase="Client.close", anchored=True)

    assert label(at_home) == words
    assert label(msgspec.structs.replace(at_home, anchored=False)) == f"· {title}"


def test_a_label_does_not_turn_the_line_around() -> None:
    assert label(memory_with("a\u202eb\x1b[31m\u2066c", "text")) == "· ab[31mc"


def test_a_hint_stands_before_the_line_ending() -> None:
    shown = hint(at(4, "m1"), "漢😀 x\r\n", "utf-16", "tip")

    assert (shown.position.line, shown.position.character) == (4, 5)
    assert shown.padding_left is True


def memory_with(title: str, text: str) -> MatchView:
    return msgspec.structs.replace(memory(), title=title, text=text)


def test_of_memories_about_one_definition_the_newest_is_hinted_at() -> None:
    crowd = [
        Place(4, 0, 4, 1, msgspec.structs.replace(memory(id_=f"m{n}"), created_at=float(n)))
        for n in range(60)
    ]

    assert ids(chosen([*crowd, at(11, "other")], min_score=0.0, most=3, muted=())) == [
        "m59",
        "other",
    ]
