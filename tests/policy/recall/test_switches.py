"""The channels and stages of recall, declared once, and switches as one question has them."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.graph.activation import Breadth
from actors.policy.recall import ranking
from actors.policy.recall.composite import Score
from actors.policy.recall.fusion_methods import Method
from actors.policy.recall.known import Known
from actors.policy.recall.switches import (
    CHANNELS,
    HOW,
    STAGES,
    Channels,
    Stages,
    needed,
    of_prompts,
    selected,
    switched,
)

EVERYTHING = Stages(**dict.fromkeys(STAGES, True))
SOME_CHANNELS = st.sets(st.sampled_from(sorted(CHANNELS)))
SOME_STAGES = st.sets(st.sampled_from(sorted(STAGES)))


def test_each_is_declared_with_a_line_of_meaning() -> None:
    assert list(CHANNELS) == [one.name for one in fields(Channels)]
    assert list(STAGES) == list(HOW) == [one.name for one in fields(Stages)]
    assert all({**CHANNELS, **STAGES}.values())


def test_each_stage_scores_or_arranges_and_its_needs_are_known() -> None:
    """Co-activation is part of the boosts, which are one stage under one ceiling."""
    known = {one.name for one in fields(Known)}

    for name, how in HOW.items():
        assert (how.scoring is None) != (how.arranging is None) or name == "coactivation"
        assert how.needs in {*known, ""}


def test_stages_that_change_scores_come_before_those_that_arrange() -> None:
    kinds = [how.scoring is None for _, how in selected(EVERYTHING)]

    assert kinds == sorted(kinds)


def test_the_stages_of_the_documents_stand_in_their_order() -> None:
    theirs = [
        "keyword_first", "rerank", "temporal", "accessibility", "context", "competition",
        "interference", "novelty", "confidence",
    ]  # fmt: skip

    assert [name for name, _ in selected(EVERYTHING) if name in theirs] == theirs


def test_precise_looks_at_what_is_found_alone_and_exhaustive_hides_nothing() -> None:
    runs = {mode: {name for name, _ in selected(EVERYTHING, mode)} for mode in Breadth}

    assert runs[Breadth.BALANCED] == {*STAGES} - {"coactivation"}
    assert runs[Breadth.BALANCED] - runs[Breadth.PRECISE] == {
        "context", "competition", "diversity", "regions",
    }  # fmt: skip
    assert runs[Breadth.BALANCED] - runs[Breadth.EXHAUSTIVE] == {"competition", "confidence"}


def test_what_did_not_help_is_off() -> None:
    assert [name for name in CHANNELS if getattr(Channels(), name)] == [
        "words", "vectors", "phrases", "tokens", "neighbours", "graph", "spelling", "anchors",
    ]  # fmt: skip
    assert [name for name in STAGES if getattr(Stages(), name)] == [
        "past", "label", "literal", "time", "together", "graph", "degree", "noticed",
        "suppression", "succession",
    ]  # fmt: skip


def test_what_is_on_by_default_needs_no_facts_of_its_own() -> None:
    assert needed(Stages()) == frozenset()
    assert needed(Stages(rerank=True, diversity=True)) == {"overlap", "vectors"}


def test_a_prompt_has_every_stage_but_those_of_searches() -> None:
    on = {name for name in STAGES if getattr(of_prompts(EVERYTHING), name)}

    assert {*STAGES} - on == {"diversity", "regions", "representation"}
    assert of_prompts(Stages()) == Stages()


@given(SOME_STAGES, SOME_STAGES)
def test_a_question_has_what_it_names_and_everything_else_as_it_is(
    off: set[str], on: set[str]
) -> None:
    usual = Stages()

    asked = switched(usual, off=off, on=on)

    for name in STAGES:
        expected = False if name in off else True if name in on else getattr(usual, name)
        assert getattr(asked, name) is expected


@given(SOME_CHANNELS)
def test_one_question_does_without_what_it_names_and_nothing_else(names: set[str]) -> None:
    everything = switched(Channels(), on=CHANNELS)

    left = switched(everything, off=names)

    assert {name for name in CHANNELS if getattr(left, name)} == {*CHANNELS} - names


def test_a_name_that_is_no_switch_changes_nothing() -> None:
    assert switched(Channels(), off={"wishes"}) == Channels()
    assert ranking.asked_with(ranking.Settings(), {"wishes"}, {"dreams"}) == ranking.Settings()


@pytest.mark.parametrize("name", sorted(ranking.SWITCHES - {Method.SCORES, Score.FUSED}))
def test_every_switch_can_be_turned_for_one_question(name: str) -> None:
    usual = ranking.Settings()

    turned = (ranking.asked_with(usual, {name}), ranking.asked_with(usual, (), {name}))

    assert [one != usual for one in turned].count(True) in {1, 2}


def test_who_asks_for_a_part_of_the_boosts_has_them() -> None:
    asked = ranking.asked_with(ranking.Settings(), {"causes"})

    assert (asked.channels.causes, asked.stages.boosts) == (True, True)


def test_without_the_way_that_is_set_the_shipped_one_holds() -> None:
    chosen = ranking.Settings(method=Method.RANKS, score=Score.COMPOSITE)

    assert ranking.asked_with(chosen, (), {"ranks", "composite"}) == ranking.Settings()
    assert ranking.asked_with(chosen, {"relative"}).method is Method.RELATIVE
    assert ranking.asked_with(chosen, (), {"relative"}) == chosen
