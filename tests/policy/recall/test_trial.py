"""Features on trial: who has them, and what being new adds."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import trial
from actors.policy.recall.trial import Enabled, Settings

ABC = "abc"  # falls into bucket 54


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
