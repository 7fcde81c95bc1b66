"""A home and a real store for every test that asks for them."""

from __future__ import annotations

import gc
import signal
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
import trio
from hypothesis import settings
from trio.testing import MockClock

from daemon.home import Home
from daemon.storage.database.connection import open_connection
from daemon.storage.store import OpenStore, open_store
from lab.world import open_inline
from tests import own_models
from tests.clock import FollowingClock, open_patiently
from tests.new_store import lay
from tests.patience import unhurried_hooks
from tests.strangers import open_ground

# No deadline: a busy machine is no fault. At hand the same examples each time; many new ones in
# `make test-all`, which chooses by --hypothesis-profile.
settings.register_profile("at_hand", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=300)
settings.load_profile("at_hand")

assert own_models.MODELS  # found before what tests start is kept from them

# A shell ignores control-c in what it runs beside itself, and every process of a test would too.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without looking for garbage, and never look for it among them.

    None of four hundred thousand objects is any: to look took a sixth of the CPU, in each worker.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data home."""
    home = Home(tmp_path / "home")
    home.prepare()
    return home


@pytest.fixture
async def store(home: Home) -> AsyncGenerator[OpenStore]:
    """A real store; on a virtual clock it works without threads.

    A thread of SQLite takes a deadline for real seconds: on a busy machine a query in a thread
    would be late although no virtual second has passed.
    """
    virtual = isinstance(trio.lowlevel.current_clock(), MockClock)
    lay(home)
    async with open_store(home, connect=open_inline if virtual else open_connection) as opened:
        yield opened


@pytest.fixture
async def threaded_store(home: Home) -> AsyncGenerator[OpenStore]:
    """A real store with its threads, as in the daemon; a virtual clock waits for them."""
    async with open_patiently(home) as opened:
        yield opened


@pytest.fixture(scope="session")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hooks as they lie in a checkout, for which a busy machine is never too slow."""
    return unhurried_hooks(tmp_path_factory.mktemp("unhurried"))


@pytest.fixture
def clock() -> FollowingClock:
    """The time of day, in step with virtual time."""
    return FollowingClock()


@pytest.fixture
def ground() -> Generator[Path]:
    """A folder that every user may enter and only root may write."""
    with open_ground() as here:
        yield here
