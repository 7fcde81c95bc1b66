"""Triggers: which memories a text calls by name.

Owns the phrase index, in step with the store: it reads everything once when it
starts, a few memories at a time and half of the time idle, so that no prompt waits for
it, and is told of every change. Of what a person kept on purpose it has the names too: folders, files,
commands and what is quoted. The matching is in ``actors.policy.text.phrases``, what a name means in
``actors.policy.references.mentions``.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from sys import intern
from typing import Any, NamedTuple, Protocol, assert_never

import trio

from actors.core.mailbox import Inbox
from actors.memory.messages import MemoriesChanged
from actors.policy.references.mentions import Name, by_phrase, is_meant, phrase_of
from actors.policy.text.phrases import Match, PhraseIndex, Told, is_named
from actors.policy.text.slices import Slice, slices
from actors.recall.messages import Called, TriggersMessage, WhatMatches

REST = 3.0  # times what a page took, until the next: a start has more urgent things to do
PAGE = 64  # memories read, and learnt, at a time: under 2 ms when each has ten phrases
OWNERS = 16  # memories that one phrase calls at most, the newest; choice
PLACES = 50  # of one memory in a text that are told at most; choice
LONG = 16_384  # characters; a text above it is an editor's, and no prompt waits for its answer
_PROJECT = 90  # bytes of a memory among the projects
LONGEST = 5.0  # seconds for one text: its asker has left by then

Names = dict[str, tuple[Name, ...]]  # by their words


class PhraseRow(NamedTuple):
    """Phrase that calls a memory."""

    memory_id: int
    project: str | None
    given: tuple[str, ...]  # set by a person
    derived: tuple[str, ...]
    names: tuple[Name, ...] = ()  # of what a person kept on purpose


class PhraseReader(Protocol):
    """Reads what calls memories, of those that live."""

    async def phrases_after(self, after: int, limit: int) -> list[PhraseRow]:
        """Phrases of the memories with an id over ``after``, in the order of ids."""
        ...

    async def phrases_of(self, ids: Sequence[int]) -> list[PhraseRow]:
        """Phrases of these memories."""
        ...


@dataclass(slots=True)
class Places:
    """Places where memories are called in a text: of each at most so many, the first."""

    _nth: list[tuple[int, Called]] = field(default_factory=list[tuple[int, Called]])
    _counts: Counter[int] = field(default_factory=Counter[int])

    def add(self, called: Iterable[Called]) -> None:
        """Take in matches that come later in the text than those before."""
        for one in sorted(called, key=lambda one: one.match):
            self._counts[one.match.owner] += 1
            if (nth := self._counts[one.match.owner]) <= PLACES:
                self._nth.append((nth, one))

    def best(self, limit: int) -> list[Called]:
        """Matches in the order of their place, and the first of every memory before any second."""
        kept = sorted(self._nth, key=lambda pair: (pair[0], pair[1].match))[:limit]
        return sorted((one for _, one in kept), key=lambda one: one.match)


@dataclass(slots=True)
class Triggers:
    """Keeps the index and answers from it."""

    reader: PhraseReader
    given: PhraseIndex = field(default_factory=PhraseIndex)
    derived: PhraseIndex = field(default_factory=PhraseIndex)
    named: PhraseIndex = field(default_factory=PhraseIndex)
    names: dict[int, Names] = field(default_factory=dict[int, Names])  # of what is in ``named``
    projects: dict[int, str | None] = field(default_factory=dict[int, str | None])
    asked: int = 0
    _meanwhile: set[int] = field(default_factory=set[int])
    _whole: bool = False  # everything was read
    _waiting: list[WhatMatches] = field(default_factory=list[WhatMatches])  # for that
    _long: trio.Lock = field(default_factory=trio.Lock)

    def statistics(self) -> dict[str, Any]:
        """Counts of phrases, of their memories, bytes, and questions."""
        return {
            "phrases": len(self.given) + len(self.derived) + len(self.named),
            "memories": len(self.projects),
            "bytes": sum(one.nbytes for one in (self.given, self.derived, self.named))
            + _PROJECT * len(self.projects),
            "asked": self.asked,
        }

    async def run(self, inbox: Inbox[TriggersMessage]) -> None:
        """Handle messages until the mailbox is closed and drained, reading the store meanwhile.

        A prompt that comes before everything was read is answered from what was, unless its
        asker would rather wait.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._read_everything)
            async for message in inbox:
                if isinstance(message, WhatMatches) and len(message.text) > LONG:
                    nursery.start_soon(self._answer_long, message)
                else:
                    await self.handle(message)
            nursery.cancel_scope.cancel()

    async def handle(self, message: TriggersMessage) -> None:
        """One message."""
        match message:
            case WhatMatches():
                self.asked += 1
                if message.whole and not self._whole:
                    self._waiting.append(message)
                else:
                    await self._answer(message)
            case MemoriesChanged(memory_ids):
                self._meanwhile.update(memory_ids)
                await self._relearn(memory_ids)
            case _:
                assert_never(message)

    async def _answer_long(self, asked: WhatMatches) -> None:
        """Answer about a long text beside what is asked meanwhile, one such text at a time."""
        async with self._long:
            await self._answer(asked)

    async def _answer(self, asked: WhatMatches) -> None:
        """Match a text slice by slice; between two of them others have their turn."""
        places = Places()
        told = Told(PLACES), Told(PLACES)
        until = trio.current_time() + LONGEST
        for piece in slices(asked.text):
            if piece.start:
                await trio.lowlevel.checkpoint()
                if trio.current_time() > until:
                    break  # nobody waits any more
            places.add(self._called(piece, asked, told))
        asked.reply(places.best(asked.limit))

    def _called(self, piece: Slice, asked: WhatMatches, told: tuple[Told, Told]) -> list[Called]:
        """The matches that begin in a slice, of memories in scope.

        ``told`` is what was found before it, by phrases that a person set and by derived ones.
        """
        scope, folders = asked.scope, asked.folders

        def admits(owner: int) -> bool:
            return scope.everywhere or self.projects.get(owner) in (None, scope.project)

        called = [
            Called(_placed(match, piece), given=given)
            for index, given, before in (
                (self.given, True, told[0]),
                (self.derived, False, told[1]),
            )
            for match in index.matches(piece.text, admits, OWNERS, before, piece.own)
        ]
        if folders is not None and len(self.named):
            found = self.named.matches(piece.text, admits, OWNERS)
            own = (match for match in found if match.start < piece.own)
            called += [
                Called(_placed(match, piece), given=False, named=True)
                for match in self._meant(own, piece.text, folders)
            ]
        return called

    def _meant(
        self, matches: Iterable[Match], text: str, folders: Collection[str]
    ) -> Iterator[Match]:
        """First place of each memory whose name stands there whole, among places of its words."""
        tried, done = Counter[int](), set[int]()
        for match in matches:
            if match.owner in done or tried[match.owner] >= PLACES:
                continue
            tried[match.owner] += 1
            names = self.names[match.owner].get(match.phrase, ())
            if any(is_meant(one, text, match.start, match.end, folders) for one in names):
                done.add(match.owner)
                yield match

    async def _read_everything(self) -> None:
        after = 0
        self._meanwhile.clear()
        while page := await self.reader.phrases_after(after, PAGE):
            began = trio.current_time()
            self._learn(page)
            after = page[-1].memory_id
            # The page may be older than a change that was told while it was read.
            changed = sorted(self._meanwhile)
            self._meanwhile.clear()
            await self._relearn(changed)
            await trio.sleep(REST * (trio.current_time() - began))
        self._whole = True
        while self._waiting:
            await self._answer(self._waiting.pop(0))

    async def _relearn(self, memory_ids: Sequence[int]) -> None:
        for start in range(0, len(memory_ids), PAGE):
            some = memory_ids[start : start + PAGE]
            found = await self.reader.phrases_of(some)
            for memory_id in some:
                self._forget(memory_id)
            self._learn(found)

    def _learn(self, rows: Iterable[PhraseRow]) -> None:
        for row in rows:
            self.projects[row.memory_id] = row.project and intern(row.project)
            for phrase in row.given:
                self.given.add(phrase, row.memory_id)
            for phrase in row.derived:
                if not is_named(row.project, phrase):
                    self.derived.add(phrase, row.memory_id)
            names = [one for one in row.names if not is_named(row.project, one.text)]
            for name in names:
                self.named.add(phrase_of(name), row.memory_id)
            if names:
                self.names[row.memory_id] = by_phrase(names)

    def _forget(self, memory_id: int) -> None:
        self.given.remove(memory_id)
        self.derived.remove(memory_id)
        self.named.remove(memory_id)
        self.names.pop(memory_id, None)
        self.projects.pop(memory_id, None)


def _placed(match: Match, piece: Slice) -> Match:
    """The match at its place in the whole text."""
    return match._replace(start=piece.start + match.start, end=piece.start + match.end)
