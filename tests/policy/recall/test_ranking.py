"""From what the channels found to an order and a judgement."""

from __future__ import annotations

import math

import pytest

from actors.policy.recall.candidates import QueryFacts, among, rarity
from actors.policy.recall.evidence import Reason
from actors.policy.recall.ranking import (
    UNREAD,
    Settings,
    asked_with,
    first_order,
    judged_order,
    unread,
)
from actors.policy.text.words import stems

SETTINGS = Settings()


def findings() -> QueryFacts:
    """Two memories: 1 is found by words and meaning, 2 only a little by meaning."""
    return QueryFacts(
        terms=["staging", "port"],
        frequencies={"staging": 1, "port": 2},
        total=100,
        words={1: 4.0},
        cosines={1: 0.7, 2: 0.2},
        with_vector=True,
    )


SAID = {1: stems("the staging database listens on port 5433"), 2: stems("tabs, not spaces")}


def test_the_channels_alone_give_a_first_order() -> None:
    assert [one.memory for one in first_order(findings(), SETTINGS)] == [1, 2]


def test_the_judgement_stands_in_the_order_of_the_ranking() -> None:
    order = judged_order(findings(), SAID, SETTINGS)
    placed, judged = order.candidates, order.verdicts

    assert [one.memory for one in placed] == [1, 2]
    assert [one.relevant for one in judged] == [True, False]
    assert placed[0].why == Reason.MEANING
    assert placed[0].parts["confidence"] > 0.5 > placed[1].parts["confidence"]


def test_a_query_without_telling_words_has_no_share_of_them() -> None:
    found = findings()
    found.terms, found.frequencies = [], {}

    order = judged_order(found, SAID, SETTINGS)
    placed, judged = order.candidates, order.verdicts

    assert placed[0].parts["found"] == 0.0
    assert not any(one.relevant for one in judged)


def test_a_phrase_that_a_person_set_lifts_its_memory_and_is_enough() -> None:
    found = findings()
    found.phrases, found.given = {2: 1}, {2}

    order = judged_order(found, SAID, SETTINGS)
    placed, judged = order.candidates, order.verdicts

    second = next(one for one in placed if one.memory == 2)
    assert second.parts["bonus"] > 0
    assert 2 in {one.identity for one in judged if one.relevant}


def test_there_is_an_answer_for_sure_where_a_phrase_calls_the_first_and_none_where_nothing_is() -> (
    None
):
    found = findings()
    found.phrases, found.given = {1: 1}, {1}

    assert judged_order(found, SAID, SETTINGS).answered == 1.0
    assert judged_order(QueryFacts(), {}, SETTINGS).answered == 0.0


def test_those_not_read_stand_below_the_last_one_read_in_their_order() -> None:
    found = findings()

    placed = unread(first_order(found, SETTINGS), 0.3, found)

    assert [one.memory for one in placed] == [1, 2]
    assert 0.3 > placed[0].score > placed[1].score > 0
    assert placed[0].why == UNREAD


def test_what_was_suppressed_comes_later_by_what_is_left_of_its_score() -> None:
    """Two memories alike, the first one suppressed once."""
    findings = QueryFacts(words={1: 2.0, 2: 1.9}, remaining={1: 0.5})
    plain = QueryFacts(words={1: 2.0, 2: 1.9})
    settings = SETTINGS
    first = {one.memory: one.score for one in first_order(plain, settings)}
    lowered = first_order(findings, settings)

    assert [one.memory for one in lowered] == [2, 1]
    assert lowered[1].score == first[1] * 0.5


def test_a_rare_word_of_the_query_weighs_more_than_a_common_one() -> None:
    found = QueryFacts(terms=["port", "tab"], frequencies={"port": 1, "tab": 97}, total=98)

    weights = rarity(found)

    assert weights == pytest.approx({"port": math.log1p(49.0), "tab": math.log1p(1.0)})


def test_what_holds_the_very_thing_that_was_named_leads() -> None:
    found = QueryFacts(terms=["port"], frequencies={"port": 2}, total=100, words={1: 1.0, 2: 0.7})
    said = {1: stems("port one"), 2: stems("port two")}

    found.literal = {2}

    assert [one.memory for one in judged_order(found, said, SETTINGS).candidates] == [2, 1]


def test_what_is_of_the_time_that_was_asked_for_gains_half_of_its_score() -> None:
    found = QueryFacts(terms=["port"], frequencies={"port": 2}, total=100, words={1: 1.0, 2: 0.7})
    said = {1: stems("port one"), 2: stems("port two")}

    found.timely = {1: 0.0, 2: 1.0}

    placed = judged_order(found, said, SETTINGS).candidates
    assert [one.memory for one in placed] == [2, 1]
    assert [(term.name, term.times) for term in placed[0].terms if term.times != 1] == [
        ("time", 1.5)
    ]


# ---- ways of fusing

TEXTS = {
    1: frozenset({"whale", "port"}),
    2: frozenset({"whale", "squid", "harbour"}),
    3: frozenset({"port"}),
}


def disagreeing() -> QueryFacts:
    """Words and vectors disagree: the one has 1 before 2, the other 2 before 1."""
    return QueryFacts(
        terms=["whale", "port"],
        frequencies={"whale": 2, "port": 2},
        total=10,
        words={1: 9.0, 2: 3.0, 3: 1.0},
        cosines={2: 0.9, 1: 0.5, 3: 0.2},
        with_vector=True,
        places={1: ("t", 1), 3: ("t", 2)},
    )


def fused_by(method: str) -> Settings:
    return asked_with(Settings(), {method})


def test_each_way_has_scores_of_its_own() -> None:
    def scores(method: str) -> tuple[float, ...]:
        order = judged_order(disagreeing(), TEXTS, fused_by(method))
        return tuple(one.score for one in order.candidates)

    ways = ("scores", "ranks", "relative")
    assert len({scores(method) for method in ways}) == len(ways)


def test_what_ended_is_dropped_from_all_that_the_channels_found() -> None:
    known = QueryFacts(words={1: 2.0, 2: 1.0}, cosines={2: 0.5}, given={1, 2}, literal={2})

    known.keep({1})

    assert known == QueryFacts(words={1: 2.0}, given={1})


def test_values_of_others_are_left_out() -> None:
    assert among({1: "a", 2: "b"}, {2, 3}) == {2: "b"}
