"""Writes: units whole or not at all, each write to its effect."""

from __future__ import annotations

from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.gate.messages import Audited, Judged
from actors.intake.messages import Derived
from actors.memory.commit import Unit
from actors.memory.rows import Memory
from actors.memory.use import Exposed, Reviewed
from actors.memory.writes import (
    DueAt,
    Ended,
    Linked,
    ModelChosen,
    Origin,
    Pinned,
    Pruned,
    Revived,
    Rewritten,
)
from actors.session.shapes import Delivered, SessionSeen
from daemon.storage import edit, gate, journal, memories
from daemon.storage.database.connection import configured
from daemon.storage.database.sql import Sql
from daemon.storage.database.writes import carry_out
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING
from tests.new_store import in_memory
from tests.writing import DIMENSIONS, EVERYWHERE, MODEL, axis, event, new, vectors, written

pytestmark = pytest.mark.trio


async def one(store: OpenStore, memory_id: int) -> Memory:
    return (await store.reading.memories([memory_id]))[memory_id]


async def found(store: OpenStore, word: str) -> list[int]:
    return [*await store.reading.words([word], EVERYWHERE, 9)]


async def near(store: OpenStore, number: int) -> list[int]:
    hits = await store.reading.nearest(axis(number), EVERYWHERE, 9)
    return [one for one, cosine in hits.items() if cosine > 0.5]


async def test_units_of_one_commit_have_their_own_outcomes(store: OpenStore) -> None:
    outcomes, *_ = await store.writing.commit([(new("a"), new("b")), (event(1),), ()])

    assert outcomes == [[1, 2], [1], []]


async def test_one_bad_unit_is_rolled_back_alone(store: OpenStore) -> None:
    bad: Unit = (new("half of the bad one"), Linked(1, 999, "related", None, 0.0))
    outcomes, *_ = await store.writing.commit([(new("first"),), bad, (new("last"),)])
    texts = [memory.text for memory in await store.reading.living(0, 9)]

    assert outcomes[0] == [1]
    assert isinstance(outcomes[1], apsw.ConstraintError)
    assert texts == ["first", "last"]
    assert await found(store, "half") == []


async def test_a_write_that_is_no_constraints_affair_undoes_the_whole_commit(
    store: OpenStore,
) -> None:
    wrong: Any = new("x", importance="not a number")
    with pytest.raises(apsw.Error):
        await store.writing.commit([(new("first"),), (ModelChosen("m", -1),)])
    outcomes, *_ = await store.writing.commit([(new("second"),), (wrong,)])

    assert [memory.text for memory in await store.reading.living(0, 9)] == ["second"]
    assert isinstance(outcomes[1], apsw.ConstraintError)  # a STRICT table refuses


# -- the journal


async def test_an_event_is_journaled_once(store: OpenStore) -> None:
    outcomes, *_ = await store.writing.commit([(event(1), event(2)), (event(1),), (event(3),)])
    rows = await store.reading.undone(0, 9)

    assert outcomes[:2] == [[1, 2], [0]]
    assert [row.event_id[-1] for row in rows] == [1, 2, 3]
    assert [row.seq for row in rows] == sorted({row.seq for row in rows})


async def test_phrases_are_read_as_they_were_written(store: OpenStore) -> None:
    """Most of them without a parser."""
    given = ("a", 'say "no"', "back\\slash", 'a","b', "c, d", "ünïcode", "[]")
    (first, second) = await written(
        store, new("one", triggers=given), new("two", triggers=("x", "y z"))
    )
    found = await store.reading.memories([first, second])

    assert sorted(found[first].triggers) == sorted(given)
    assert found[second].triggers == ("x", "y z")


async def test_a_derived_event_is_done(store: OpenStore) -> None:
    await written(store, event(1), event(2), Derived(1))

    assert [row.seq for row in await store.reading.undone(0, 9)] == [2]


async def test_what_an_event_makes_is_made_once(store: OpenStore) -> None:
    origin = Origin("remember", "s1", 1, "remember", 0)
    first = await written(store, event(1), new("a", origin=origin))
    again = await written(store, new("a", origin=origin), Derived(1))
    other = await written(store, new("b", origin=Origin("remember", "s1", 1, "remember", 1)))

    assert first[1] == again[0]
    assert other[0] != first[1]
    assert (await store.reading.counts()).memories == 2


async def test_what_no_event_made_may_be_made_twice(store: OpenStore) -> None:
    assert await written(store, new("a"), new("a")) == [1, 2]


async def test_only_old_events_that_are_done_are_pruned(store: OpenStore) -> None:
    await written(store, event(1), event(2), event(3), Derived(1), Derived(3))
    outcome = await written(store, Pruned(BEGINNING + 2.5))
    rows = await store.reading.read(journal.journal_page, 0, 9)

    assert outcome == [1]
    assert [row.seq for row in rows] == [2, 3]


# -- memories and the indexes


async def test_a_new_memory_is_found_by_its_words_title_and_triggers(store: OpenStore) -> None:
    await written(store, new("the port is 5432", title="Postgres", triggers=("db access",)))

    assert await found(store, "port") == [1]
    assert await found(store, "postgres") == [1]
    assert await found(store, "access") == [1]


async def test_a_rewritten_memory_keeps_its_past_and_changes_its_index(store: OpenStore) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("the port is 5432"))
    await written(store, vectors(1, "the port is 5432", 0))
    change = Rewritten(1, "the port is 6543", "t", ("given",), ("mined",), b"h", 9.0, "newer")
    await written(store, change)
    memory = await one(store, 1)
    history = await store.reading.read(edit.history, 1)

    assert (memory.text, memory.versions, memory.updated_at) == ("the port is 6543", 2, 9.0)
    assert (memory.triggers, memory.derived) == (("given",), ("mined",))
    assert await found(store, "5432") == []
    assert await found(store, "6543") == [1]
    assert await near(store, 0) == []
    assert [entry["detail"] for entry in history] == ["newer"]


async def test_what_does_not_live_cannot_be_rewritten(store: OpenStore) -> None:
    await written(store, new("a"), Ended(1, "forgotten", 5.0))
    for memory_id in (1, 7):
        with pytest.raises(apsw.ConstraintError):
            await written(store, Rewritten(memory_id, "x", "t", (), (), b"h", 9.0, "why"))

    assert (await one(store, 1)).text == "a"


async def test_an_ended_memory_leaves_every_index_and_comes_back_revived(store: OpenStore) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("port", triggers=("db",)))
    await written(store, vectors(1, "port", 0))
    ended = await written(store, Ended(1, "forgotten", 5.0), Ended(1, "archived", 6.0))
    gone = (await found(store, "port"), await near(store, 0), (await one(store, 1)).ended)
    revived = await written(store, Revived(1, 7.0), Revived(1, 8.0))

    assert (ended, revived) == ([1, 0], [1, 0])
    assert gone == ([], [], "forgotten")
    assert await found(store, "port") == [1]
    assert await found(store, "db") == [1]
    assert (await one(store, 1)).ended is None
    assert await store.reading.unvectored(MODEL, 9) == [1]


async def test_a_superseding_memory_ends_the_old_one_and_is_linked_to_it(store: OpenStore) -> None:
    await written(store, new("old"))
    await written(store, new("new", supersedes=1, similarity=0.9))
    old = await one(store, 1)
    links = await store.reading.read(Sql.rows, "SELECT * FROM memory_link")

    assert (old.ended, old.superseded_by) == ("deprecated", 2)
    assert [link[:4] for link in links] == [(2, 1, "supersedes", 0.9)]


async def test_an_audit_of_the_memory_just_made_knows_its_id(store: OpenStore) -> None:
    audit = Audited("CREATE", 0, None, None, "new", None, b"h", None, 1.0)
    outcome = await written(store, new("a"), audit)
    decisions = await store.reading.read(gate.decisions, 1)

    assert outcome == [1, 1]
    assert [entry["action"] for entry in decisions] == ["CREATE"]


async def test_a_judged_memory_no_longer_waits(store: OpenStore) -> None:
    await written(store, new("a", unjudged=True), new("b", unjudged=True), new("c", unjudged=True))
    await written(store, ModelChosen(MODEL, DIMENSIONS), vectors(1, "a", 0), vectors(2, "b", 1))
    await written(store, Judged(1))

    assert [memory.id for memory in await store.reading.unjudged(9)] == [2]


# -- vectors


async def test_vectors_need_the_model_and_the_text_they_were_made_of(store: OpenStore) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("a"))
    other_text = await written(store, vectors(1, "not a", 0))
    kept = await written(store, vectors(1, "a", 0, 1))

    assert (other_text, kept) == ([0], [2])
    assert (await store.reading.counts()).chunks == 2
    assert (await store.reading.counts()).unvectored == 0


async def test_the_same_model_again_keeps_the_vectors_and_another_drops_them(
    store: OpenStore,
) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("a"), vectors(1, "a", 0))
    same = await written(store, ModelChosen(MODEL, DIMENSIONS))
    kept = await near(store, 0)
    other = await written(store, ModelChosen("another", 8))

    assert (same, kept) == ([0], [1])
    assert other == [1]
    assert (await store.reading.counts()).unvectored == 1
    assert await store.reading.unvectored(MODEL, 9) == []
    assert await store.reading.unvectored("another", 9) == [1]


async def test_vectors_of_another_model_than_the_stores_are_not_kept(store: OpenStore) -> None:
    await written(store, ModelChosen("another", DIMENSIONS), new("a"))

    assert await written(store, vectors(1, "a", 0)) == [0]


async def test_a_vector_made_once_is_found_in_the_cache(store: OpenStore) -> None:
    made = vectors(1, "a", 3)
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("a"), made)
    key = made.chunks[0].content_hash

    assert await store.reading.cached_vectors(MODEL, [key, b"?"]) == {key: axis(3)}
    assert await store.reading.cached_vectors("another", [key]) == {}


# -- strength, exposure, sessions


async def test_a_review_changes_the_strength_and_is_kept(store: OpenStore) -> None:
    await written(store, new("a"))
    await written(store, Reviewed(1, 9.0, 4.0, 0, 3, "cited", True, 5.0))
    await written(store, Reviewed(1, 1.0, 6.0, 1, 1, "useless", False, 6.0))
    memory = await one(store, 1)

    assert (memory.stability, memory.difficulty, memory.lapses) == (1.0, 6.0, 1)
    assert (memory.reviews, memory.uses) == (2, 1)
    assert (memory.last_review, memory.last_implicit) == (6.0, 5.0)


async def test_a_review_of_what_is_gone_does_nothing(store: OpenStore) -> None:
    assert await written(store, Reviewed(9, 9.0, 4.0, 0, 3, "cited", True, 5.0)) == [0]


async def test_being_shown_is_counted_and_does_not_strengthen(store: OpenStore) -> None:
    await written(store, new("a"))
    before = await one(store, 1)
    await written(store, Exposed((1, 1, 77), "s", "prompt", 5.0))
    after = await one(store, 1)

    assert after.exposures == 2
    assert (after.stability, after.uses, after.last_use) == (before.stability, 0, None)


async def test_a_session_is_brought_up_to_date_and_keeps_its_beginning(store: OpenStore) -> None:
    await written(store, SessionSeen("s", "claude", "/p", 1.0, "open", "a", "", "/t"))
    await written(store, SessionSeen("s", "claude", None, 2.0, "ended", "b", "sum", None))
    row = await store.reading.session("s")

    assert row is not None
    assert (row.started_at, row.seen_at, row.status) == (1.0, 2.0, "ended")
    assert (row.project, row.task, row.summary, row.transcript) == ("/p", "b", "sum", "/t")


async def test_a_delivery_is_dated_by_its_last_time(store: OpenStore) -> None:
    await written(store, Delivered("s", (b"a", b"b"), 1.0), Delivered("s", (b"a",), 3.0, 0.4))

    assert await store.reading.delivered("s", 0.0) == [(b"b", 1.0, 1.0), (b"a", 3.0, 0.4)]
    assert await store.reading.delivered("s", 2.0) == [(b"a", 3.0, 0.4)]


async def test_a_due_time_keeps_when_the_job_last_ran(store: OpenStore) -> None:
    await written(store, DueAt("tidy", 10.0, 5.0), DueAt("tidy", 20.0, None))

    assert await store.reading.due() == {"tidy": (20.0, 5.0)}


async def test_a_pin_is_set_and_released(store: OpenStore) -> None:
    await written(store, new("a"), Pinned(1, True, 2.0))
    pinned = (await one(store, 1)).pinned
    await written(store, Pinned(1, False, 3.0))

    assert (pinned, (await one(store, 1)).pinned) == (True, False)


# -- any history leaves the indexes in step with the rows

_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["create", "supersede", "rewrite", "end", "revive", "vector"]),
        st.integers(1, 6),
    ),
    max_size=25,
)


@settings(deadline=None)
@given(steps=_STEPS)
async def test_the_indexes_hold_exactly_what_lives(steps: list[tuple[str, int]]) -> None:
    sql = in_memory()
    configured(sql, read_only=False)
    carry_out(sql, [(ModelChosen(MODEL, DIMENSIONS),)])
    for place, (what, target) in enumerate(steps):
        text = f"text {place}"
        current = {memory.id: memory for memory in memories.living(sql, 0, 99)}
        unit: Unit
        match what:
            case "create":
                unit = (new(text),)
            case "supersede":
                unit = (new(text, supersedes=target),)
            case "rewrite":
                unit = (Rewritten(target, text, "", (), (), text.encode(), 1.0, "why"),)
            case "end":
                unit = (Ended(target, "forgotten", 1.0),)
            case "revive":
                unit = (Revived(target, 1.0),)
            case _:
                known = current.get(target)
                unit = (vectors(target, known.text if known else "?", target),)
        carry_out(sql, [unit])
    living = {memory.id for memory in memories.living(sql, 0, 99)}
    worded = {row[0] for row in sql.rows("SELECT id FROM memory_words_docsize")}
    chunks = {row[0] for row in sql.rows("SELECT id FROM chunk")}
    stored = {row[0] for row in sql.rows("SELECT chunk_id FROM memory_vector")}
    owners = {row[0] for row in sql.rows("SELECT memory_id FROM chunk")}

    assert worded == living
    assert chunks == stored
    assert owners <= living
