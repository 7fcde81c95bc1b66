"""Switches as one question has them (K01, K28)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import channel_switches, stage_switches
from actors.policy.recall.switches import switched

CHANNELS = st.sets(st.sampled_from(channel_switches.NAMES))
STAGES = st.sets(st.sampled_from(stage_switches.NAMES))


@given(STAGES, STAGES)
def test_a_question_has_what_it_names_and_everything_else_as_it_is(
    off: set[str], on: set[str]
) -> None:
    usual = stage_switches.DEFAULT

    asked = switched(usual, off=off, on=on)

    for name in stage_switches.NAMES:
        expected = False if name in off else True if name in on else getattr(usual, name)
        assert getattr(asked, name) is expected


@given(CHANNELS)
def test_one_question_does_without_what_it_names_and_nothing_else(names: set[str]) -> None:
    everything = switched(channel_switches.Settings(), on=channel_switches.NAMES)

    left = switched(everything, off=names)

    on = {name for name in channel_switches.NAMES if getattr(left, name)}
    assert on == set(channel_switches.NAMES) - names


def test_a_name_that_is_no_switch_changes_nothing() -> None:
    assert switched(channel_switches.Settings(), off={"wishes"}) == channel_switches.Settings()
