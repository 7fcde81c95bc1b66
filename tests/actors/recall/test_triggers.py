"""Triggers: the phrase index is in step with the store."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio

from actors.core.failures import Unreadable
from actors.memory.rows import Scope
from actors.memory.writes import Ended, Erased, Origin, Pinned, Revived, Rewritten
from actors.recall.triggers import OWNERS, Triggers
from daemon.storage.reader import ReadingSide
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING, VIRTUAL_TIME, until
from tests.writing import new, written

pytestmark = VIRTUAL_TIME

EVERYWHERE = Scope(everywhere=True)


@asynccontextmanager
async def at_work(store: OpenStore) -> AsyncGenerator[Triggers]:
    """Triggers that have read the whole store."""
    triggers = Triggers(store.reading)
    living = (await store.reading.counts()).memories
    async with trio.open_nursery() as nursery:
        nursery.start_soon(triggers.run)
        await until(lambda: len(triggers.projects) >= living)
        yield triggers
        nursery.cancel_scope.cancel()


async def phrases(
    triggers: Triggers, text: str, scope: Scope = EVERYWHERE
) -> list[tuple[int, str]]:
    """Who is called in the text, by which phrase."""
    found = await triggers.called(text, scope, 50)
    return [(called.match.owner, called.match.phrase) for called in found]


async def test_what_is_in_the_store_at_the_start_can_be_called(store: OpenStore) -> None:
    await written(
        store, new("a", triggers=("blue whale",)), new("b", derived=("red squid",)), new("c")
    )
    async with at_work(store) as box:
        found = await box.called("A red squid and a Blue Whale!", EVERYWHERE, 50)

    assert [(called.match.owner, called.given) for called in found] == [(2, False), (1, True)]


async def test_the_name_of_the_project_itself_calls_no_memory_unless_a_person_set_it(
    store: OpenStore,
) -> None:
    here = "/home/ann/git-sync"
    await written(
        store,
        new("a", project=here, derived=("git-sync", "git sync", "git-sync bench")),
        new("b", project=here, triggers=("git-sync",)),
        new("c", project="/home/ann/other", derived=("git-sync",)),
    )
    async with at_work(store) as box:
        called = await phrases(box, "Does git-sync handle tags?")
        bench = await phrases(box, "Run the git-sync bench.")

    assert {owner for owner, _ in called} == {2, 3}
    assert (1, "git sync bench") in bench


async def test_an_ended_memory_cannot_be_called_until_it_is_revived(store: OpenStore) -> None:
    await written(store, new("a", triggers=("blue whale",)))
    async with at_work(store) as box:
        before = await phrases(box, "blue whale")
        await written(store, Ended(1, "forgotten", BEGINNING))
        box.changed((1,))
        gone = await phrases(box, "blue whale")
        await written(store, Revived(1, BEGINNING))
        box.changed((1,))
        back = await phrases(box, "blue whale")

    assert (before, gone, back) == ([(1, "blue whale")], [], [(1, "blue whale")])


async def test_a_rewritten_memory_is_called_by_its_new_phrases(store: OpenStore) -> None:
    await written(store, new("a", triggers=("blue whale",), derived=("grey seal",)))
    async with at_work(store) as box:
        await written(store, Rewritten(1, "b", "b", ("red squid",), (), b"h", BEGINNING, "why"))
        box.changed((1,))
        found = await phrases(box, "blue whale, grey seal, red squid")

    assert found == [(1, "red squid")]


async def test_an_erased_memory_leaves_no_phrase(store: OpenStore) -> None:
    await written(store, new("a", triggers=("blue whale",), derived=("grey seal",)))
    async with at_work(store) as box:
        await written(store, Erased((1,)))
        box.changed((1,))
        await trio.testing.wait_all_tasks_blocked()  # nobody asks: it leaves all the same

        assert (len(box.given), len(box.derived), box.projects) == (0, 0, {})


@pytest.mark.parametrize(
    ("scope", "owners"),
    [(Scope(None), [1]), (Scope("/a"), [1, 2]), (Scope("/c"), [1]), (EVERYWHERE, [1, 2, 3])],
)
async def test_only_memories_in_scope_are_called(
    store: OpenStore, scope: Scope, owners: list[int]
) -> None:
    for project in (None, "/a", "/b"):
        await written(store, new("a", project=project, triggers=("blue whale",)))
    async with at_work(store) as box:
        found = await phrases(box, "blue whale", scope)

    assert sorted(owner for owner, _ in found) == owners


async def test_matches_come_in_the_order_of_their_place_up_to_the_limit(store: OpenStore) -> None:
    await written(store, new("a", triggers=("whale",)), new("b", triggers=("squid",)))
    text = "squid whale squid whale"
    async with at_work(store) as box:
        found = await box.called(text, EVERYWHERE, 3)

    assert [text[c.match.start : c.match.end] for c in found] == ["squid", "whale", "squid"]


async def test_a_change_that_is_told_while_the_store_is_read_is_not_lost(store: OpenStore) -> None:
    await written(store, new("a", triggers=("blue whale",)))
    triggers = Triggers(store.reading)
    triggers.changed((1, 2))
    await written(store, new("b", triggers=("red squid",)))
    found = await phrases(triggers, "blue whale red squid")

    assert found == [(1, "blue whale"), (2, "red squid")]


class Unread(ReadingSide):
    """A reader whose disk does not answer for a while."""

    def __init__(self, side: ReadingSide) -> None:
        vars(self).update(vars(side))
        self.failures = 3

    async def read(self, query: Any, *args: Any, **kwargs: Any) -> Any:
        self.failures -= 1
        if self.failures >= 0:
            raise Unreadable("check the disk")
        return await super().read(query, *args, **kwargs)


async def test_what_cannot_be_read_is_read_again_and_no_change_is_lost(store: OpenStore) -> None:
    await written(store, new("a", triggers=("blue whale",)), new("b"))
    triggers = Triggers(Unread(store.reading))
    triggers.changed((1,))
    with pytest.raises(Unreadable):
        await phrases(triggers, "blue whale")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(triggers.run)
        await until(lambda: len(triggers.projects) == 2)
        found = await phrases(triggers, "blue whale")
        nursery.cancel_scope.cancel()

    assert found == [(1, "blue whale")]


async def test_memories_that_share_a_phrase_leave_room_for_the_others_of_a_text(
    store: OpenStore,
) -> None:
    await written(store, *(new(f"client {n}", triggers=("PaymentClient",)) for n in range(60)))
    await written(store, new("other", triggers=("blue whale",)))
    async with at_work(store) as box:
        found = await phrases(box, "PaymentClient\n" * 300 + "blue whale")

    assert (61, "blue whale") in found
    assert len({owner for owner, _ in found}) == OWNERS + 1


async def test_a_prompt_is_answered_while_a_long_text_of_an_editor_is_matched(
    store: OpenStore,
) -> None:
    await written(store, new("a", triggers=("blue whale",)))
    answered: list[str] = []
    async with at_work(store) as box, trio.open_nursery() as nursery:

        async def ask(name: str, text: str) -> None:
            await phrases(box, text)
            answered.append(name)

        nursery.start_soon(ask, "editor", "a blue whale " * 20_000)
        for _ in range(10):  # it is being matched: a hundred slices, and a turn between any two
            await trio.lowlevel.checkpoint()
        nursery.start_soon(ask, "prompt", "a blue whale")

    assert answered == ["prompt", "editor"]


HERE = "/home/ann/shop"
RULE = "Never edit files under vendor/legacy by hand."
EDIT = "edit vendor/legacy/parser.py"


async def named(triggers: Triggers, text: str, project: str | None = HERE) -> list[int]:
    """Whom the text names, of what a person kept on purpose in this project."""
    found = await triggers.called(text, Scope(project), 50, folders=(project or "",))
    return [one.match.owner for one in found if one.named]


@pytest.mark.parametrize(
    ("source", "is_named"),
    [
        ("hand", True),
        ("editor", True),
        ("import", True),
        ("remember", True),
        ("convention", True),
        ("commit", False),
        ("conclusion", False),
        ("agent", False),
        ("noticed-import", False),
    ],
)
async def test_what_a_person_kept_on_purpose_is_called_by_the_names_in_it(
    store: OpenStore, source: str, is_named: bool
) -> None:
    await written(store, new(RULE, project=HERE, origin=Origin(source)))
    async with at_work(store) as box:
        assert (await named(box, EDIT) == [1]) is is_named


async def test_names_are_of_the_project_alone_and_only_looked_for_where_they_are_asked_for(
    store: OpenStore,
) -> None:
    await written(store, new(RULE, project=HERE), new(f"{RULE} (Ann)"))
    async with at_work(store) as box:
        here, there = await named(box, EDIT), await named(box, EDIT, "/home/ann/other")
        unasked = await phrases(box, EDIT)

    assert (here, there, unasked) == ([1, 2], [2], [])


async def test_names_are_in_step_with_the_store(store: OpenStore) -> None:
    await written(
        store, new(RULE, project=HERE), new("Keep out of lib/old.", origin=Origin("commit"))
    )
    async with at_work(store) as box:
        await written(store, Ended(1, "forgotten", BEGINNING), Pinned(2, True, BEGINNING))
        box.changed((1, 2))
        forgotten, pinned = (
            await named(box, EDIT, HERE),
            await named(box, "edit lib/old/a.py", None),
        )

    assert (forgotten, pinned) == ([], [2])


async def test_of_many_places_with_the_words_of_a_name_the_one_that_is_it_counts(
    store: OpenStore,
) -> None:
    await written(store, new(RULE, project=HERE))
    async with at_work(store) as box:
        found = await named(box, f"{'the vendor legacy files, ' * 20}{EDIT}, then {EDIT}")

    assert found == [1]
