"""Pressure: how full a context is, read from its transcript between prompts."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import trio
from msgspec import Struct, field

from actors.core.mailbox import Queue
from actors.intake.messages import Happened
from actors.policy.events.events import Event, EventKind
from actors.policy.session.pressure import Level, Settings
from actors.session.pressure import SESSIONS, PressureGauge
from actors.session.shapes import HowFull
from daemon.files import DiskFiles
from daemon.supervisor import WorkThread
from tests.actors.post import queue
from tests.clock import VIRTUAL_TIME, be_patient

pytestmark = VIRTUAL_TIME


class Bench(Struct):
    """The gauge at work on real files."""

    actor: PressureGauge
    inbox: Queue[Any]
    transcript: Path
    lines: list[str] = field(default_factory=list[str])

    def answer(self, tokens: int) -> None:
        """The agent answers: its transcript says how many tokens that took."""
        usage = {"input_tokens": 10, "cache_read_input_tokens": tokens - 20, "output_tokens": 10}
        self.lines.append(json.dumps({"type": "assistant", "message": {"usage": usage}}))
        self.transcript.write_text("\n".join(self.lines) + "\n")

    async def happen(self, kind: EventKind, session: str = "s1", **fields: Any) -> None:
        event = Event("claude", kind, session, **fields)
        await self.inbox.mailbox.tell(Happened(1, 0.0, event, None))

    async def turn(self, session: str = "s1") -> None:
        await self.happen(EventKind.TURN_END, session, transcript=str(self.transcript))

    async def level(self, session: str = "s1") -> Level:
        return await self.inbox.mailbox.ask(HowFull(session), within=5)


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncGenerator[Bench]:
    """The gauge at work."""
    inbox = queue("pressure", room=500)
    thread = WorkThread("files")
    async with trio.open_nursery() as nursery:
        be_patient(lambda: thread.in_flight)
        actor = PressureGauge(Settings(), DiskFiles(thread))
        nursery.start_soon(actor.run, inbox.inbox)
        yield Bench(actor, inbox, tmp_path / "transcript.jsonl")
        nursery.cancel_scope.cancel()


async def test_nobody_knows_at_first(bench: Bench) -> None:
    assert await bench.level() is Level.NONE


async def test_it_is_read_again_after_each_turn(bench: Bench) -> None:
    bench.answer(190_000)
    await bench.turn()
    bench.lines.append(
        json.dumps({"subtype": "compact_boundary", "compactMetadata": {"postTokens": 20_000}})
    )
    bench.answer(30_000)
    await bench.turn()

    assert await bench.level() is Level.NONE
    assert bench.actor.statistics()["readings"] == 2


async def test_what_a_tool_did_is_no_reason_to_read(bench: Bench) -> None:
    bench.answer(190_000)
    await bench.happen(EventKind.TOOL, transcript=str(bench.transcript))

    assert await bench.level() is Level.NONE


async def test_what_the_agent_says_itself_needs_no_transcript(bench: Bench) -> None:
    await bench.happen(EventKind.SESSION_START, context_tokens=170_000)

    assert await bench.level() is Level.QUICK
    assert bench.actor.statistics()["readings"] == 0


@pytest.mark.parametrize("kind", ["absent", "a folder", "garbage", "empty", "a pipe"])
async def test_a_transcript_that_cannot_be_read_leaves_the_last_reading(
    bench: Bench, tmp_path: Path, kind: str
) -> None:
    bench.answer(190_000)
    await bench.turn()
    other = tmp_path / "other"
    match kind:
        case "a folder":
            other.mkdir()
        case "garbage":
            other.write_bytes(bytes(range(256)) * 100 + b'\n{"usage"\n[]\n')
        case "empty":
            other.touch()
        case "a pipe":
            os.mkfifo(other)
        case _:
            pass
    await bench.happen(EventKind.TURN_END, transcript=str(other))

    assert await bench.level() is Level.QUICK


async def test_a_transcript_of_gigabytes_is_read_at_its_end(bench: Bench) -> None:
    bench.answer(130_000)
    tail = bench.transcript.read_bytes()
    with bench.transcript.open("wb") as file:
        file.seek(5_000_000_000)  # a hole
        file.write(b"\n" + tail)
    await bench.turn()

    assert await bench.level() is Level.FOCUSED


async def test_only_so_many_sessions_are_remembered(bench: Bench) -> None:
    for number in range(SESSIONS + 5):
        await bench.happen(EventKind.SESSION_START, f"s{number}", context_tokens=170_000)

    assert await bench.level("s0") is Level.NONE
    assert bench.actor.statistics()["sessions"] == SESSIONS
