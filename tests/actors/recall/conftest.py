"""A recall that knows two things."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from daemon.storage.store import OpenStore
from tests.actors.recall.bench import Bench, open_two_notes
from tests.clock import FollowingClock


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """Recall over two memories with vectors; the question is near the first."""
    async with open_two_notes(store, clock) as opened:
        yield opened
