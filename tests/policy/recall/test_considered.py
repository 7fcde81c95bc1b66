"""What an answer weighed: what was told, what came close, and why that was not told."""

from __future__ import annotations

from actors.policy.recall.evidence import Reason, Verdict
from actors.policy.recall.notes import LEAST, NEAR, Fate, considered


def close(identity: int, confidence: float = 0.9) -> Verdict:
    return Verdict(identity, True, confidence, Reason.MEANING)


def far(identity: int, confidence: float) -> Verdict:
    return Verdict(identity, False, confidence, Reason.DISTANT)


def test_what_was_told_comes_first_and_each_the_surest_first() -> None:
    found = considered([far(1, 0.6), close(2, 0.7), close(3, 0.8)], {1: Fate.FAR})

    assert [(one.identity, one.fate) for one in found] == [
        (3, Fate.TOLD), (2, Fate.TOLD), (1, Fate.FAR),
    ]  # fmt: skip


def test_what_came_to_nothing_before_is_named_however_little_is_left_of_it() -> None:
    wasted = Verdict(1, False, LEAST / 100, Reason.WASTED)
    found = considered([wasted, far(2, LEAST)], {1: Fate.WASTED, 2: Fate.FAR})

    assert [one.fate for one in found] == [Fate.FAR, Fate.WASTED]


def test_only_a_few_that_came_close_are_kept_and_none_that_did_not() -> None:
    verdicts = [far(n, 0.5) for n in range(NEAR + 3)] + [far(99, LEAST / 2)]
    found = considered(verdicts, {one.identity: Fate.FAR for one in verdicts})

    assert len(found) == NEAR
    assert considered([far(1, LEAST / 2)], {1: Fate.FAR}) == ()


def test_what_is_told_is_never_left_out_for_its_number() -> None:
    found = considered([close(n) for n in range(NEAR + 3)], {})

    assert [one.fate for one in found] == [Fate.TOLD] * (NEAR + 3)
