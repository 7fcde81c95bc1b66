"""The process ends when nobody looks, and not before."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from daemon.home import Home
from viewer.connection import Events
from viewer.exchange import Door
from viewer.serve import App

pytestmark = pytest.mark.anyio


@pytest.fixture
def app() -> App:
    """A view of a home without a daemon, where somebody was an hour ago."""
    home, events = Home(Path("/nowhere")), Events()
    return App(Door(7), home, events, {}, asked_at=time.monotonic() - 3_600)


async def test_somebody_looks_as_long_as_a_page_is_open(app: App) -> None:
    alone = app.idle()
    looks = app.events.after("")
    await anext(looks)

    looked_at = app.idle()
    await looks.aclose()

    assert (alone >= 3_600, looked_at, app.idle() >= 3_600) == (True, 0.0, True)
