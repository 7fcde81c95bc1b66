"""Which matches become hints, and what a hint says."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from daemon.requests.about import MatchView
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


def test_a_muted_memory_gets_no_hint() -> None:
    assert chosen([at(1, "m1")], min_score=0.0, most=3, muted={"m1"}) == []


def test_a_line_gets_the_hint_of_its_best_match() -> None:
    places = [at(1, "good", 0.7), at(1, "best", 0.9)]

    assert ids(chosen(places, min_score=0.0, most=3, muted=())) == ["best"]


def test_a_memory_is_hinted_at_once_where_it_is_mentioned_often() -> None:
    places = [at(line, "m1") for line in (3, 4, 40, 3 + WINDOW)]

    assert [p.line for p in chosen(places, min_score=0.0, most=3, muted=())] == [3, 3 + WINDOW]


def test_the_best_of_a_window_are_hinted_at() -> None:
    places = [at(line, f"m{line}", score=line / 10) for line in range(10)]

    assert ids(chosen(places, min_score=0.0, most=3, muted=())) == ["m7", "m8", "m9"]


def test_no_hints_at_all_can_be_wanted() -> None:
    assert chosen([at(1, "m1")], min_score=0.0, most=0, muted=()) == []


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


def test_a_label_does_not_turn_the_line_around() -> None:
    assert label(memory_with("a\u202eb\x1b[31m\u2066c", "text")) == "· ab[31mc"


@given(st.text(max_size=200))
def test_a_label_is_short_and_on_one_line(title: str) -> None:
    words = label(memory_with(title, "text"))

    assert len(words) <= LABEL
    assert len(words.splitlines()) <= 1


def test_a_hint_stands_before_the_line_ending() -> None:
    shown = hint(at(4, "m1"), "漢😀 x\r\n", "utf-16", "tip")

    assert (shown.position.line, shown.position.character) == (4, 5)
    assert shown.padding_left is True


def memory_with(title: str, text: str) -> MatchView:
    return msgspec.structs.replace(memory(), title=title, text=text)


def test_memories_of_one_phrase_leave_room_for_those_of_another() -> None:
    crowd = [at(line, f"m{line}", 0.9) for line in range(10)]
    about_else = msgspec.structs.replace(memory(id_="other", score=0.6), phrase="another one")
    other = Place(11, 0, 11, 1, about_else)

    assert "other" in ids(chosen([*crowd, other], min_score=0.0, most=3, muted=()))
