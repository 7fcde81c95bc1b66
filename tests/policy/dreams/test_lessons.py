"""What a theme teaches: what fails again, what ended it, and what one day says of itself."""

from collections.abc import Mapping, Sequence

from actors.policy.dreams import replay
from actors.policy.dreams.insights import Insight, InsightKind
from actors.policy.dreams.replay import Replayed
from tests.policy.dreams import at_once

DAY = 86_400.0
FILLER = (
    "The lunch menu is on the wall",
    "Anna likes green tea",
    "The office closes at six",
    "Printer paper is in room 12",
    "The bike shed has a code",
    "Parking is free on Sundays",
)
Likeness = Mapping[int, Sequence[tuple[int, float]]]
FAILURES = (
    "Card payments fail at the terminal since the reader firmware was updated",
    "The card terminal crashed again after its reader firmware was read",
    "Reader firmware of the card terminal timed out twice",
)
ALIKE: Likeness = {1: [(2, 0.7), (3, 0.7), (4, 0.7)], 2: [(3, 0.65), (4, 0.7)], 3: [(4, 0.7)]}


def note(number: int, text: str, day: float, kind: str = "") -> Replayed:
    return replay.replayed(number, day * DAY, text, kind, "episodic", "/shop")


def noticed(*planted: Replayed) -> list[Insight]:
    filler = [note(100 + place, text, 5.0 * place) for place, text in enumerate(FILLER)]
    return at_once.noticed(at_once.told_apart([*planted, *filler]), ALIKE)


def failures(days: float = 3.0) -> list[Replayed]:
    return [note(n + 1, text, n * days) for n, text in enumerate(FAILURES)]


def test_what_fails_on_three_days_and_is_not_fixed_recurs() -> None:
    (found,) = noticed(*failures())

    assert (found.kind, found.memory_ids) == (InsightKind.RECURRING_PATTERN, (1, 2, 3))
    assert "no fix is kept" in found.text


def test_a_failure_that_came_again_is_told_with_what_ended_it() -> None:
    fix = "Card terminal reader firmware 4.1 was installed again, payments work"
    (found,) = noticed(*failures(), note(4, fix, 9, "bugfix"))

    assert (found.kind, found.memory_ids) == (InsightKind.SYNTHESIS, (1, 2, 3, 4))
    assert "Three times in 6 days the same went wrong" in found.text
    assert fix in found.text


def test_an_account_that_mentions_a_failure_somewhere_is_about_something_else() -> None:
    texts = [f"Card terminals got firmware {n} of the reader. {text}."
             for n, text in enumerate(FAILURES)]  # fmt: skip

    assert noticed(*(note(n + 1, text, 3.0 * n) for n, text in enumerate(texts))) == []


def test_what_one_day_says_of_itself_is_no_lesson() -> None:
    assert noticed(*failures(days=0.1)) == []
