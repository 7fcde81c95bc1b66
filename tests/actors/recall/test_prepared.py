"""What is kept ready, and for how long it is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
import trio
from hypothesis import given
from hypothesis import settings as rounds
from hypothesis import strategies as st
from trio.testing import MockClock

from actors.core.mailbox import Reply
from actors.embedding.rows import Embedded
from actors.memory.rows import Scope
from actors.memory.writes import Ended, Erased
from actors.policy.recall.known import Known
from actors.policy.session.prefetch import DAY
from actors.policy.text.chunking import SEARCH
from actors.recall.anticipating import key_of
from actors.recall.messages import Found, Search
from actors.recall.ordering import Settings
from actors.recall.prepared import ANSWERS, Answer, Key, Prepared, Revision
from actors.session.writes import SessionSeen
from actors.strength.writes import Exposed
from daemon.home import Home
from daemon.storage.database.writes import revised
from tests.actors.fakes import TableEmbedding, at
from tests.actors.recall.bench import Bench, open_bench
from tests.actors.recall.test_anticipating import SHOP, about, anticipating, opened, same
from tests.clock import BEGINNING, FollowingClock, open_patiently

VECTOR = Embedded(b"v")


def an_answer(revision: Revision, embedded: str = "q") -> Answer:
    return Answer(revision, Known(), {}, (), 2.5, embedded)


def test_what_is_ready_is_bounded() -> None:
    prepared = Prepared(Revision)
    for number in range(ANSWERS + 10):
        prepared.keep(Key(f"q{number}", Scope(), 9), an_answer(Revision()), VECTOR)

    assert prepared.statistics()["ready"] == ANSWERS
    assert prepared.answer(Key("q0", Scope(), 9)) is None
    assert prepared.answer(Key(f"q{ANSWERS}", Scope(), 9)) is not None


def test_an_answer_that_was_overtaken_while_it_was_made_is_not_kept() -> None:
    prepared = Prepared(lambda: Revision(indexes=2))

    assert not prepared.keep(Key("q", Scope(), 9), an_answer(Revision(indexes=1)), VECTOR)
    assert prepared.vector("q", awaited=True) is None


def test_a_vector_of_another_model_is_no_vector() -> None:
    now = [Revision()]
    prepared = Prepared(lambda: now[0])
    prepared.keep(Key("q", Scope(), 9), an_answer(now[0]), VECTOR)
    now[0] = Revision(indexes=1)
    of_this_model = prepared.vector("q", awaited=True)
    now[0] = Revision(indexes=1, models=1)

    assert of_this_model == VECTOR
    assert prepared.vector("q", awaited=True) is None


def test_a_write_that_nobody_has_looked_at_counts_as_a_change() -> None:
    """A new kind of write costs answers and never makes one wrong."""
    quiet = SessionSeen("s1", "claude", None, 0.0, "open", None, None, None, None)

    assert revised(Revision(), [(quiet,)]) == Revision()
    assert revised(Revision(), [(quiet, Ended(1, "forgotten", 0.0))]) == Revision(indexes=1)
    assert revised(Revision(), [(Erased((1,)),)]) == Revision(indexes=1, erasures=1)


def test_a_search_is_ready_under_what_it_asks_the_indexes_for() -> None:
    """How many results are wanted changes nothing up to what is looked at anyway."""
    few = Search("q", 5, Scope(), True, 9, Reply[Found]())
    many = replace(few, k=50)

    assert key_of(few, Settings()) == key_of(many, Settings()) == Key("q", Scope(), 100, SEARCH)


# ---- the property

_WORDS = ("whale", "squid", "database", "port", "retry", "budget", "deploy", "staging")
_TEXTS = st.lists(
    st.lists(st.sampled_from(_WORDS), min_size=2, max_size=5, unique=True).map(" ".join),
    min_size=1, max_size=6, unique=True,
)  # fmt: skip
_STEPS = st.lists(st.sampled_from(["open", "keep", "end", "show", "later"]), max_size=6)


@rounds(max_examples=10, deadline=None)
@given(_TEXTS, st.sampled_from(_WORDS), _STEPS)
def test_a_prepared_answer_never_differs_from_a_fresh_one(
    tmp_path_factory: pytest.TempPathFactory,
    known: Sequence[str],
    word: str,
    steps: Sequence[str],
) -> None:
    """Whatever happened since it was made: kept, ended, shown, a day later."""
    home = Home(tmp_path_factory.mktemp("home"))

    async def compare() -> None:
        home.prepare()
        path = f"/shop/{word}.py"
        question = f"{word} database"
        table = {text: at(1 - number / 9) for number, text in enumerate((question, *known))}
        async with (
            open_patiently(home) as store,
            open_bench(store, TableEmbedding(table), FollowingClock()) as bench,
        ):
            await play(bench, path, question)

    async def play(bench: Bench, path: str, question: str) -> None:
        for text in known:
            await bench.house.keep(text, project=SHOP, judged=False)
        await bench.house.vectored()
        await opened(bench, path)
        await about(bench, question)
        await opened(bench, path)
        for number, step in enumerate(steps):
            await happen(bench, step, number, path, jumping)
        there = anticipating(bench)
        ready = await about(bench, question, track=False)
        there.prepared.forget()
        fresh = await about(bench, question, track=False)
        assert "prepared" not in fresh.timings
        assert "prepared" in ready.timings or {"keep", "end"} & set(steps)
        assert same(ready) == same(fresh)

    jumping = MockClock(autojump_threshold=0)
    trio.run(compare, clock=jumping)


async def happen(bench: Bench, step: str, number: int, path: str, jumping: MockClock) -> None:
    """One thing that may or may not make what is ready untrue."""
    match step:
        case "open":
            await opened(bench, path)
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
