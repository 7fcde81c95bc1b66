"""Plans in the store: one transaction, exact reversal, nothing proposed twice."""

from __future__ import annotations

import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest
import trio
from msgspec.structs import replace

from actors.memory.rows import Scope
from actors.memory.use import Reviewed, Validated
from actors.memory.writes import (
    Connected,
    Ended,
    Erased,
    ErasedEverything,
    ModelChosen,
    Revived,
    Rewritten,
    ValiditySet,
)
from actors.night.shapes import (
    PlanApplied,
    PlanDismissed,
    PlanProposed,
    PlanRow,
    PlansTold,
    PlanUndone,
)
from actors.policy.decay.archival import QUIET, Step
from actors.policy.gate.gate_features import content_hash
from daemon.home import Home
from daemon.storage.database.sql import Sql
from daemon.storage.journal import happenings
from daemon.storage.store import OpenStore, open_store
from tests.clock import BEGINNING
from tests.holders import holders
from tests.patience import PATIENCE
from tests.writing import DIMENSIONS, MODEL, new, vectors, written

pytestmark = pytest.mark.trio

AT = BEGINNING + 100 * 86_400.0
MANY = 40  # memories: a run may take two of them away


def text_of(number: int) -> str:
    return f"berth{number} holds boat{number}"


async def filled(store: OpenStore, count: int = MANY, **other: Any) -> list[int]:
    return await written(store, *(new(text_of(n), **other) for n in range(1, count + 1)))


def step(memory_id: int, text: str = "") -> Step:
    return Step(memory_id, content_hash(text or text_of(memory_id)), "91 days old")


def proposal(*steps: Step, at: float = AT, **other: Any) -> PlanProposed:
    made = PlanProposed("archivist", "older than 90 days", steps, at)
    return replace(made, **other)


async def proposed(store: OpenStore, *steps: Step, **other: Any) -> int:
    (number,) = await written(store, proposal(*steps, **other))
    return number


async def plan(store: OpenStore, number: int) -> PlanRow:
    found = await store.reading.plan(number)
    assert found is not None
    return found


# The rows of every table that holds anything of memories, but those that count or tell of plans.
_APART = {
    "plan", "plan_step", "archival_figure", "archival_return", "word_change", "schedule", "store",
    "sqlite_sequence",
}  # fmt: skip


async def rows_of(store: OpenStore, *but: str) -> dict[str, list[Any]]:
    """Every row of every plain table, and of the full-text index what it finds."""

    def read(sql: Sql) -> dict[str, list[Any]]:
        names = sql.rows(
            "SELECT name, (SELECT group_concat(cid + 1) FROM pragma_table_info(s.name)"
            " WHERE cid < 2) FROM sqlite_schema s WHERE type = 'table'"
            " AND sql LIKE 'CREATE TABLE%'"
            " AND name NOT LIKE 'memory\\_words%' ESCAPE '\\'"
            " AND name NOT LIKE 'memory\\_vector%' ESCAPE '\\'"
        )
        return {
            str(name): sql.rows(f"SELECT * FROM {name} ORDER BY {order}")
            for name, order in names
            if name not in _APART and name not in but
        }

    return await store.reading.read(read)


async def found(store: OpenStore, number: int) -> list[int]:
    hits = await store.reading.words([f"boat{number}"], Scope(), 9)
    return [*hits]


# ---- proposing


async def test_a_plan_waits_and_changes_nothing(store: OpenStore) -> None:
    await filled(store)
    before = await rows_of(store)
    number = await proposed(store, step(1), step(2))
    made = await plan(store, number)

    assert (made.state, made.source, made.reason) == ("open", "archivist", "older than 90 days")
    assert [(one.memory_id, one.done) for one in made.steps] == [(1, False), (2, False)]
    assert await rows_of(store) == before


async def test_a_run_takes_a_twentieth_of_the_store_away_and_no_more(store: OpenStore) -> None:
    """745 of 931 memories were gone in two days."""
    await filled(store)
    first = await proposed(store, *(step(n) for n in (1, 2, 3)))
    again = await proposed(store, step(4))
    other_run = await proposed(store, step(4), at=AT + 1)

    assert [one.memory_id for one in (await plan(store, first)).steps] == [1, 2]
    assert again == 0
    assert other_run > first


async def test_what_says_something_else_ended_or_is_unknown_is_not_proposed(
    store: OpenStore,
) -> None:
    await filled(store)
    await written(store, Ended(2, "forgotten", BEGINNING))

    assert await proposed(store, step(1, text="another"), step(2), step(99)) == 0


@pytest.mark.parametrize("left", ["dismissed", "undone"])
async def test_what_a_person_left_is_not_proposed_for_ninety_days(
    store: OpenStore, left: str
) -> None:
    await filled(store)
    number = await proposed(store, step(1))
    assert await proposed(store, step(1), at=AT + 1) == 0  # it waits
    if left == "undone":
        await written(store, PlanApplied(number, AT), PlanUndone(number, AT))
    else:
        await written(store, PlanDismissed(number, AT))

    assert await proposed(store, step(1), at=AT + QUIET - 1) == 0
    others = await plan(store, await proposed(store, step(1), step(2), at=AT + QUIET - 1))
    assert [one.memory_id for one in others.steps] == [2]
    assert await proposed(store, step(1), at=AT + QUIET + 1) > number


async def test_what_a_person_left_the_archivist_does_not_carry_out(store: OpenStore) -> None:
    """The archivist saw it wait, and a person was quicker."""
    await filled(store)
    number = await proposed(store, step(1))
    await written(store, PlanDismissed(number, AT))
    (count,) = await written(store, PlanApplied(number, AT + 1, by="archivist"))

    assert count == 0
    assert (await plan(store, number)).state == "dismissed"
    assert await found(store, 1) == [1]

    (count,) = await written(store, PlanApplied(number, AT + 2))
    assert count == 1  # a person may


async def test_the_ninety_days_count_from_the_last_time_that_it_was_left(store: OpenStore) -> None:
    """Taken back, tried again in vain, then left: the last of these is what a person wants."""
    await filled(store)
    number = await proposed(store, step(1))
    late = AT + QUIET - 86_400.0
    await written(store, PlanApplied(number, AT), PlanUndone(number, AT))
    await rewritten(store, 1, "it says more")
    await written(store, PlanApplied(number, late), PlanDismissed(number, late))
    await rewritten(store, 1, text_of(1))

    assert (await plan(store, number)).state == "dismissed"
    assert await proposed(store, step(1), at=AT + QUIET + 1) == 0
    assert 1 in await store.reading.left_alone(AT + 1)
    assert await proposed(store, step(1), at=late + QUIET + 1) > number


async def test_a_plan_about_an_older_text_makes_room_for_one_about_the_new(
    store: OpenStore,
) -> None:
    await filled(store)
    old = await proposed(store, step(1))
    await rewritten(store, 1, "it says more")
    number = await proposed(store, step(1, text="it says more"), at=AT + 1)

    assert number > old
    assert (await plan(store, old)).state == "stale"


async def rewritten(store: OpenStore, memory_id: int, text: str) -> None:
    await written(
        store, Rewritten(memory_id, text, text, (), (), content_hash(text), AT, "edited by hand")
    )


# ---- applying, and taking it back


async def test_an_applied_plan_takes_memories_out_and_undone_they_are_what_they_were(
    store: OpenStore,
) -> None:
    """Out of words, vectors and phrases and back, each row as it was."""
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    await filled(store, triggers=("harbour",))
    await written(store, *(vectors(n, text_of(n), n) for n in (1, 2)))
    await written(
        store,
        Connected(1, 3, "caused", 0.5, "", BEGINNING),
        Reviewed(2, 9.0, 4.0, 1, 3, "useful", False, BEGINNING + 5),
        ValiditySet(2, None, AT * 2),
    )
    before = await rows_of(store, "chunk", "chunk_tokens")
    number = await proposed(store, step(1), step(2))
    applied = await written(store, PlanApplied(number, AT))
    away = [await found(store, 1), await found(store, 2)]
    chunks = (await store.reading.counts()).chunks
    undone = await written(store, PlanUndone(number, AT + 5))

    assert (applied, undone) == ([2], [2])
    assert (away, chunks) == ([[], []], 0)
    assert [await found(store, 1), await found(store, 2)] == [[1], [2]]
    assert await rows_of(store, "chunk", "chunk_tokens") == before
    assert (await plan(store, number)).state == "undone"


async def test_twenty_times_there_and_back_leave_every_row_as_it_was(store: OpenStore) -> None:
    """As plans and by hand."""
    await filled(store, triggers=("harbour",))
    number = await proposed(store, step(1), step(2))
    before = await rows_of(store)
    for turn in range(20):
        at = AT + turn
        assert await written(store, PlanApplied(number, at), PlanUndone(number, at)) == [2, 2]
        await written(store, Ended(5, "archived", at), Revived(5, at))

    assert await rows_of(store) == before


async def test_another_text_makes_a_plan_stale_and_nothing_is_done(store: OpenStore) -> None:
    await filled(store)
    number = await proposed(store, step(1), step(2))
    await rewritten(store, 2, "it says more")
    before = await rows_of(store)

    assert await written(store, PlanApplied(number, AT)) == [0]
    assert await rows_of(store) == before
    assert (await plan(store, number)).state == "stale"
    assert "says something else" in (await plan(store, number)).note


@pytest.mark.parametrize(
    ("since", "why"),
    [
        (Validated(1, 0.6, "useful", AT), "it was judged useful"),
        (Reviewed(1, 9.0, 4.0, 0, 3, "cited", True, AT), "it was used since"),
    ],
)
async def test_what_was_kept_or_used_since_stays_and_is_said_to(
    store: OpenStore, since: Any, why: str
) -> None:
    await filled(store)
    number = await proposed(store, step(1), step(2))
    await written(store, since)
    outcome = await written(store, PlanApplied(number, AT))
    made = await plan(store, number)

    assert outcome == [1]
    assert [one.outcome for one in made.steps] == [why, "done"]
    assert "1 of its memories stayed" in made.note
    await written(store, PlanUndone(number, AT))
    assert (await plan(store, number)).state == "undone"


async def test_undone_after_later_changes_the_rest_is_restored_and_it_is_said(
    store: OpenStore,
) -> None:
    await filled(store)
    number = await proposed(store, step(1), step(2))
    await written(store, PlanApplied(number, AT))
    await written(store, Revived(1, AT), Ended(1, "forgotten", AT))
    outcome = await written(store, PlanUndone(number, AT + 2))
    made, memories = await plan(store, number), await store.reading.memories([1, 2])

    assert outcome == [1]
    assert [one.outcome for one in made.steps] == ["it was changed since", "restored"]
    assert (memories[1].ended, memories[2].ended) == ("forgotten", None)


async def test_what_cannot_be_taken_back_at_all_stays_applied(store: OpenStore) -> None:
    await filled(store)
    number = await proposed(store, step(1))
    await written(store, PlanApplied(number, AT), Revived(1, AT))

    assert await written(store, PlanUndone(number, AT)) == [0]
    made = await plan(store, number)
    assert (made.state, made.note) == (
        "applied",
        "it cannot be taken back any more: it was changed since",
    )


# ---- what is told of them


async def test_a_session_is_told_once_of_each_plan_that_waits(store: OpenStore) -> None:
    await filled(store)
    number = await proposed(store, step(1))
    untold = await store.reading.untold_plans()
    await written(store, PlansTold((number,), AT))

    assert untold == [number]
    assert await store.reading.untold_plans() == []
    other = await proposed(store, step(2), at=AT + 1)
    await written(store, PlanDismissed(other, AT))
    assert await store.reading.untold_plans() == []


# ---- a crash in the midst


async def altered(store: OpenStore, statement: str) -> None:
    """Change the schema beside the store, as its own connection is closed to tests."""
    path = await store.reading.read(lambda sql: str(sql.raw.filename))
    connection = apsw.Connection(path)
    connection.set_busy_timeout(round(1000 * PATIENCE))
    Sql(connection).rows(statement)
    connection.close()


# A process of its own for each copy: killed at the first row, at the second, and so on.
KILLED = """
import os, signal, sys
import apsw
from actors.night.shapes import PlanApplied
from daemon.storage.database.sql import Sql
from daemon.storage.database.writes import carry_out
number, at = int(sys.argv[1]), float(sys.argv[2])
def applied(path, step):
    raw = apsw.Connection(path)
    seen = 0
    def killed(*_):
        nonlocal seen
        seen += 1
        if seen == step:
            os.kill(os.getpid(), signal.SIGKILL)
    raw.set_update_hook(killed)
    carry_out(Sql(raw), [(PlanApplied(number, at),)])
    os._exit(0)
for step, path in enumerate(sys.argv[3:], 1):
    child = os.fork() or applied(path, step)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


async def test_killed_between_any_two_writes_it_was_not_begun_or_is_done(
    store: OpenStore, tmp_path: Path
) -> None:
    """A real SIGKILL at each row that applying changes."""
    await filled(store)
    number = await proposed(store, step(1), step(2))
    before = await rows_of(store)
    homes = [Home(tmp_path / str(place)) for place in range(1, 12)]
    for home in homes:
        home.prepare()
        await store.reading.read(partial(Sql.copy_to, path=home.database))
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    done = await trio.run_process(
        [sys.executable, str(script), str(number), str(AT), *(str(one.database) for one in homes)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_stdout=True,
    )
    codes = [int(code) for code in done.stdout.split()]

    assert codes[:5] == [-signal.SIGKILL] * 5
    assert set(codes[5:]) <= {-signal.SIGKILL, 0}
    for home, code in zip(homes, codes, strict=True):
        async with open_store(home) as again:
            assert (await plan(again, number)).state == ("applied" if code == 0 else "open")
            assert code == 0 or await rows_of(again) == before
            await written(again, PlanApplied(number, AT))
            assert (await again.reading.memories([1]))[1].ended == "archived"


async def test_a_memory_that_came_back_is_left_alone(store: OpenStore) -> None:
    """Whoever brings it back does not find it archived again two hours later."""
    await filled(store)
    await written(store, Ended(1, "archived", AT), Revived(1, AT))

    assert await store.reading.left_alone(AT - 1) == {1}
    assert await store.reading.left_alone(AT) == set()


async def test_the_log_says_what_came_back_and_what_a_plan_had_put_away(store: OpenStore) -> None:
    await filled(store)
    number = await proposed(store, step(1))
    await written(store, PlanApplied(number, AT), Ended(2, "forgotten", AT))
    await written(store, Revived(1, AT + 1), Revived(2, AT + 2))

    entries = await store.reading.read(happenings, AT, MANY)

    assert [(one["at"], one["what"], one["memory"], one["detail"]) for one in entries] == [
        (AT, "archived", 1, "91 days old"),
        (AT + 1, "returned", 1, ""),
        (AT + 2, "returned", 2, ""),
    ]


# ---- erasing


async def test_plans_leave_with_their_memories(store: OpenStore) -> None:
    await filled(store)
    one = await proposed(store, step(1))
    two = await proposed(store, step(2), step(3), at=AT + 1)
    await written(store, Erased((1, 2)))
    rest = await plan(store, two)
    await written(store, ErasedEverything(whole_store=True))

    assert await store.reading.plan(one) is None
    assert [step.memory_id for step in rest.steps] == [3]
    assert await store.reading.plans(None, 9) == []


async def test_a_reason_that_quotes_a_memory_is_emptied_with_it(
    store: OpenStore, home: Home
) -> None:
    """Nobody is to write such a one; it must not survive all the same."""
    await filled(store)
    other = Step(2, content_hash(text_of(2)), f"like: {text_of(1)}")
    await proposed(store, other, reason=f"as {text_of(1)} says")
    await written(store, Erased((1,)))
    await store.writing.scrub()

    assert holders(home.root, text_of(1)[1:]) == []
