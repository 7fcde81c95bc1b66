"""The archive at work on a real store, with long-term memory and the embedder beside it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import msgpack
import pytest
import trio
from msgspec import Struct

from actors.intake.messages import Happened
from actors.memory.rows import Scope
from actors.passages.passages import DAY, ROUND, Passages
from actors.passages.shapes import FoundPassages
from actors.policy.decay.capture import Capture, Raised, TurnTagged
from actors.policy.documents.versions import Version
from actors.policy.events.events import Event, EventKind
from actors.recall.archive import Archive
from daemon.conditions import Activity
from daemon.settings import Passages as Bounds
from daemon.storage.store import OpenStore
from daemon.supervisor import Here
from tests.actors.fakes import TableEmbedding, at
from tests.actors.house import House, open_house
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import event, written

pytestmark = VIRTUAL_TIME

WHY, HOURLY = "Why a cache?", "The upstream is slow, so the cache keeps an hour."
PIECE = f"{WHY}\n\n{HOURLY}"


class Bench(Struct):
    """The archive beside long-term memory and the embedder."""

    house: House
    clock: FollowingClock
    activity: Activity
    passages: Passages
    archive: Archive
    seq: int = 0

    async def happen(self, kind: EventKind, **fields: Any) -> None:
        self.seq += 1
        self.activity.happened()
        told = Event("claude", kind, "s1", **fields)
        await self.passages.hear(Happened(self.seq, self.clock.now(), told, "/p"))
        await self.house.settled()

    async def turn(self, prompt: str = WHY, answer: str = HOURLY) -> None:
        await self.happen(EventKind.PROMPT, prompt=prompt)
        await self.happen(EventKind.TURN_END, message=answer)

    async def search(self, query: str, *, track: bool = False) -> FoundPassages:
        return await self.archive.find(query, 5, Scope("/p"), track=track)

    async def found(self, query: str) -> list[str]:
        return [passage.text for passage, *_ in (await self.search(query)).passages]

    async def count(self) -> int:
        return (await self.house.store.reading.passage_counts()).passages


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    embedding = TableEmbedding({PIECE: at(1.0), "slowness": at(0.9)})
    kept, activity, reader = Bounds(days=0.1, most=3), Activity(), store.reading
    async with open_house(store, embedding, clock, activity=activity, kept=kept) as house:
        long_term = house.long_term.mailbox
        passages = Passages(kept.days, reader, Here(), long_term)
        archive = Archive(reader, clock, long_term, house.embedder.mailbox)
        yield Bench(house, clock, activity, passages, archive)


async def test_a_turn_and_a_summary_are_found_by_their_words_at_once(bench: Bench) -> None:
    await bench.turn()
    await bench.happen(EventKind.POST_COMPACT, summary="1. The oven is preheated twice.")

    assert await bench.found("cache hour") == [PIECE]
    assert await bench.found("preheated oven") == ["1. The oven is preheated twice."]
    (passage, score, _), *_ = (await bench.search("cache")).passages
    assert (passage.kind, passage.title, passage.place) == ("turn", WHY, "s1/1")
    assert score > 0


async def test_a_document_is_found_by_its_sections_and_a_later_version_replaces_it(
    bench: Bench,
) -> None:
    for hours in ("an hour", "a day"):
        over = Happened(7, BEGINNING, Event("claude", EventKind.TURN_END, "s1"), "/p")
        text = f"# Guide\n\n## Cache\n\nThe marzipan cache keeps {hours}.\n"
        await bench.passages.read(over, "docs/guide.md", Version(text, is_whole=True))
        await bench.house.settled()

    ((passage, *_),) = (await bench.search("marzipan")).passages

    assert (passage.kind, passage.place) == ("document", "docs/guide.md")
    assert (passage.title, passage.text) == ("Guide › Cache", "The marzipan cache keeps a day.")


async def test_vectors_are_made_once_nobody_is_there(bench: Bench) -> None:
    await trio.sleep(1)
    await bench.turn()
    for _ in range(5):
        await trio.sleep(10)
        bench.activity.happened()
    assert bench.house.embedding.asked == []

    await trio.sleep(60)

    assert bench.house.embedding.asked == [((PIECE,), "document", False)]
    assert await bench.found("slowness") == [PIECE]


async def test_a_turn_that_an_important_moment_captured_has_its_vectors_first(bench: Bench) -> None:
    await trio.sleep(1)
    await bench.turn()
    await bench.turn("Why a lock?", "Two writers would tear the file.")
    raised = Raised("9-revert", "revert", 0.9, BEGINNING, "s1", "/p", "git revert")
    tagged = TurnTagged(3, 4, "s1", "/p", BEGINNING, b"a" * 8)
    await bench.house.commit(raised, tagged, Capture(3, "9-revert", 0.9, 0.0))
    await trio.sleep(90)

    captured = "Why a lock?\n\nTwo writers would tear the file."
    assert [texts for texts, *_ in bench.house.embedding.asked] == [(captured,), (PIECE,)]


async def test_what_has_no_vector_yet_is_found_before_what_is_only_near(bench: Bench) -> None:
    bench.house.embedding.table["marzipan"] = at(0.5)
    await bench.turn()
    await trio.sleep(60)
    await bench.turn("And the marzipan?", "It stays in the vault.")

    first, *_ = await bench.found("marzipan")

    assert first == "And the marzipan?\n\nIt stays in the vault."


async def test_a_search_without_a_model_goes_by_words_and_says_so(bench: Bench) -> None:
    await bench.turn()
    bench.house.embedding.failures = 1

    found = await bench.search("cache")

    assert [passage.text for passage, *_ in found.passages] == [PIECE]
    assert found.without_vectors == "the worker was stopped"


@pytest.mark.parametrize(
    "between", [(), (EventKind.TOOL, EventKind.TOOL)], ids=["at once", "later"]
)
async def test_what_was_asked_before_a_restart_is_found_in_the_journal(
    bench: Bench, store: OpenStore, between: tuple[EventKind, ...]
) -> None:
    said = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt": WHY}
    await written(store, event(1, body=msgpack.packb(said)))
    bench.seq = 1
    for kind in between:
        await bench.happen(kind)
    await bench.happen(EventKind.TURN_END, message=HOURLY)

    assert await bench.found("cache") == [PIECE]


async def test_what_nobody_wrote_or_found_for_long_leaves(bench: Bench) -> None:
    for number in range(4):
        await bench.turn(f"question {number}", f"answer {number}")
        await trio.sleep(60)
    await bench.search("question 1", track=True)
    await trio.sleep(ROUND)
    assert await bench.count() == 3  # the longest unused is one too many
    assert await bench.found("question 0") != ["question 0\n\nanswer 0"]

    await trio.sleep(0.1 * DAY + ROUND)

    assert await bench.count() == 0
