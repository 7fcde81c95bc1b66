"""Worth of each channel and stage of recall, on evaluation sets that somebody has.

    python -m lab.benchmarks.ablation --data DIR [--sets NAME ...] [--queries N] [--models DIR]

DIR holds sets as ``lab.benchmarks.sets`` says, packed; sets are all there are. Each set
is imported by the daemon's own actors with the real store and the real model, in this process; as
it is, or with ``--gate`` as the gate leaves it. Then every query of a seeded sample is asked in its group, with what is shipped and
once with each switch turned the other way. Switches are read off the settings: the channels that a
question can do without, the weights of fusing, and the stages. What is read of the store, the
model and the phrases is remembered between two variants, and nothing else is.

Beside it stand plain FTS5 (porter, all words OR-ed, bm25) and plain sqlite-vec (cosine).
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Any, Final, cast

import apsw
import trio

from actors.core.mailbox import Inbox, Mailbox, Queue, Reply
from actors.embedding.messages import Embed
from actors.embedding.rows import Embedded, TokenReader
from actors.memory.ports import Reader
from actors.memory.rows import Memory, Scope
from actors.policy.decay.fsrs import FSRS6_DECAY
from actors.policy.recall import fusion
from actors.policy.recall.composite import Score
from actors.policy.recall.fusion_methods import Method
from actors.recall.channels import Channels
from actors.recall.facts import Gathering
from actors.recall.messages import Found, Search, WhatMatches
from actors.recall.ordering import Ordering, Settings
from actors.recall.searching import Searching
from actors.recall.understood import Understood
from daemon.answers.status import await_embedded
from daemon.answers.transfer import import_rows
from daemon.clock import WallClock
from daemon.embedding import provision
from daemon.home import Home, current_home
from daemon.host import Running, recall_settings, running_actors
from daemon.requests.status import AwaitEmbedded
from daemon.requests.transfer import Import
from daemon.settings import Settings as DaemonSettings
from daemon.states import ranked_reach
from daemon.storage import recall
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore, open_store
from lab.benchmarks import house, sets
from lab.benchmarks.sets import Question

FIGURES: Final = ("recall@1", "recall@5", "recall@10", "MRR")
DEPTHS: Final = (1, 5, 10)
SHOWN: Final = 10  # results that are asked for
PATIENCE: Final = 60.0  # seconds for one question
AGAIN: Final = 5  # times a question is asked until no channel was late
PAGE: Final = 100  # rows imported at once
SEED: Final = 11

Row = tuple[float, ...]  # of each figure


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to recall: what is turned the other way, and the settings that are."""

    name: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements on one set: how much was asked, and the figures of each way."""

    name: str
    texts: int
    questions: int
    of: int  # queries that have an answer
    rows: Mapping[str, Row]


# ---- what is switched


def variants(shipped: Settings) -> list[Variant]:
    """Every switch of the settings turned the other way, one at a time."""
    ranking = shipped.ranking

    def ranked(name: str, **changed: Any) -> Variant:
        return Variant(name, replace(shipped, ranking=replace(ranking, **changed)))

    found: list[Variant] = []
    weights = {*fusion.Parts._fields}
    found += [
        ranked(f"weight of {one.name} 0", fusing=_with(ranking.fusing, one.name, 0.0))
        for one in fields(fusion.Settings)
        if one.name in weights and getattr(ranking.fusing, one.name)
    ]
    nobody = replace(ranking.fusing, near=(0.0,) * len(ranking.fusing.near), best_near=0.0)
    found.append(ranked("without neighbours in time", fusing=nobody))
    found += [ranked(f"fusion by {one}", method=one) for one in Method if one is not ranking.method]
    found += [ranked(f"score {one}", score=one) for one in Score if one is not ranking.score]
    for what, settings in (("channels", ranking.channels), ("stages", ranking.stages)):
        kind = what.removesuffix("s")
        for one in fields(settings):
            on = getattr(settings, one.name)
            name = f"{kind} {one.name} {'off' if on else 'on'}"
            found.append(ranked(name, **{what: _with(settings, one.name, not on)}))
    return found


def _with(settings: Any, name: str, value: float | bool) -> Any:
    return replace(settings, **{name: value})


# ---- what is remembered


class Remembered:
    """A reader of a store that does not change: what was read once is not read again."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._answers: dict[tuple[str, str], Any] = {}
        self._memories: dict[int, Memory] = {}

    async def memories(self, ids: Sequence[int]) -> dict[int, Memory]:
        """These memories, in the order of ids."""
        missing = [one for one in ids if one not in self._memories]
        if missing:
            self._memories.update(await self._reader.memories(missing))
        return {one: self._memories[one] for one in sorted(ids) if one in self._memories}

    async def chosen(self, *asked: Any) -> Any:
        """Looked up each time: whoever asks chooses by what was found."""
        return await self._reader.chosen(*asked)

    def __getattr__(self, name: str) -> Any:
        read = getattr(self._reader, name)

        async def once(*asked: Any) -> Any:
            key = name, repr(asked)
            if key not in self._answers:
                self._answers[key] = await read(*asked)
            answer = self._answers[key]
            return copy(answer)  # whoever asked may change it

        return once


async def relay(inbox: Inbox[Any], to: Mailbox[Any]) -> None:
    """Hand questions on, each once: a neighbour that is never late the second time."""
    answers: dict[str, Any] = {}
    async for message in inbox:
        match message:
            case Embed() | WhatMatches():
                key = repr(replace(cast("Any", message), reply=None))
                if key not in answers:
                    answers[key] = await to.ask(_again(message), within=PATIENCE)
                message.reply(answers[key])
            case _:
                raise TypeError(f"nobody hands on {type(message).__name__}")


def _again(message: Any) -> Callable[[Reply[Any]], Any]:
    def again(reply: Reply[Any]) -> Any:
        return replace(message, reply=reply)

    return again


# ---- asking


def searching(variant: Variant, kept: Kept) -> Searching:
    """A person's search with these settings, over what is shared by all variants."""
    settings, clock, reader = variant.settings, WallClock(), cast("Reader", kept.reader)
    channels = Channels(
        settings.ranking, reader, kept.embedder, kept.triggers, kept.nobody,
        tokens=cast("TokenReader", kept.reader),
    )  # fmt: skip
    return Searching(
        settings, reader, clock, channels, Ordering(settings, clock, kept.said),
        Understood(reader, clock, channels, settings.zone),
        Gathering(reader, clock, channels, partial(ranked_reach, decay=FSRS6_DECAY), settings.zone),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kept:
    """Values that the variants share."""

    reader: Remembered
    embedder: Mailbox[Any]
    triggers: Mailbox[Any]
    nobody: Mailbox[Any]
    said: Any


async def keys_of(way: Searching, question: Question) -> list[str]:
    """The keys of the results, best first. A channel that was late is asked again."""
    degraded = ""
    for _ in range(AGAIN):
        reply: Reply[Found] = Reply()
        scope = Scope(sets.project(question.group))
        await way.search(Search(question.text, SHOWN, scope, False, PATIENCE, reply))
        found = await reply.wait()
        if found.degraded is None:
            return [note.memory.key or "" for note in found.notes]
        degraded = found.degraded.line
    raise SystemExit(f"a channel did not answer: {degraded}")


def figures(answers: Sequence[tuple[Question, Sequence[str]]]) -> Row:
    """The mean of each figure."""
    return sets.figures(answers, DEPTHS)


# ---- the baselines


class PlainWords:
    """SQLite's own full text search, as one would begin with it."""

    def __init__(self, corpus: Sequence[Mapping[str, Any]]) -> None:
        self._sql = Sql(apsw.Connection(":memory:"))
        self._sql.rows(
            "CREATE VIRTUAL TABLE words USING fts5"
            "(text, place UNINDEXED, tokenize = 'porter unicode61')"
        )
        self._sql.many(
            "INSERT INTO words (text, place) VALUES (?, ?)",
            [(row["text"], row["group"] + "\n" + row["id"]) for row in corpus],
        )

    def keys_of(self, question: Question) -> list[str]:
        """The best of its group by bm25."""
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question.text))
        if not words:
            return []
        found = self._sql.rows(
            "SELECT place FROM words WHERE words MATCH ? AND place GLOB ? ORDER BY rank LIMIT ?",
            (words, re.sub(r"([\[*?])", r"[\1]", question.group) + "\n*", SHOWN),
        )
        return [place.split("\n", 1)[1] for (place,) in found]


def _asking(text: str) -> Callable[[Reply[list[Embedded]]], Embed]:
    return lambda reply: Embed((text,), "query", True, reply)


async def by_cosine(store: OpenStore, kept: Kept, question: Question) -> list[str]:
    """The nearest of its group, as sqlite-vec finds them."""
    (embedded,) = await kept.embedder.ask(_asking(question.text), within=PATIENCE)
    vector = embedded.vector
    scope = Scope(sets.project(question.group))
    hits = await store.reading.read(recall.nearest_by_sqlite_vec, vector, scope, SHOWN)
    memories = await store.reading.memories([*hits])
    return [memories[one].key or "" for one in hits]


# ---- one set


def sampled(asked: Sequence[Question], most: int, seed: int) -> list[Question]:
    """The queries that have an answer, or so many of them; 0: all."""
    answered = [one for one in asked if one.right]
    if not most or most >= len(answered):
        return answered
    chosen = random.Random(seed).sample(range(len(answered)), most)
    return [answered[place] for place in sorted(chosen)]


@asynccontextmanager
async def at_work(home: Home, model: Path) -> AsyncGenerator[tuple[OpenStore, Running]]:
    """The daemon's actors, store and model, without a socket."""
    async with (
        open_store(home) as store,
        house.surroundings(store, home, model) as surroundings,
        trio.open_nursery() as nursery,
    ):
        async with running_actors(home, surroundings, nursery) as running:
            yield store, running
        nursery.cancel_scope.cancel()


async def nothing_told(_: Mapping[str, Any]) -> None:
    """Tell nobody how far it is."""
    await trio.lowlevel.checkpoint()


async def imported(
    store: OpenStore, running: Running, corpus: Sequence[Mapping[str, Any]], gate: bool
) -> None:
    """Keep the texts as an import does, with vectors and tokens, and take all of it up."""
    for page in sets.imports(corpus, PAGE):
        await import_rows(running.parts, Import(rows=page, gate=gate, replace=True), nothing_told)
    await await_embedded(running.parts, AwaitEmbedded(), nothing_told)
    while await _unfinished(store):  # noqa: ASYNC110 - the daemon tells nobody of either
        await trio.sleep(0.2)
    await store.reading.warm()


async def _unfinished(store: OpenStore) -> bool:
    untokened = await store.reading.untokened(2**62, 1)
    return bool(untokened or await store.reading.unjudged(1))


async def measure(data: Path, name: str, model: Path, most: int, seed: int, gate: bool) -> Measured:
    """One set: the baselines, what is shipped, and each switch turned."""
    texts, queries = sets.read(data, name)
    asked = sampled(queries, most, seed)
    groups = {question.group for question in asked}
    corpus = [row for row in texts if row["group"] in groups]
    shipped = replace(recall_settings(DaemonSettings()), search_wait=PATIENCE)
    found: dict[str, Row] = {}
    with tempfile.TemporaryDirectory(prefix="rv-") as root:
        home = Home(Path(root))
        home.prepare()
        async with at_work(home, model) as (store, running):
            await imported(store, running, corpus, gate)
            plain = PlainWords(corpus)
            found["plain FTS5"] = figures([(one, plain.keys_of(one)) for one in asked])
            async with trio.open_nursery() as nursery:
                kept = _kept(store, running, nursery)
                cosines = [(one, await by_cosine(store, kept, one)) for one in asked]
                found["plain sqlite-vec"] = figures(cosines)
                for variant in [Variant("shipped", shipped), *variants(shipped)]:
                    way = searching(variant, kept)
                    found[variant.name] = figures([(one, await keys_of(way, one)) for one in asked])
                nursery.cancel_scope.cancel()
    return Measured(name, len(corpus), len(asked), sum(bool(one.right) for one in queries), found)


def _kept(store: OpenStore, running: Running, nursery: trio.Nursery) -> Kept:
    boxes: dict[str, Mailbox[Any]] = {}
    for name in ("embedder", "triggers"):
        queue = Queue[Any](name, room=100)
        nursery.start_soon(relay, queue.inbox, running.queues[name].mailbox)
        boxes[name] = queue.mailbox
    said = Ordering(Settings(), WallClock())._said  # pyright: ignore[reportPrivateUsage]
    reader = Remembered(store.reading)
    nobody = Queue[Any]("working_memory", room=1).mailbox  # asked for sessions, of which is none
    return Kept(reader, boxes["embedder"], boxes["triggers"], nobody, said)


# ---- the tables

BASES: Final = ("plain FTS5", "plain sqlite-vec", "shipped")


def tables(results: Sequence[Measured]) -> list[str]:
    """The lines of both tables, in Markdown."""
    lines = [
        f"Each cell: {' / '.join(FIGURES)}.",
        "",
        "| set | texts | queries | " + " | ".join(BASES) + " |",
        "|---|---|---|" + "---|" * len(BASES),
    ]
    lines += [
        f"| {one.name} | {one.texts:,} | {one.questions} of {one.of} | "
        + " | ".join(_cell(one.rows[base]) for base in BASES)
        + " |"
        for one in results
    ]
    switched = [name for name in results[0].rows if name not in BASES]
    changes = {name: [_change(one, name) for one in results] for name in switched}
    moved = [name for name in switched if any(starmap(_moves, map(tuple, changes[name])))]
    lines += [
        "",
        "One thing turned the other way, and what the figures gain or lose by it:",
        "",
        "| | " + " | ".join(one.name for one in results) + " |",
        "|---|" + "---|" * len(results),
        *(
            f"| {name} | "
            + " | ".join(_signed(row) if _moves(*row) else "–" for row in changes[name])
            + " |"
            for name in moved
        ),
        "",
        "No figure moves with: " + ", ".join(name for name in switched if name not in moved) + ".",
    ]
    return lines


def _change(one: Measured, name: str) -> Row:
    return tuple(x - y for x, y in zip(one.rows[name], one.rows["shipped"], strict=True))


def _moves(*row: float) -> bool:
    return any(abs(value) >= 0.0005 for value in row)


def _cell(row: Row) -> str:
    return " / ".join(f"{value:.3f}".replace("0.", ".", 1) for value in row)


def _signed(row: Row) -> str:
    said = (f"{value:+.3f}".replace("0.", ".", 1) if _moves(value) else "0" for value in row)
    return " / ".join(said)


def sets_of(data: Path, wanted: Collection[str]) -> list[str]:
    """The sets that are there, or those of them that are wanted; raises ``SystemExit``."""
    there = sorted(file.name.removesuffix(".corpus.jsonl.gz") for file in data.glob("*.corpus.*"))
    short = {name.removesuffix(".dev"): name for name in there}
    missing = [name for name in wanted if name not in short and name not in there]
    if missing or not there:
        raise SystemExit(f"{data} has no set {', '.join(missing) or 'at all'}: {', '.join(short)}")
    return [short.get(name, name) for name in wanted] or there


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with evaluation sets")
    parser.add_argument("--sets", nargs="+", default=[], help="some of its sets; all")
    parser.add_argument("--queries", type=int, default=60, help="of each set, seeded; 0: all")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--gate", action="store_true", help="import through the gate")
    parser.add_argument("--models", type=Path, help="a home's models folder; the user's own")
    options = parser.parse_args()
    model = provision.located(options.models or current_home().models, "")
    if model is None:
        raise SystemExit("there is no model: run make setup, or name a folder with --models")
    results: list[Measured] = []
    for name in sets_of(options.data, options.sets):
        began = time.process_time()
        found = trio.run(
            measure, options.data, name, model, options.queries, options.seed, options.gate
        )
        results.append(replace(found, name=name.removesuffix(".dev")))
        spent = time.process_time() - began
        print(f"{name}: {spent:.0f} s of CPU beside the model's", file=sys.stderr, flush=True)
    print("\n".join(tables(results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
