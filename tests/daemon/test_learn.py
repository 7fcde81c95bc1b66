"""Documents learnt in bulk: whole documents when somebody leaves, and everything taken back."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import trio

from actors.gate.messages import Audited
from actors.intake.messages import Journaled, RunTakenBack
from actors.memory.rows import Memory
from actors.memory.writes import Origin, Rewritten
from actors.policy.gate.gate_features import content_hash
from daemon.api.learn import Learn, ReadTranscripts, TakeBack
from daemon.home import Home
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING, VIRTUAL_TIME
from tests.daemon.test_host import hosted
from tests.writing import new, written

pytestmark = VIRTUAL_TIME

NOTES = """# Handoff

## Gotchas

- **`make {0}` hangs on macOS**: the watcher of `{0}` waits for `fsevents`, which the sandbox denies.
- **Never run `{0}.sh` on staging**: it drops the `{0}` table, since both share one database.
"""
DOCUMENTS = ("alpha", "bravo", "charlie")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with three documents of two items each."""
    folder = (tmp_path / "shop").resolve()
    for name in DOCUMENTS:
        (folder / name).mkdir(parents=True)
        (folder / name / "HANDOFF.md").write_text(NOTES.format(name))
    return folder


async def living(store: OpenStore) -> list[Memory]:
    return await store.reading.living(0, 99)


async def silent(_: object) -> None:
    await trio.lowlevel.checkpoint()


async def test_who_leaves_between_two_documents_has_whole_ones(
    home: Home, store: OpenStore, project: Path
) -> None:
    async with hosted(home, store) as running:
        with trio.CancelScope() as scope:

            async def leave(_: object) -> None:
                scope.cancel()
                await trio.lowlevel.checkpoint()

            await Learn(folder=str(project), yes=True).answer(running.parts, leave)
        after = await living(store)
        back = await TakeBack(folder=str(project)).answer(running.parts, silent)

    assert scope.cancelled_caught
    assert ["alpha" in one.text for one in after] == [True, True]
    assert back.count == 2
    assert await living(store) == []


async def test_who_leaves_within_a_document_has_it_whole(
    home: Home, store: OpenStore, project: Path
) -> None:
    async with hosted(home, store) as running, trio.open_nursery() as nursery:
        with trio.CancelScope() as scope:

            async def leave() -> None:
                while not await living(store):
                    await trio.lowlevel.checkpoint()
                scope.cancel()

            nursery.start_soon(leave)
            await Learn(folder=str(project), yes=True).answer(running.parts, silent)
        after = [one.text for one in await living(store)]

    assert all(sum(name in text for text in after) in (0, 2) for name in DOCUMENTS)
    assert after


async def test_what_a_run_rewrote_says_again_what_it_said(
    home: Home, store: OpenStore, project: Path
) -> None:
    run, before, after = "learn-1", "the oven is hot", "the oven is hot at 240 degrees"
    row = Journaled(b"1" * 16, "reverie", BEGINNING + 9, "learn", run, str(project), b"", done=True)
    (memory_id,) = await written(store, new(before, project=str(project)))
    (seq,) = await written(store, row)
    made = Origin("document", run, seq, "document")
    await written(
        store,
        Rewritten(memory_id, after, "", (), (), content_hash(after), BEGINNING + 9, "fuller"),
        Audited("UPDATE", memory_id, None, None, "fuller", None, content_hash(after),
                str(project), BEGINNING + 9, made),
    )  # fmt: skip

    async with hosted(home, store) as running:
        await TakeBack(folder=str(project), run=run).answer(running.parts, silent)

    assert [one.text for one in await living(store)] == [before]


async def test_passages_that_were_there_before_stay_of_whoever_brought_them(
    home: Home, store: OpenStore, project: Path
) -> None:
    async with hosted(home, store) as running:
        first = await Learn(folder=str(project), yes=True).answer(running.parts, silent)
        await trio.sleep(1)
        second = await Learn(folder=str(project), yes=True).answer(running.parts, silent)
        await trio.sleep(1)
        brought = [one.session for one in (await store.reading.passages(range(1, 99))).values()]

    assert set(brought) == {first.run}
    assert second.run != first.run


async def test_taking_back_is_one_write_and_twice_it_is_once(store: OpenStore) -> None:
    key = "document:HANDOFF.md:5:0123456789ab#Handoff"
    made = new(
        "it hangs", project="/p", key=key, at=BEGINNING, origin=Origin("document", "learn-1")
    )
    order = RunTakenBack("learn-1", "/p", BEGINNING, BEGINNING + 9)

    await written(store, made)

    assert await written(store, order) == [1]
    assert await written(store, order) == [0]


async def test_who_leaves_between_two_sessions_has_whole_ones(
    home: Home, store: OpenStore, tmp_path: Path
) -> None:
    folder = tmp_path / "projects/-shop"
    folder.mkdir(parents=True)
    for name in DOCUMENTS[:2]:
        said = [f"We always use {name} {number} for tests." for number in "AB"]
        lines = [
            {"type": "user", "uuid": text, "timestamp": "2026-03-04T10:00:00Z",
             "cwd": str(tmp_path), "message": {"content": text}}
            for text in said
        ]  # fmt: skip
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))
        os.utime(folder / f"{name}.jsonl", (name == "bravo", name == "bravo"))
    request = ReadTranscripts(folder=str(tmp_path), yes=True, transcripts=str(folder.parent))
    steps: list[object] = []
    async with hosted(home, store) as running:
        with trio.CancelScope() as scope:

            async def leave(step: object) -> None:
                steps.append(step)
                if len(steps) > len(DOCUMENTS[:2]):  # they are read, and one is learnt
                    scope.cancel()
                await trio.lowlevel.checkpoint()

            await request.answer(running.parts, leave)
        after = [one.text for one in await living(store)]

    assert scope.cancelled_caught
    assert sorted(after) == [f"We always use alpha {one} for tests." for one in "AB"]
