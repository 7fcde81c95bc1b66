"""Trust: the words that may end another's, and the statements that may take another's place."""

from __future__ import annotations

import pytest

from actors.policy.gate.contradiction import Contradiction
from actors.policy.gate.gate import Create, CreateLinked, Reinforce, Supersede, Update
from actors.policy.gate.gate_features import Kind
from actors.policy.statements.trust import SourcedStatement as Told
from actors.policy.statements.trust import (
    is_kept_from,
    is_past,
    is_stated,
    is_users_word,
    left_standing,
    may_change,
    may_stand_for,
    may_succeed,
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


# ---- like ends like: which statement may take another's place


COMMIT = Told("Commit 24a8866 on main: Raise the timeout. It was short.", "commit", "bugfix", "s1")
PULL = Told("A pull request was opened: Raise the timeout.", "pull-request", "bugfix", "s1")
CAUSE = Told("The root cause was the short timeout.", "conclusion", "discovery", "s1")
CHOICE = Told("We decided to raise the timeout to 30 s.", "conclusion", "decision", "s1")
FACT = Told("The timeout is 30 seconds.", "practice", "fact", "s0")
STATE = Told("Session about: the timeout.", "session-summary", "state", "s1")


def answered(question: str, chosen: str) -> Told:
    return Told(f"Asked “{question}”, the user chose: {chosen}", "answer", "decision", "s1")


@pytest.mark.parametrize("old", [PULL, CAUSE, CHOICE, FACT, STATE])
def test_a_change_ends_nothing_but_what_it_amends(old: Told) -> None:
    assert not may_succeed(COMMIT, old)
    assert not may_succeed(old, COMMIT)


def test_an_amended_commit_takes_the_place_of_what_it_was() -> None:
    amended = Told("Commit 99aa001 on main: Raise the timeout. Longer.", "commit", "bugfix", "s2")
    another = Told("Commit 99aa001 on main: Raise the limit.", "commit", "bugfix", "s1")

    assert may_succeed(amended, COMMIT)
    assert not may_succeed(another, COMMIT)


def test_a_cause_is_that_of_one_failure() -> None:
    better = Told("The root cause was the proxy.", "conclusion", "discovery", "s1")
    later = Told("The root cause was the proxy.", "conclusion", "discovery", "s2")
    said = Told("The root cause was the proxy.", "correction", "discovery", "s3")

    assert may_succeed(better, CAUSE)
    assert not may_succeed(later, CAUSE)
    assert may_succeed(said, CAUSE)
    assert not may_succeed(CAUSE, CHOICE)


def test_two_decisions_about_two_questions_live_side_by_side() -> None:
    old = answered("Which database?", "Postgres.")

    assert may_succeed(answered("which database?", "SQLite."), old)
    assert not may_succeed(answered("Which queue?", "Kafka."), old)
    assert not may_succeed(CHOICE, old)
    assert may_succeed(Told("We use SQLite instead of Postgres.", "decision", "decision"), old)


def test_an_agents_decision_ends_one_only_when_it_denies_it() -> None:
    other = Told("We decided to cache the answers of the API.", "conclusion", "decision", "s2")
    denied = Told("We decided not to raise the timeout to 30 s.", "conclusion", "decision", "s2")

    assert not may_succeed(other, CHOICE)
    assert may_succeed(denied, CHOICE)


def test_what_a_file_says_ends_what_the_same_file_said() -> None:
    old = Told("In package.json, the scripts are `test`: jest.", "configuration", "fact")
    new = Told("In package.json, the scripts are `test`: vitest.", "configuration", "fact")
    other = Told("In web/package.json, the scripts are `test`: vitest.", "configuration", "fact")

    assert may_succeed(new, old)
    assert not may_succeed(other, old)


def test_an_account_of_a_failure_ends_nothing_that_holds() -> None:
    told = Told("The timeout bug was there because of the proxy.", "correction", "fact", "s1")

    assert not may_succeed(told, FACT)
    assert may_succeed(Told("The timeout is 60 seconds.", "correction", "fact", "s1"), FACT)


def test_a_session_is_told_of_again_by_itself_alone() -> None:
    assert may_succeed(STATE, STATE)
    assert not may_succeed(Told("The session made a cache.", STATE.source, STATE.kind, "s1"), STATE)
    assert not may_succeed(Told(STATE.text, STATE.source, STATE.kind, "s2"), STATE)


def test_an_item_that_a_later_summary_of_the_session_tells_anew_takes_the_place_of_the_earlier() -> (
    None
):
    def item(text: str, session: str) -> Told:
        return Told(text, "session-summary", "decision", session)

    first = item("Cache discussion: the user chose Redis for the sessions.", "s1")
    fuller = "Cache discussion: the user chose Redis for the sessions and rejected Memcached."

    assert may_succeed(item(fuller, "s1"), first)
    assert not may_succeed(item(fuller, "s2"), first)
    assert not may_succeed(item("Queue discussion: the user chose Kafka.", "s1"), first)
    assert not is_past(first)


def test_by_hand_anything_is_worded_anew() -> None:
    assert may_succeed(Told("The timeout was the proxy's.", "hand", "fact"), COMMIT)


def test_what_is_of_another_matter_stands_for_nothing() -> None:
    assert not may_stand_for(CAUSE, COMMIT)
    assert not may_stand_for(PULL, COMMIT)
    assert may_stand_for(CAUSE, CAUSE)
    assert may_stand_for(Told("The timeout is short.", "fact", "fact"), CAUSE)


def test_what_was_done_and_what_a_session_was_about_is_past() -> None:
    assert [is_past(one) for one in (COMMIT, PULL, STATE, CAUSE, FACT)] == [
        True, True, True, False, False,
    ]  # fmt: skip
