"""Last answers of the indexes: given again as long as a fresh answer would say the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import settings as rounds
from hypothesis import strategies as st
from trio.testing import MockClock

from actors.memory.rows import Embedded, Scope
from actors.memory.use import Exposed
from actors.memory.writes import Ended, Erased
from actors.policy.recall.ways import DEFAULT
from actors.recall.inquiry import KEPT, IndexAnswer, Inquiry, Key, LastAnswers
from actors.recall.shapes import Answer, Revision, TextErased
from actors.session.shapes import SessionSeen
from daemon.home import Home
from daemon.storage.database.writes import revised
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.recall.bench import ASKED, Bench, open_bench, open_two_notes
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock, open_patiently

VECTOR = Embedded(b"v")
SHOP = "/shop"
DAY = 86_400.0


def key(query: str) -> Key:
    return Key(query, Scope(), 9, 32, DEFAULT)


def an_answer() -> IndexAnswer:
    return IndexAnswer({}, {})


def test_what_was_taken_over_is_somebody_elses_to_write_into() -> None:
    kept = Inquiry("ports", ["port"], words={1: 2.0}, literal={1}).index_answer()
    mine = Inquiry("the ports", given={2})

    mine.take_over(kept)
    mine.words[2] = 1.0
    mine.literal.clear()

    assert (mine.query, mine.terms, mine.given) == ("the ports", ["port"], {2})
    assert (kept.facts["words"], kept.facts["literal"]) == ({1: 2.0}, {1})


def counts(bench: Bench) -> dict[str, int]:
    return bench.actor.briefing.channels.last.statistics()


def embedded(bench: Bench) -> int:
    """Queries that were embedded."""
    return sum(role == "query" for _, role, _ in bench.house.embedding.asked)


def same(found: Answer) -> tuple[Any, ...]:
    """Everything that an answer says of memories and of itself, but how long it took."""
    return (
        [(one.memory.id, one.score, one.why, one.parts, one.terms) for one in found.notes],
        found.confidence, found.mode, found.degraded, found.evidence, found.block, found.said,
    )  # fmt: skip


def test_what_is_kept_is_bounded_and_what_makes_room_is_counted() -> None:
    last = LastAnswers(Revision)
    for number in range(KEPT + 10):
        last.keep(key(f"q{number}"), an_answer(), Revision())
    given_again = last.answer(key("q0")), last.answer(key(f"q{KEPT}"))

    assert [one is not None for one in given_again] == [False, True]
    assert last.statistics() == {
        "kept": KEPT, "hits": 1, "misses": 1, "evictions": 10, "invalidations": 0,
    }  # fmt: skip


def test_an_answer_that_was_overtaken_while_it_was_made_is_not_kept() -> None:
    last = LastAnswers(lambda: Revision(indexes=2))
    last.keep(key("q"), an_answer(), Revision(indexes=1))

    assert last.answer(key("q")) is None


def test_a_write_drops_answers_and_a_new_model_or_an_erasure_vectors_too() -> None:
    now = [Revision()]
    last = LastAnswers(lambda: now[0])
    left: list[tuple[bool, bool]] = []
    for later in (Revision(1), Revision(1, models=1), Revision(1, 1, erasures=1)):
        last.keep(key("q"), an_answer(), now[0])
        last.keep_vector("q", VECTOR, now[0])
        now[0] = later
        left.append((last.answer(key("q")) is None, last.vector("q") is None))

    assert left == [(True, False), (True, True), (True, True)]
    assert last.statistics()["invalidations"] == 3


def test_a_vector_that_an_erasure_overtook_is_not_kept() -> None:
    last = LastAnswers(lambda: Revision(indexes=1, erasures=1))
    last.keep_vector("q", VECTOR, Revision())

    assert last.vector("q") is None


def test_a_write_that_nobody_has_looked_at_counts_as_a_change() -> None:
    """A new kind of write costs answers and never makes one wrong."""
    quiet = SessionSeen("s1", "claude", None, 0.0, "open", None, None, None, None)

    assert revised(Revision(), [(quiet,)]) == Revision()
    assert revised(Revision(), [(quiet, Ended(1, "forgotten", 0.0))]) == Revision(indexes=1)
    assert revised(Revision(), [(Erased((1,)),)]) == Revision(indexes=1, erasures=1)


@VIRTUAL_TIME
async def test_a_question_that_is_asked_again_asks_no_index_and_no_model(
    store: OpenStore, clock: FollowingClock
) -> None:
    async with open_two_notes(store, clock) as bench:
        fresh = await bench.search(ASKED, track=False)
        again = await bench.search(ASKED, track=False)

        assert ("last_answer" in fresh.timings, "last_answer" in again.timings) == (False, True)
        assert same(again) == same(fresh)
        assert (counts(bench)["hits"], embedded(bench)) == (1, 1)


@VIRTUAL_TIME
async def test_a_question_that_is_answered_anew_needs_no_new_vector(
    store: OpenStore, clock: FollowingClock
) -> None:
    async with open_two_notes(store, clock) as bench:
        await bench.search(ASKED, track=False)
        await bench.house.keep("Another thing, after which no last answer holds.")
        again = await bench.search(ASKED, track=False)

        assert "last_answer" not in again.timings
        assert (counts(bench)["invalidations"], embedded(bench)) == (1, 1)


@VIRTUAL_TIME
async def test_of_a_question_with_a_word_that_nobody_knows_no_answer_is_kept(
    store: OpenStore, clock: FollowingClock
) -> None:
    """Spellings are read after the start: a fresh answer may then know what it means."""
    async with open_two_notes(store, clock) as bench:
        await bench.search(f"{ASKED} qwertz", track=False)

        assert counts(bench)["kept"] == 0


@VIRTUAL_TIME
async def test_an_erasure_leaves_nothing_of_what_was_asked_or_read(
    store: OpenStore, clock: FollowingClock
) -> None:
    async with open_two_notes(store, clock) as bench:
        found = await bench.search(ASKED, track=False)
        memory, ordering = found.notes[0].memory, bench.actor.searching.ordering
        known_before = ordering.knows(memory)
        await store.writing.commit([(Erased((memory.id,)),)])
        await bench.recall.mailbox.tell(TextErased())
        await trio.sleep(1)

        assert (known_before, ordering.knows(memory)) == (True, False)
        assert counts(bench)["kept"] == 0
        assert bench.actor.briefing.channels.last.vector(ASKED) is None


# ---- the property

_WORDS = ("whale", "squid", "database", "port", "retry", "budget", "deploy", "staging")
_TEXTS = st.lists(
    st.lists(st.sampled_from(_WORDS), min_size=2, max_size=5, unique=True).map(" ".join),
    min_size=1, max_size=6, unique=True,
)  # fmt: skip
_STEPS = st.lists(st.sampled_from(["keep", "end", "show", "later"]), max_size=6)


@rounds(max_examples=10, deadline=None)
@given(_TEXTS, st.sampled_from(_WORDS), _STEPS)
def test_a_last_answer_never_differs_from_a_fresh_one(
    tmp_path_factory: pytest.TempPathFactory,
    known: Sequence[str],
    word: str,
    steps: Sequence[str],
) -> None:
    """Whatever happened since it was made: kept, ended, shown, a day later."""
    home = Home(tmp_path_factory.mktemp("home"))

    async def compare() -> None:
        home.prepare()
        question = f"{word} database"
        table = {text: at(1 - number / 9) for number, text in enumerate((question, *known))}
        async with (
            open_patiently(home) as store,
            open_bench(store, TableEmbedding(table), FollowingClock()) as bench,
        ):
            await play(bench, question)

    async def play(bench: Bench, question: str) -> None:
        for text in known:
            await bench.house.keep(text, project=SHOP, judged=False)
        await bench.house.vectored()
        await bench.search(question, scope=Scope(SHOP))
        for number, step in enumerate(steps):
            await happen(bench, step, number, jumping)
        known_all = {word, "database"} <= {*" ".join(known).split()}
        last = await bench.search(question, scope=Scope(SHOP), track=False)
        bench.actor.briefing.channels.last = LastAnswers(Revision)
        fresh = await bench.search(question, scope=Scope(SHOP), track=False)
        assert "last_answer" not in fresh.timings
        assert "last_answer" in last.timings or {"keep", "end"} & set(steps) or not known_all
        assert same(last) == same(fresh)

    jumping = MockClock(autojump_threshold=0)
    trio.run(compare, clock=jumping)


async def happen(bench: Bench, step: str, number: int, jumping: MockClock) -> None:
    """One thing that may or may not make an answer untrue."""
    match step:
        case "keep":
            await bench.house.keep(f"whale budget number{number}", project=SHOP, judged=False)
            await bench.house.vectored()
        case "end":
            living = await bench.house.store.reading.living(0, 9)
            if living:
                ended = Ended(living[0].id, "forgotten", BEGINNING)
                await bench.house.store.writing.commit([(ended,)])
        case "show":
            living = await bench.house.store.reading.living(0, 1)
            shown = Exposed(tuple(one.id for one in living), "s9", "recall", BEGINNING)
            await bench.house.store.writing.commit([(shown,)])
        case _:
            jumping.jump(DAY)
