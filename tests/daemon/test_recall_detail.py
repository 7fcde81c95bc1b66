"""How much of each result an answer holds, over the socket of a real daemon."""

from __future__ import annotations

from typing import Any

import pytest

from daemon.api.recall import Recall
from daemon.shapes.results import Recalled, Scored
from tests.daemon.process import Daemon

LONG = "The blue whale database listens on port 5432. " + "It has a replica that lags. " * 40


@pytest.fixture
def known(shared: Daemon) -> Daemon:
    """The shared daemon with a long memory and a short one."""
    shared.ask("purge", everything=True, yes=True)
    shared.remember(LONG, title="Whale")
    shared.remember("The blue whale database is backed up at night.")
    return shared


def asked(daemon: Daemon, **more: Any) -> Any:
    return daemon.ask("recall", query="blue whale database", track=False, **more)


def test_a_result_is_a_line_a_paragraph_or_everything(known: Daemon) -> None:
    brief, summary, full = (asked(known, detail=level) for level in ("brief", "summary", "full"))
    longest = [
        max(len(one["text"]) for one in found["results"]) for found in (brief, summary, full)
    ]

    assert longest[0] <= 100 < longest[1] <= 400 < longest[2]
    assert [len(found["expandable"]) for found in (brief, summary, full)] == [1, 1, 0]
    assert sorted(one["whole"] for one in brief["results"]) == [False, True]
    assert full["tokens"] is None


def scored(number: int, characters: int) -> Scored:
    return Scored(
        id=f"m{number}", key=None, score=0.5, text="x" * characters, title="", kind="fact",
        tier="normal", origin="", project=None, created_at=0.0, why="",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("query", "tokens", "fit"),
    [
        ("one", 0, 3),  # simple: 1,500
        ("how do we retry a failed payment", 0, 5),  # moderate: 2,500
        ("how do we retry a failed payment and who is told of it when it fails for good", 0, 8),
        ("one", 200_000, 10),
        ("one", 1, 1),  # 100 at least, and never nothing
    ],
)
def test_a_question_with_many_parts_gets_more_room(query: str, tokens: int, fit: int) -> None:
    """500 tokens each."""
    found = Recalled(
        results=[scored(number, 2_000) for number in range(10)], confidence=1.0, mode="both",
        degraded=None, evidence={}, timings={},
    )  # fmt: skip

    answer = Recall(query=query, tokens=tokens).cut(found)

    assert len(answer.results) == fit
    assert answer.tokens == fit * 500
    assert answer.expandable == [f"m{number}" for number in range(fit, 10)]
