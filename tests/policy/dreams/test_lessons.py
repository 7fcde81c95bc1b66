"""What a theme teaches: a synthesis, a hidden connection, questions without an answer."""

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


def note(number: int, text: str, day: float, kind: str = "", project: str = "/shop") -> Replayed:
    return replay.replayed(number, day * DAY, text, kind, "episodic", project)


def among_filler(*planted: Replayed) -> list[Replayed]:
    filler = [note(100 + place, text, 5.0 * place) for place, text in enumerate(FILLER)]
    return at_once.told_apart([*planted, *filler])


def of_kind(found: Sequence[Insight], kind: InsightKind) -> list[Insight]:
    return [one for one in found if one.kind is kind]


def test_a_theme_of_a_failure_a_change_a_decision_and_a_fix_is_put_together() -> None:
    planted = (
        note(1, "Card payments fail at the terminal since the reader firmware was updated", 0),
        note(2, "Changed the reader firmware of the card terminal to 4.2", 3, "change"),
        note(3, "We decided to keep reader firmware 4.1 on every card terminal", 6, "decision"),
        note(
            4, "Card terminal reader firmware 4.1 was installed again, payments work", 9, "bugfix"
        ),
    )
    near: Likeness = {1: [(2, 0.7), (3, 0.6), (4, 0.7)], 2: [(3, 0.65), (4, 0.7)], 3: [(4, 0.7)]}

    (found,) = of_kind(at_once.noticed(among_filler(*planted), near), InsightKind.SYNTHESIS)

    assert found.memory_ids == (1, 2, 3, 4)
    assert found.text.startswith("Taken together, about ")
    assert "decision: “We decided to keep reader firmware 4.1" in found.text
    assert found.evidence[:2] == ("4 memories", "9 days")


def pair(likeness: float, days: float = 60.0) -> list[Insight]:
    memories = among_filler(
        note(1, "The invoice importer sorts by ZUGFERD_PROFILE and the Lisbon ledger", 0),
        note(2, "Audit asked why the Lisbon ledger lacks a ZUGFERD_PROFILE for March", days),
    )
    return at_once.hidden(memories, at_once.links(memories, {1: [(2, likeness)]}))


def test_two_memories_of_other_times_that_share_what_no_other_has_are_told() -> None:
    (found,) = pair(0.55)

    assert (found.kind, found.memory_ids) == (InsightKind.HIDDEN_CONNECTION, (1, 2))
    assert "ZUGFERD_PROFILE" in found.text
    assert found.evidence == ("3 rare concepts shared", "similarity 0.55")


def test_two_that_say_the_same_or_belong_to_one_week_are_no_hidden_connection() -> None:
    assert pair(0.95) == []
    assert pair(0.55, days=2.0) == []
