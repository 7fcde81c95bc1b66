from pathlib import Path

import pytest

from daemon.home import Home


@pytest.fixture
def other(tmp_path: Path) -> Home:
    """A second home, as empty as the first."""
    other = Home(tmp_path / "other")
    other.prepare()
    return other
