"""Hints: the matches that become one, its words, and those of a hover."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.shapes.memory import MatchView
from lsp.documents import Place
from lsp.hints import LABEL, LINKS, WINDOW, age, asked, chosen, hint, hover_text, label
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


# ---- what a hover says, and about which memories


def under(start: int, end: int, id_: str, score: float = 0.9) -> Place:
    return Place(4, start, 4, end, memory(id_=id_, score=score))


PLACES = [under(2, 5, "m1"), under(8, 12, "m2", 0.3)]


def test_the_match_under_the_pointer_is_meant() -> None:
    assert ids(asked(PLACES, 4, 9, "line", min_score=0.5)) == ["m2"]


def test_elsewhere_on_the_line_its_strong_matches_are_meant() -> None:
    assert ids(asked(PLACES, 4, 20, "line", min_score=0.5)) == ["m1"]
    assert asked(PLACES, 4, 20, "word", min_score=0.5) == []


def test_each_name_of_a_line_is_told_before_one_is_told_twice() -> None:
    crowd = [under(2, 5, f"m{n}", 0.95) for n in range(60)]
    only = Place(4, 8, 4, 12, msgspec.structs.replace(memory(id_="only"), phrase="ledger"))

    first, second, *_ = ids(asked([*crowd, only], 4, 20, "line", min_score=0.5))

    assert (first, second) == ("m0", "only")


def test_one_memory_matched_twice_is_told_once_at_its_best() -> None:
    twice = [under(0, 3, "m1", 0.6), under(0, 3, "m1", 0.8)]

    (best,) = asked(twice, 4, 1, "line", min_score=0.5)

    assert best.memory.score == 0.8


def test_a_hover_tells_text_reason_and_age() -> None:
    text = hover_text([memory()], now=3 * 86400.0)

    assert text == (
        "```text\nfact\nt\nbecause of “p” · fact · 3 days ago · remembered by hand\n```"
    )


def test_a_name_has_no_backslash_where_an_editor_would_show_it() -> None:
    about = msgspec.structs.replace(memory(), phrase="_charge_card", stale="_charge_card changed")

    assert "\\" not in hover_text([about], now=0.0)
    assert r"\_charge\_card" in hover_text([about], now=0.0, links=True)  # VS Code renders it


def test_a_title_that_the_text_begins_with_is_not_told_twice() -> None:
    text = hover_text([memory_with("Retry three…", "Retry three times.")], now=0.0)

    assert text.splitlines()[:2] == ["```text", "Retry three times."]


def test_links_come_last_and_name_only_our_commands() -> None:
    text = hover_text([memory_with("[a](command:rm)", "[x](command:rm)")], now=0.0, links=True)

    said, _, links = text.rpartition("\n\n")
    assert re.findall(r"\[([^]]+)\]\(command:([\w.]+)\?", links) == list(LINKS.items())
    assert said.splitlines()[0] == r"**\[a\](command:rm)**"
    assert said.splitlines()[1] == "```text"  # and what is within is no markup


def test_markup_in_a_memory_stays_text() -> None:
    markup = memory_with("![x](http://a/b.png)", "````\n![x](http://a/b.png)")
    lines = hover_text([markup], now=0.0).splitlines()
    rendered = hover_text([markup], now=0.0, links=True).splitlines()

    assert (lines[0], lines[-1]) == ("`````text", "`````")
    assert rendered[:2] == [r"**\!\[x\](http://a/b.png)**", "`````text"]
    assert rendered[-4] == "`````"


@given(st.lists(st.text(max_size=2000), min_size=1, max_size=5))
def test_a_hover_has_at_most_twelve_lines(texts: list[str]) -> None:
    shown = hover_text([memory_with("title", text) for text in texts], now=0.0)

    assert len(shown.split("\n")) <= 12


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (7200, "2 hours ago"),
        (86400 * 45, "1 month ago"),
        (86400 * 800, "2 years ago"),
    ],
)
def test_an_age_is_told_in_words(seconds: float, words: str) -> None:
    assert age(seconds) == words
