"""What is likely to be asked next is made ready, and says what a fresh answer would."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from actors.core.mailbox import Reply
from actors.embedding.rows import EmbeddingState
from actors.memory.rows import Scope
from actors.memory.writes import Ended, Erased
from actors.policy.references.references import Reference
from actors.policy.session import prefetch
from actors.recall.anticipating import FILES, Anticipating, topics
from actors.recall.messages import Expectation, Expected, Found, Opened, Search
from actors.recall.prepared import Key
from actors.session.writes import SessionSeen
from actors.staleness.writes import ReferencesSet
from actors.strength.writes import Exposed
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.recall.bench import ASKED, SQUID, WHALE, Bench, open_bench, texts
from tests.clock import BEGINNING, FollowingClock
from tests.costs import ratio

pytestmark = pytest.mark.trio

SHOP = "/shop"
FILE = "/shop/whale_database.py"
ABOUT = "whale_database.py whale database"


def anticipating(bench: Bench) -> Anticipating:
    assert bench.actor.anticipating is not None
    return bench.actor.anticipating


async def opened(bench: Bench, path: str = FILE, project: str | None = SHOP) -> None:
    """An editor shows a file, and what it calls for is made ready."""
    await bench.recall.mailbox.tell(Opened(path, project))
    await trio.sleep(1)


async def expected(bench: Bench, path: str = FILE) -> tuple[Expectation, ...]:
    found: tuple[Expectation, ...] = await bench.recall.mailbox.ask(
        lambda reply: Expected(path, SHOP, reply), within=9
    )
    return found


async def about(bench: Bench, question: str = ABOUT, **other: Any) -> Found:
    return await bench.search(question, scope=Scope(SHOP), **other)


async def asked_there(bench: Bench) -> None:
    """Somebody asked about the file while it was open."""
    await opened(bench)
    await about(bench)


def embedded(bench: Bench) -> list[tuple[str, bool]]:
    """Questions that were embedded, and whether somebody waited for it."""
    asked = bench.house.embedding.asked
    return [(text, waited) for each, role, waited in asked if role == "query" for text in each]


def figures(bench: Bench) -> dict[str, Any]:
    return anticipating(bench).statistics()


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """Two memories of a shop, with vectors."""
    table = {WHALE: at(1.0), ASKED: at(0.8), ABOUT: at(0.9)}
    async with open_bench(store, TableEmbedding(table), clock) as made:
        await made.house.keep(WHALE, project=SHOP)
        await made.house.keep(SQUID, project=SHOP)
        await made.house.vectored()
        yield made


# ---- made ready


async def test_a_prepared_answer_is_the_fresh_one(bench: Bench, autojump_clock: MockClock) -> None:
    """The same memories, scores, parts and evidence."""
    await asked_there(bench)
    fresh = await about(bench, track=False)
    await opened(bench)
    ready = await about(bench, track=False)

    assert "prepared" in ready.timings
    assert "prepared" not in fresh.timings
    assert same(ready) == same(fresh)


def same(found: Found) -> tuple[Any, ...]:
    """Everything that an answer says of memories and of itself, but how long it took."""
    return (
        [(one.memory.id, one.score, one.why, one.parts, one.terms) for one in found.notes],
        found.confidence,
        found.mode,
        found.degraded,
        found.evidence,
        found.block,
    )


async def test_what_was_asked_while_a_file_was_open_is_ready_when_it_is_opened_again(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """Learnt from what was asked and shown there."""
    await opened(bench)
    await bench.prompt(ASKED, project=SHOP)
    await bench.house.keep("Another thing, so that nothing that was ready holds.", project=SHOP)
    await bench.house.vectored()
    await opened(bench)
    before = len(embedded(bench))
    again = await bench.prompt(ASKED, session="s2", project=SHOP)

    assert texts(again) == [WHALE]
    assert "prepared" in again.timings
    assert len(embedded(bench)) == before


async def test_a_session_that_starts_finds_ready_what_its_project_asks(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await bench.prompt(ASKED, project=SHOP)
    await bench.start("startup", session="s2", project=SHOP)
    found = await bench.prompt(ASKED, session="s2", project=SHOP)

    assert texts(found) == [WHALE]
    assert "prepared" in found.timings


async def test_another_project_has_nothing_ready(bench: Bench, autojump_clock: MockClock) -> None:
    await bench.prompt(ASKED, project=SHOP)
    await bench.start("startup", session="s2", project="/elsewhere")

    assert figures(bench)["made"] == 0


async def test_the_words_of_what_is_about_a_file_are_read_ahead(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """Reading a text for its words costs more than all else in recall."""
    whale, squid = await bench.house.store.reading.living(0, 9)
    about_it = (Reference("whale_database.py"),)
    await bench.house.commit(ReferencesSet(whale.id, whale.content_hash, about_it, "", 1.0))
    await opened(bench)

    there = anticipating(bench).ordering
    assert (there.knows(whale), there.knows(squid)) == (True, False)
    assert figures(bench)["words_read"] == 1


async def test_a_question_that_is_ready_is_not_made_again(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await asked_there(bench)
    await opened(bench)
    await opened(bench)

    assert figures(bench)["made"] == 1


# ---- never wrong


@pytest.mark.parametrize("change", ["kept", "ended", "rewritten"])
async def test_an_answer_is_dropped_when_something_that_it_stands_on_changed(
    bench: Bench, autojump_clock: MockClock, change: str
) -> None:
    """And its vector still spares the embedding."""
    await asked_there(bench)
    await opened(bench)
    (first, _) = await bench.house.store.reading.living(0, 9)
    if change == "kept":
        await bench.house.keep("The whale database has a replica.", project=SHOP)
    elif change == "ended":
        await bench.house.store.writing.commit([(Ended(first.id, "forgotten", BEGINNING),)])
    else:
        await bench.house.keep(
            "The blue whale database listens on port 6000 now.",
            project=SHOP, intent="update", target=first.id,
        )  # fmt: skip
    await bench.house.vectored()
    count = len(embedded(bench))
    found = await about(bench)

    assert "prepared" not in found.timings
    assert (figures(bench)["stale"], figures(bench)["served"]) == (1, 0)
    assert embedded(bench)[count:] == []
    if change == "ended":
        assert WHALE not in texts(found)


async def test_writes_that_recall_does_not_look_through_leave_it(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """A prompt is journaled before it is answered: that must not cost what was ready for it."""
    await asked_there(bench)
    await opened(bench)
    (first, _) = await bench.house.store.reading.living(0, 9)
    seen = SessionSeen("s1", "claude", SHOP, BEGINNING, "open", None, None, None, None)
    await bench.house.store.writing.commit(
        [(seen, Exposed((first.id,), "s1", "recall", BEGINNING))]
    )
    found = await about(bench)

    assert "prepared" in found.timings


async def test_what_is_of_a_session_and_of_now_is_read_when_it_is_asked(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """What this session was given already is left out of what was ready."""
    await bench.prompt(ASKED, project=SHOP)
    await bench.start("startup", session="s2", project=SHOP)
    await bench.prompt(ASKED, session="s2", project=SHOP)
    again = await bench.prompt(ASKED, session="s2", project=SHOP)

    assert "prepared" in again.timings
    assert again.block == ""  # this session has it already


async def test_without_a_model_nothing_is_made_ready(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """Half an answer is not what a fresh one would be."""
    await asked_there(bench)
    bench.house.embedding.state = EmbeddingState("off", "no model", "", 0)
    await opened(bench)
    found = await about(bench)

    assert figures(bench)["made"] == 0
    assert "prepared" not in found.timings


async def test_what_is_erased_takes_everything_that_was_learnt_with_it(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """A question may quote it."""
    await opened(bench)
    await bench.prompt(ASKED, project=SHOP)
    (first, _) = await bench.house.store.reading.living(0, 9)
    await bench.house.store.writing.commit([(Erased((first.id,)),)])
    await opened(bench)

    assert await expected(bench) == ()
    assert figures(bench)["ready"] == 0


async def test_a_question_that_may_quote_what_was_erased_is_told_to_nobody(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """Also when nothing was opened or asked since."""
    await opened(bench)
    await bench.prompt(ASKED, project=SHOP)
    before = await expected(bench)
    (first, _) = await bench.house.store.reading.living(0, 9)
    await bench.house.store.writing.commit([(Erased((first.id,)),)])

    assert before[0].what == ASKED
    assert await expected(bench) == ()


# ---- learning


async def test_a_question_is_read_for_its_topics_once_and_not_whenever_a_file_is_opened(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """Reading what was asked in a project within a day would take a tenth of a second."""
    there = anticipating(bench)
    words = [f"{chr(97 + n % 26)}{n:x}port" for n in range(2_000)]
    keys = [Key(" ".join(words[n : n + 200]), Scope(SHOP), 40) for n in range(200)]
    for key in keys:
        search = Search(key[0], 5, key[1], True, 9.0, Reply())
        there.learn(search, Exposed((1,), None, "recall", BEGINNING))
    await expected(bench)

    cost = ratio(
        lambda: there.expected(Expected(FILE, SHOP, Reply())),
        lambda: [topics(key) for key in keys],
        0.5,
    )

    assert cost < 0.5


async def test_a_file_tells_what_it_expects_and_why(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await opened(bench)
    await bench.prompt(ASKED, project=SHOP)
    await opened(bench)

    (question, memory) = await expected(bench)

    assert (question.what, question.because, question.seen) == (ASKED, "file", 1)
    assert (question.ready, memory.ready) == (True, False)
    assert isinstance(memory.what, int)
    assert question.likelihood > 0.74  # the file and its project, and an interest


async def test_what_was_made_ready_for_nothing_is_a_miss(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """Outcomes move the patterns."""
    await opened(bench)
    await bench.prompt(ASKED, project=SHOP)
    await opened(bench)
    sure = (await expected(bench))[0].likelihood
    await opened(bench)
    less = (await expected(bench))[0]

    assert figures(bench)["missed"] == 2  # the question and the memory
    assert less.likelihood < sure
    assert less.missed == 1


async def test_what_was_made_ready_and_needed_is_a_hit(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await opened(bench)
    await bench.prompt(ASKED, project=SHOP)
    await opened(bench)
    await bench.prompt(ASKED, session="s2", project=SHOP)

    assert (figures(bench)["needed"], figures(bench)["missed"]) == (2, 0)


async def test_after_an_hour_without_news_a_file_counts_as_open_no_more(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await opened(bench)
    await trio.sleep(3_700)
    await bench.prompt(ASKED, project=SHOP)

    assert {one.because for one in await expected(bench)} == {"project"}


async def test_only_the_files_opened_last_count_as_open(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await opened(bench)
    for number in range(FILES + 1):
        await opened(bench, f"/shop/other{number}.py")
    await bench.prompt(ASKED, project=SHOP)

    assert {one.because for one in await expected(bench)} == {"project"}


async def test_silence_teaches_nothing(bench: Bench, autojump_clock: MockClock) -> None:
    await opened(bench)
    await bench.prompt("please rename the variable in this loop", project=SHOP)

    assert figures(bench)["patterns"] == 0


async def test_what_is_not_to_be_tracked_teaches_nothing(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await about(bench, ASKED, track=False)

    assert figures(bench)["patterns"] == 0


async def test_switched_off_nothing_is_learnt_or_made_ready(
    store: OpenStore, clock: FollowingClock, autojump_clock: MockClock
) -> None:
    """A setting: prefetch.enabled."""
    table = {WHALE: at(1.0), ASKED: at(0.8)}
    off = prefetch.Settings(enabled=False)
    async with open_bench(store, TableEmbedding(table), clock, learning=off) as made:
        await made.house.keep(WHALE, project=SHOP)
        await made.house.vectored()
        await opened(made)
        found = await about(made)

        assert texts(found) == [WHALE]
        assert await expected(made) == ()
        assert made.actor.statistics()["prefetch"] == {}


async def test_whoever_waits_for_an_answer_comes_first(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """Nothing is looked up ahead while a question is under way."""
    await asked_there(bench)
    bench.house.embedding.takes = 3.0
    async with trio.open_nursery() as nursery:
        nursery.start_soon(about, bench, ASKED)
        await trio.sleep(0.1)
        await bench.recall.mailbox.tell(Opened(FILE, SHOP))
        await trio.sleep(2)
        early = figures(bench)["made"]
    await trio.sleep(12)

    assert (early, figures(bench)["made"]) == (0, 1)
