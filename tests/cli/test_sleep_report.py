"""A dream in four phases as a person reads it: I15."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from daemon.requests.wording import stage_lines
from tests.cli.test_dreams import DREAM


@pytest.mark.parametrize(
    ("prune", "expected"),
    [
        (
            {"fade": 0.95, "weaker": 12, "let_go": 1},
            ["weakened 12 connections of what matters little, let 1 weak one go"],
        ),
        ({"fade": 0.95, "weaker": 0, "let_go": 0}, []),
        ({"fade": 0.95}, []),
    ],
)
def test_what_deep_sleep_weakened_is_told_when_it_did(
    prune: dict[str, Any], expected: list[str]
) -> None:
    one = msgspec.structs.replace(DREAM, figures={"prune": prune})

    assert list(stage_lines(one)) == expected
