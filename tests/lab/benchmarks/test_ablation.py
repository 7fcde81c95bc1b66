"""The ablation benchmark: how it counts, what it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.benchmarks.ablation import SHIPPED, Measured, sets_of, table
from lab.benchmarks.instruments import Question, figures


def test_figures_can_be_checked_by_hand() -> None:
    first = Question("q", "g", {"a": 1.0, "b": 1.0})
    second = Question("r", "g", {"c": 1.0})
    found = figures([(first, ["a", "x", "b"]), (second, ["x", "c"])], (1, 5, 10))

    assert found == (0.25, 1.0, 1.0, 0.75)


def test_a_table_has_a_row_for_each_way_of_asking() -> None:
    rows = {SHIPPED: (0.5, 0.6, 0.7, 0.8), "hyde": (0.5, 0.6, 0.75, 1.0)}
    lines = table([Measured("one", 1_000, 3, rows)])

    assert "| | one: 3 queries, 1,000 texts |" in lines
    assert lines[-2:] == [
        "| shipped | .500 / .600 / .700 / .800 |", "| hyde | .500 / .600 / .750 / 1.000 |",
    ]  # fmt: skip


def test_sets_are_found_by_their_short_names_and_a_missing_one_is_named(tmp_path: Path) -> None:
    for name in ("one.dev", "two"):
        (tmp_path / f"{name}.corpus.jsonl.gz").touch()

    assert sets_of(tmp_path, ["one"]) == ["one.dev"]
    assert sets_of(tmp_path, []) == ["one.dev", "two"]
    with pytest.raises(SystemExit, match="no set three"):
        sets_of(tmp_path, ["three"])
