"""What a hover says, and about which memories."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp.documents import Place
from lsp.hints import LINKS, age, asked, hover_text
from tests.lsp.test_documents import memory
from tests.lsp.test_hints import memory_with


def at(start: int, end: int, id_: str, score: float = 0.9) -> Place:
    return Place(4, start, 4, end, memory(id_=id_, score=score))


PLACES = [at(2, 5, "m1"), at(8, 12, "m2", 0.3)]


def ids(places: list[Place]) -> list[str]:
    return [place.memory.id for place in places]


def test_the_match_under_the_pointer_is_meant() -> None:
    assert ids(asked(PLACES, 4, 9, "line", min_score=0.5)) == ["m2"]


def test_elsewhere_on_the_line_its_strong_matches_are_meant() -> None:
    assert ids(asked(PLACES, 4, 20, "line", min_score=0.5)) == ["m1"]
    assert asked(PLACES, 4, 20, "word", min_score=0.5) == []


def test_each_name_of_a_line_is_told_before_one_is_told_twice() -> None:
    crowd = [at(2, 5, f"m{n}", 0.95) for n in range(60)]
    only = Place(4, 8, 4, 12, msgspec.structs.replace(memory(id_="only"), phrase="ledger"))

    first, second, *_ = ids(asked([*crowd, only], 4, 20, "line", min_score=0.5))

    assert (first, second) == ("m0", "only")


def test_one_memory_matched_twice_is_told_once_at_its_best() -> None:
    twice = [at(0, 3, "m1", 0.6), at(0, 3, "m1", 0.8)]

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
