"""What an answer weighed: what was told, what came close, and why that was not told."""

from __future__ import annotations

from actors.policy.recall.considered import LEAST, NEAR, Fate, considered
from actors.policy.recall.evidence import Reason, Verdict


def close(identity: int, confidence: float = 0.9) -> Verdict:
    return Verdict(identity, True, confidence, Reason.MEANING)


def far(identity: int, confidence: float) -> Verdict:
    return Verdict(identity, False, confidence, Reason.DISTANT)


def test_what_was_told_comes_first_and_each_the_surest_first() -> None:
    found = considered([far(1, 0.6), close(2, 0.7), close(3, 0.8)], [])

    assert [(one.identity, one.fate) for one in found] == [
        (3, Fate.TOLD), (2, Fate.TOLD), (1, Fate.FAR),
    ]  # fmt: skip


def test_the_first_that_held_a_memory_back_is_the_reason_for_silence() -> None:
    sieves = [(Fate.CORRECTED, {1, 2}), (Fate.KNOWN, {1}), (Fate.CROWDED, {1})]
    found = considered([close(1), close(2), close(3)], sieves)

    assert {one.identity: one.fate for one in found} == {
        1: Fate.TOLD, 2: Fate.KNOWN, 3: Fate.CORRECTED,
    }  # fmt: skip


def test_what_came_to_nothing_before_is_named_however_little_is_left_of_it() -> None:
    found = considered([Verdict(1, False, LEAST / 100, Reason.WASTED), far(2, LEAST)], [])

    assert [one.fate for one in found] == [Fate.FAR, Fate.WASTED]


def test_only_a_few_that_came_close_are_kept_and_none_that_did_not() -> None:
    found = considered([far(n, 0.5) for n in range(NEAR + 3)] + [far(99, LEAST / 2)], [])

    assert len(found) == NEAR
    assert considered([far(1, LEAST / 2)], []) == ()


def test_what_is_told_is_never_left_out_for_its_number() -> None:
    found = considered([close(n) for n in range(NEAR + 3)], [])

    assert [one.fate for one in found] == [Fate.TOLD] * (NEAR + 3)
