"""The facts that stages go by (K10, K16, K17, K20, K24, K27, K30, K31, K32)."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import stage_facts
from actors.policy.recall.encoding_context import Situation
from actors.policy.recall.stage_facts import (
    Candidate,
    Facts,
    coactive,
    of_channels,
    of_texts,
    regions,
)
from actors.policy.recall.stage_rules import Known
from actors.policy.recall.stage_switches import Settings

DAY = 86_400.0
NOW = Situation(10 * DAY, frozenset({"redis"}), "s1", "shop")
OLD = Candidate(
    "redis holds the sessions", 3, 4, Situation(3 * DAY, frozenset({"redis"}), "s1", "shop")
)
NEW = Candidate("lentil soup", 0, 2, Situation(10 * DAY, frozenset({"soup"}), "s2", "kitchen"))
EVERY = Settings(**{one.name: True for one in fields(Settings)})
NONE = Settings(**{one.name: False for one in fields(Settings)})


def facts_of(on: Settings) -> Facts:
    facts = Facts()
    of_texts(facts, "redis sessions", {"redi": 1.0, "session": 1.0}, {1: OLD, 2: NEW}, NOW, on)
    of_channels(facts, {1: 2.0}, {1: 0.5, 2: 0.75}, {"graph": {2}}, on)
    return facts


def test_for_stages_that_are_off_nothing_is_worked_out() -> None:
    assert facts_of(NONE) == Facts()
    assert facts_of(Settings()) == Facts()


def test_each_stage_has_its_facts() -> None:
    facts = facts_of(EVERY)
    assert facts.ages == {1: 7.0, 2: 0.0}
    assert facts.characters == {1: 24, 2: 11}
    assert facts.uses == {1: (3, 4), 2: (0, 2)}
    assert facts.keyword == {1: 2.0}
    assert facts.cosines == {1: 0.5, 2: 0.75}
    assert facts.channels == {"words": [1], "vectors": [2, 1], "graph": [2]}


def test_a_text_with_the_words_of_the_query_overlaps_and_another_does_not() -> None:
    overlap = facts_of(EVERY).overlap
    assert overlap[1] > 0.3
    assert overlap[2] == 0.0


def test_what_was_made_in_the_same_session_about_the_same_matches_better() -> None:
    contexts = facts_of(EVERY).contexts
    assert contexts[1] > contexts[2]


def test_a_memory_from_the_future_is_not_older_than_now() -> None:
    facts = Facts()
    late = Candidate("x", 0, 0, Situation(NOW.at + DAY))
    of_texts(facts, "x", {}, {1: late}, NOW, Settings(temporal=True))
    assert facts.ages == {1: 0.0}


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


def test_linked_memories_lie_in_one_region() -> None:
    assert regions([(5, 3), (3, 1), (7, 8)]) == {1: 1, 3: 1, 5: 1, 7: 7, 8: 7}


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40))
def test_both_ends_of_every_link_lie_in_the_same_region_named_by_its_least(
    links: list[tuple[int, int]],
) -> None:
    found = regions(links)
    assert all(found[one] == found[other] for one, other in links)
    for name in set(found.values()):
        assert name == min(one for one, region in found.items() if region == name)


def test_what_is_known_already_stays_beside_the_facts() -> None:
    known = facts_of(EVERY).joined(Known(limit=3, past={9}))
    assert known.limit == 3
    assert known.past == {9}
    assert known.ages == {1: 7.0, 2: 0.0}


def test_every_fact_stands_under_a_name_that_the_rules_know() -> None:
    assert {one.name for one in fields(Facts)} <= {one.name for one in fields(Known)}
    assert stage_facts.ALIKE == 0.70
