"""A home and a real store for every test that asks for them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from daemon.home import Home
from daemon.storage.store import OpenStore, open_store
from tests.clock import FollowingClock, be_patient


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data home."""
    home = Home(tmp_path / "home")
    home.prepare()
    return home


@pytest.fixture
async def store(home: Home) -> AsyncGenerator[OpenStore]:
    """A real store; a virtual clock waits for it."""
    async with open_store(home) as opened:
        be_patient(lambda: opened.in_flight)
        yield opened


@pytest.fixture
def clock() -> FollowingClock:
    """The time of day, in step with virtual time."""
    return FollowingClock()
