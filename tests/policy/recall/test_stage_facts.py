"""The facts that stages go by."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest

from actors.policy.recall.encoding_context import Situation
from actors.policy.recall.known import Known
from actors.policy.recall.stage_facts import Candidate, add_of_texts, coactive
from actors.policy.recall.switches import STAGES, Stages, needed

DAY = 86_400.0
NOW = Situation(10 * DAY, frozenset({"redis"}), "s1", "shop")
OLD = Candidate(
    "redis holds the sessions",
    3,
    4,
    Situation(3 * DAY, frozenset({"redis"}), "s1", "shop"),
    "where sessions live",
)
NEW = Candidate("lentil soup", 0, 2, Situation(10 * DAY, frozenset({"soup"}), "s2", "kitchen"))
EVERY = needed(Stages(**dict.fromkeys(STAGES, True)))


def known_of(wanted: Collection[str]) -> Known:
    known = Known("redis sessions")
    rarity = {"redi": 1.0, "session": 1.0}
    add_of_texts(known, wanted, rarity, {1: OLD, 2: NEW}, NOW)
    return known


def test_for_stages_that_are_off_nothing_is_worked_out() -> None:
    assert known_of(needed(Stages())) == Known("redis sessions")


def test_each_stage_has_its_facts() -> None:
    known = known_of(EVERY)

    assert known.ages == {1: 7.0, 2: 0.0}
    assert known.characters == {1: 24, 2: 11}
    assert known.uses == {1: (3, 4), 2: (0, 2)}


def test_a_text_with_the_words_of_the_query_overlaps_and_another_does_not() -> None:
    overlap = known_of(EVERY).overlap

    assert overlap[1] > 0.3
    assert overlap[2] == 0.0


def test_what_was_made_in_the_same_session_about_the_same_matches_better() -> None:
    contexts = known_of(EVERY).contexts

    assert contexts[1] > contexts[2]


def test_a_memory_from_the_future_is_not_older_than_now() -> None:
    known = Known()
    late = Candidate("x", 0, 0, Situation(NOW.at + DAY))

    add_of_texts(known, {"ages"}, {}, {1: late}, NOW)

    assert known.ages == {1: 0.0}


def test_siblings_are_those_of_one_project_that_are_called_alike() -> None:
    elsewhere = replace(OLD, made=replace(OLD.made, project="kitchen"))
    known = Known()

    add_of_texts(known, {"siblings"}, {}, {1: OLD, 2: NEW, 3: OLD, 4: elsewhere}, NOW)

    assert known.siblings == {1: 1, 3: 1}


def test_results_that_are_like_each_other_are_told_so() -> None:
    vectors = {
        1: np.array([1, 0], np.float32),
        2: np.array([0.8, 0.6], np.float32),
        3: np.array([0, 1], np.float32),
    }
    found = coactive(vectors, least=0.7)
    assert set(found) == {1, 2}
    assert found[1] == pytest.approx((0.8,))


def test_one_result_is_like_no_other() -> None:
    assert coactive({1: np.array([1, 0], np.float32)}) == {}
