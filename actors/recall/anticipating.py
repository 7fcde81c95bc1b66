"""Anticipating: what is likely to be asked next is made ready while nobody waits.

A file that an editor opens, or a session that starts, is a cue. What was asked and shown where
that cue was before is looked up in the background: the question's vector, the indexes' answer to
it, and the words of the memories found. What then comes of it moves the patterns. Nothing is
shown, stored or strengthened by it; an answer that was made ready says what a fresh one would
(``actors.recall.prepared``).
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import trio

from actors.core.latest import Latest
from actors.core.ports import Clock
from actors.memory.ports import Reader, Unreadable
from actors.memory.rows import Memory, Scope
from actors.policy.events.events import EventKind
from actors.policy.recall import ranking
from actors.policy.references.naming import relative
from actors.policy.session import prefetch
from actors.policy.session.prefetch import Patterns, Prediction
from actors.policy.text.chunking import SEARCH
from actors.policy.text.words import informative
from actors.recall.channels import Channels, Looked
from actors.recall.messages import Bring, Expectation, Expected, Opened, Search
from actors.recall.ordering import Ordering, Settings, reach
from actors.recall.prepared import Key, Prepared
from actors.strength.writes import Exposed

Target = Key | int  # a question, or a memory

FILES = 5  # files of a project that count as open: the ones opened last
PROJECTS = 50  # whose open files are known
WAITING = 8  # cues that wait for their turn; another is let go
LONGEST = 2_000  # characters of a question that is learnt
CLOSE = 3  # results of a search that are learnt. A choice
ABOUT_FILE = 40  # memories about a file whose words are read ahead
TOPICS = 8  # words of a question that say what it is about
EMBEDDED_WITHIN = 5.0  # seconds for a vector that nobody waits for
READY_WITHIN = 30.0  # seconds for everything one cue calls for
PAUSE = 0.02  # seconds between two looks whether somebody is being answered
PIECE = 0.004  # seconds of reading words before somebody else gets a turn


@dataclass(slots=True)
class Around:
    """Place of somebody in a project, and what was made ready for it and not needed yet."""

    seen: float = 0.0
    cues: Latest[str, None] = field(default_factory=lambda: Latest(FILES + 1))
    # by what was expected: the cue that called for it, and all that were there then
    expected: dict[Target, tuple[str, tuple[str, ...]]] = field(
        default_factory=dict[Target, "tuple[str, tuple[str, ...]]"]
    )


@dataclass(slots=True)
class Anticipating:
    """Learns what goes with what, and makes it ready."""

    settings: Settings
    learning: prefetch.Settings
    reader: Reader
    clock: Clock
    channels: Channels
    ordering: Ordering
    prepared: Prepared
    busy: Callable[[], bool]  # somebody waits for an answer: he comes first
    patterns: Patterns[Target] = field(init=False)
    interests: dict[str, float] = field(default_factory=dict[str, float])
    around: OrderedDict[str | None, Around] = field(
        default_factory=lambda: OrderedDict[str | None, Around]()
    )
    needed: int = 0  # of what was made ready
    missed: int = 0
    words_read: int = 0  # memories whose words were read ahead
    _about: dict[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
    _waiting: int = 0
    _turn: trio.Lock = field(default_factory=trio.Lock)
    _erasures: int = 0

    def __post_init__(self) -> None:
        self.patterns = Patterns(self.learning)

    def statistics(self) -> dict[str, Any]:
        """Counts of what was learnt, made ready, needed and not needed."""
        return {
            **self.prepared.statistics(),
            "patterns": len(self.patterns),
            "needed": self.needed,
            "missed": self.missed,
            "words_read": self.words_read,
        }

    # -- making ready

    async def opened(self, fact: Opened) -> None:
        """A file is open: have ready what it is likely to call for."""
        place = relative(fact.path, fact.project) if fact.project is not None else ""
        await self._make_ready(fact.project, f"file:{fact.path}", place)

    async def began(self, project: str | None) -> None:
        """A session started: have ready what sessions of its project ask."""
        await self._make_ready(project, project_cue(project), "")

    async def _make_ready(self, project: str | None, cue: str, place: str) -> None:
        """Look up what is expected at a cue, and read the memories about the file ``place``."""
        if not self.learning.enabled or self._waiting >= WAITING:
            return
        self._forget_erased()
        now = self.clock.now()
        around = self._around(project, now)
        self._settle(around, now, only=cue)
        around.cues[cue] = None
        cues = (*reversed(around.cues), project_cue(project))
        predicted = self.patterns.predicted(cues, now, self.interests, self._topics)
        self._waiting += 1
        try:
            with trio.move_on_after(READY_WITHIN):
                async with self._turn:
                    await self._look_up(predicted)
                    if project is not None and place:
                        await self._read_about(project, place)
        finally:
            self._waiting -= 1
        for one in predicted:
            around.expected.setdefault(one.target, (cue, cues))

    async def _look_up(self, predicted: Sequence[Prediction[Target]]) -> None:
        likely = [one.target for one in predicted if isinstance(one.target, tuple)]
        memories = [one.target for one in predicted if isinstance(one.target, int)]
        try:
            for key in likely:
                await self._peace()
                if not self.prepared.holds(key):
                    looked = await self.channels.prepare(key, EMBEDDED_WITHIN)
                    if looked is not None:
                        await self._read(self._first(looked))
            if memories:
                await self._peace()
                await self._read((await self.reader.memories(memories)).values())
        except Unreadable:
            return  # whoever asks is told so

    async def _read_about(self, project: str, place: str) -> None:
        with suppress(Unreadable):  # whoever asks is told so
            about = await self.reader.about_files(project, [place], ABOUT_FILE)
            await self._peace()
            await self._read(about)

    def _first(self, looked: Looked) -> list[Memory]:
        """The memories whose words will be read for an answer."""
        first = ranking.first_order(looked, looked.settings)
        return [looked.memories[one.identity] for one in first[: self.settings.search_read]]

    async def _read(self, memories: Iterable[Memory]) -> None:
        began = trio.current_time()
        for memory in memories:
            self.words_read += not self.ordering.knows(memory)
            self.ordering.words_of(memory)
            if trio.current_time() - began > PIECE:
                await self._peace()
                began = trio.current_time()

    async def _peace(self) -> None:
        """Until nobody waits for an answer."""
        await trio.lowlevel.checkpoint()
        while self.busy():  # noqa: ASYNC110 - answers take milliseconds
            await trio.sleep(PAUSE)

    # -- learning

    def learn(self, asked: Search | Bring, shown: Exposed | None) -> None:
        """Learn that what was asked, and the memories shown, go with where it was asked."""
        if shown is None or not self.learning.enabled or not is_typed(asked):
            return
        self._forget_erased()
        now = self.clock.now()
        key = key_of(asked, self.settings)
        self.interests = prefetch.interests_after(self.interests, self._topics(key), self.learning)
        project = key[1].project
        around = self._around(project, now)
        # A search shows as many as a person wants, close or not; a prompt only what is relevant.
        close = shown.memory_ids[:CLOSE] if isinstance(asked, Search) else shown.memory_ids
        targets: tuple[Target, ...] = close
        if len(key[0]) <= LONGEST:
            targets = (key, *targets)
        for target in targets:
            self.needed += around.expected.pop(target, None) is not None
            for cue in (project_cue(project), *around.cues):
                self.patterns.note(cue, target, now)

    def expected(self, question: Expected) -> tuple[Expectation, ...]:
        """Expectations of a file now, and why."""
        self._forget_erased()
        now, cue = self.clock.now(), f"file:{question.path}"
        found = self.patterns.predicted(
            (cue, project_cue(question.project)), now, self.interests, self._topics
        )
        return tuple(
            Expectation(
                one.target if isinstance(one.target, int) else one.target[0],
                one.likelihood,
                one.cue.partition(":")[0],
                one.pattern.seen,
                one.pattern.missed,
                isinstance(one.target, tuple) and self.prepared.holds(one.target),
            )
            for one in found
        )

    def _around(self, project: str | None, now: float) -> Around:
        """Where somebody is there; after an hour without news, somewhere new."""
        around = self.around.setdefault(project, Around(now))
        if now - around.seen > self.learning.session:
            self._settle(around, now)
            around.cues.clear()
        around.seen = now
        self.around.move_to_end(project)
        while len(self.around) > PROJECTS:
            _, gone = self.around.popitem(last=False)
            self._settle(gone, now)
        return around

    def _settle(self, around: Around, now: float, *, only: str | None = None) -> None:
        """What was made ready for a cue and not needed until it came again, was a miss."""
        for target, (called_by, cues) in list(around.expected.items()):
            if only is None or called_by == only:
                del around.expected[target]
                self.missed += 1
                for cue in cues:
                    self.patterns.miss(cue, target, now)

    def _topics(self, target: Target) -> tuple[str, ...]:
        """Read once for each question: half a millisecond of a long one, and of many."""
        if isinstance(target, int):
            return ()
        known = self._about.get(target[0])
        if known is None:
            if len(self._about) >= self.learning.patterns:
                self._about.clear()
            known = self._about[target[0]] = topics(target)
        return known

    def _forget_erased(self) -> None:
        """Something was erased: no question that may quote it is kept, nor what was learnt of it."""
        erasures = self.prepared.revision().erasures
        if erasures == self._erasures:
            return
        self._erasures = erasures
        self.prepared.forget()
        self.patterns = Patterns(self.learning)
        self.interests.clear()
        self._about.clear()
        self.around.clear()


def key_of(asked: Search | Bring, settings: Settings) -> Key:
    """Key that the indexes are asked by for this question."""
    if isinstance(asked, Search):
        return Key(asked.query, asked.scope, reach(settings, asked.k, asked.mode), SEARCH)
    return Key(asked.event.prompt, Scope(asked.project), settings.candidates)


def is_typed(asked: Search | Bring) -> bool:
    """Return whether it is a question, and no session that starts."""
    return isinstance(asked, Search) or asked.event.kind is EventKind.PROMPT


def topics(question: Key) -> tuple[str, ...]:
    """Topics of a question, in a few words."""
    return tuple(informative(question[0], limit=TOPICS))


def project_cue(project: str | None) -> str:
    """The cue of being in a project at all."""
    return f"project:{project or ''}"
