"""Notes of the reader beside prompts, and what stands in a session's context already."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from actors.memory.writes import Origin
from actors.policy.recall.notes import Fate
from actors.reader.messages import Cue, NoteJudged
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.recall.bench import Bench, open_bench, texts
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock

pytestmark = VIRTUAL_TIME

SHOP = "/shop"
WISH = "The user wants to see a plan before a file of the payments is edited."
RULE = "Branches carry the number of their issue and a short description."
FACT = "The staging machine was moved to another rack in spring."
PLAN = "The plan of the payments is edited before a file of them."
UNREAD = "/unread"
CUE = "change how payments are rounded"
ORDER = "let us round the payments up"
LOOSELY = "tidy up the invoices please"
QUESTION = "What do I want to see before a file of the payments is edited?"
NEARNESS = {
    CUE: (0.9, 0.436, 0.0), ORDER: (1.0, 0.0, 0.0), LOOSELY: (0.0, -1.0, 0.0), QUESTION: (0.0, 0.0, 1.0),
    PLAN: (0.7, 0.0, 0.714), WISH: (0.7, 0.0, 0.714), RULE: (0.4, 0.917, 0.0), FACT: (0.95, 0.312, 0.0),
}  # fmt: skip


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """A recall of a shop with a wish of its user, a rule of theirs, and what a tool printed."""
    async with open_bench(store, TableEmbedding(NEARNESS), clock) as made:
        cue = Cue("prompt", CUE, TableEmbedding(NEARNESS).vector(CUE), "table-64")
        for text, said_by in ((WISH, "user"), (RULE, "user"), (FACT, "tool")):
            await made.read(text, cue, said_by=said_by)
        await made.house.vectored()
        yield made


async def test_a_prompt_is_told_the_one_note_that_was_noted_for_its_like(bench: Bench) -> None:
    found = await bench.prompt(ORDER, project=SHOP)

    assert texts(found) == [WISH]


async def test_a_cue_whose_vector_is_of_another_length_is_like_no_prompt(bench: Bench) -> None:
    cue = Cue("prompt", ORDER, bytes(4 * 32), "table-64")  # by a model of the same name
    await bench.read("Taxes are rounded down.", cue)
    found = await bench.prompt(ORDER, project=SHOP)

    assert texts(found) == [WISH]


async def test_a_prompt_that_is_like_no_cue_is_told_nothing(bench: Bench) -> None:
    found = await bench.prompt(LOOSELY, project=SHOP)

    assert texts(found) == []


async def test_what_a_tool_said_is_told_beside_a_prompt_once_a_person_kept_it(bench: Bench) -> None:
    before = await bench.prompt(ORDER, project=SHOP)
    await bench.house.commit(NoteJudged(3, "kept", BEGINNING, ended=False))
    after = await bench.prompt(ORDER, project=SHOP)

    assert [texts(one) for one in (before, after)] == [[WISH], [FACT]]


async def test_where_the_nearest_note_is_known_already_the_next_one_is_not_told(
    bench: Bench,
) -> None:
    await bench.prompt(ORDER, project=SHOP)
    found = await bench.prompt(ORDER, project=SHOP)

    assert texts(found) == []


async def test_what_stood_at_the_start_is_told_once_more_to_an_outright_question(
    bench: Bench,
) -> None:
    await bench.start("startup", project=SHOP)
    order = await bench.prompt(ORDER, project=SHOP)
    first = await bench.prompt(QUESTION, project=SHOP)
    second = await bench.prompt(QUESTION, project=SHOP)

    assert [texts(one) for one in (order, first, second)] == [[], [WISH], []]


@pytest.mark.parametrize("prompt", [QUESTION, ORDER])
async def test_what_the_reader_has_read_is_told_to_nobody_beside_its_notes(
    bench: Bench, prompt: str
) -> None:
    origin = Origin("document", "s0")
    await bench.house.keep(PLAN, origin=origin, project=SHOP, judged=False)
    await bench.house.keep(PLAN, origin=origin, project=UNREAD, judged=False)
    await bench.house.vectored()
    of_shop = await bench.prompt(prompt, project=SHOP)
    of_unread = await bench.prompt(prompt, project=UNREAD)

    assert PLAN not in texts(of_shop)
    assert Fate.READ in {one.fate for one in of_shop.considered}
    assert texts(of_unread) == [PLAN]
