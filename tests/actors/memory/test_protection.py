"""Pins and protected tiers hold everywhere.

A walk over everything that is written. The first tests find every place that makes a write which
can end, weaken or demote a memory, and every statement that changes one, and hold them to the two
tables here: who adds one is red until they have said who orders it. The others carry out what is
automatic against a pinned, a constitutional and a critical memory.
"""

from __future__ import annotations

import ast
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from actors.memory.commit import StoreWrite
from actors.memory.rows import Memory
from actors.memory.use import factor_of
from actors.memory.writes import Pinned
from actors.policy.references.references import Reference, State
from actors.policy.statements.statement_rules import Candidate
from actors.staleness.messages import Referring
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at, without_model
from tests.actors.house import House, open_house
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import written

ROOT = Path(__file__).resolve().parents[3]
DAY = 86_400.0
PROTECTED = ("pinned", "constitutional", "critical")

# What can end, weaken or demote a memory, and the places that make it: ordered by a person, or
# by nobody and then guarded.
ORDERED, GUARDED, RAISES = "a person orders it", "it is guarded, see below", "it never lowers"
HARMFUL: dict[str, dict[str, str]] = {
    "Ended": {
        "endings._ended": GUARDED,
        "drafts.settled": GUARDED,
        "drafts.refuted": GUARDED,
        "long_term._expire": GUARDED,
        "forget.answer": ORDERED,
        "erase._written": ORDERED,
        # A person's verdict on a note of the reader, and its undoing.
        "reader._begun": ORDERED,
        "reader.drop": ORDERED,
        # A newer memory that took the place of one leaves it again, and takes it again.
        "forget.reinstated": ORDERED,
        "forget.replaced_again": ORDERED,
        # What others share follows its file, as who trusted the repository was told.
        "arriving._over": ORDERED,
        "arriving._kept": ORDERED,
        # What a person ended or erased in their other home ends here by their merge.
        "transfer._ended": ORDERED,
    },
    # A successor ends its predecessor: the gate softens what would end a protected one.
    "Created": {"drafts.created": GUARDED},
    "Rewritten": {
        "drafts.unit_of": GUARDED,
        "remember._written": ORDERED,
        "learn._worded_as_before": ORDERED,
    },
    "StatusSet": {
        "drafts.confirmed": RAISES,
        "drafts.refuted": GUARDED,
        "transfer._said_there": RAISES,
    },
    # It follows a decision that the gate has softened before.
    "ValiditySet": {
        "drafts.closings": GUARDED,
        "forget._brought_back": RAISES,
        "reader._begun": ORDERED,
        "reader._given_back": ORDERED,
        "forget._back": ORDERED,
        "forget.replaced_again": ORDERED,
    },
    # Useless is said by a person; every other use strengthens.
    "Reviewed": {"strength._review": ORDERED, "transfer._as_there": ORDERED},
    "Validated": {
        "opinions.answer": ORDERED,
        "drafts.confirmed": RAISES,
        "drafts.stated_now": RAISES,
        "transfer._said_there": RAISES,
    },
    "Retiered": {"remember.set_tier": ORDERED},
    "Suppressed": {"opinions.answer": ORDERED},
    # Pins and protected tiers win over a plan; what is undone is what was before.
    "PlanApplied": {"plans.answer": ORDERED, "archivist._scan": GUARDED},
    "PlanUndone": {"plans.answer": ORDERED},
    "RunTakenBack": {"learn.take_back": ORDERED},
    # What it is about may be gone; a protected memory says so and fades as before.
    "Referring": {"staleness._give": GUARDED, "staleness._take": GUARDED},
    # It may take the place of an insight before it, never of one that is pinned.
    "InsightFound": {"dream_stages._told": GUARDED},
    "Erased": {"erase.answer": ORDERED, "transfer._erased": ORDERED},
    # A text that a memory had before goes, the one that it has stays.
    "FormerErased": {"transfer._erased": ORDERED},
    "ErasedEverything": {"erase.answer": ORDERED},
}
# These leave a memory's life, strength, tier and importance alone.
HARMLESS = {
    "Associated", "Audited", "Capture", "CellsRedacted", "Connected", "ConnectionsDrawn", "ConnectionsFaded",
    "ConnectionsStrengthened", "Credited", "DreamBegun", "DreamEnded", "Delivered", "Derived",
    "Disconnected", "DueAt", "ErasedElsewhere", "Exposed", "Faded", "FailureEnded", "FoundUseful", "HintMuted", "IntentionChanged", "IntentionErased",
    "PassagesKept", "PassagesPruned", "PassagesUsed",
    "PlanDismissed", "PlanProposed", "PlansTold", "Rekeyed",
    "Injected", "IntentionMade", "IntentionsLeft", "Journaled", "Judged", "Linked",
    "ModelChosen", "NoteHeld", "ParticularsSet", "Pinned", "Pruned", "Raised", "RemoteTrusted", "TrustEnded",
    "ConsentEnded", "Consented", "CueVectored", "NoteJudged", "NoteRead", "NotesSeen", "ReaderLookedAt", "ReadingBegun", "ReadingEnded",
    "SessionFailed", "SessionRead", "StoppedAt",
    "Revived", "SessionSeen", "TurnTagged", "Vectored",
}  # fmt: skip


def parts(folder: str, *words: str) -> Iterator[tuple[str, ast.AST]]:
    """Parts of each function of the product, in modules that have one of these words."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if any(word in text for word in words):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield from ((f"{path.stem}.{node.name}", part) for part in ast.walk(node))


def made() -> dict[str, set[str]]:
    """Each harmful write, and the functions of actors and answers that make it."""
    found: dict[str, set[str]] = {name: set() for name in HARMFUL}
    for folder in ("actors", "daemon/answers", "daemon/api", "daemon/share"):
        for where, node in parts(folder, *HARMFUL):
            makers = [node.func] if isinstance(node, ast.Call) else []
            makers += node.values if isinstance(node, ast.Dict) else []  # one of them is chosen
            for maker in makers:
                name = maker.attr if isinstance(maker, ast.Attribute) else ast.unparse(maker)
                found.get(name, set()).add(where)
    return found


def test_every_write_is_known_to_be_harmless_or_looked_at_here() -> None:
    known = {kind.__name__ for kind in get_args(StoreWrite)}

    assert known == HARMLESS | HARMFUL.keys()
    assert not HARMLESS & HARMFUL.keys()


def test_every_place_that_makes_a_harmful_write_is_looked_at_here() -> None:
    assert made() == {name: set(places) for name, places in HARMFUL.items()}


def test_only_the_carrying_out_of_writes_changes_a_memory() -> None:
    """A statement elsewhere would pass by every guard."""
    statements = ("UPDATE memory SET", "DELETE FROM memory WHERE")
    changing = {
        where
        for folder in ("daemon", "actors")
        for where, node in parts(folder, "UPDATE", "DELETE")
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value.lstrip().startswith(statements)
    }

    assert {where.partition(".")[0] for where in changing} == {
        "edit", "erasing", "files", "gate", "lifecycle", "plans", "schema", "secrets",
        "strength",
    }  # fmt: skip


# ---- what is automatic, carried out

PORT = "the service listens on port 5432"
FULLER = "the service listens on port 5432 of every single host"
OPPOSITE = "we no longer let the service listen on port 5432"
COPY = "a copy"
TABLE = {PORT: at(1.0), FULLER: at(0.9), OPPOSITE: at(0.88), COPY: at(0.99)}


@pytest.fixture
async def house(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[House]:
    async with open_house(store, TableEmbedding(TABLE), clock) as opened:
        yield opened


async def protected(house: House, text: str, how: str) -> int:
    """A memory of a person's that never leaves by itself."""
    tier = "normal" if how == "pinned" else how
    verdict = await house.keep(text, tier=tier)
    if how == "pinned":
        await written(house.store, Pinned(verdict.memory_id, True, BEGINNING))
    return verdict.memory_id


def standing(memory: Memory) -> tuple[object, ...]:
    """All of it that nobody but a person may change."""
    return (
        memory.text, memory.tier, memory.pinned, memory.ended, memory.superseded_by,
        memory.status, memory.valid_until, memory.versions, memory.stability, memory.importance,
    )  # fmt: skip


def noticed(text: str) -> Candidate:
    return Candidate("decision", text, "fact", "semantic", 0.6, title=text[:20])


@VIRTUAL_TIME
@pytest.mark.parametrize("how", PROTECTED)
@pytest.mark.parametrize("text", [FULLER, OPPOSITE])
async def test_what_is_noticed_neither_rewrites_nor_replaces_it(
    house: House, how: str, text: str
) -> None:
    kept = await protected(house, PORT, how)
    await house.vectored()
    before = standing(await house.memory(kept))
    await house.propose(1, replace(noticed(text), user_scope=True), project=None)

    assert standing(await house.memory(kept)) == before
    assert await house.texts() == [PORT, text]


@VIRTUAL_TIME
@pytest.mark.parametrize("how", PROTECTED)
async def test_judged_late_it_is_no_copy_of_another(
    store: OpenStore, clock: FollowingClock, how: str
) -> None:
    embedding = without_model(TABLE)
    async with open_house(store, embedding, clock) as house:
        await house.keep(PORT)
        kept = await protected(house, COPY, how)
        before = standing(await house.memory(kept))
        embedding.state = TableEmbedding().state
        await house.vectored()
        await house.judged()

        assert standing(await house.memory(kept)) == before
        assert await house.texts() == [PORT, COPY]


@VIRTUAL_TIME
@pytest.mark.parametrize(("how", "left"), [*((how, 1.0) for how in PROTECTED), ("normal", 0.25)])
async def test_only_what_is_not_protected_fades_sooner_when_it_is_stale(
    house: House, how: str, left: float
) -> None:
    kept = await protected(house, PORT, how)
    before = await house.memory(kept)
    gone = Reference("port.py", state=State.GONE)
    await written(house.store, Referring(kept, "", None, before.content_hash, (gone,)))
    after = await house.memory(kept)

    assert after.stale == "port.py is gone"
    assert factor_of(after) == left * factor_of(before)
    assert standing(after) == standing(before)
