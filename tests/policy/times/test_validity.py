"""When a memory is true."""

import pytest

from actors.policy.times import stated_times
from actors.policy.times.stated_times import ALWAYS, Validity

AT = 1_800_000_000.0
DAY = 86_400.0
ENDED = Validity(valid_until=AT)
FUTURE = Validity(valid_from=AT + 1)


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        (ALWAYS, True),
        (Validity(AT, AT + 1), True),
        (FUTURE, False),
        (ENDED, False),
        (Validity(valid_until=AT + 1), True),
        (Validity(valid_from=AT - 1), True),
    ],
)
def test_an_interval_includes_its_beginning_and_not_its_end(when: Validity, expected: bool) -> None:
    assert stated_times.is_valid(when, AT) is expected


def test_a_state_lives_for_thirty_days() -> None:
    state = stated_times.with_lifetime(ALWAYS, "state", AT)

    assert state.valid_until == AT + 30 * DAY
    assert stated_times.is_valid(state, AT + 30 * DAY - 1)
    assert not stated_times.is_valid(state, AT + 30 * DAY)


def test_a_state_lives_from_its_own_beginning_and_keeps_an_end_it_has() -> None:
    begun = stated_times.with_lifetime(Validity(valid_from=AT + DAY), "state", AT)

    assert begun.valid_until == AT + 31 * DAY
    assert stated_times.with_lifetime(ENDED, "state", AT - DAY) == ENDED
    assert stated_times.with_lifetime(ALWAYS, "decision", AT) == ALWAYS


def test_an_end_only_ever_comes_nearer() -> None:
    assert stated_times.ended(ALWAYS, AT) == ENDED
    assert stated_times.ended(ENDED, AT + DAY) == ENDED
    assert stated_times.ended(Validity(valid_until=AT + DAY), AT) == ENDED
