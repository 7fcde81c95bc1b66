"""Forgetting: what may be proposed, and what protects."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.decay.archival import Use, is_forgettable, relevance

OLD = Use(age=200.0, importance=0.4)


def goes(
    kind: str = "change", tier: str = "normal", use: Use = OLD, *, pinned: bool = False
) -> bool:
    return is_forgettable(kind, tier, use, pinned=pinned)


def test_what_nobody_would_miss_may_go() -> None:
    assert goes()


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "decision"},
        {"kind": "discovery"},
        {"use": replace(OLD, age=89.9)},
        {"use": replace(OLD, importance=0.7)},
        {"use": replace(OLD, unused=89.0)},
        {"pinned": True},
        {"tier": "critical"},
        {"tier": "constitutional"},
    ],
)
def test_each_protection_alone_keeps_a_memory(other: dict[str, Any]) -> None:
    assert not goes(**other)


@given(
    st.sampled_from(["decision", "discovery", "change", "fact", "guidance", "entity"]),
    st.sampled_from(["normal", "important", "critical", "constitutional", "temporary"]),
    st.builds(
        Use, age=st.floats(0, 400), importance=st.floats(0, 1), unused=st.none() | st.floats(0, 400)
    ),
    st.booleans(),
)
def test_all_protections_must_fail_and_the_score_be_low(
    kind: str, tier: str, use: Use, pinned: bool
) -> None:
    if goes(kind, tier, use, pinned=pinned):
        assert use.importance < 0.7
        assert use.age >= 90
        assert kind not in ("decision", "discovery")
        assert tier not in ("critical", "constitutional")
        assert not pinned
        assert relevance(use) < 0.01
