"""Transcripts read by the reader: cost first, the oldest first, once, gone on with, and taken back."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import trio

from actors.policy.reader.exchange import Answer, Failed, Reason, Request
from actors.reader.messages import Chosen, ReadingEngine
from daemon.api.learn import ReadTranscripts, TakeBack
from daemon.home import Home
from daemon.host import Running
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

    def __init__(self, fails: Callable[[str], bool] = nothing_fails) -> None:
        self.asked: list[str] = []
        self.fails = fails

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


@asynccontextmanager
async def reading(home: Home, store: OpenStore, engine: Engine | None) -> AsyncGenerator[Running]:
    """A daemon in which a person agreed to this engine."""
    async with hosted(home, store) as running:
        if engine is not None:
            chosen = ReadingEngine("scripted", engine.answer)
            choose = Chosen(chosen, BEGINNING)
            await running.parts.mailboxes.session_reader.ask(choose, within=9.0)
        yield running


def request(folder: Path, **fields: Any) -> ReadTranscripts:
    return ReadTranscripts(folder=str(folder.parent), transcripts=str(folder), **fields)


async def test_without_an_engine_nothing_is_read(
    home: Home, store: OpenStore, folder: Path
) -> None:
    async with reading(home, store, None) as running:
        found = await request(folder, yes=True).answer(running.parts, silent)

    assert (found.engine, found.sessions) == ("", 0)


async def test_sessions_are_read_once_the_oldest_first_and_their_notes_are_of_their_day(
    home: Home, store: OpenStore, folder: Path
) -> None:
    engine = Engine()
    async with reading(home, store, engine) as running:
        first = await request(folder, yes=True).answer(running.parts, silent)
        notes = await living(store)
        again = await request(folder, yes=True).answer(running.parts, silent)

    assert engine.asked == list(SAID.values())
    assert (first.sessions, first.notes, first.tokens) == (3, 3, 3_000)
    assert first.dollars == pytest.approx(0.03)
    assert {one.text: round((one.created_at - BEGINNING) / DAY) for one in notes} == {
        text: number - 30 for number, text in enumerate(SAID.values())
    }
    assert (again.sessions, again.before, again.notes) == (0, 3, 0)


async def test_a_run_that_was_left_is_gone_on_with_and_taken_back_whole(
    home: Home, store: OpenStore, folder: Path
) -> None:
    engine = Engine(fails=lambda quote: quote != SAID["alpha"])
    async with reading(home, store, engine) as running:
        first = await request(folder, yes=True).answer(running.parts, silent)
        engine.fails = nothing_fails
        second = await request(folder, yes=True).answer(running.parts, silent)
        undone = await TakeBack(folder=str(folder.parent)).answer(running.parts, silent)

    assert second.run == first.run
    assert undone.count == 3


async def test_what_was_read_is_taken_back_with_its_run_and_can_be_read_again(
    home: Home, store: OpenStore, folder: Path
) -> None:
    engine = Engine()
    async with reading(home, store, engine) as running:
        first = await request(folder, yes=True).answer(running.parts, silent)
        asked = TakeBack(folder=str(folder.parent), run=first.run)
        undone = await asked.answer(running.parts, silent)
        left = await living(store)
        again = await request(folder).answer(running.parts, silent)

    assert (undone.count, left, again.sessions) == (3, [], 3)
