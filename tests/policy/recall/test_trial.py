"""Features on trial: who has them, and what they make of an order."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import trial
from actors.policy.recall.ranking import Placed
from actors.policy.recall.trial import Candidate, Enabled, Settings

ABC = "abc"  # falls into bucket 54


def placed(**scores: float) -> list[Placed]:
    return [Placed(int(name[1:]), score, "", {}) for name, score in scores.items()]


def look(
    identity: int, title: str = "", age_hours: float = 1_000.0, folder: str = "p"
) -> Candidate:
    return Candidate(identity, age_hours, folder, title)


def test_every_switch_is_one_that_an_installation_has_or_not() -> None:
    switches = {field.name for field in fields(Settings)} - {"percent"}

    assert switches == {field.name for field in fields(Enabled)}
    assert trial.enabled(Settings(), ABC) == Enabled()


@pytest.mark.parametrize(
    ("switch", "percent", "expected"),
    [
        (False, 100.0, False),
        (True, 100.0, True),
        (True, 54.0, False),
        (True, 55.0, True),
        (55.0, 0.0, True),  # a percentage of its own is asked before that of all
        (54.0, 100.0, False),
        (0.0, 100.0, False),
        (False, 0.0, False),
    ],
)
def test_false_switches_off_true_leaves_it_to_the_percentage_and_a_number_is_one(
    switch: trial.Switch, percent: float, expected: bool
) -> None:
    found = trial.enabled(Settings(percent=percent, novelty=switch), ABC)

    assert found.novelty is expected


@given(st.text(min_size=1), st.floats(0, 100), st.floats(0, 100))
def test_raising_a_percentage_only_adds(identity: str, one: float, other: float) -> None:
    low, high = sorted((one, other))
    before = trial.enabled(Settings(novelty=low), identity).novelty
    after = trial.enabled(Settings(novelty=high), identity).novelty

    assert after >= before


def test_nothing_changes_while_everything_on_trial_is_off() -> None:
    order = placed(m1=0.9, m2=0.5)

    assert trial.adjusted(order, {}, Enabled()) == order


def test_what_is_new_comes_sooner_and_says_why() -> None:
    looks = {1: look(1), 2: look(2, age_hours=12.0)}
    first, second = trial.adjusted(placed(m1=0.54, m2=0.5), looks, Enabled(novelty=True))

    assert (first.identity, second.identity) == (2, 1)
    assert first.score == pytest.approx(0.555182, abs=1e-6)
    assert first.parts == {"novelty": pytest.approx(0.055182, abs=1e-6)}
    assert second.parts == {"novelty": 0.0}


def test_memories_that_say_much_the_same_yield_to_another() -> None:
    looks = {
        1: look(1, "deploys with alembic"),
        2: look(2, "deploys with alembic"),
        3: look(3, "indents with tabs"),
        4: look(4, "deploys with alembic", folder="q"),
    }
    order = placed(m1=0.60, m2=0.58, m3=0.55, m4=0.54)
    found = trial.adjusted(order, looks, Enabled(interference=True))

    assert [one.identity for one in found] == [3, 4, 1, 2]
    assert [round(one.parts["interference"], 6) for one in found] == [0.0, 0.0, -0.08, -0.08]


def test_what_yields_for_being_alike_may_still_be_lifted_for_being_new() -> None:
    looks = {1: look(1, "same old words", 0.0), 2: look(2, "same old words", 0.0)}
    found = trial.adjusted(placed(m1=0.5, m2=0.4), looks, Enabled(novelty=True, interference=True))

    assert [round(one.score, 6) for one in found] == [0.57, 0.47]
    assert found[0].parts == {
        "interference": pytest.approx(-0.08),
        "novelty": pytest.approx(0.15),
    }


@pytest.mark.parametrize(
    ("identity", "expected"),
    [
        ("", 0),
        ("a", 97),
        ("ab", 5),  # 97 * 31 + 98 = 3105
        ("abc", 54),  # 3105 * 31 + 99 = 96354
        # Seven letters pass 2^32; the remainder is of what 32 bits hold, 215481018.
        ("zzzzzzz", 18),
        ("\N{ROCKET}", 27),  # two UTF-16 units: 55357 * 31 + 56960 = 1773027
    ],
)
def test_the_bucket_of_an_identity(identity: str, expected: int) -> None:
    assert trial.bucket(identity) == expected


@given(st.text())
def test_a_bucket_is_one_of_a_hundred(identity: str) -> None:
    assert 0 <= trial.bucket(identity) < 100


@pytest.mark.parametrize("identity", [None, ""])
def test_without_an_identity_it_is_on_unless_nobody_has_it(identity: str | None) -> None:
    assert trial.enabled(Settings(percent=1.0, novelty=True), identity).novelty
    assert not trial.enabled(Settings(percent=0.0, novelty=True), identity).novelty


@pytest.mark.parametrize(
    ("hours", "expected"),
    [
        (0, 0.15),
        (8.318, 0.075),
        (12, 0.055182),
        (24, 0.0203),
        (48, 0.002747),
        (48.01, 0),
        (-1, 0.15),
    ],
)
def test_being_new_adds_with_a_time_constant_of_twelve_hours(hours: float, expected: float) -> None:
    assert trial.novelty_boost(hours) == pytest.approx(expected, abs=1e-5)


def test_novelty_lifts_to_95_at_most_and_lowers_nothing() -> None:
    assert trial.with_novelty(0.5, 0) == pytest.approx(0.65)
    assert trial.with_novelty(0.9, 0) == 0.95
    assert trial.with_novelty(0.97, 0) == 0.97
