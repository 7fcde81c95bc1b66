"""The part of a memory that is told in a context filling up."""

import pytest

from actors.policy.decay.states import Lifecycle
from actors.policy.recall.answers import shown
from actors.policy.session import pressure

LONG = "Redis caches sessions. " * 60


WHOLE, SUMMARY, LINE = len(LONG), 150, len("Sessions")
NONE, FOCUSED, QUICK = pressure.Level.NONE, pressure.Level.FOCUSED, pressure.Level.QUICK


@pytest.mark.parametrize(
    ("state", "pressed", "most"),
    [
        (Lifecycle.HOT, NONE, WHOLE),
        (Lifecycle.WARM, NONE, WHOLE),
        (Lifecycle.COLD, NONE, WHOLE),
        (Lifecycle.DORMANT, NONE, WHOLE),
        (Lifecycle.HOT, FOCUSED, WHOLE),
        (Lifecycle.WARM, FOCUSED, SUMMARY),
        (Lifecycle.COLD, FOCUSED, LINE),
        (Lifecycle.DORMANT, FOCUSED, LINE),
        (Lifecycle.HOT, QUICK, SUMMARY),
        (Lifecycle.WARM, QUICK, LINE),
        (Lifecycle.COLD, QUICK, LINE),
        (Lifecycle.DORMANT, QUICK, LINE),
    ],
)
def test_what_is_shown_goes_by_the_state_when_room_runs_out(
    state: Lifecycle, pressed: pressure.Level, most: int
) -> None:
    said = shown(LONG, "Sessions", state, pressed)

    assert most - 20 <= len(said) <= most


def test_what_has_no_title_is_shown_by_how_it_begins() -> None:
    """Nothing is silenced for being old."""
    assert shown("Redis caches.", "", Lifecycle.COLD, QUICK) == "Redis caches."
