"""A view for each module, and a browser that is in."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.daemon.conftest import make as make
from tests.daemon.conftest import shared as shared
from tests.daemon.process import Daemon
from tests.viewer.browser import Browser, View


@pytest.fixture
def anyio_backend() -> str:
    """The loop that the view runs on."""
    return "asyncio"


@pytest.fixture(scope="module")
def view(shared: Daemon) -> Generator[View]:
    """A view of a daemon that the tests of a module share."""
    one = View(shared).start()
    yield one
    one.end()


@pytest.fixture(scope="module")
def browser(view: View) -> Browser:
    """The one browser that came in by the address."""
    return view.browser()
