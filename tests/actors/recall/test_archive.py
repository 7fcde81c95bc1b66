"""What a prompt is told of the archive: passages, quoted beside the notes or in their place."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from actors.passages.shapes import Passage, RankedPassage
from actors.policy.events.events import Event, EventKind
from actors.policy.recall.evidence import LONG
from actors.policy.recall.notes import Fate
from actors.reader.messages import Cue
from actors.recall.shapes import Answer
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.recall.bench import ASKED, TELLING, WHALE, Bench, open_bench
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock

pytestmark = VIRTUAL_TIME

SHOP = "/shop"
WHY = "Which port should the blue whale database take in staging?"
ANSWER = "The blue whale database moved to port 5544 in staging, since 5432 is the proxy's."


@pytest.fixture
async def unfilled(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """Recall over no note at all, beside a passage that answers the question."""
    async with open_bench(store, TableEmbedding({ASKED: at(1.0)}), clock) as opened:
        opened.passages = found(passage())
        yield opened


def passage(
    number: int = 1, *, session: str = "s0", text: str = ANSWER, place: str = ""
) -> Passage:
    """A turn of another session."""
    return Passage(
        number, "turn", None, place or f"s0/{number}", 0, WHY, f"{WHY}\n\n{text}",
        text.encode(), session, BEGINNING,
    )  # fmt: skip


def found(*passages: Passage, cosine: float = 0.8) -> tuple[RankedPassage, ...]:
    """The same as an answer of the archive."""
    return tuple(RankedPassage(one, 1.0, cosine) for one in passages)


async def test_what_was_settled_in_another_session_is_quoted_with_where_it_stands(
    unfilled: Bench,
) -> None:
    told = await unfilled.prompt(ASKED)

    assert [one.text for one in told.quotations] == [ANSWER]
    assert f"“{ANSWER}”" in told.block
    assert "p1" in told.block


def looked_in_passages(found: Answer) -> bool:
    return any(one.identity < 0 for one in found.considered)


async def test_the_archive_is_asked_for_an_order_only_when_a_person_wants_to_know_why(
    unfilled: Bench,
) -> None:
    order = f"Fix this: {ASKED.removesuffix('?').lower()}"
    unfilled.house.embedding.table[order] = at(0.9)
    told, why = await unfilled.prompt(order), await unfilled.rehearsed(order)

    assert [looked_in_passages(one) for one in (told, why)] == [False, True]
    assert told.quotations == why.quotations == ()
    assert Fate.ORDER in {one.fate for one in why.considered}


async def test_where_a_reader_reads_its_notes_are_told_and_nothing_is_quoted(
    unfilled: Bench,
) -> None:
    cue = Cue("prompt", "test it", unfilled.house.embedding.vector("test it"), "table-64")
    await unfilled.read("Run tox.", cue)
    told, why = await unfilled.prompt(ASKED, project=SHOP), await unfilled.rehearsed(ASKED, SHOP)

    assert [looked_in_passages(one) for one in (told, why)] == [False, True]
    assert told.quotations == why.quotations == ()
    assert Fate.READ in {one.fate for one in why.considered}


async def test_a_long_prompt_is_quoted_nothing(unfilled: Bench) -> None:
    pasted = ASKED + " please" * (LONG // 7)
    unfilled.house.embedding.table[TELLING] = at(1.0)
    assert not (await unfilled.prompt(pasted)).block


async def test_a_session_is_told_a_passage_once_and_another_session_too(unfilled: Bench) -> None:
    await unfilled.prompt(ASKED)

    assert not (await unfilled.prompt(ASKED)).block
    assert (await unfilled.prompt(ASKED, session="s2")).block


async def test_a_session_is_not_told_what_was_said_in_it(unfilled: Bench) -> None:
    unfilled.passages = found(passage(session="s1"))

    assert not (await unfilled.prompt(ASKED)).block
    await unfilled.start("compact")
    assert (await unfilled.prompt(ASKED)).block


async def test_of_one_place_the_surest_passage_is_quoted(unfilled: Bench) -> None:
    vague = passage(2, place="s0/1", text="The blue whale listens somewhere, in staging perhaps.")
    unfilled.passages = found(vague, passage())

    assert [one.text for one in (await unfilled.prompt(ASKED)).quotations] == [ANSWER]


async def test_a_subagent_is_quoted_nothing(unfilled: Bench) -> None:
    await unfilled.bring(Event("claude", EventKind.SUBAGENT_TASK, "s1", task=ASKED), None)
    told = await unfilled.bring(
        Event("claude", EventKind.SUBAGENT_START, "s1", agent_id="a1"), None
    )

    assert told.quotations == ()


async def test_a_note_that_says_the_same_wins(bench: Bench) -> None:
    same = "The blue whale database listens on port 5432, staging that is."
    bench.passages = found(passage(text=same))

    told = await bench.prompt(ASKED)

    assert ([note.memory.text for note in told.notes], told.quotations) == ([WHALE], ())


async def test_what_a_note_said_before_in_the_session_is_not_quoted_to_it_again(
    store: OpenStore, clock: FollowingClock
) -> None:
    table = TableEmbedding({ASKED: at(0.8), ANSWER: at(1.0)})
    async with open_bench(store, table, clock) as bench:
        await bench.house.keep(ANSWER)
        await bench.house.vectored()
        bench.passages = found(passage())

        told = await bench.prompt(ASKED)
        again = await bench.prompt(ASKED)

    assert ([note.memory.text for note in told.notes], told.quotations) == ([ANSWER], ())
    assert not again.block


async def test_a_passage_that_is_far_is_not_quoted(unfilled: Bench) -> None:
    unfilled.passages = found(passage(), cosine=0.3)

    assert not (await unfilled.prompt(ASKED)).block
