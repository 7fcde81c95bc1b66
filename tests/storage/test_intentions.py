"""Intentions in the store: made once, changed while they are open."""

import pytest
from msgspec.structs import replace

from actors.policy.night.intentions import RETENTION, Intention, Trigger, changed
from actors.session.shapes import NO_ROOM, IntentionChanged, IntentionMade, IntentionsLeft
from daemon.storage import intentions
from daemon.storage.store import OpenStore
from daemon.storage.tables import statements
from tests.new_store import in_memory
from tests.writing import written

CALL = Intention("", "call Bob", {"at": 0}, 1.0)


@pytest.mark.trio
async def test_the_like_of_an_open_one_is_that_one(store: OpenStore) -> None:
    first = await written(store, IntentionMade(CALL))
    again = await written(store, IntentionMade(replace(CALL, made_at=2.0)))
    elsewhere = await written(store, IntentionMade(replace(CALL, project="/p")))
    done = changed(replace(CALL, intention_id="1"), "done", 3.0)
    await written(store, IntentionChanged(done, "done", 3.0))
    third = await written(store, IntentionMade(CALL))

    assert [first, again, elsewhere, third] == [[1], [1], [2], [3]]


@pytest.mark.trio
async def test_there_is_room_for_so_many(store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intentions, "MOST", 2)
    outcomes = [
        await written(store, IntentionMade(replace(CALL, text=text)))
        for text in ("one", "two", "three")
    ]

    assert outcomes == [[1], [2], [NO_ROOM]]


@pytest.mark.trio
async def test_what_ended_leaves_after_thirty_days(store: OpenStore) -> None:
    await written(store, IntentionMade(CALL), IntentionMade(replace(CALL, text="ask Eve")))
    done = changed(replace(CALL, intention_id="1"), "done", 600.0)
    await written(store, IntentionChanged(done, "done", 600.0))

    left = [await written(store, IntentionsLeft(RETENTION + at)) for at in (600.0, 601.0)]

    assert left == [[0], [1]]
    assert [one.text for one in await store.reading.intentions()] == ["ask Eve"]


BEFORE: list[tuple[Trigger, Trigger]] = [  # of the schema before, with what came of them
    ({"at": 7.0}, {"at": 7.0}),
    ({"after": 60.0}, {"at": 160.0}),
    ({"every": ["seconds", 3_600]}, {"at": 3_700.0}),
    ({"every": ["weekly", [0], 9, 0]}, {"at": 604_900.0}),
    ({"event": ["", "deploy"]}, {"words": "deploy"}),
    ({"within": [None, "auth", None, None]}, {"words": "auth"}),
    ({"any": [{"file": "*ui*"}, {"file": "*ui*/**"}]}, {"file": "*ui*{,/**}"}),
    ({"all": [{"branch": "main"}, {"at": 7.0}]}, {"at": 0.0}),
    ({"branch": "main", "at": 7.0}, {"at": 7.0}),
    ({"words": "tide", "branch": "main"}, {"branch": "main"}),
]


def test_intentions_of_an_earlier_version_have_one_trigger() -> None:
    sql = in_memory()
    for number, (old, _) in enumerate(BEFORE):
        wanted = replace(CALL, text=str(number), trigger=old, made_at=100.0)
        intentions.make(sql, IntentionMade(wanted))
    for _ in range(2):
        sql.rows(statements("one_trigger"))

    assert [one.trigger for one in intentions.intentions(sql)] == [new for _, new in BEFORE]
