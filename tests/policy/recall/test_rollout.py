"""The percentage of installations that have a feature on trial: F15."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import rollout


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
def test_f15_the_bucket_of_an_identity(identity: str, expected: int) -> None:
    assert rollout.bucket(identity) == expected


@given(st.text())
def test_f15_a_bucket_is_one_of_a_hundred(identity: str) -> None:
    assert 0 <= rollout.bucket(identity) < 100


def test_f15_false_switches_off_and_true_or_unset_leave_it_to_the_percentage() -> None:
    assert not rollout.is_enabled("false", "abc")
    assert not rollout.is_enabled(" FALSE ", None)
    assert not rollout.is_enabled("0", "abc")
    assert rollout.is_enabled("true", "abc")
    assert rollout.is_enabled(None, "abc")


def test_f15_the_percentage_opens_the_lowest_buckets() -> None:
    assert rollout.is_enabled(None, "abc", 55)
    assert not rollout.is_enabled(None, "abc", 54)
    assert not rollout.is_enabled("true", "abc", 54)


def test_f15_without_an_identity_it_is_on_unless_nobody_has_it() -> None:
    assert rollout.is_enabled(None, None, 1)
    assert rollout.is_enabled("true", "", 1)
    assert not rollout.is_enabled(None, None, 0)


@given(st.text(min_size=1), st.floats(0, 100), st.floats(0, 100))
def test_f15_a_higher_percentage_only_adds(identity: str, one: float, other: float) -> None:
    lower, higher = sorted((one, other))

    assert rollout.is_enabled(None, identity, higher) >= rollout.is_enabled(None, identity, lower)


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (None, 100),
        ("", 100),
        ("25", 25),
        ("12.5", 12.5),
        ("-3", 0),
        ("250", 100),
        ("many", 100),
        ("nan", 100),
    ],
)
def test_f15_the_percentage_of_a_setting(setting: str | None, expected: float) -> None:
    assert rollout.percentage(setting) == expected
