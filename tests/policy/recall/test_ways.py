"""The table of the ways and stages of recall, and how one question or a setting switches them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import ranking
from actors.policy.recall.ways import DEFAULT, FUSIONS, NAMES, SCORES, STAGE, TABLE, stages, turned

EVERY_STAGE = frozenset(way.name for way in TABLE if way.kind == STAGE)
EITHER = {*FUSIONS, *SCORES}
SOME = st.sets(st.sampled_from(sorted(way.name for way in TABLE if way.name not in EITHER)))


def test_each_row_has_a_name_of_its_own_and_says_what_it_is() -> None:
    names = [way.name for way in TABLE]

    assert len(set(names)) == len(names)
    assert all(way.says for way in TABLE)
    assert {way.name for way in TABLE if way.rule is not None} == EVERY_STAGE


def test_stages_that_change_scores_come_before_those_that_arrange() -> None:
    names = [name for name, _ in stages(EVERY_STAGE)]

    assert names[-3:] == ["confidence", "diversity", "representation"]
    assert names[:2] == ["rerank", "past"]


@given(SOME, SOME)
def test_a_question_has_what_it_names_and_everything_else_as_it_is(
    off: set[str], on: set[str]
) -> None:
    assert turned(DEFAULT, on, off) == (DEFAULT | on) - off


@pytest.mark.parametrize("name", sorted(NAMES - {"scores", "fused"}))
def test_every_switch_can_be_turned_for_one_question(name: str) -> None:
    usual = ranking.Settings()
    ways = (ranking.asked_with(usual, {name}), ranking.asked_with(usual, (), {name}))

    assert [one != usual for one in ways].count(True) == 1


def test_of_the_ways_to_fuse_one_is_on_and_without_it_the_shipped_one_holds() -> None:
    chosen = ranking.asked_with(ranking.Settings(), {"ranks", "composite"})

    assert chosen.method == "ranks"
    assert {*SCORES} & chosen.on == {"composite"}
    assert ranking.asked_with(chosen, (), {"ranks", "composite"}) == ranking.Settings()
    assert ranking.asked_with(chosen, {"relative"}).method == "relative"
    assert ranking.asked_with(chosen, (), {"relative"}) == chosen
