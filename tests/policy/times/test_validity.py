"""When a memory is true."""

from datetime import UTC, datetime

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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As of 2026-03-04 we use Postgres", (2026, 3, 4)),
        ("as of March 4, 2026", (2026, 3, 4)),
        ("as of the 4th of March 2026", (2026, 3, 4)),
        ("as of 4 March 2026", (2026, 3, 4)),
        ("as of September 2026", (2026, 9, 1)),
        ("as of 2026-01-01, and again: as of 1 January 2026", (2026, 1, 1)),
        ("as of 2026-02-30 or rather as of 2026-03-01", (2026, 3, 1)),
        ("as of 2026-01-01 yes, as of 2026-01-02 no", None),
        ("as of 2026-02-30", None),
        ("as of now", None),
        ("as of Mayor 2026", None),
        ("released 2026-03-04", None),
        ("", None),
    ],
)
def test_a_text_that_says_one_date_holds_as_of_it(
    text: str, expected: tuple[int, int, int] | None
) -> None:
    day = None if expected is None else datetime(*expected, tzinfo=UTC).timestamp()

    assert stated_times.as_of(text) == day


def test_an_end_only_ever_comes_nearer() -> None:
    assert stated_times.ended(ALWAYS, AT) == ENDED
    assert stated_times.ended(ENDED, AT + DAY) == ENDED
    assert stated_times.ended(Validity(valid_until=AT + DAY), AT) == ENDED
