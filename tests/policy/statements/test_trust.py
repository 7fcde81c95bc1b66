"""Whose word ends whose."""

from __future__ import annotations

import pytest

from actors.policy.gate.contradiction import Contradiction
from actors.policy.gate.gate import Create, CreateLinked, Reinforce, Supersede, Update
from actors.policy.gate.gate_features import Kind
from actors.policy.statements.trust import (
    is_kept_from,
    is_stated,
    is_users_word,
    left_standing,
    may_change,
    softened,
)


@pytest.mark.parametrize(
    ("source", "target", "kept"),
    [
        pytest.param("conclusion", "hand", True, id="an agent's sentence of what a person wrote"),
        pytest.param("commit", "decision", True, id="a commit of what a person said"),
        pytest.param("conclusion", "commit", False, id="an agent's sentence of what was noticed"),
        pytest.param("correction", "hand", False, id="a person's prompt of what was remembered"),
    ],
)
def test_an_agents_words_end_nothing_of_a_persons(source: str, target: str, kept: bool) -> None:
    assert is_kept_from(source, target=target, tier="normal", pinned=False) is kept


@pytest.mark.parametrize(("tier", "pinned"), [("constitutional", False), ("normal", True)])
def test_what_is_pinned_or_of_a_high_tier_is_ended_by_hand_only(tier: str, pinned: bool) -> None:
    assert is_kept_from("correction", target="hand", tier=tier, pinned=pinned)
    assert not is_kept_from("hand", target="hand", tier=tier, pinned=pinned)


def test_a_rule_for_prompts_is_a_users_word_and_a_rule_for_tools_is_not() -> None:
    assert is_users_word("decision")
    assert is_users_word("fact")  # of a rule of earlier versions
    assert not is_users_word("commit")


def test_stated_is_what_a_person_said_or_chose_and_what_was_noticed_once_it_is_confirmed() -> None:
    assert all(map(is_stated, ("hand", "import", "decision", "answer", "plan")))
    assert not is_stated("conclusion")
    assert is_stated("conclusion", 0.6)


@pytest.mark.parametrize(
    ("target", "confidence", "tier", "pinned", "may"),
    [
        ("agent", 0.45, "normal", False, True),
        ("commit", 0.45, "normal", False, True),
        ("agent", 0.6, "normal", False, False),
        ("agent", 0.45, "critical", False, False),
        ("agent", 0.45, "normal", True, False),
        ("hand", 0.5, "normal", False, False),
        ("decision", 0.5, "normal", False, False),
    ],
)
def test_an_agent_changes_only_what_no_person_stated_confirmed_or_keeps(
    target: str, confidence: float, tier: str, pinned: bool, may: bool
) -> None:
    assert may_change(target=target, confidence=confidence, tier=tier, pinned=pinned) is may


def test_a_softened_decision_links_and_keeps_the_contradiction() -> None:
    found = Contradiction(Kind.NEGATION, 0.6)

    soft = softened(Supersede(7, found, "because", 0.9), {7}, "kept")

    assert isinstance(soft, CreateLinked)
    assert (soft.target, soft.similarity, soft.contradiction) == (7, 0.9, found)

    update = softened(Update(7, "because", 0.9), {7}, "kept")

    assert isinstance(update, CreateLinked)
    assert update.contradiction is None


def test_other_decisions_and_other_targets_stay_as_they_are() -> None:
    create, update = Create("nothing similar"), Update(8, "because", 0.9)

    assert softened(create, {7}, "kept") is create
    assert softened(update, {7}, "kept") is update


@pytest.mark.parametrize(
    ("tier", "pinned", "left"),
    [("normal", False, False), ("important", False, False), ("normal", True, True),
     ("critical", False, True), ("constitutional", False, True)],
)  # fmt: skip
def test_what_is_protected_is_no_copy_of_another(tier: str, pinned: bool, left: bool) -> None:
    found = left_standing(Reinforce(7, "the same", 0.99), tier=tier, pinned=pinned)

    assert isinstance(found, CreateLinked) is left
    assert isinstance(found, CreateLinked | Reinforce)
    assert found.target == 7


def test_other_decisions_about_what_is_protected_stay() -> None:
    update = Update(7, "because", 0.9)

    assert left_standing(update, tier="critical", pinned=True) is update
