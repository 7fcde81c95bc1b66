"""Notes of the reader in the store: with their memories, and gone with what they quote."""

from __future__ import annotations

from typing import Any

import pytest

from actors.memory.use import Credited, Exposed
from actors.memory.writes import Ended, Erased, ErasedEverything, ModelChosen, Origin
from actors.reader.messages import (
    Cue,
    CueVectored,
    Mark,
    NoteJudged,
    NoteRead,
    NotesSeen,
    ReadingBegun,
    ReadingEnded,
    SessionRead,
    StoppedAt,
)
from daemon.home import Home
from daemon.storage import journal, read_notes, strength
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore
from tests.holders import holders
from tests.storage.test_erasing import packed
from tests.writing import axis, event, new, written

pytestmark = pytest.mark.trio

QUOTATION = "please never touch marzipan on Fridays"


def note(**other: Any) -> NoteRead:
    filled: dict[str, Any] = {
        "memory_id": 0,
        "reading": 1,
        "session": "s1",
        "seq": 1,
        "kind": "wish",
        "said_by": "user",
        "scope": "always",
        "quotation": QUOTATION,
        "at": 5.0,
        "cues": (Cue("prompt", "clean the nougat shelf", axis(3), "m"), Cue("file", "shelf.py")),
        **other,
    }
    return NoteRead(**filled)


async def a_note(store: OpenStore, text: str = "The shelf stays as it is on Fridays.") -> None:
    """A memory that the reader wrote of the first event."""
    await written(store, event(1, body=packed(f"{QUOTATION}, thanks")))
    origin = Origin("reader", "s1", 1, "reader")
    await written(store, new(text, project="/p", origin=origin), note())


async def rows(store: OpenStore, query: str) -> list[tuple[Any, ...]]:
    return await store.reading.read(Sql.rows, query)


async def test_a_note_belongs_to_the_memory_made_just_before(store: OpenStore) -> None:
    await written(store, new("another memory"))
    await a_note(store)

    assert await rows(store, "SELECT memory_id, said_by, quotation FROM read_note") == [
        (2, "user", QUOTATION)
    ]
    assert await rows(store, "SELECT memory_id, kind, text FROM cue") == [
        (2, "file", "shelf.py"),
        (2, "prompt", "clean the nougat shelf"),
    ]


async def test_an_erased_note_leaves_no_quotation_and_no_cue_in_any_file(
    store: OpenStore, home: Home
) -> None:
    await a_note(store)
    await store.writing.checkpoint(truncate=True)
    before = holders(home.root, "marzipan", "nougat", "shelf.py")
    await written(store, Erased((1,)))
    await store.writing.scrub()

    assert before
    assert holders(home.root, "marzipan", "nougat", "shelf.py") == []


async def test_a_note_loses_quotation_and_cues_when_its_event_is_erased(store: OpenStore) -> None:
    await a_note(store)
    await written(store, new("marzipan is served", origin=Origin("wish", "s1", 1, "wish")))
    await written(store, Erased((2,)))

    assert await rows(store, "SELECT memory_id, quotation FROM read_note") == [(1, "")]
    assert await rows(store, "SELECT text FROM cue") == []


async def test_a_quotation_that_says_an_erased_text_goes(store: OpenStore) -> None:
    await a_note(store)
    await written(store, new("never touch marzipan on Fridays"))
    await written(store, Erased((2,)))

    assert await rows(store, "SELECT quotation FROM read_note") == [("",)]


@pytest.mark.parametrize("order", [ErasedEverything("/p"), ErasedEverything(whole_store=True)])
async def test_readings_go_with_their_project_and_with_everything(
    store: OpenStore, order: ErasedEverything
) -> None:
    await a_note(store)
    await written(store, order)

    assert await rows(store, "SELECT count(*) FROM read_note") == [(0,)]
    assert await rows(store, "SELECT count(*) FROM cue") == [(0,)]


async def test_a_prompt_gets_its_vector_later(store: OpenStore) -> None:
    await a_note(store)
    outcome = await written(store, CueVectored("clean the nougat shelf", axis(5), "other"))

    assert outcome == [1]
    assert await rows(store, "SELECT vector, model FROM cue WHERE kind = 'prompt'") == [
        (axis(5), "other")
    ]


async def test_whoever_judges_a_note_has_seen_it(store: OpenStore) -> None:
    await a_note(store)
    judged = await written(store, NoteJudged(1, "dropped", 9.0, ended=False))
    seen = await written(store, NotesSeen((1,), 10.0))

    assert (judged, seen) == ([1], [0])
    assert await rows(store, "SELECT verdict, seen_at FROM read_note") == [("dropped", 9.0)]


async def test_where_a_session_stopped_goes_with_a_text_that_it_says(store: OpenStore) -> None:
    await written(
        store, event(1), SessionRead("s1", 1), StoppedAt("s1", "marzipan is left on Friday")
    )
    before = await store.reading.stopped_at("s1")
    await written(store, new("marzipan is left on Friday"))
    await written(store, Erased((1,)))

    assert before == "marzipan is left on Friday"
    assert await store.reading.stopped_at("s1") == ""


async def test_where_a_session_stopped_is_not_told_once_it_went_on(store: OpenStore) -> None:
    await written(store, event(1), SessionRead("s1", 1), StoppedAt("s1", "CI is red"))
    await written(store, event(2))

    assert await store.reading.stopped_at("s1") == ""


async def test_living_notes_of_a_project_are_known_by_their_memories_and_by_their_files(
    store: OpenStore,
) -> None:
    await a_note(store)

    assert await store.reading.marks("/p", 9) == {1: Mark("wish", "always", "")}
    assert await store.reading.marks("/other", 9) == {}
    assert await store.reading.cued_by_files("/p", ["shelf.py", "other.py"]) == [1]
    assert await store.reading.cued_by_files("/other", ["shelf.py"]) == []


async def test_cues_are_those_of_living_notes_of_a_project(store: OpenStore) -> None:
    await a_note(store)
    cues = (Cue("command", "git stash"), Cue("error", "no such branch"))
    for seq, project in enumerate(("/p", "/other"), start=2):
        origin = Origin("noticed-reader", "s1", seq, "reader")
        text = f"A stash is lost in {project}."
        await written(store, new(text, project=project, origin=origin), note(cues=cues))
    commands = await store.reading.read(read_notes.cues, "/p", "command")
    await written(store, Ended(2, "forgotten", 9.0))

    assert commands == [(2, "git stash")]
    assert await store.reading.read(read_notes.cues, "/p", "error") == []


async def test_tellings_at_a_place_count_by_session_since_the_last_use(store: OpenStore) -> None:
    await a_note(store)
    told = [Exposed((1,), f"s{n}", "tool", float(n)) for n in (1, 1, 2, 3, 4)]
    await written(store, *told, Exposed((1,), "s9", "prompt", 9.0))

    async def counted(session: str) -> dict[int, tuple[int, bool]]:
        return await store.reading.read(strength.told_unused, [1], "tool", session)

    before = await counted("s2"), await counted("s9")
    await written(store, Credited(1, "s3", "done", 3.5))

    assert before == ({1: (4, True)}, {1: (4, False)})
    assert await counted("s9") == {1: (1, False)}


async def test_cues_are_known_of_what_a_person_said_or_that_was_of_use(store: OpenStore) -> None:
    await written(store, ModelChosen("m", len(axis(3)) // 4))
    await a_note(store)
    await written(store, new("printed", project="/p"), note(said_by="tool"))
    before = await store.reading.cue_vectors("/p", 9)
    await written(store, NoteJudged(2, "kept", 9.0, ended=False))
    await written(store, new("without cues", project="/p"), note(cues=()))

    assert before == [(1, axis(3))]
    assert await store.reading.cue_vectors("/p", 9) == [(3, None), (2, axis(3)), (1, axis(3))]
    assert await store.reading.cue_vectors("/other", 9) == []


async def test_a_note_is_of_the_day_on_which_it_was_read_and_not_of_its_words(
    store: OpenStore,
) -> None:
    begun = ReadingBegun("s1", "/p", "a program", "it is over", 90.0, 90.0, 1, 1, 9)
    (reading,) = await written(store, begun)
    await written(store, event(1, body=packed(f"{QUOTATION}, thanks")))
    origin = Origin("reader", "s1", 1, "reader")
    text = "The shelf stays as it is on Fridays."
    made = new(text, project="/p", at=5.0, origin=origin)
    await written(store, made, note(reading=reading))
    await written(store, ReadingEnded(reading, 100.0, 10, None, "", 1))

    spans = [(0.0, 50.0), (50.0, 150.0), (150.0, 200.0)]
    found = [
        await store.reading.read(journal.moments_between, since, until, None, True)
        for since, until in spans
    ]

    assert [[(one.at, one.how) for one in day] for day in found] == [[], [(100.0, "read")], []]
