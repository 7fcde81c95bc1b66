"""Triggers: memories called by name in a text.

Owns the phrase index, in step with the store: everything is read once, a few memories at a time and
most of the time idle, so no prompt waits for it; every change is noted and read before the next
question. It answers from memory, also while the disk is silent. For memories kept on purpose by a
person it has the names too: folders, files, commands and quoted words.
"""

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from sys import intern

import trio
from msgspec import Struct, field

from actors.core.failures import Unreadable
from actors.memory.rows import Scope
from actors.policy.references.mentions import Name, by_phrase, is_meant, phrase_of
from actors.policy.text.phrases import Match, PhraseIndex, Slice, is_named, slices
from actors.recall.shapes import Called, PhraseRow
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

AGAIN = 5.0  # seconds until what could not be read is tried again
REST = 3.0  # times what a page took, until the next: a start has more urgent things to do
PAGE = 64  # memories read, and learnt, at a time: under 2 ms when each has ten phrases
OWNERS = 16  # memories that one phrase calls at most, the newest; choice
PLACES = 50  # of one memory in a text: once it has them, the next slices tell no more; choice

Names = dict[str, tuple[Name, ...]]  # by their words


class Triggers(Struct):
    """Keeps the index and answers from it."""

    reader: ReadingSide
    given: PhraseIndex = field(default_factory=PhraseIndex)
    derived: PhraseIndex = field(default_factory=PhraseIndex)
    named: PhraseIndex = field(default_factory=PhraseIndex)
    names: dict[int, Names] = {}  # of what is in ``named``
    projects: dict[int, str | None] = {}
    _stale: set[int] = field(default_factory=set[int])  # changed and not learnt anew yet
    _woken: trio.Event = field(default_factory=trio.Event)  # something has changed
    _reading: trio.Lock = field(default_factory=trio.Lock)

    async def run(self) -> None:
        """Read everything, then the changes, until cancelled.

        Unreadable memories are tried again; meanwhile answers come from the ones read.
        """
        after: int | None = 0
        while True:
            try:
                if after is not None:
                    after = await self._read_on(after)
                await self._catch_up()
            except Unreadable as error:
                log.warning("phrases_unread why=%s", error)
                await trio.sleep(AGAIN)
            else:
                if after is None:
                    await self._woken.wait()
                    self._woken = trio.Event()

    def changed(self, memory_ids: Iterable[int]) -> None:
        """Note new, changed or removed memories. Returns at once."""
        self._stale.update(memory_ids)
        self._woken.set()

    async def called(
        self, text: str, scope: Scope, limit: int, *, folders: Collection[str] | None = None
    ) -> list[Called]:
        """Phrases of memories in scope in a text, slice by slice.

        ``folders``: first folders of the text's paths; ``None``: no names. Until everything is read
        the answer covers the memories read. Raises ``Unreadable``.
        """
        await self._catch_up()
        found = list[Called]()
        places = Counter[int]()
        for piece in slices(text):
            if piece.start:
                await trio.lowlevel.checkpoint()
            found += self._called(piece, scope, folders, places)
        return _first(found, limit)

    def _called(
        self, piece: Slice, scope: Scope, folders: Collection[str] | None, places: Counter[int]
    ) -> list[Called]:
        """Matches beginning in a slice, of memories in scope; ``places`` told of each of them so far."""

        def admits(owner: int) -> bool:
            return scope.everywhere or self.projects.get(owner) in (None, scope.project)

        called = [
            Called(_placed(match, piece), given=index is self.given)
            for index in (self.given, self.derived)
            for match in index.matches(piece.text, admits, OWNERS)
            if match.start < piece.own and places[match.owner] < PLACES
        ]
        places.update(one.match.owner for one in called)
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
        """First place of each memory with its whole name there, among places of its words."""
        tried, done = Counter[int](), set[int]()
        for match in matches:
            if match.owner in done or tried[match.owner] >= PLACES:
                continue
            tried[match.owner] += 1
            names = self.names[match.owner].get(match.phrase, ())
            if any(is_meant(one, text, match.start, match.end, folders) for one in names):
                done.add(match.owner)
                yield match

    async def _read_on(self, after: int) -> int | None:
        """Learn the next page of memories, and rest; the last of them, ``None`` after the last page."""
        async with self._reading:  # what changes meanwhile is learnt anew after it
            began = trio.current_time()
            page = await self.reader.phrases_after(after, PAGE)
            self._learn(page)
        if not page:
            return None
        await trio.sleep(REST * (trio.current_time() - began))
        return page[-1].memory_id

    async def _catch_up(self) -> None:
        async with self._reading:
            while self._stale:
                some = sorted(self._stale)[:PAGE]
                self._stale.difference_update(some)
                try:
                    found = await self.reader.phrases_of(some)
                except BaseException:
                    self._stale.update(some)
                    raise
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
        for index in (self.given, self.derived, self.named):
            index.remove(memory_id)
        self.names.pop(memory_id, None)
        self.projects.pop(memory_id, None)


def _placed(match: Match, piece: Slice) -> Match:
    return match._replace(start=piece.start + match.start, end=piece.start + match.end)


def _first(called: Iterable[Called], limit: int) -> list[Called]:
    """Matches in the order of their place, and the first of every memory before any second."""
    counts = Counter[int]()
    nth: list[tuple[int, Match, Called]] = []
    for one in sorted(called, key=lambda one: one.match):
        counts[one.match.owner] += 1
        nth.append((counts[one.match.owner], one.match, one))
    kept = sorted(nth, key=lambda each: each[:2])[:limit]
    return sorted((one for _, _, one in kept), key=lambda one: one.match)
