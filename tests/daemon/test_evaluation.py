"""What agents made of what they were shown, asked of a real daemon."""

from __future__ import annotations

import pytest

from tests.daemon.process import Daemon, Refusal


@pytest.mark.parametrize("weeks", [0, 521])
def test_weeks_without_end_are_refused(shared: Daemon, weeks: int) -> None:
    with pytest.raises(Refusal, match="Expected `int`"):
        shared.ask("agents", weeks=weeks)
