"""Transcripts read by the reader: cost first, the oldest first, once, gone on with, and taken back."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from actors.policy.reader.exchange import BESIDE, Answer, Failed, Reason, Request
from actors.reader.messages import Chosen, ReadingEngine
from daemon.api.learn import ReadTranscripts, TakeBack
from daemon.home import Home
from daemon.host import Running
from daemon.shapes.learnt import Learnt
from daemon.shapes.replies import NotThere
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING, VIRTUAL_TIME
from tests.daemon.test_host import hosted
from tests.daemon.test_learn import living, silent

pytestmark = VIRTUAL_TIME

DAY = 86_400.0
SAID = {
    "alpha": "We never deploy the billing service on Fridays, please.",
    "bravo": "The staging database listens on port 5433 here.",
    "charlie": "Invoices are always rounded per line, never per sum.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The client's folder of transcripts: a session of one turn each day, the oldest first."""
    found = tmp_path / "projects/-shop"
    found.mkdir(parents=True)
    for number, (name, text) in enumerate(SAID.items()):
        transcript(found, name, text, BEGINNING - (30 - number) * DAY)
    return found.parent


def transcript(folder: Path, name: str, text: str, at: float) -> None:
    """Write down a session in which a person said this and was answered."""
    said = [("user", text, at), ("assistant", "I shall.", at + 1)]
    lines = [
        {"type": kind, "uuid": f"{name}-{kind}", "cwd": str(folder.parents[1]),
         "timestamp": datetime.fromtimestamp(when, UTC).isoformat(),
         "message": {"id": name, "content": [{"type": "text", "text": words}]}}
        for kind, words, when in said
    ]  # fmt: skip
    path = folder / f"{name}.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    os.utime(path, (at, at))


def nothing_fails(_: str) -> bool:
    return False


class Engine:
    """An engine that notes the first sentence that was typed, and fails where it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails: Callable[[str], bool] = nothing_fails

    async def answer(self, request: Request) -> Answer | Failed:
        await trio.lowlevel.checkpoint()
        quote = next(line for line in request.text.splitlines() if line.startswith("[1] user: "))
        quote = quote.removeprefix("[1] user: ")
        self.asked.append(quote)
        if self.fails(quote):
            return Failed(Reason.OFFLINE)
        note: dict[str, object] = {
            "kind": "rule", "title": quote, "text": quote, "said_by": "user", "quote": quote,
            "scope": "when", "cue_prompts": [], "cue_files": [], "cue_symbols": [],
            "cue_commands": [], "cue_errors": [], "relation": "none", "relation_id": None,
        }  # fmt: skip
        return Answer({"notes": [note], "stopped": ""}, 1_000, 0.01)


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
async def running(home: Home, store: OpenStore, engine: Engine) -> AsyncGenerator[Running]:
    """A daemon in which a person agreed to this engine."""
    async with hosted(home, store) as found:
        choose = Chosen(ReadingEngine("scripted", engine.answer), BEGINNING)
        await found.parts.mailboxes.session_reader.ask(choose, within=9.0)
        yield found


def request(folder: Path, **fields: Any) -> ReadTranscripts:
    return ReadTranscripts(folder=str(folder.parent), transcripts=str(folder), **fields)


async def read(running: Running, folder: Path, *, yes: bool = True) -> Learnt:
    return await request(folder, yes=yes).answer(running.parts, silent)


async def test_without_an_engine_nothing_is_read(
    home: Home, store: OpenStore, folder: Path
) -> None:
    async with hosted(home, store) as running:
        found = await request(folder, yes=True).answer(running.parts, silent)

    assert found.engine == ""


async def test_first_is_said_how_much_there_is_to_read(
    running: Running, engine: Engine, folder: Path
) -> None:
    found = await read(running, folder, yes=False)

    assert (found.engine, found.sessions, found.prompts) == ("scripted", 3, 3)
    assert 3 * BESIDE + 30 < found.tokens < 3 * BESIDE + 150
    assert (found.dollars, found.run, engine.asked) == (None, "", [])


async def test_sessions_are_read_once_the_oldest_first_and_their_notes_are_of_their_day(
    running: Running, engine: Engine, store: OpenStore, folder: Path
) -> None:
    first = await read(running, folder)
    notes, kept = await living(store), await store.reading.passage_counts()
    again = await read(running, folder)

    assert engine.asked == list(SAID.values())
    assert kept.passages == 3  # each answered turn can be searched
    assert (first.sessions, first.notes, first.tokens) == (3, 3, 3_000)
    assert first.dollars == pytest.approx(0.03)
    assert {one.text: round((one.created_at - BEGINNING) / DAY) for one in notes} == {
        text: number - 30 for number, text in enumerate(SAID.values())
    }
    assert (again.sessions, again.before, again.notes) == (0, 3, 0)


async def test_after_some_readings_the_price_is_known(running: Running, folder: Path) -> None:
    await read(running, folder)
    transcript(folder / "-shop", "delta", "Never touch the ledger by hand.", BEGINNING - DAY)
    found = await read(running, folder, yes=False)

    assert found.sessions == 1
    assert found.dollars == pytest.approx(found.tokens * 0.01 / 1_000)


async def test_what_failed_is_read_when_it_is_asked_for_again(
    running: Running, engine: Engine, store: OpenStore, folder: Path
) -> None:
    engine.fails = lambda quote: quote != SAID["alpha"]
    first = await read(running, folder)
    engine.fails = nothing_fails
    engine.asked.clear()
    second = await read(running, folder)
    notes = [one.text for one in await living(store)]

    assert first.sessions == 1
    assert len(first.failures) == 2
    assert (second.sessions, second.before, second.failures) == (2, 1, [])
    assert engine.asked == [SAID["bravo"], SAID["charlie"]]
    assert sorted(notes) == sorted(SAID.values())


async def test_a_run_that_was_left_is_gone_on_with_and_taken_back_whole(
    running: Running, engine: Engine, folder: Path
) -> None:
    engine.fails = lambda quote: quote != SAID["alpha"]
    first = await read(running, folder)
    engine.fails = nothing_fails
    second = await read(running, folder)
    undone = await TakeBack(folder=str(folder.parent)).answer(running.parts, silent)

    assert second.run == first.run
    assert undone.count == 3


async def test_a_folder_that_is_not_to_be_read_says_so_before_anything_is_read(
    running: Running, engine: Engine, folder: Path
) -> None:
    (folder.parent / ".noreader").touch()
    found = await read(running, folder)

    assert (found.sessions, engine.asked) == (0, [])
    assert found.failures == [f"3 of them: {folder.parent} holds .noreader"]


async def test_a_session_that_went_on_is_read_on(
    running: Running, engine: Engine, folder: Path
) -> None:
    await read(running, folder)
    path = folder / "-shop/charlie.jsonl"
    more = json.loads(path.read_text().splitlines()[0])
    more |= {"uuid": "more", "message": {"content": "And tax is rounded once, at the end."}}
    with path.open("a") as file:
        file.write(f"{json.dumps(more)}\n")
    engine.asked.clear()
    await read(running, folder)

    assert engine.asked == ["And tax is rounded once, at the end."]


async def test_what_was_read_is_taken_back_with_its_run_and_can_be_read_again(
    running: Running, store: OpenStore, folder: Path
) -> None:
    first = await read(running, folder)
    asked = TakeBack(folder=str(folder.parent), run=first.run)
    undone = await asked.answer(running.parts, silent)
    left = await living(store)
    again = await read(running, folder, yes=False)

    assert (undone.count, left, again.sessions) == (3, [], 3)


async def test_a_project_without_transcripts_says_so(running: Running, folder: Path) -> None:
    elsewhere = msgspec.structs.replace(request(folder), folder="/nowhere")
    with pytest.raises(NotThere, match="no transcript of this project"):
        await elsewhere.answer(running.parts, silent)
