"""Forgetting: what may be proposed, and what protects."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import forgettable
from actors.policy.decay.forgettable import DAY, Candidate

NOW = 1_000 * DAY
GONE = Candidate(
    id=1,
    kind="change",
    tier="normal",
    pinned=False,
    created_at=NOW - 200 * DAY,
    last_use=None,
    importance=0.4,
    relevance=0.001,
)
CANDIDATES = st.builds(
    Candidate,
    id=st.integers(1, 10_000),
    kind=st.sampled_from(["decision", "discovery", "change", "fact", "guidance", "entity"]),
    tier=st.sampled_from(["normal", "important", "critical", "constitutional", "temporary"]),
    pinned=st.booleans(),
    created_at=st.floats(NOW - 400 * DAY, NOW),
    last_use=st.none() | st.floats(NOW - 400 * DAY, NOW),
    importance=st.floats(0, 1),
    relevance=st.floats(0, 0.05),
)


def test_what_nobody_would_miss_may_go() -> None:
    assert forgettable.is_forgettable(GONE, NOW)


@pytest.mark.parametrize(
    "memory",
    [
        replace(GONE, kind="decision"),
        replace(GONE, kind="discovery"),
        replace(GONE, created_at=NOW - 89.9 * DAY),
        replace(GONE, importance=0.7),
        replace(GONE, last_use=NOW - 89 * DAY),
        replace(GONE, pinned=True),
        replace(GONE, tier="critical"),
        replace(GONE, tier="constitutional"),
        replace(GONE, relevance=0.01),
    ],
)
def test_each_protection_alone_keeps_a_memory(memory: Candidate) -> None:
    assert not forgettable.is_forgettable(memory, NOW)


@given(CANDIDATES)
def test_all_protections_must_fail_and_the_score_be_low(memory: Candidate) -> None:
    if forgettable.is_forgettable(memory, NOW):
        assert memory.importance < 0.7
        assert NOW - memory.created_at >= 90 * DAY
        assert memory.kind not in ("decision", "discovery")
        assert memory.tier not in ("critical", "constitutional")
        assert not memory.pinned
        assert memory.relevance < 0.01


def test_the_least_relevant_and_least_important_go_first() -> None:
    dull, telling, livelier = (
        replace(GONE, id=1, importance=0.1),
        replace(GONE, id=2, importance=0.6),
        replace(GONE, id=3, importance=0.0, relevance=0.005),
    )

    assert forgettable.forgettable([livelier, telling, dull], NOW) == [dull, telling, livelier]
