"""The figures of the benchmark of dreaming, by hand; its own store is well formed."""

from __future__ import annotations

from typing import Any

import pytest

from lab.benchmarks.dreaming import DEPTHS, OWN, read
from lab.benchmarks.sets import Question, figures, questions


def question(*right: str) -> Question:
    """A question that these notes answer."""
    return Question("why?", "g", dict.fromkeys(right, 1.0), len(right) > 1)


def test_recall_is_the_share_of_the_right_notes_among_the_first() -> None:
    keys = ["x", "a", "x", "x", "x", "x", "b"]
    found = figures([(question("a", "b"), keys), (question("c"), [])], DEPTHS)

    assert found == pytest.approx((0.25, 0.5, 0.5, 0.25))


def test_the_reciprocal_rank_is_of_the_first_right_note() -> None:
    assert figures([(question("a", "b"), ["x", "b", "a"])], DEPTHS)[-1] == 0.5
    assert figures([(question("a", "b"), ["x"])], DEPTHS)[-1] == 0.0


def test_a_set_that_marks_its_questions_is_believed() -> None:
    rows: list[dict[str, Any]] = [
        {"text": "1", "group": "g", "rel": {"a": 1}, "kind": "multi-hop"},
        {"text": "2", "group": "g", "rel": {"a": 1, "b": 1}, "kind": "single-hop"},
        {"text": "3", "group": "g", "rel": {}, "kind": "multi-hop"},
    ]

    assert [one.several for one in questions(rows) if one.right] == [True, False]
    assert [one.several for one in questions(rows[1:2])] == [True]


def test_the_own_store_answers_its_questions_and_scatters_its_chains() -> None:
    notes, asked = read(OWN, None)
    keys = [note["id"] for note in notes]

    assert all(one.right.keys() <= set(keys) for one in asked)
    assert sum(one.several for one in asked) == 18
    chains = [sorted(map(keys.index, one.right)) for one in asked if one.several]
    assert min(second - first for first, second in chains) > 4
