"""The figures of the abstention benchmark, and its list of everyday prompts."""

from __future__ import annotations

from lab.benchmarks.abstention import EVERYDAY, Answer, Figures, figures, missed
from lab.benchmarks.sets import Question, rows


def test_the_list_has_over_two_hundred_different_prompts_of_several_kinds() -> None:
    prompts = rows(EVERYDAY)

    assert len({row["text"] for row in prompts}) == len(prompts) >= 200
    assert len({row["kind"] for row in prompts}) >= 6
    assert max(len(row["text"]) for row in prompts) > 300
    assert all(row["text"].strip() for row in prompts)


def test_figures_can_be_checked_by_hand() -> None:
    right, nothing = {"a": 1.0}, frozenset[str]()
    asked = [
        (Question("q1", "g", right), Answer(0.9, frozenset({"a", "b"}), True)),
        (Question("q2", "g", right), Answer(0.4, frozenset({"b"}), True)),
        (Question("q3", "g", {}), Answer(0.5, nothing, False)),
    ]
    everyday = [Answer(0.2, nothing, True), *[Answer(0.1, nothing, False)] * 3]

    assert figures(asked, everyday) == Figures(0.5, (1, 4), 1.0, 0.5, 0.0)


def test_a_missed_target_is_named() -> None:
    good = Figures(0.95, (2, 100), 1.0, 0.9, 0.1)
    bad = Figures(0.5, (3, 100), 1.0, 0.9, 0.1)

    assert missed("devmem_session", good) == []
    assert len(missed("devmem_session", bad)) == 2
    assert len(missed("codemem", bad)) == 1
