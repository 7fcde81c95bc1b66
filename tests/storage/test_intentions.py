"""Intentions in the store: made once, changed while they are open."""

import pytest
from msgspec.structs import replace

from actors.policy.night.intentions import RETENTION, Intention, changed
from actors.session.shapes import NO_ROOM, IntentionChanged, IntentionMade, IntentionsAged
from daemon.storage import intentions
from daemon.storage.store import OpenStore
from tests.writing import written

pytestmark = pytest.mark.trio

CALL = Intention("", "call Bob", {"at": 0}, 1.0)


async def test_the_like_of_an_open_one_is_that_one(store: OpenStore) -> None:
    first = await written(store, IntentionMade(CALL))
    again = await written(store, IntentionMade(replace(CALL, made_at=2.0)))
    elsewhere = await written(store, IntentionMade(replace(CALL, project="/p")))
    done = changed(replace(CALL, intention_id="1"), "done", 3.0)
    await written(store, IntentionChanged(done, "done", 3.0))
    third = await written(store, IntentionMade(CALL))

    assert [first, again, elsewhere, third] == [[1], [1], [2], [3]]


async def test_there_is_room_for_so_many(store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intentions, "MOST", 2)
    outcomes = [
        await written(store, IntentionMade(replace(CALL, text=text)))
        for text in ("one", "two", "three")
    ]

    assert outcomes == [[1], [2], [NO_ROOM]]


async def test_what_an_earlier_version_waited_for_is_words_of_a_prompt_or_due_at_once(
    store: OpenStore,
) -> None:
    waiting = {"all": [{"within": [None, "auth", None, None]}, {"file_regex": "py$"}]}
    (number,) = await written(store, IntentionMade(replace(CALL, trigger=waiting)))

    found = await store.reading.read(intentions.intention, number)

    assert found is not None
    assert found.trigger == {"all": [{"event": ["prompt", "auth"]}, {"at": 0.0}]}


async def test_what_is_past_its_deadline_expires_and_leaves_after_thirty_days(
    store: OpenStore,
) -> None:
    await written(store, IntentionMade(CALL), IntentionMade(replace(CALL, deadline=600.0)))
    month = RETENTION

    left = [await written(store, IntentionsAged(at)) for at in (600.0, 601.0, month + 600.0)]
    totals = await store.reading.read(intentions.totals)
    (gone,) = await written(store, IntentionsAged(month + 601.0))

    assert (left, totals["open"], gone) == ([[0], [0], [0]], 1, 1)
    assert [one.deadline for one in await store.reading.intentions()] == [None]
