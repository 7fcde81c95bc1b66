"""Which of recall's channels are on (K01)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.channel_switches import NAMES, Settings, without


def test_what_did_not_help_is_off() -> None:
    assert Settings() == Settings(
        graph=True, degree=False, causes=False, spelling=True, anchors=True
    )


@given(st.sets(st.sampled_from(NAMES)))
def test_one_question_does_without_what_it_names_and_nothing_else(names: set[str]) -> None:
    everything = Settings(degree=True, causes=True)

    left = without(everything, names)

    assert {name for name in NAMES if getattr(left, name)} == set(NAMES) - names


def test_a_name_that_is_no_channel_changes_nothing() -> None:
    assert without(Settings(), {"wishes"}) == Settings()
