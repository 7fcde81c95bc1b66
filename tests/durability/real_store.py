"""A store as a person's is after some weeks, through the product's own writes."""

from __future__ import annotations

import random
from typing import Final

import msgspec
import numpy as np

from actors.gate.messages import Audited
from actors.intake.messages import Derived
from actors.memory.use import Credited, Exposed, Injected, Reviewed
from actors.memory.writes import Chunk, Created, Linked, ModelChosen, Origin, Rewritten, Vectored
from actors.passages.shapes import PassagesKept
from actors.policy.gate.gate_features import content_hash
from actors.policy.passages import Piece
from actors.policy.recall.notes import Considered, Fate
from actors.session.shapes import Delivered, SessionSeen
from daemon.home import Home
from daemon.storage.store import open_store
from tests.clock import BEGINNING
from tests.writing import event, new, written

MEMORIES: Final = 400
EVENTS: Final = 900
PASSAGES: Final = 150
MODEL: Final = "mini-384"
DIMENSIONS: Final = 384
PROJECTS: Final = (None, "/home/one", "/home/two")
_WORDS: Final = (
    "the port database build release server fails because cache index page token session hook"
    " memory store uses never always rebuild deploy config branch merge test flaky timeout python"
    " rust compile linker schema migration queue worker signal socket frame retry limit naïve größe"
).split()


def sentence(rng: random.Random, least: int, most: int) -> str:
    """Words at random, so that no two texts are the same."""
    chosen = rng.choices(_WORDS, k=rng.randint(least, most))
    return f"{' '.join(chosen).capitalize()} {rng.randrange(10**6)}."


def vector(rng: np.random.Generator) -> bytes:
    """A vector of length 1."""
    made = rng.standard_normal(DIMENSIONS).astype(np.float32)
    return bytes(made / np.linalg.norm(made))


async def fill(
    home: Home, *, memories: int = MEMORIES, events: int = EVENTS, vectors: bool = True
) -> None:
    """Write memories with vectors, a journal, passages and what use leaves; then close."""
    rng, axes = random.Random(17), np.random.default_rng(17)
    async with open_store(home) as store:
        if vectors:
            await written(store, ModelChosen(MODEL, DIMENSIONS))
        for number in range(1, events + 1):
            body = {"hook_event_name": "UserPromptSubmit", "prompt": sentence(rng, 10, 150)}
            journaled = event(number, body=msgspec.msgpack.encode(body), session=f"s{number // 30}")
            await written(store, journaled, Derived(number))
        made: list[Created] = []
        for number in range(1, memories + 1):
            text = sentence(rng, 8, 70)
            origin = Origin("wish", "s1", number * 2, "wish") if number % 3 else Origin("import")
            made.append(
                new(
                    text, project=PROJECTS[number % 3], origin=origin, at=BEGINNING + number,
                    derived=tuple(rng.sample(_WORDS, 3)),
                )
            )  # fmt: skip
        for start in range(0, memories, 64):
            await store.writing.commit([(one,) for one in made[start : start + 64]])
        for number, one in enumerate(made, 1):
            chunk = Chunk(0, vector(axes), content_hash(one.draft.text))
            await written(
                store,
                Vectored(number, one.content_hash, MODEL, (chunk,), BEGINNING),
                Audited(
                    "CREATE", number, None, None, "nothing alike", None, one.content_hash,
                    one.draft.project, BEGINNING, one.draft.origin,
                ),
                Exposed((number,), f"s{number // 30}", "prompt", BEGINNING),
            )  # fmt: skip
            if number % 4 == 0:
                await written(
                    store,
                    Reviewed(number, 3.0, 5.0, 0, 3, "cited", implicit=True, at=BEGINNING),
                    Credited(number, "s1", "cited", BEGINNING),
                    Linked(number, number - 1, "related", 0.8, BEGINNING),
                    Delivered("s1", (one.content_hash,), BEGINNING),
                )
            if number % 20 == 0:
                text = sentence(rng, 8, 70)
                await written(
                    store,
                    Rewritten(
                        number, text, text[:40], (), ("rewritten",), content_hash(text),
                        BEGINNING, "edit",
                    ),
                )  # fmt: skip
        for number in range(events // 10):
            weighed = (Considered(1 + number % memories, 0.9, "words", Fate.TOLD),)
            await written(
                store,
                SessionSeen(f"s{number}", "claude", "/home/one", BEGINNING, "open", "t", "s", None),
                Injected(f"s{number}", "/home/one", "prompt", BEGINNING, 200, "both", weighed),
            )
        for number in range(PASSAGES):
            piece = Piece(sentence(rng, 3, 8), sentence(rng, 40, 120))
            await written(
                store,
                PassagesKept(
                    "document", "/home/one", f"docs/{number}.md", (piece,), "s1", 1, 1, BEGINNING
                ),
            )
        await store.writing.checkpoint(truncate=True)
        await store.writing.mark()
