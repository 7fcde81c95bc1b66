"""Places of notes on the page of a session's start."""

from __future__ import annotations

import pytest

from actors.policy.recall.page import (
    DAY,
    LINE,
    LINES,
    SECTION,
    Listing,
    PageNote,
    Part,
    Place,
    Room,
    fitting,
    no_longer,
    page,
    weight,
)
from actors.policy.text.short_ids import told_id

LONG = "a line at 30 starts over 11 days, never used"


def note(identity: int, kind: str = "fact", size: int = 100, **other: object) -> PageNote:
    """A note of the user with a title of ten characters."""
    return PageNote(identity, size, "A decision"[:10], kind, **other)  # type: ignore[arg-type]


def parts(places: list[Place]) -> dict[Part, list[int]]:
    """The notes of each part, in their order."""
    return {part: [one.identity for one in places if one.part is part] for part in Part}


def test_wishes_come_before_decisions_these_before_traps_and_traps_before_the_rest() -> None:
    kinds = ["fact", "trap", "decision", "rule", "wish"]
    places = page([note(n, kind) for n, kind in enumerate(kinds, start=1)], Room())

    assert [one.identity for one in places] == [4, 5, 3, 2, 1]
    assert [one.reason for one in places] == [
        "a rule of the user", "a wish of the user", "the user decided it", "a trap", "a fact",
    ]  # fmt: skip


def test_a_wish_for_all_work_comes_before_a_weightier_one_for_a_moment() -> None:
    wishes = [note(1, "wish", weight=2.0), note(2, "wish", weight=0.5, is_always=True)]
    places = page(wishes, Room())

    assert [one.identity for one in places] == [2, 1]
    assert places[0].reason == "a standing wish of the user"


def test_wishes_take_no_more_than_their_share_and_the_others_become_lines() -> None:
    wishes = [note(n, "wish", size=300) for n in range(1, 6)]
    found = parts(page(wishes, Room()))

    assert found[Part.WISHES] == [1, 2, 3]  # 3 x 300 of 900
    assert found[Part.LINES] == [4, 5]


def test_a_text_that_does_not_fit_whole_becomes_a_line_and_a_shorter_one_takes_its_place() -> None:
    notes = [note(1, "decision", size=1_900), note(2, "decision", size=1_000)]
    found = parts(page(notes, Room()))

    assert (found[Part.DECISIONS], found[Part.LINES]) == ([2], [1])


def test_a_decision_about_files_that_are_worked_on_goes_before_a_weightier_one() -> None:
    notes = [note(1, "decision", weight=2.0), note(2, "decision", is_near=True)]
    places = page(notes, Room())

    assert [one.identity for one in places] == [2, 1]
    assert places[0].reason == "the user decided it, about files that are worked on"


@pytest.mark.parametrize(("is_used", "part"), [(False, Part.LINES), (True, Part.DECISIONS)])
def test_what_an_agent_noted_is_a_line_until_it_was_of_use(is_used: bool, part: Part) -> None:
    (place,) = page([note(1, "trap", by_person=False, is_used=is_used)], Room())

    assert place.part is part


def test_lines_are_the_strongest_first_and_no_title_is_cut() -> None:
    notes = [note(n, by_person=False, weight=float(n)) for n in range(1, 5)]
    size = len("m1 A decision") + LINE
    found = parts(page(notes, Room(lines=SECTION + 2 * size)))

    assert found[Part.LINES] == [4, 3]
    assert found[Part.LEFT] == [2, 1]


def test_a_wish_without_room_for_its_text_is_the_first_line_however_weak() -> None:
    notes = [note(1, by_person=False, weight=2.0), note(2, "wish", size=3_000, weight=0.1)]

    assert parts(page(notes, Room()))[Part.LINES] == [2, 1]


def test_there_are_no_lines_where_none_can_be_opened() -> None:
    (place,) = page([note(1, by_person=False)], Room(lines=0))

    assert (place.part, place.reason) == (Part.LEFT, "a line could not be opened")


def test_lines_take_no_more_than_the_whole_start_leaves_them() -> None:
    notes = [note(1, "decision", size=1_500), *(note(n, by_person=False) for n in range(2, 200))]
    room = Room(start=1_500 + 2 * SECTION + len("m2 A decision") + LINE)
    found = parts(page(notes, room))

    assert found[Part.LINES] == [2]
    assert len(parts(page(notes, Room()))[Part.LINES]) <= (LINES - SECTION) // 17


@pytest.mark.parametrize(
    ("listed", "reason"),
    [
        (note(1, "trap", by_person=False, excess=LONG), LONG),
        (note(1, "fact", size=9_999, excess=LONG), LONG),
        (note(1, "trap", by_person=False, is_used=True, excess=LONG), ""),
        (note(1, "trap", by_person=False, is_pinned=True, excess=LONG), ""),
        (note(1, "wish", size=9_999, excess=LONG), ""),
        (note(1, "rule", size=9_999, excess=LONG), ""),
        (note(1, "decision", size=9_999, excess=LONG), ""),
    ],
)
def test_a_line_that_nobody_needs_leaves_the_page_but_no_wish_rule_decision_or_pinned_note(
    listed: PageNote, reason: str
) -> None:
    (place,) = page([listed], Room())

    assert (place.reason if place.part is Part.LEFT else "") == reason


@pytest.mark.parametrize(
    ("judged", "stays"),
    [
        (note(1, "decision", is_faded=True), True),
        (note(1, "fact", is_faded=True, is_pinned=True), True),
        (note(1, "fact", is_faded=True), False),
        (note(1, "decision", is_faded=True, by_person=False), False),
        (note(1, is_useless=True), False),
        (note(1, "wish", is_useless=True), True),  # by an agent
        (note(1, "wish", is_useless=True, is_unwanted=True), False),
        (note(1, is_unwanted=True, is_pinned=True), True),
    ],
)
def test_what_faded_or_was_called_not_useful_leaves_but_for_pinned_notes_and_a_persons_decisions(
    judged: PageNote, stays: bool
) -> None:
    (place,) = page([judged], Room())

    assert (place.part is not Part.LEFT) is stays


def test_a_weight_is_the_product_of_memory_tier_person_and_use() -> None:
    assert weight(0.8, "normal", by_person=True, uses=0) == 0.8
    assert weight(0.8, "important", by_person=False, uses=5) == pytest.approx(0.9)
    assert weight(1.0, "critical", by_person=True, uses=99) == 4.0


def test_a_note_that_ended_is_a_line_that_names_the_one_that_holds() -> None:
    assert no_longer(12, (34, "Use nox")) == f"{told_id(12)} no longer holds: {told_id(34)} Use nox"
    assert no_longer(12, None) == f"{told_id(12)} no longer holds"


def test_lines_that_do_not_fit_are_left_out_and_none_is_cut() -> None:
    room = SECTION + 2 * (9 + LINE)

    assert fitting(["one " * 2, "long " * 40, "two " * 2], room) == ["one " * 2, "two " * 2]


@pytest.mark.parametrize(
    ("starts", "days", "excess"),
    [(30, 11, "a line at 30 starts over 11 days, never used"), (29, 99, ""), (99, 10.9, "")],
)
def test_thirty_starts_over_eleven_days_are_too_many(starts: int, days: float, excess: str) -> None:
    assert Listing(starts, 5 * DAY, (5 + days) * DAY).excess() == excess
