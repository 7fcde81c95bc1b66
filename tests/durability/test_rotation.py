"""Rotation: seven days and four weeks stay, as far as they fit, and the newest always."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from daemon.durability.backups import MEGABYTE, day_of, surplus
from daemon.durability.copies import Copy
from daemon.settings import Backups as Settings

START = datetime(2026, 11, 23, 18, tzinfo=UTC)  # a Monday


def of_day(day: int, *, hour: float = 0.0, size: int = 1) -> Copy:
    """A backup so many days before the start."""
    at = START - timedelta(days=day, hours=-hour)
    return Copy(Path(f"{at:%Y%m%dT%H%M%S}"), at.timestamp(), size)


def kept(backups: list[Copy], settings: Settings | None = None) -> list[Copy]:
    """Those that stay, newest first."""
    gone = surplus(backups, settings or Settings())
    return sorted((one for one in backups if one not in gone), key=lambda one: -one.at)


def days_ago(backups: list[Copy]) -> list[int]:
    return [(START.date() - day_of(one.at)).days for one in backups]


def test_seven_days_and_the_last_of_each_of_four_weeks_before_stay() -> None:
    daily = [of_day(day) for day in range(60)]

    # From Monday back to Tuesday; the Monday before; the three Sundays before that.
    assert days_ago(kept(daily)) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 22]


def test_of_one_day_the_newest_stays() -> None:
    of_today = [of_day(0, hour=-3), of_day(0), of_day(0, hour=-1)]

    assert kept(of_today) == [of_day(0)]


def test_days_without_a_backup_take_nothing_away() -> None:
    after_a_year = [of_day(0), *(of_day(day) for day in range(400, 407))]

    assert len(kept(after_a_year)) == 8


def test_the_oldest_go_until_all_fit() -> None:
    large = [of_day(day, size=400 * MEGABYTE) for day in range(7)]

    assert days_ago(kept(large, Settings(megabytes=1_000))) == [0, 1]


def test_the_newest_stays_however_large_it_is() -> None:
    large = [of_day(day, size=4_000 * MEGABYTE) for day in range(3)]

    assert days_ago(kept(large, Settings(megabytes=1))) == [0]


def test_of_nothing_nothing_goes() -> None:
    assert surplus([], Settings()) == []


histories = st.lists(
    st.builds(of_day, st.integers(0, 200), hour=st.floats(-12, 5), size=st.integers(0, 10**10)),
    unique_by=lambda backup: backup.path,  # a folder has each name once
    max_size=60,
)
choices = st.builds(
    Settings, days=st.integers(1, 9), weeks=st.integers(0, 9), megabytes=st.integers(1, 9_000)
)


@given(histories, choices)
def test_the_newest_stays_and_the_bounds_hold(backups: list[Copy], settings: Settings) -> None:
    stay = kept(backups, settings)

    assert len(stay) <= settings.days + settings.weeks
    assert len({day_of(one.at) for one in stay}) == len(stay)
    assert len(stay) <= 1 or sum(one.size for one in stay) <= settings.megabytes * MEGABYTE
    assert bool(stay) == bool(backups)
    if backups:
        assert stay[0].at == max(one.at for one in backups)


@given(histories, choices)
def test_doing_it_again_changes_nothing(backups: list[Copy], settings: Settings) -> None:
    stay = kept(backups, settings)

    assert kept(stay, settings) == stay


@given(histories, choices)
def test_the_order_of_the_names_is_nothing(backups: list[Copy], settings: Settings) -> None:
    assert surplus(backups, settings) == surplus(backups[::-1], settings)


def test_what_is_made_every_day_reaches_back_four_weeks() -> None:
    """No week starves while its days leave the week's last seven one by one."""
    stay: list[Copy] = []
    for day in range(90, -1, -1):
        stay = kept([*stay, of_day(day)])

    assert len(stay) == 11
    assert days_ago(stay)[-1] >= 22
