"""When an event was that a query names: "before the release"."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.anchors import Event, Told, asked_time, event_of, said
from actors.policy.times.time_phrases import DAY
from actors.policy.times.time_words import Anchor, Side, asked

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()


def on(year: int, month: int, day: int, hour: int = 12) -> float:
    return datetime(year, month, day, hour, tzinfo=UTC).timestamp()


def anchor(query: str) -> Anchor:
    found = asked(query, NOW)
    assert isinstance(found, Anchor)
    return found


RELEASE = Told(
    7, "We released 2.0 on 4 March 2026, the first release with plugins.", on(2026, 5, 1)
)
BEFORE = anchor("what did we change before the release?")


def test_a_day_that_the_text_names_is_when_it_was() -> None:
    event = event_of(BEFORE, [RELEASE], NOW)

    assert event == Event(7, on(2026, 3, 4, 0), on(2026, 3, 5, 0), dated=True)


def test_without_a_day_it_was_when_the_memory_was_kept() -> None:
    told = Told(
        3, "The release of the plugin host is out, it went live without trouble.", NOW - DAY
    )

    assert event_of(BEFORE, [told], NOW) == Event(3, NOW - DAY, NOW - DAY, dated=False)


def test_a_named_day_is_surer_than_when_a_memory_was_kept() -> None:
    later = Told(9, "The release was fun.", NOW - 3 * DAY)

    assert event_of(BEFORE, [later, RELEASE], NOW) == event_of(BEFORE, [RELEASE], NOW)


def test_two_days_make_an_event_ambiguous_and_then_there_is_no_time() -> None:
    other = Told(8, "The release was moved and happened on 9 April 2026.", on(2026, 5, 1))

    assert event_of(BEFORE, [RELEASE, other], NOW) is None


def test_two_memories_of_one_day_are_one_event() -> None:
    same = Told(8, "On 4 March 2026 the release went live at noon.", on(2026, 3, 9))

    event = event_of(BEFORE, [same, RELEASE], NOW)
    assert event is not None
    assert event.identity == 7


@pytest.mark.parametrize(
    "text",
    [
        "Run the whole suite before the release.",
        "The release will happen on 4 March 2026.",
        "After every release the changelog was checked.",
        "The migration was finished on 4 March 2026.",
        "The release of 2024 was the last of its kind, in 2024.",
        "release notes live in docs/",
    ],
    ids=["rule", "to come", "habit", "another event", "no day", "nothing happened"],
)
def test_a_text_that_tells_of_no_such_event_is_none(text: str) -> None:
    assert event_of(BEFORE, [Told(1, text, on(2026, 4, 1))], NOW) is None


def test_all_words_of_the_event_are_wanted() -> None:
    moved = anchor("what broke after we moved to Postgres?")
    mysql = Told(1, "We moved to MySQL on 2 February 2026.", on(2026, 2, 2))
    postgres = Told(2, "We moved to Postgres on 2 June 2026.", on(2026, 6, 2))

    event = event_of(moved, [mysql, postgres], NOW)
    assert event is not None
    assert event.identity == 2


def test_before_ends_where_the_event_begins_and_after_begins_where_it_ends() -> None:
    event = Event(1, on(2026, 3, 4, 0), on(2026, 3, 5, 0), dated=True)

    assert asked_time(Anchor(Side.BEFORE, "release", "before"), event, NOW).end == event.begin
    assert asked_time(Anchor(Side.AFTER, "release", "after"), event, NOW).begin == event.end
    since = asked_time(Anchor(Side.SINCE, "release", "since"), event, NOW)
    assert (since.begin, since.end) == (event.end, NOW)


def test_what_was_understood_is_told_with_the_memory_that_says_so() -> None:
    event = event_of(BEFORE, [RELEASE], NOW)
    assert event is not None

    assert said(BEFORE, event) == "before the release: 2026-03-04 (m7)"


def test_what_was_kept_later_than_now_tells_nothing() -> None:
    assert event_of(BEFORE, [Told(1, "The release went live.", NOW + 1)], NOW) is None


TOLD = st.lists(
    st.builds(
        Told,
        st.integers(1, 99),
        st.sampled_from(
            (
                "The release went live.",
                "The release happened on 4 March 2026.",
                "The release happened on 5 March 2026.",
                "The release was on 1 October 2026.",
                "Before the release, run the tests.",
                "Something else was done.",
            )
        ),
        st.floats(NOW - 300 * DAY, NOW + DAY),
    ),
    max_size=6,
    unique_by=lambda one: one.identity,
)


@given(TOLD, st.randoms(use_true_random=False))
def test_the_order_of_memories_does_not_matter(told: list[Told], shuffling: object) -> None:
    mixed = list(told)
    shuffling.shuffle(mixed)  # type: ignore[attr-defined]

    assert event_of(BEFORE, told, NOW) == event_of(BEFORE, mixed, NOW)


@given(TOLD)
def test_an_event_is_one_of_a_memory_and_never_to_come(told: list[Told]) -> None:
    event = event_of(BEFORE, told, NOW)

    if event is not None:
        assert event.identity in {one.identity for one in told}
        assert event.begin <= event.end <= NOW


@given(st.floats(NOW - 400 * DAY, NOW), st.sampled_from(Side))
def test_what_is_asked_for_lies_on_its_side_of_the_event(at: float, side: Side) -> None:
    event = Event(1, at, at, dated=False)

    found = asked_time(Anchor(side, "release", "words"), event, NOW)
    assert found.begin <= found.end
    assert (found.end if side is Side.BEFORE else at) <= at
    assert at <= (at if side in (Side.BEFORE, Side.DURING) else found.begin)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_is_read(event: str, text: str) -> None:
    found = event_of(Anchor(Side.BEFORE, event, event), [Told(1, text, NOW)], NOW)

    assert found is None or found.identity == 1
