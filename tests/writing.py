"""Writes with everything filled in, for tests that care about one thing of them."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from actors.intake.messages import Journaled
from actors.memory.commit import StoreWrite
from actors.memory.rows import Scope
from actors.memory.writes import Chunk, Created, Draft, Origin, Vectored
from actors.policy.gate.gate_features import content_hash
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING

MODEL = "table-64"
DIMENSIONS = 64
EVERYWHERE = Scope(everywhere=True)


def new(text: str, **other: Any) -> Created:
    """A memory of this text."""
    made = Created(draft(text, title=text[:40]), content_hash(text), stability=2.0)
    of_draft = {name: other.pop(name) for name in Draft.__struct_fields__ if name in other}
    return replace(made, draft=replace(made.draft, **of_draft), **other)


def draft(text: str, **other: Any) -> Draft:
    """A memory as a person asks for it, with everything filled in."""
    made = Draft(text, "", "fact", "normal", None, (), Origin("hand"), BEGINNING)
    return replace(made, **other)


def event(number: int, **other: Any) -> Journaled:
    """A journaled event."""
    made = Journaled(
        event_id=number.to_bytes(16, "big"),
        agent="claude",
        received_at=BEGINNING + number,
        kind="prompt",
        session="s1",
        project="/p",
        body=b"\x80",
    )
    return replace(made, **other)


def vectors(memory_id: int, text: str, *axes: int) -> Vectored:
    """One chunk a named axis, each a unit vector along it; without a token."""
    return Vectored(
        memory_id,
        content_hash(text),
        MODEL,
        tuple(Chunk(place, axis(number), key_of(number), b"") for place, number in enumerate(axes)),
        BEGINNING,
    )


def axis(number: int) -> bytes:
    """The unit vector along one axis."""
    row = np.zeros(DIMENSIONS, np.float32)
    row[number] = 1.0
    return row.tobytes()


def key_of(number: int) -> bytes:
    """The content hash of the chunk that lies on this axis."""
    return blake2b(str(number).encode(), digest_size=16).digest()


async def written(store: OpenStore, *writes: StoreWrite) -> list[int]:
    """Carry these out as one unit; what they produced."""
    (outcome,), *_ = await store.writing.commit([writes])
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


class TokenTotals(NamedTuple):
    """How much is kept of tokens."""

    chunks: int  # that have theirs
    missing: int  # memories with vectors and a piece without tokens
    bytes: int


async def token_totals(store: OpenStore) -> TokenTotals:
    """What this store keeps of tokens."""
    kept = (
        "SELECT count(tokens), count(DISTINCT memory_id) FILTER (WHERE tokens IS NULL),"
        " coalesce(sum(length(tokens)), 0)"
        " FROM chunk LEFT JOIN chunk_tokens ON chunk_id = chunk.id"
    )
    ((chunks, missing, size),) = await store.reading.read(lambda sql: sql.rows(kept))
    return TokenTotals(chunks, missing, size)
