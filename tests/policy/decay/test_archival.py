"""The archivist's rule: G01, G03, C07, C20."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import archival
from actors.policy.decay.archival import Old, Settings

OLD = Old(age_days=91, idle_days=91, uses=0, confidence=0.35, archivable=True)


def test_old_hardly_used_and_little_trusted_goes() -> None:
    assert not archival.why_it_stays(OLD)
    assert not archival.why_it_stays(replace(OLD, uses=1))


@pytest.mark.parametrize(
    ("old", "why"),
    [
        (replace(OLD, age_days=90), "it is 90 days old, not over 90"),
        (replace(OLD, uses=2), "it was used 2 times"),
        (replace(OLD, confidence=0.4), "its confidence is 0.40, not under 0.4"),
        (replace(OLD, archivable=False), "it has not been idle for long enough for what it is"),
        (replace(OLD, protection="it is pinned"), "it is pinned"),
    ],
)
def test_each_border_keeps_it_and_says_so(old: Old, why: str) -> None:
    """C20: fewer than two uses, not two."""
    assert archival.why_it_stays(old) == why
    assert archival.why_it_stays(old)


def test_the_borders_are_settings() -> None:
    wide = Settings(age_days=1, uses=9, confidence=1.1)

    assert not archival.why_it_stays(replace(OLD, age_days=2, uses=8, confidence=1.0), wide)


def test_it_says_in_figures_why() -> None:
    assert archival.evidence(OLD) == "91 days old, never used, confidence 0.35"
    assert (
        archival.evidence(replace(OLD, uses=1, age_days=200))
        == "200 days old, used once, not for 91 days, confidence 0.35"
    )
    assert archival.reason() == (
        "older than 90 days, used fewer than 2 times, confidence under 0.4"
    )


@given(
    st.builds(
        Old,
        st.floats(0, 1_000),
        st.floats(0, 1_000),
        st.integers(0, 9),
        st.floats(0, 1),
        st.booleans(),
        st.sampled_from(["", "it is critical"]),
    )
)
def test_nothing_protected_young_used_trusted_or_fresh_ever_goes(old: Old) -> None:
    if not archival.why_it_stays(old):
        assert not old.protection
        assert old.age_days > 90
        assert old.uses < 2
        assert old.confidence < 0.4
        assert old.archivable
