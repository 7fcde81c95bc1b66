"""The page for a session of a project at its start, and the reason of each note's place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from daemon.api.operation import Here, Line, Operation, Verb
from daemon.shapes.replies import RECALL_DEADLINE, Reply
from daemon.views import short_id

if TYPE_CHECKING:
    from actors.memory.rows import Memory
    from actors.recall.messages import Answer
    from daemon.context import Parts, Progress

WHOLE: Final = "whole"  # the part of a page that nobody's notes are placed on


class PlacedNote(msgspec.Struct, frozen=True, kw_only=True):
    """A note of the page, or one that was left out."""

    id: str
    part: str  # whole, wishes, decisions, lines, left out
    reason: str
    title: str
    characters: int  # of its text where it stands whole, of its line where it is one
    became: str  # in words: opened, cited, done, confirmed, called not useful; nothing yet


class StartPageShown(Reply, frozen=True, kw_only=True):
    """The page."""

    project: str | None
    text: str  # as the agent gets it; empty: nothing
    characters: int
    notes: list[PlacedNote]  # in its order


class StartPage(Operation[StartPageShown], frozen=True, kw_only=True):
    """Show what a session that starts now would be told, and why each note stands there.

    Nobody is told, and nothing is counted.
    """

    NAME = "start-page"
    VERBS = (Verb("start-page"),)
    project: Annotated[
        str | None, Here("--project", "Of this project, a folder or a name, not the current one.")
    ] = None

    async def answer(self, parts: Parts, _: Progress) -> StartPageShown:
        from actors.policy.events.events import Event, EventKind
        from actors.recall.messages import Bring

        project = parts.project_meant(self.project)
        folder = self.project or ""
        event = Event("reverie", EventKind.SESSION_START, "", source="startup", cwd=folder)
        found = await parts.mailboxes.recall.ask(
            Bring(event, project, parts.clock.now(), RECALL_DEADLINE, rehearsed=True),
            within=RECALL_DEADLINE,
        )
        notes = await _placed(parts, project, found)
        return StartPageShown(
            project=project, text=found.block, characters=len(found.block), notes=notes
        )

    def lines(self, found: StartPageShown) -> Iterator[Line]:
        """The page, then a row for each note."""
        if not found.text:
            yield "a session that starts here is told nothing"
            return
        yield from found.text.splitlines()
        yield f"{found.characters:,} characters"
        yield from (
            (one.id, one.part, f"{one.characters:,}", one.reason, one.became, one.title)
            for one in found.notes
        )


async def _placed(parts: Parts, project: str | None, found: Answer) -> list[PlacedNote]:
    """The notes of the page in its order, then the ones left out, and the record of each."""
    from daemon.answers.usage import became
    from daemon.storage import strength

    placed = {one.identity for one in found.places}
    memories = {note.memory.id: note.memory for note in found.notes}
    memories |= await parts.reader.memories([one for one in placed if one not in memories])
    whole = [
        (note.memory.id, WHOLE, note.why) for note in found.notes if note.memory.id not in placed
    ]
    causes = await parts.reader.read(strength.causes_of, [*memories])
    said = await parts.reader.opinions([*memories], project)
    return [
        PlacedNote(
            id=short_id(number),
            part=part,
            reason=reason,
            title=memories[number].title,
            characters=_characters(memories[number], part),
            became=became(
                causes.get(number, ()),
                useless=number in said and said[number].useless > said[number].useful,
            ),
        )
        for number, part, reason in (*whole, *(place[:3] for place in found.places))
        if number in memories
    ]


def _characters(memory: Memory, part: str) -> int:
    """Characters of a note in its part of the page; a line and a note left out have no text."""
    from actors.policy.recall.page import Part, line

    if part == Part.LEFT:
        return 0
    return len(line(memory.id, memory.title)) if part == Part.LINES else len(memory.text)
