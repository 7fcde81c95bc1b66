"""Notes for all work of a project: constitutional memories, the wishes and demands of a person, notes of a reader;
and whether a person is there to be told them.
"""

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Final

import trio
from msgspec import Struct
from msgspec.structs import replace

from actors.core.failures import Unreadable
from actors.memory.rows import Memory, Scope
from actors.memory.use import Opinion
from actors.policy import passages
from actors.policy.decay.curve import is_suppressed
from actors.policy.decay.states import Lifecycle
from actors.policy.events.agents import HEADLESS, is_script
from actors.policy.events.events import EventKind
from actors.policy.night.demands import demanded_in, says
from actors.policy.recall import page
from actors.policy.recall.page import NEVER, Listing, PageNote, Part, Place, Room
from actors.policy.session.tasks import task_of
from actors.policy.statements.sources import AGENT, DEMANDED, READ, READER
from actors.policy.statements.statement_rules import is_for_every_session
from actors.policy.statements.summaries import SUMMARY
from actors.policy.statements.trust import ON_PURPOSE, STATED, trust_in
from actors.policy.text import wording
from actors.policy.text.words import stems
from actors.reader.messages import Mark
from actors.recall.ordering import Settings, true_now
from actors.recall.shapes import Bring
from actors.recall.tell_or_not import attribution
from daemon.storage.reader import ReadingSide

# ---- notes in the form of the page's policy


# Commits, documents and what rules made of tools are found by search; on the page they would be most lines.
SOURCES: Final = STATED | READ | {AGENT, SUMMARY}
UNJUDGED: Final = Opinion()
# The kinds of a person's wishes, rules and decisions, which no agent's verdict ends.
LASTING: Final = frozenset({"preference", "convention", "decision"})
MOST: Final = 400  # notes of a project that are looked at


class Noted(Struct, frozen=True):
    """Notes that may stand on the page: a person's wishes and demands, and where a reader reads all others."""

    memories: Sequence[Memory] = ()
    wishes: Sequence[Memory] = ()  # of a person, among them
    marks: Mapping[int, Mark] = {}  # of those that a reader wrote
    near: Collection[int] = ()  # about files that the branch changes or the last session edited
    standing: Collection[int] = ()  # wishes and conventions that every session is told
    listings: Mapping[int, Listing] = {}
    opinions: Mapping[int, Opinion] = {}

    def page_notes(self, settings: Settings, now: float) -> list[PageNote]:
        """Candidates for the page, with their weights now."""
        return [self._page_note(one, settings, now) for one in self.memories]

    def lines(self, places: Sequence[Place]) -> list[str]:
        """The lines of the page, in its order."""
        titles = {one.id: one.title or one.text for one in self.memories}
        return [
            page.line(one.identity, titles[one.identity])
            for one in places
            if one.part is Part.LINES
        ]

    def _page_note(self, memory: Memory, settings: Settings, now: float) -> PageNote:
        mark = self.marks.get(memory.id)
        # Whoever kept a note by hand says so too.
        is_kept = mark is not None and mark.verdict != ""
        by_person = is_kept or memory.source in STATED or memory.id in self.standing
        said = self.opinions.get(memory.id, UNJUDGED)
        return PageNote(
            memory.id,
            size=_size(memory, now),
            title=memory.title or memory.text,
            kind=self._kind(memory),
            weight=page.weight(
                settings.retrievability(memory, now),
                memory.tier,
                by_person=by_person,
                uses=memory.uses,
            ),
            by_person=by_person,
            is_always=memory.id in self.standing or (mark is not None and mark.scope == "always"),
            is_used=is_kept or memory.uses > 0,
            is_near=memory.id in self.near,
            is_faded=settings.state_of(memory, now) < Lifecycle.WARM,
            is_pinned=memory.pinned,
            is_useless=said.useless > said.useful,
            is_unwanted=_is_unwanted(memory, said),
            is_suppressed=is_suppressed(said.suppressed_at, now),
            excess=self.listings.get(memory.id, NEVER).excess(),
        )

    def _kind(self, memory: Memory) -> str:
        """Kind as the reader would call it; a memory of another source is a wish, a decision or a fact."""
        mark = self.marks.get(memory.id)
        if mark is not None:
            return mark.kind
        if memory.kind == "decision":
            return "decision"
        return "wish" if memory.id in self.standing else "fact"


def is_left_out(memory: Memory, said: Opinion, now: float) -> bool:
    """Return whether a memory was called not useful, or a person suppressed it.

    An agent's verdict ends no wish, rule or decision of a person; no verdict ends a pinned memory.
    """
    if is_suppressed(said.suppressed_at, now):
        return True
    if memory.pinned:
        return False
    is_lasting = memory.source in STATED and memory.kind in LASTING
    return _is_unwanted(memory, said) or (said.useless > said.useful and not is_lasting)


def _is_unwanted(memory: Memory, said: Opinion) -> bool:
    """Tell whether a person called it not useful; an agent's verdict moves no confidence."""
    return said.validations > 0 and said.confidence < trust_in(memory.source)


def _size(memory: Memory, now: float) -> int:
    """Characters of a whole memory in a block."""
    note = wording.Note(memory.id, memory.text, 1.0, attribution(memory, now))
    return len(memory.text) + note.overhead + 2 * memory.text.count("\n")


# ---- constitutional memories, wishes and demands


STANDING: Final = 20  # constitutional memories
DEMANDS: Final = 3  # of a person in several sessions
WISHES: Final = 8  # of a person, beside them
RULES: Final = 40  # wishes and conventions that are looked at for them
WISH: Final = "wish"  # the rule of what is said in passing
MADE: Final = STATED - ON_PURPOSE - READ  # sources: rules of what is typed
SUCCESSIONS: Final = 8  # of notes that are followed to the one that holds
OWN: Final = 3  # memories, beside rules, that were decided in a session itself
SHARE: Final = 0.5  # of the time of an answer, for all but what is constitutional
AS_IT_IS: Final = frozenset(
    {SUMMARY, "hand", "editor"}
)  # sources of rules that no words are asked of


async def constitutional(reader: ReadingSide, project: str | None, now: float) -> list[Memory]:
    """Constitutional memories true now."""
    return true_now(await reader.constitutional(Scope(project), STANDING), now)


async def true_and_wanted(
    reader: ReadingSide, memories: Sequence[Memory], project: str | None, now: float
) -> list[Memory]:
    """Memories true now and left out by nobody, in their order."""
    true = true_now(memories, now)
    said = await reader.opinions([one.id for one in true], project)
    return [one for one in true if not is_left_out(one, said.get(one.id, UNJUDGED), now)]


async def heirs_of(reader: ReadingSide, replaced: Collection[Memory]) -> dict[int, Memory]:
    """The living memory in place of each replaced one, by the ids of these."""
    heirs = {one.id: one for one in replaced}
    for _ in range(SUCCESSIONS):
        next_ = {i: one.superseded_by for i, one in heirs.items() if one.superseded_by}
        if not next_:
            break
        known = await reader.memories([*next_.values()])
        heirs |= {i: known[heir] for i, heir in next_.items() if heir in known}
    return {i: heir for i, heir in heirs.items() if heir.ended is None}


async def noted(reader: ReadingSide, project: str | None, now: float) -> Noted:
    """Wishes and demands of a person; in a project with a reader's notes all others that may be listed."""
    scope = Scope(project)
    rules = [one for one in await reader.standing(scope, RULES) if _is_told(one)]
    wishes = (await true_and_wanted(reader, rules, project, now))[:WISHES]
    demands = [  # the person's words quoted in an insight, as theirs
        replace(one, text=demanded_in(one.text), source=DEMANDED)
        for one in await reader.demands(scope, DEMANDS)
    ]
    new = [one for one in demands if not any(says(each.text, one.text) for each in wishes)]
    marks = await reader.marks(project, MOST)
    every = wishes
    if marks:
        every = true_now(await reader.of_sources(scope, SOURCES, MOST), now)
    memories, ids = [*new, *every], [one.id for one in (*new, *every)]
    found = Noted(
        memories, wishes, marks,
        standing={one.id for one in (*wishes, *new)},
        listings=await reader.listings(ids),
        opinions=await reader.opinions(ids, project),
    )  # fmt: skip
    return await _without_echoes(found, now)


async def _without_echoes(noted: Noted, now: float) -> Noted:
    """Leave out notes made of a prompt by a rule where a reader's note has most of their words.

    The reader's note has to quote the person: a quotation of an agent takes no place of a person's word.
    """
    made = [one for one in noted.memories if one.source in MADE and not one.pinned]
    read = [
        one
        for one in noted.memories
        if one.source == READER and not is_left_out(one, noted.opinions.get(one.id, UNJUDGED), now)
    ]
    if not (made and read):
        return noted
    words: dict[int, frozenset[str]] = {}
    for one in (*made, *read):
        words[one.id] = stems(one.text)
        await trio.lowlevel.checkpoint()  # hundreds of texts take more than 10 ms
    said = {one.id: words[one.id] for one in made}
    gone = passages.echoes(said, [words[one.id] for one in read])
    return replace(noted, memories=[one for one in noted.memories if one.id not in gone])


def always(settings: Settings, noted: Noted, now: float) -> list[Memory]:
    """A person's wishes and rules for all work, as far as they fit whole."""
    meant = [one for one in noted.page_notes(settings, now) if one.is_wish and one.is_always]
    places = page.page(meant, Room(whole=page.WISHES + page.SECTION, lines=0))
    memories = {one.id: one for one in noted.memories}
    return [memories[one.identity] for one in places if one.part is Part.WISHES]


async def decided(
    reader: ReadingSide, session: str, project: str | None, rules: Sequence[Memory]
) -> list[Memory]:
    """Decisions of a session: its rules, lasting ones, then notes stated in it."""
    own = [one for one in rules if one.session == session]
    return own + await reader.stated_in(session, project, OWN + len(own))


@contextmanager
def in_time(seconds: float) -> Generator[None]:
    """Leave the block inside when it is late or the store cannot be read."""
    with trio.move_on_after(max(0.0, seconds)), suppress(Unreadable, trio.TooSlowError):
        yield


def _is_told(rule: Memory) -> bool:
    """Return whether any session is told it: kept on purpose, said in general, or set right."""
    if rule.source in AS_IT_IS:
        return True
    return is_for_every_session(rule.text, wish=rule.source == WISH)


# ---- sessions run by a program, and no person: known by the client's word, else by first words


async def is_scripted(reader: ReadingSide, question: Bring) -> bool:
    """Return whether a script runs the session: by the client's word, or by recurring first words."""
    event = question.event
    if is_script(event.entrypoint):
        return True
    task = task_of(event.task) or ""
    if event.kind is not EventKind.SESSION_START or event.source == "compact":
        # What a subagent is given is not what its session began with.
        row = await reader.session(event.session)
        task = row.task if row is not None else ""
    elif not task and event.entrypoint == HEADLESS:
        # Its words are not known yet: a script's session begins as its last one did.
        task = await reader.last_task(event.session, question.project)
    return bool(task) and await reader.is_scripted(event.session, question.project, task)
