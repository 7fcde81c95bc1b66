"""A dream that is killed in any stage left the store as before that stage or as after it.

Fifty kills in each stage: ``python -m lab.benchmarks.dream_kills``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from actors.dreams.writes import STAGES, Stage
from lab.benchmarks.dream_kills import Stand, spread


@pytest.fixture(scope="module")
def stand() -> Generator[Stand]:
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        yield Stand(Path(folder))


def test_an_undisturbed_dream_writes_something_in_three_of_its_stages(stand: Stand) -> None:
    """Else the comparison below could not fail."""
    wrote = [
        stage
        for before, stage in pairwise(("", *STAGES))
        if not replace(stand.after[before], stage=stage).is_like(stand.after[stage])
    ]

    assert {"cross_reference", "prune", "transfer"} <= set(wrote)


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
def test_a_kill_leaves_the_stage_whole_or_not_begun_and_the_daemon_finishes_the_dream(
    stand: Stand, stage: Stage
) -> None:
    first, last, between = spread(stand.moments[stage], 3, seed=7)
    reached = [
        stand.killed(stage, first, finished=False),
        stand.killed(stage, between, finished=True),
        stand.killed(stage, last, finished=False),
    ]

    assert reached[0] != stage
    assert reached[-1] == stage
