"""Signals of a prompt, measured on 200 prompts.

``signals_200.jsonl`` holds prompts with the signals a reader finds in them. Half ``a`` was there
when the rules were written, half ``b`` was written after them. What half ``b`` showed changed no
rule; one was narrowed later, for prompts of neither half ("I want to build a shop" is a task).
"""

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events.trail import Signal, signals
from actors.policy.text.turn import Turn

SET = Path(__file__).parent / "signals_200.jsonl"
CORRECTION, REINFORCEMENT = Signal


class Labelled(NamedTuple):
    half: str
    prompt: str
    signals: frozenset[Signal]


def labelled() -> list[Labelled]:
    rows = [json.loads(line) for line in SET.read_text("utf-8").splitlines()]
    read = {signal.value: signal for signal in Signal}  # preferences are labelled too
    return [
        Labelled(
            row["half"], row["prompt"],
            frozenset(read[name] for name in row["signals"] if name in read),
        )
        for row in rows
    ]  # fmt: skip


def counted(half: str) -> Counter[tuple[Signal, str]]:
    """Hits, false alarms and misses by signal."""
    counts: Counter[tuple[Signal, str]] = Counter()
    for row in labelled():
        if row.half == half:
            found = frozenset(signals(Turn(row.prompt)))
            counts.update((signal, "hit") for signal in found & row.signals)
            counts.update((signal, "alarm") for signal in found - row.signals)
            counts.update((signal, "miss") for signal in row.signals - found)
    return counts


def test_the_set_has_two_hundred_different_prompts_in_two_halves() -> None:
    rows = labelled()

    assert Counter(row.half for row in rows) == {"a": 100, "b": 100}
    assert len({row.prompt for row in rows}) == 200
    for half in "ab":
        found = Counter(signal for row in rows if row.half == half for signal in row.signals)
        assert all(found[signal] >= 14 for signal in Signal)


# With preferences, measured when half b was scored for the first time: precision .982, recall .903; half a 1.0, 1.0.
@pytest.mark.parametrize(("half", "recall"), [("a", 0.95), ("b", 0.85)])
def test_nine_of_ten_signals_are_right(half: str, recall: float) -> None:
    counts = counted(half)

    hits = sum(counts[signal, "hit"] for signal in Signal)
    alarms = sum(counts[signal, "alarm"] for signal in Signal)
    misses = sum(counts[signal, "miss"] for signal in Signal)
    assert hits / (hits + alarms) >= 0.9
    assert hits / (hits + misses) >= recall


def test_a_prompt_may_give_both_signals() -> None:
    assert signals(Turn("Perfect. Actually, use tabs")) == (CORRECTION, REINFORCEMENT)


def test_a_composed_and_a_decomposed_prompt_say_the_same() -> None:
    assert (
        signals(Turn("Actually, cafe\u0301 names"))
        == signals(Turn("Actually, caf\u00e9 names"))
        != ()
    )


@given(st.text(max_size=200))
def test_any_text_has_its_signals_in_order(prompt: str) -> None:
    found = signals(Turn(prompt))

    assert list(found) == [signal for signal in Signal if signal in found]
