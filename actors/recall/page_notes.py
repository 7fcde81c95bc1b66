"""Notes of the page: the store's facts about a project's notes, in the form of the page's policy."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from actors.memory.rows import Memory
from actors.memory.use import Opinion
from actors.policy.decay.reinforcement import is_suppressed
from actors.policy.decay.states import Lifecycle
from actors.policy.recall import page
from actors.policy.recall.listing import NEVER, Listing
from actors.policy.recall.page import PageNote, Part, Place
from actors.policy.statements.sources import AGENT, DEMANDED, READ
from actors.policy.statements.summaries import SUMMARY
from actors.policy.statements.trust import STATED, trust_in
from actors.policy.text import wording
from actors.reader.messages import Mark
from actors.recall.blocks import attribution
from actors.recall.ordering import Settings

# Commits, documents and what rules made of tools are found by search; on the page they would be most lines.
SOURCES: Final = STATED | READ | {AGENT, SUMMARY}
UNJUDGED: Final = Opinion()
# The kinds of a person's wishes, rules and decisions, which no agent's verdict ends.
LASTING: Final = frozenset({"preference", "convention", "decision"})
MOST: Final = 400  # notes of a project that are looked at


@dataclass(frozen=True, slots=True)
class Noted:
    """Notes of a project with a reader."""

    memories: Sequence[Memory] = ()
    marks: Mapping[int, Mark] = field(default_factory=dict[int, Mark])  # of those it wrote
    near: Collection[int] = ()  # about files that the branch changes or the last session edited
    standing: Collection[int] = ()  # wishes and conventions that every session is told
    listings: Mapping[int, Listing] = field(default_factory=dict[int, Listing])
    opinions: Mapping[int, Opinion] = field(default_factory=dict[int, Opinion])
    unopened: int = 0  # lines of the project in a row

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
        by_person = is_kept or memory.source in STATED or memory.source == DEMANDED
        said = self.opinions.get(memory.id, UNJUDGED)
        state = Lifecycle.HOT if settings.state_of is None else settings.state_of(memory, now)
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
            is_faded=state < Lifecycle.WARM,
            is_pinned=memory.pinned,
            is_useless=said.useless > said.useful,
            is_unwanted=_is_unwanted(memory, said),
            is_suppressed=_is_hidden(said, now),
            excess=self.listings.get(memory.id, NEVER).excess(),
        )

    def _kind(self, memory: Memory) -> str:
        """Kind as the reader would call it; a memory of another source is a wish, a decision or a fact."""
        mark = self.marks.get(memory.id)
        if mark is not None:
            return mark.kind
        if memory.id in self.standing:
            return "wish"
        return "decision" if memory.kind == "decision" else "fact"


def is_left_out(memory: Memory, said: Opinion, now: float) -> bool:
    """Return whether a memory was called not useful, or a person suppressed it.

    An agent's verdict ends no wish, rule or decision of a person; no verdict ends a pinned memory.
    """
    if _is_hidden(said, now):
        return True
    if memory.pinned:
        return False
    is_lasting = memory.source in STATED and memory.kind in LASTING
    return _is_unwanted(memory, said) or (said.useless > said.useful and not is_lasting)


def _is_unwanted(memory: Memory, said: Opinion) -> bool:
    """Tell whether a person called it not useful; an agent's verdict moves no confidence."""
    return said.validations > 0 and said.confidence < trust_in(memory.source)


def _is_hidden(said: Opinion, now: float) -> bool:
    """Tell whether a person suppressed it within the last day."""
    return is_suppressed(said.suppressed_at, now)


def _size(memory: Memory, now: float) -> int:
    """Characters of a whole memory in a block."""
    note = wording.Note(memory.id, memory.text, 1.0, attribution(memory, now))
    return len(memory.text) + note.overhead + 2 * memory.text.count("\n")
