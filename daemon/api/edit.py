"""Another text for a memory, another tier, or another strength."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final, Self

import msgspec

from actors.memory.particulars import LIMIT
from daemon.api.operation import Argument, Line, Offer, Operation, Option, Terminal, Verb, changed
from daemon.shapes.acceptance import check_length
from daemon.shapes.replies import WRITE_DEADLINE, BadRequest, Done, Reply, Tier
from daemon.views import memory_number

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

ONE_WAY: Final = "give one of these: the new text, --undo, --why, --tier, --promote, --demote"


class Edited(Reply, frozen=True, kw_only=True):
    """A memory says something else now."""

    id: str
    version: int
    before: str  # what it said until now
    settles_at: float | None  # until then further edits are part of this version


class Edit(Operation[Edited], frozen=True, kw_only=True):
    """Change the text of a memory, its tier or its strength.

    '-' reads the text from standard input. What it said before is kept. Edits within five
    minutes after it was recalled count as one change.
    """

    NAME = "edit"
    MEMORIES = ("id",)
    ONE_WAY = ONE_WAY
    VERBS = (Verb("edit"),)
    OFFERS = (
        Offer(
            "memory_update",
            "Change a memory",
            "Give a memory that an agent wrote, or that was noticed, another title or text. Not for what"
            " the user said.",
            "id title content=text",
            unused="triggerPhrases importanceWeight importanceTier allowPartialUpdate",
            one_of="title content",
            destructive=True,
        ),
    )
    id: Annotated[str, Argument("ID")]
    text: Annotated[str, Argument("[TEXT]...", joined=" ", piped=True)] = ""
    title: Annotated[str, Option("--title", "A name for it; the first words, unless given.")] = ""
    undo: Annotated[bool, Option("--undo", "Go back to what it said before its last change.")] = (
        False
    )

    def prepared(self, _: Terminal, /) -> Self:
        """A text, or the one before; a program may give another title alone."""
        if bool(self.text) == self.undo:
            raise ValueError(ONE_WAY)
        return self

    async def answer(self, parts: Parts, _: Progress) -> Edited:
        from daemon.answers.edit import edit, undo

        if self.undo:
            done = await undo(parts, self.id, self.agent_in)
        else:
            done = await edit(parts, self.id, self.text, self.title, self.agent_in)
        return Edited(**done._asdict())

    def lines(self, done: Edited) -> list[Line]:
        """Tell the result, and how it is undone."""
        said = f"{done.id} {'says again what it said before' if self.undo else 'is changed'}"
        if done.settles_at is not None:
            until = datetime.fromtimestamp(done.settles_at).astimezone()
            said += f"; it settles at {until:%H:%M:%S}, more edits until then are part of this one"
        return [f"{said} (version {done.version}; undo: reverie edit {done.id} --undo)"]


class SetWhy(Operation[Done], frozen=True, kw_only=True):
    """This memory is so for another reason; the note names the one it had."""

    NAME = "set-why"
    ONE_WAY = ONE_WAY
    VERBS = (Verb("edit", flag=Option("--why", "Set why it is so."), fills="why"),)
    id: Annotated[str, Argument("ID")]
    why: str

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.writes import ParticularsSet
        from daemon.answers.edit import editable
        from daemon.answers.remember import cleaned

        check_length(self.why, "why", LIMIT)
        memory = await editable(parts, self.id, self.agent_in)
        why = cleaned(parts, self.why)[0]
        said = msgspec.structs.replace(memory.particulars, why=why)
        (done,) = await parts.commit((ParticularsSet(memory.id, said, parts.clock.now()),))
        before = memory.particulars.why
        return Done(count=done, note=f"it was: {before}" if before else "")

    def lines(self, done: Done) -> list[Line]:
        return changed(done, f"{self.id} has its reason")


class SetTier(Operation[Done], frozen=True, kw_only=True):
    """This memory has another tier from now on; the note names the one it had."""

    NAME = "set-tier"
    ONE_WAY = ONE_WAY
    VERBS = (Verb("edit", flag=Option("--tier", "Set how much it weighs."), fills="tier"),)
    id: Annotated[str, Argument("ID")]
    tier: Tier

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.use import Retiered
        from actors.policy.statements.sources import SHARED

        (memory,) = await parts.known_memories([self.id])
        if memory.source == SHARED and self.tier == "constitutional":
            raise BadRequest("what others share is never constitutional: remember a rule of yours")
        (done,) = await parts.commit((Retiered(memory.id, self.tier, parts.clock.now()),))
        return Done(count=done, note=f"it was {memory.tier}" if done else f"it is {memory.tier}")

    def lines(self, done: Done) -> list[Line]:
        return changed(done, f"{self.id} is {self.tier}")


class Rate(Operation[Done], frozen=True, kw_only=True):
    """Promote this memory, or demote it."""

    NAME = "rate"
    ONE_WAY = ONE_WAY
    VERBS = (
        Verb(
            "edit",
            {"up": True},
            flag=Option("--promote", "Make it stronger at once; its tier stays."),
        ),
        Verb("edit", {"up": False}, flag=Option("--demote", "Make it weaker at once.")),
    )
    id: Annotated[str, Argument("ID")]
    up: bool

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory import use as messages

        number, at = memory_number(self.id), parts.clock.now()
        done = await parts.mailboxes.strength.ask(
            messages.Rate(number, self.up, at), within=WRITE_DEADLINE
        )
        return Done(count=int(done))

    def lines(self, done: Done) -> list[Line]:
        return changed(done, f"{self.id} is {'stronger' if self.up else 'weaker'}")
