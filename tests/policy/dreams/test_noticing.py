"""Notices of a dream, by kind, likeness and time."""

from collections.abc import Sequence
from itertools import combinations, count

import pytest

from actors.policy.night import noticing
from actors.policy.night.demands import CHOICE, ArchivedPrompt
from actors.policy.night.insights import Insight, InsightKind
from actors.policy.night.replay import Replayed
from actors.policy.text.short_ids import short_id
from tests.clock import BEGINNING
from tests.policy.dreams import at_once
from tests.policy.text.whole import whole

DAY = 86_400.0
WORDS = "apples pears plums figs limes dates".split()


def notes(*kinds: str, days: Sequence[float] = (), projects: Sequence[str] = ()) -> list[Replayed]:
    """Notes about one thing, a day apart, of these kinds."""
    places = list(projects) or ["/shop"] * len(kinds)
    return [
        Replayed(
            number, BEGINNING + day * DAY, f"The staging deploy of Quill beside {word}", kind, place
        )
        for number, word, kind, day, place in zip(
            count(1), WORDS, kinds, days or range(len(kinds)), places, strict=False
        )
    ]  # fmt: skip


def noticed(memories: Sequence[Replayed], said: Sequence[ArchivedPrompt] = ()) -> list[Insight]:
    """What is noticed where each of them is as near to each other."""
    alike = dict.fromkeys(combinations((one.id for one in memories), 2), 0.7)
    return at_once.noticed(memories, alike, said)


@pytest.mark.parametrize(
    ("memories", "kind"),
    [
        (
            notes("discovery", "convention", "preference", projects=("/a", "/b", "/a")),
            InsightKind.GENERALIZATION,
        ),
        (notes("fact", "bugfix", "change", "decision"), InsightKind.SYNTHESIS),
        (notes("bugfix", "fact", "bugfix", "bugfix"), InsightKind.RECURRING_PATTERN),
        (notes(*["fact"] * 5, days=(0, 30, 33, 36, 40)), InsightKind.TEMPORAL_TREND),
    ],
    ids=lambda value: value.value if isinstance(value, InsightKind) else "",
)
def test_a_theme_is_told_as_what_its_kinds_and_times_say(
    memories: list[Replayed], kind: InsightKind
) -> None:
    (found,) = noticed(memories)

    assert found.kind is kind
    assert found.memory_ids == tuple(one.id for one in memories)
    assert found.evidence[0] == f"{len(memories)} memories"


@pytest.mark.parametrize(
    "memories",
    [
        notes("fact", "change", "fact"),
        notes("bugfix", "bugfix", "bugfix", days=(0, 0.1, 0.2)),
        notes("bugfix", "bugfix"),
        notes("discovery", "convention", "fact", projects=("/a", "/b", "/a")),
        notes("decision", "fact", "decision"),
        notes(*["fact"] * 5, days=(0, 1, 2, 3, 40)),
        notes(*["fact"] * 5, days=(0, 20, 22, 24, 26)),
    ],
    ids=[
        "nothing but notes", "one day's work", "two are none", "no rule in several projects",
        "settled before", "less often", "within a month",
    ],
)  # fmt: skip
def test_most_themes_tell_nothing(memories: list[Replayed]) -> None:
    assert noticed(memories) == []


def test_two_memories_that_the_gate_would_not_let_stand_contradict_each_other() -> None:
    older, newer = (
        Replayed(number, BEGINNING + number * DAY, text, "fact", "/shop")
        for number, text in ((1, "The pool has 20 connections"), (2, "The pool has 40 connections"))
    )
    (found,) = at_once.noticed([older, newer], {(1, 2): 0.9})

    assert (found.kind, found.memory_ids) == (InsightKind.CONTRADICTION, (1, 2))
    assert f"The newer one is memory {short_id(2)}" in found.text


@pytest.mark.parametrize(
    ("session", "project", "alike"),
    [("s1", "/shop", 0.9), ("s2", "/bank", 0.7), ("s2", "/shop", 0.5)],
    ids=["of one session", "of two projects", "of different things"],
)
def test_what_may_hold_beside_each_other_is_no_contradiction(
    session: str, project: str, alike: float
) -> None:
    older = Replayed(1, 0.0, "The pool has 20 connections", project="/shop", session="s1")
    newer = Replayed(2, DAY, "The pool has 40 connections", project=project, session=session)

    assert not noticing.conflict(older, newer) or alike < noticing.SIMILARITY
    assert at_once.noticed([older, newer], {(1, 2): alike}) == []


def test_what_a_word_announces_is_left_to_the_gate() -> None:
    """Of three that dreams saw in 282 notes none was a contradiction."""
    older = Replayed(1, 0.0, "Business logic belongs in service objects", project="/shop")
    newer = Replayed(2, DAY, "Business logic should not exceed 15 lines", project="/shop")

    assert at_once.noticed([older, newer], {(1, 2): 0.9}) == []


def test_entries_of_a_list_contradict_no_other_entry() -> None:
    entries = [
        Replayed(n, n * DAY, f"The pool of the {word} has {n} connections", "fact", "/shop")
        for n, word in enumerate(WORDS, 1)
    ]
    lists = {noticing.form(entries[0].text)}

    assert not noticing.conflict(entries[0], entries[1], lists)
    assert noticed(entries) == []


def test_two_projects_that_know_nearly_the_same_have_a_hidden_connection() -> None:
    one = Replayed(1, 0.0, "Quill reads the address of its replica at boot", project="/shop")
    other = Replayed(2, DAY, "At boot Quill reads its replica's address", project="/bank")
    (found,) = at_once.noticed([one, other], {(1, 2): 0.85})

    assert (found.kind, found.memory_ids) == (InsightKind.HIDDEN_CONNECTION, (1, 2))
    assert "bank, shop" in found.text
    assert at_once.noticed([one, other], {(1, 2): 0.79}) == []


def test_what_agents_ask_in_session_after_session_is_a_gap() -> None:
    asked = f"{CHOICE}Which package manager?”, the user chose “pnpm” (of 2)"
    said = [ArchivedPrompt(n, f"s{n}", "/shop", n * DAY, asked) for n in (1, 2)]
    (found,) = noticed([], said)

    assert found.kind is InsightKind.KNOWLEDGE_GAP


def test_a_memory_is_in_one_theme_at_most_and_each_is_near_one_of_them() -> None:
    alike = {(1, 2): 0.8, (1, 3): 0.8, (3, 4): 0.8, (1, 5): 0.69}
    found: list[noticing.Theme] = whole(noticing.grouping(notes(*["fact"] * 6), alike))

    assert [[one.id for one in theme] for theme in found] == [[1, 2, 3]]


def test_an_empty_store_has_no_insights() -> None:
    assert noticed([]) == []
