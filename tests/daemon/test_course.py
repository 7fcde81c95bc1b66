"""The strength of a memory over time, asked of a real daemon."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.daemon.process import Daemon

PORT = "The staging database listens on port 5433."


def test_it_begins_where_the_past_ends_and_fades_if_nothing_is_used(clean: Daemon) -> None:
    id_ = clean.remember(PORT)

    course = clean.ask("course", id=id_, days=3_650)

    assert course["past"][-1][1] == course["ahead"][0][1] > 0.99
    assert all(before[1] >= after[1] for before, after in pairwise(course["ahead"]))
    assert course["ahead"][-1][0] - course["at"] == pytest.approx(3_650 * 86_400)
    assert course["borders"]["HOT"] > course["borders"]["DORMANT"]
