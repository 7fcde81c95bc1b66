"""From what the channels found to an order and a judgement (K01, K28, F08)."""

from __future__ import annotations

from actors.policy.evidence import Reason
from actors.policy.ranking import (
    UNREAD,
    Findings,
    Settings,
    first_order,
    judged_order,
    unread,
)
from actors.policy.words import stems

SETTINGS = Settings()


def findings() -> Findings:
    """Two memories: 1 is found by words and meaning, 2 only a little by meaning."""
    return Findings(
        terms=["staging", "port"],
        frequencies={"staging": 1, "port": 2},
        memories=100,
        words={1: 4.0},
        cosines={1: 0.7, 2: 0.2},
        with_vector=True,
    )


SAID = {1: stems("the staging database listens on port 5433"), 2: stems("tabs, not spaces")}


def test_the_channels_alone_give_a_first_order() -> None:
    assert [one.identity for one in first_order(findings(), SETTINGS)] == [1, 2]


def test_the_judgement_stands_in_the_order_of_the_ranking() -> None:
    placed, judged = judged_order(findings(), SAID, SETTINGS)

    assert [one.identity for one in placed] == [1, 2]
    assert judged.shown == (1,)
    assert placed[0].why == Reason.MEANING
    assert placed[0].parts["confidence"] > 0.5 > placed[1].parts["confidence"]


def test_the_parts_of_a_score_sum_to_it() -> None:
    placed, _ = judged_order(findings(), SAID, SETTINGS)

    for one in placed:
        shares = ("words", "vectors", "found", "neighbours", "bonus")
        assert abs(sum(one.parts[share] for share in shares) - one.score) < 1e-9


def test_raw_figures_of_channels_that_found_nothing_are_left_out() -> None:
    placed, _ = judged_order(findings(), SAID, SETTINGS)

    assert placed[0].parts["word_score"] == 4.0
    assert "word_score" not in placed[1].parts


def test_without_a_vector_the_words_are_judged_alone() -> None:
    found = findings()
    found.cosines, found.with_vector = {}, False

    _, judged = judged_order(found, SAID, SETTINGS)

    assert judged.verdicts[0].reason in (Reason.WORDS, Reason.DISTANT)


def test_a_query_without_telling_words_has_no_share_of_them() -> None:
    found = findings()
    found.terms, found.frequencies = [], {}

    placed, judged = judged_order(found, SAID, SETTINGS)

    assert placed[0].parts["found"] == 0.0
    assert not judged.relevant


def test_a_phrase_that_a_person_set_lifts_its_memory_and_is_enough() -> None:
    found = findings()
    found.phrases, found.given = {2: 1}, {2}

    placed, judged = judged_order(found, SAID, SETTINGS)

    second = next(one for one in placed if one.identity == 2)
    assert second.parts["bonus"] > 0
    assert 2 in judged.shown


def test_what_the_session_attends_to_comes_sooner() -> None:
    found = Findings(terms=["port"], frequencies={"port": 2}, memories=100, words={1: 1.0, 2: 0.99})
    said = {1: stems("port one"), 2: stems("port two")}
    assert [one.identity for one in judged_order(found, said, SETTINGS)[0]] == [1, 2]

    found.held = {2: 1.0}

    assert [one.identity for one in judged_order(found, said, SETTINGS)[0]] == [2, 1]


def test_what_ended_is_dropped_from_every_channel() -> None:
    found = findings()
    found.phrases, found.given = {1: 1, 2: 1}, {2}

    found.keep({1})

    assert (set(found.words), set(found.cosines), set(found.phrases)) == ({1}, {1}, {1})
    assert found.given == set()


def test_those_not_read_stand_below_the_last_one_read_in_their_order() -> None:
    rest = first_order(findings(), SETTINGS)

    placed = unread(rest, 0.3)

    assert [one.identity for one in placed] == [1, 2]
    assert 0.3 > placed[0].score > placed[1].score > 0
    assert placed[0].why == UNREAD
