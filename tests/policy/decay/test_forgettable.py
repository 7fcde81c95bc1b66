"""Forgetting: what may be proposed, and what protects."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import forgettable
from actors.policy.decay.forgettable import DAY, SHARE, Standing

NOW = 1_000 * DAY
GONE = Standing(
    id=1,
    kind="change",
    tier="normal",
    pinned=False,
    created_at=NOW - 200 * DAY,
    last_use=None,
    importance=0.4,
    relevance=0.001,
)
STANDINGS = st.builds(
    Standing,
    id=st.integers(1, 10_000),
    kind=st.sampled_from(["decision", "discovery", "change", "fact", "guidance", "entity"]),
    tier=st.sampled_from(["normal", "important", "critical", "constitutional", "temporary"]),
    pinned=st.booleans(),
    created_at=st.floats(NOW - 400 * DAY, NOW),
    last_use=st.none() | st.floats(NOW - 400 * DAY, NOW),
    importance=st.floats(0, 1),
    relevance=st.none() | st.floats(0, 0.05),
)


def test_what_nobody_would_miss_may_go() -> None:
    assert forgettable.is_forgettable(GONE, NOW)
    assert forgettable.protection(GONE, NOW) == ""


@pytest.mark.parametrize(
    ("memory", "why"),
    [
        (replace(GONE, kind="decision"), "a decision lasts"),
        (replace(GONE, kind="discovery"), "a discovery lasts"),
        (replace(GONE, created_at=NOW - 89.9 * DAY), "it is young"),
        (replace(GONE, importance=0.7), "it is important"),
        (replace(GONE, last_use=NOW - 89 * DAY), "it was of use lately"),
        (replace(GONE, pinned=True), "pinned"),
        (replace(GONE, tier="critical"), "its tier is critical"),
        (replace(GONE, tier="constitutional"), "its tier is constitutional"),
    ],
)
def test_each_protection_alone_keeps_a_memory(memory: Standing, why: str) -> None:
    assert forgettable.protection(memory, NOW) == why
    assert not forgettable.is_forgettable(memory, NOW)


@pytest.mark.parametrize(
    ("relevance", "goes"), [(0.0099, True), (0.01, False), (0.5, False), (None, False)]
)
def test_only_what_is_under_the_threshold_goes(relevance: float | None, goes: bool) -> None:
    assert forgettable.is_forgettable(replace(GONE, relevance=relevance), NOW) is goes


@given(STANDINGS)
def test_all_protections_must_fail_and_the_score_be_low(memory: Standing) -> None:
    fails = (
        memory.importance < 0.7
        and NOW - memory.created_at >= 90 * DAY
        and memory.kind not in ("decision", "discovery")
        and memory.tier not in ("critical", "constitutional")
        and not memory.pinned
    )
    low = memory.relevance is not None and memory.relevance < 0.01

    if forgettable.is_forgettable(memory, NOW):
        assert fails
        assert low


def test_the_least_relevant_and_least_important_go_first_and_at_most_one_in_twenty() -> None:
    dull, telling, livelier = (
        replace(GONE, id=1, importance=0.1),
        replace(GONE, id=2, importance=0.6),
        replace(GONE, id=3, importance=0.0, relevance=0.005),
    )

    assert forgettable.forgettable([livelier, telling, dull], 60, NOW) == [dull, telling, livelier]
    assert forgettable.forgettable([livelier, telling, dull], 40, NOW) == [dull, telling]
    assert forgettable.forgettable([livelier, telling, dull], 19, NOW) == []


@given(st.lists(STANDINGS, max_size=60))
def test_one_run_never_names_more_than_its_share(memories: list[Standing]) -> None:
    found = forgettable.forgettable(memories, len(memories), NOW)

    assert len(found) <= SHARE * len(memories)


def test_an_empty_store_has_nothing_to_forget() -> None:
    assert forgettable.forgettable([], 0, NOW) == []
