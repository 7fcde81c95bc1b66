"""The composition root: every actor wired, a poison costs one message, drains to the last."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest
import trio

from actors.core.mailbox import SwitchedOff
from actors.intake.messages import DrainSpool
from daemon.assembly import Projects, Surroundings
from daemon.context import Changes
from daemon.dispatch import answer
from daemon.files import DiskFiles, SpoolFolder
from daemon.home import Home
from daemon.host import ORDER, VITAL, Running, running_actors
from daemon.settings import Settings
from daemon.storage import plans
from daemon.storage.reader import ReadingSide
from daemon.storage.store import OpenStore
from daemon.supervisor import RestartLimitExceeded, WorkThread
from daemon.times import WallClock
from daemon.wire import Frame
from tests.actors.fakes import TableEmbedding
from tests.clock import VIRTUAL_TIME, FollowingClock, be_patient
from tests.repositories import laid

pytestmark = VIRTUAL_TIME

WHALE = "the blue whale database listens on port 5432 in staging"


@asynccontextmanager
async def hosted(
    home: Home, store: OpenStore, embedding: TableEmbedding | None = None
) -> AsyncGenerator[Running]:
    """All actors at work, as in the daemon, on virtual time."""
    files = WorkThread("files")
    be_patient(lambda: files.in_flight)
    settings = Settings()
    surroundings = Surroundings(
        store, settings, cast("WallClock", FollowingClock()), embedding or TableEmbedding(),
        DiskFiles(files), SpoolFolder(files, home.spool), Changes(), Projects({}),
    )  # fmt: skip
    async with trio.open_nursery() as nursery:
        async with running_actors(home, surroundings, nursery) as running:
            yield running
        nursery.cancel_scope.cancel()


async def asked(running: Running, kind: str, body: Any) -> Frame:
    """The last frame that answers this one."""
    frames: list[Frame] = []

    async def send(frame: Frame) -> None:
        await trio.lowlevel.checkpoint()
        frames.append(frame)

    await answer(running.parts, Frame(3, kind, body), send)
    return frames[-1]


def states(running: Running) -> dict[str, str]:
    """The state of each actor."""
    return {name: child.state for name, child in running.parts.supervisor.children.items()}


async def test_every_actor_runs_and_ends(home: Home, store: OpenStore) -> None:
    async with hosted(home, store) as running:
        await trio.sleep(1)
        before = states(running)
    after = states(running)

    assert before == dict.fromkeys(ORDER, "running")
    assert after == dict.fromkeys(ORDER, "ended")


async def test_what_was_asked_before_the_end_is_finished(home: Home, store: OpenStore) -> None:
    async with hosted(home, store) as running:
        reply = await asked(running, "remember", {"text": WHALE})
        event_id = b"1" * 16
        raw = b'{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"hello"}'
        await asked(running, "hook", ["claude", event_id, 10**18, raw])

    assert reply.kind == "reply"
    assert [memory.text for memory in await store.reading.living(0, 9)] == [WHALE]
    assert (await store.reading.counts()).memories == 1
    assert await store.reading.session("s") is not None


@pytest.mark.parametrize("name", ORDER)
async def test_a_poison_costs_its_message_and_nothing_else(
    home: Home, store: OpenStore, name: str
) -> None:
    """No actor knows what to do with a text, so each crashes on it."""
    async with hosted(home, store) as running:
        running.queues[name].mailbox.offer("a memory's text")
        await trio.sleep(5)
        reply = await asked(running, "remember", {"text": WHALE})
        found = await asked(running, "recall", {"query": "whale port"})
        status = await asked(running, "status", {})
        letters = list(running.parts.supervisor.dead_letters)

    assert reply.kind == "reply"
    assert [result["text"] for result in found.body["results"]] == [WHALE]
    assert status.body["actors"][name]["state"] == "running"
    assert status.body["actors"][name]["crashes"] >= 1
    assert {(letter.actor, letter.message) for letter in letters} == {(name, "str")}


@pytest.mark.parametrize("name", [name for name in ORDER if name not in VITAL])
async def test_an_actor_that_keeps_crashing_is_off_and_named_and_the_rest_goes_on(
    home: Home, store: OpenStore, name: str
) -> None:
    async with hosted(home, store) as running:
        with suppress(SwitchedOff):
            for _ in range(12):
                running.queues[name].mailbox.offer("poison")
                await trio.sleep(4)
        status = await asked(running, "status", {})
        raw = b'{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"hello"}'
        hook = await asked(running, "hook", ["claude", b"1" * 16, 10**18, raw])

    assert status.body["actors"][name]["state"] == "off"
    assert any(name in trouble for trouble in status.body["degraded"])
    assert hook == Frame(3, "reply", b"")


@pytest.mark.parametrize("name", sorted(VITAL))
async def test_the_daemon_ends_when_it_cannot_keep_what_it_is_told(
    home: Home, store: OpenStore, name: str
) -> None:
    async def crash() -> None:
        async with hosted(home, store) as running:
            for _ in range(12):
                running.queues[name].mailbox.offer("poison")
            await trio.sleep_forever()

    with pytest.raises(ExceptionGroup) as caught:
        await crash()

    assert caught.group_contains(RestartLimitExceeded)


async def test_a_request_with_a_bug_behind_it_is_answered_and_named(
    home: Home, store: OpenStore
) -> None:
    async with hosted(home, store) as running:
        running.parts.reader = cast("Any", None)
        reply = await asked(running, "list", {})

    assert (reply.kind, reply.body["code"]) == ("error", "crashed")
    assert "reverie log --daemon" in reply.body["message"]


async def test_what_leaves_the_spool_while_its_state_is_asked_is_not_overlooked(
    home: Home, store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its event is neither spooled nor undone only once it was derived."""
    body = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "hello"}
    event = {"v": 1, "agent": "claude", "event_id": "1" * 32, "at": 10**18, "event": body}
    async with hosted(home, store) as running:
        await trio.sleep(1)
        asks = ReadingSide.read

        async def drains(side: ReadingSide, query: Callable[..., Any], *args: Any) -> Any:
            """What is asked of the store after its sizes: the spool is taken in just before."""
            if query is plans.waiting:
                await running.queues["intake"].mailbox.tell(DrainSpool())
                while any(home.spool.iterdir()):  # noqa: ASYNC110  # a folder rings no bell
                    await trio.sleep(0.1)
            return await asks(side, query, *args)

        monkeypatch.setattr(ReadingSide, "read", drains)
        (home.spool / f"{1:020d}-{'1' * 32}.json").write_text(json.dumps(event))
        status = await asked(running, "status", {})

    assert status.body["spooled"] + status.body["undone"] == 1


async def test_a_daemon_that_stops_says_so_to_who_asks_still(home: Home, store: OpenStore) -> None:
    async with hosted(home, store) as running:
        pass
    reply = await asked(running, "remember", {"text": WHALE})

    assert reply.body["code"] == "stopping"


async def test_a_directory_is_looked_at_again_after_a_while(tmp_path: Path) -> None:
    projects = Projects({})
    inner = tmp_path / "src"
    inner.mkdir()
    before = projects(str(inner))
    laid(tmp_path)
    await trio.sleep(3600)

    assert before == str(inner)
    assert projects(str(inner)) == str(tmp_path)


async def test_the_order_holds_every_actor_once() -> None:
    assert len(set(ORDER)) == len(ORDER)
    assert ORDER[0] == "long_term"
    assert ORDER[-1] == "intake"
    assert set(ORDER) >= VITAL
