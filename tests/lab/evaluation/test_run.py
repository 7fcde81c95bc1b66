"""Ground truth and the measures of a run, without a daemon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from daemon.shapes.memory import MemoryView
from daemon.views import memory_number
from lab.evaluation.measures import (
    Line,
    Memories,
    Question,
    Truth,
    WrongTruth,
    checked,
    truth_of,
)
from lab.evaluation.run import (
    Answer,
    Run,
    built_in_questions,
    measured,
)

NOW = 1_800_000_000.0


def memories(**tiers: str) -> Memories:
    views = {id_: view(id_, tier) for id_, tier in tiers.items()}
    return Memories(views, {"key": "m1"})


def view(id_: str, tier: str) -> MemoryView:
    return MemoryView(
        id=id_, text="t", title="t", kind="fact", tier=tier, project=None, created_at=NOW - 3_600,
        updated_at=NOW, state="HOT", retrievability=1.0, stability=1.0, pinned=False, ended=None,
        key=None, triggers=[], origin="", session=None, versions=1,
    )  # fmt: skip


def asked(
    known: Memories, query: str = "q", right: Sequence[str] = ("m1",), **more: Any
) -> Question:
    """A question as it is put beside these memories."""
    line = Line(query=query, relevant=list(right), hard_negative=not right, **more)
    (made,) = truth_of("f", [line], known, None).questions
    return made


def answer(to: Question, *ranked: str, confidence: float = 0.5, injected: bool = True) -> Answer:
    found = {"words": [*map(memory_number, ranked)]}
    return Answer(to, ranked, confidence, 10.0, injected, found, "words")


def run(given: Sequence[Answer]) -> Run:
    truth = Truth("f", [one.question for one in given])
    return measured(truth, given, len(given), 10, NOW)


# ---- the built-in ground truth


def test_of_the_built_in_questions_some_have_no_answer() -> None:
    found = built_in_questions()

    assert len(found) == 110
    assert sum(one.hard_negative for one in found) == 14


# ---- ground truth


def test_keys_and_ids_mean_the_same_memory() -> None:
    lines = [Line(query="a", relevant=["key"]), Line(query="b", relevant=["m1"])]

    found = truth_of("f", lines, memories(m1="normal"), "/p")

    assert [dict(one.grades) for one in found.questions] == [{"m1": 1.0}, {"m1": 1.0}]


def test_a_question_whose_memories_are_not_there_is_left_out_by_its_number() -> None:
    lines = [
        Line(query="a", relevant=["m1", "gone"], grade=[3, 1]),
        Line(query="b", relevant=["gone"]),
    ]

    found = truth_of("f", lines, memories(m1="normal"), None)

    assert [dict(one.grades) for one in found.questions] == [{"m1": 3.0}]
    assert found.unanswerable == [2]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (Line(query=" ", relevant=["m1"]), "empty"),
        (Line(query="q"), "nothing is relevant"),
        (Line(query="q", relevant=["m1"], hard_negative=True), "hard negative"),
        (Line(query="q", relevant=["m1"], grade=[1, 2]), "2 grades for 1"),
        (Line(query="q", relevant=["m1"], grade=0), "above 0"),
    ],
)
def test_a_question_without_sense_is_refused_by_its_number(line: Line, why: str) -> None:
    with pytest.raises(WrongTruth, match=f"question 2: .*{why}"):
        checked("f", [Line(query="q", relevant=["m1"]), line])


# ---- measures


def test_what_leads_every_result_by_rule_takes_no_place() -> None:
    """Constitutional memories stand first whatever is asked."""
    known = memories(m1="normal", m2="constitutional")
    made = run([answer(asked(known), "m2", "m1")])

    assert made.measures["mrr"] == 1.0
    assert made.measures["constitutional_surfacing"] == 1.0
    assert [one.rank for one in made.queries] == [1]


def test_right_memories_weigh_by_their_tier_and_new_ones_are_told_apart() -> None:
    known = memories(m1="critical", m2="normal")
    whole = run([answer(asked(known, right=("m1", "m2")), "m1")]).measures

    assert whole["importance_weighted_recall"] == pytest.approx(1 / 1.5)
    assert whole["cold_start_detection"] == 0.5  # both are of the last hour


def test_hard_negatives_count_for_abstention_alone() -> None:
    known = memories(m1="normal")
    given = [
        answer(asked(known), "m1", confidence=0.9),
        answer(asked(known, "n", ()), "m1", confidence=0.2, injected=False),
        answer(asked(known, "o", ()), "m1", confidence=0.95),
    ]

    whole = run(given).measures

    assert whole["mrr"] == 1.0
    assert whole["confidence_auc"] == 0.5
    assert whole["injected_on_nothing"] == 0.5
