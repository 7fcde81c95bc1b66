"""Claims and time in the store."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from actors.gate.messages import Audited
from actors.memory.use import Retiered, Reviewed
from actors.memory.writes import (
    Ended,
    Erased,
    MemoryClaim,
    Origin,
    Pinned,
    Revived,
    Rewritten,
    StatusSet,
    ValiditySet,
)
from actors.policy.decay.states import TEMPORARY_LIFETIME
from actors.policy.gate.gate_features import content_hash
from daemon.home import Home
from daemon.storage.store import OpenStore, open_store
from tests.clock import BEGINNING
from tests.holders import holders
from tests.new_store import of_version
from tests.writing import new, written

pytestmark = pytest.mark.trio

GUESS = MemoryClaim("hypothesis", 1.0, 2.0, "database")


async def test_a_memory_keeps_its_claim(store: OpenStore) -> None:
    await written(store, new("a", standing=GUESS), new("b"))
    found = await store.reading.memories([1, 2])
    guess, plain = found[1], found[2]

    assert (guess.status, guess.valid_from, guess.valid_until) == ("hypothesis", 1.0, 2.0)
    assert guess.subject == "database"
    assert (plain.status, plain.valid_from, plain.valid_until) == ("confirmed", None, None)
    assert plain.subject is None


async def test_a_new_version_may_claim_anew_or_leave_it(store: OpenStore) -> None:
    await written(store, new("a", standing=GUESS), new("b", standing=GUESS))
    rewritten = ("c", "c", (), (), content_hash("c"), BEGINNING, "newer")
    await written(store, Rewritten(1, *rewritten), Rewritten(2, *rewritten, MemoryClaim()))
    found = await store.reading.memories([1, 2])

    assert (found[1].status, found[1].subject) == ("hypothesis", "database")
    assert (found[2].status, found[2].subject) == ("confirmed", None)


async def test_status_and_validity_are_set_also_of_what_ended(store: OpenStore) -> None:
    await written(store, new("a"), Ended(1, "deprecated", BEGINNING))
    outcome = await written(
        store, StatusSet(1, "refuted", BEGINNING), ValiditySet(1, 3.0, 4.0), ValiditySet(9, 1, 2)
    )
    memory = (await store.reading.memories([1]))[1]

    assert outcome == [1, 1, 0]
    assert (memory.status, memory.validity.valid_from, memory.validity.valid_until) == (
        "refuted",
        3.0,
        4.0,
    )


async def test_an_unknown_status_is_refused_with_its_whole_unit(store: OpenStore) -> None:
    await written(store, new("a"))
    with pytest.raises(apsw.ConstraintError):
        await written(store, ValiditySet(1, 3.0, 4.0), StatusSet(1, "perhaps", BEGINNING))

    assert (await store.reading.memories([1]))[1].valid_from is None


async def test_the_holders_of_a_subject_are_those_that_live_in_just_this_project(
    store: OpenStore,
) -> None:
    held = MemoryClaim(subject="database")
    await written(
        store,
        new("a", standing=held, project="/p"),
        new("b", standing=held, project="/p"),
        new("c", standing=held),
        new("d", project="/p"),
        Ended(1, "forgotten", BEGINNING),
    )

    assert [one.id for one in await store.reading.of_subject("database", "/p")] == [2]
    assert [one.id for one in await store.reading.of_subject("database", None)] == [3]


async def test_a_supposition_of_before_that_nothing_decided_and_nobody_used_expires_at_once(
    store: OpenStore,
) -> None:
    supposed, rule = MemoryClaim("hypothesis"), Origin("supposition")
    await written(
        store,
        *(new(text, standing=supposed, origin=rule) for text in "abcd"),
        new("said by hand", standing=supposed),
        StatusSet(2, "confirmed", BEGINNING),
        Pinned(3, True, BEGINNING),
        Reviewed(4, 9.0, 4.0, 0, 3, "cited", True, BEGINNING),
    )

    assert await store.reading.expired(BEGINNING, 9) == [1]


async def test_only_temporary_memories_that_are_not_pinned_expire(store: OpenStore) -> None:
    over = MemoryClaim(valid_until=BEGINNING)
    await written(
        store,
        new("a", tier="temporary", standing=over),
        new("b", tier="temporary", standing=over),
        new("c", standing=over),
        new("d", tier="temporary", standing=MemoryClaim(valid_until=BEGINNING + 1)),
        Pinned(2, True, BEGINNING),
    )

    assert await store.reading.expired(BEGINNING, 9) == [1]
    await written(store, Ended(1, "expired", BEGINNING))
    assert await store.reading.expired(BEGINNING, 9) == []


async def test_a_refuted_text_is_known_again_in_its_project(store: OpenStore) -> None:
    await written(store, new("a", project="/p"), Ended(1, "refuted", BEGINNING))

    assert await store.reading.refuted_before(content_hash("a"), "/p")
    assert not await store.reading.refuted_before(content_hash("a"), None)
    await written(store, Revived(1, BEGINNING))
    assert not await store.reading.refuted_before(content_hash("a"), "/p")


def store_of_schema_3(path: Path) -> None:
    sql = of_version(path, 3)
    for tier in ("normal", "temporary"):
        sql.rows(
            "INSERT INTO memory (text, title, kind, tier, memory_type, context_type, created_at,"
            " updated_at, content_hash, stability, difficulty, importance, source)"
            " VALUES ('a', 'a', 'fact', ?, 'd', 'g', 100, 100, x'00', 1, 5, .5, 'hand')",
            (tier,),
        )
    sql.raw.close()


async def test_memories_from_before_are_facts_and_temporary_ones_get_their_end(home: Home) -> None:
    store_of_schema_3(home.database)
    async with open_store(home) as store:
        found = await store.reading.memories([1, 2])

    assert [found[i].status for i in (1, 2)] == ["confirmed", "confirmed"]
    assert found[1].valid_until is None
    assert found[2].valid_until == 100 + TEMPORARY_LIFETIME


async def test_no_byte_of_a_claim_stays_when_it_is_erased(store: OpenStore, home: Home) -> None:
    """Its subject, and the reason of another one that quotes it."""
    text = "the current marzipan is hazelnut"
    reason = "no: the current marzipan is hazelnut, they say"
    await written(store, new(text, standing=MemoryClaim(subject="marzipan")), new("b"))
    await written(
        store,
        StatusSet(2, "refuted", BEGINNING),
        Ended(2, "refuted", BEGINNING),
        Audited("REFUTE", 2, None, None, reason, None, content_hash("b"), None, BEGINNING),
    )
    await written(store, Erased((1,)))
    await store.writing.scrub()

    assert holders(home.root, "marzipan") == []


async def test_the_end_of_a_temporary_tier_comes_and_goes_with_it(store: OpenStore) -> None:
    await written(
        store, new("a"), new("b", tier="temporary", standing=MemoryClaim(valid_until=9.0))
    )
    await written(store, Retiered(1, "temporary", BEGINNING), Retiered(2, "normal", BEGINNING))
    found = await store.reading.memories([1, 2])

    assert found[1].valid_until == BEGINNING + TEMPORARY_LIFETIME
    assert found[2].valid_until is None
