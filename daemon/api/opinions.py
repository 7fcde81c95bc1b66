"""Opinions of people on a memory: useful, useless, suppressed, pinned, and so or not so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from daemon.api.operation import HERE, Argument, Deed, Line, Operation, Option, Verb
from daemon.shapes.replies import BadRequest, Done
from daemon.views import short_id, why_not

if TYPE_CHECKING:
    from actors.memory.commit import Unit
    from actors.memory.rows import Memory
    from daemon.context import Parts, Progress


class Feedback(Operation[Done], frozen=True, kw_only=True):
    """This memory helped, or did not; prompts of the project heed it.

    An agent's word moves prompts of its project alone.
    """

    NAME = "feedback"
    FOR_AGENTS = True
    MEMORIES = ("id",)
    id: Annotated[str, Argument("ID")]
    useful: bool
    project: Annotated[str | None, HERE] = None  # where it did; None: in that of the memory

    VERBS = (
        Verb(
            "useful",
            {"useful": True},
            "Say that a memory helped.\n\nIt is trusted more and comes sooner in answers, and a"
            " prompt of this project is told it more easily. Only use makes it last.",
        ),
        Verb(
            "useless",
            {"useful": False},
            "Say that a memory did not help.\n\nIt is trusted less and comes later in answers, and a"
            " prompt of this project has to be closer to it before it is told. With --suppress it"
            " comes later in every answer from then on, the more often you say so. Nothing is"
            " deleted.",
        ),
    )

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.use import FoundUseful, Validated

        (memory,) = await parts.known_memories([self.id])
        project = parts.project_meant(self.project)
        where = memory.project if project is None else project
        unit: Unit = (FoundUseful(memory.id, where or "", self.useful),)
        if self.agent_in is None:
            cause = "useful" if self.useful else "useless"
            unit = (*unit, Validated(memory.id, None, cause, parts.clock.now()))
        await parts.commit(unit)
        return Done(count=1)

    def lines(self, done: Done) -> list[Line]:
        return _changed(done, f"{self.id} is {'useful' if self.useful else 'not useful'}")


class Suppress(Operation[Done], frozen=True, kw_only=True):
    """Bring this memory back less, or take that back; the count is how often it is so."""

    NAME = "suppress"
    id: Annotated[str, Argument("ID")]
    back: bool = False

    VERBS = (
        Verb("useless", flag=Option("--suppress", "Bring it back less: in no prompt for a day.")),
        Verb(
            "useless", {"back": True}, flag=Option("--take-back", "Take the last --suppress back.")
        ),
    )

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.use import Suppressed

        (memory,) = await parts.known_memories([self.id])
        at = None if self.back else parts.clock.now()
        (times,) = await parts.commit((Suppressed(memory.id, at),))
        return Done(count=times)

    def lines(self, done: Done) -> list[Line]:
        if self.back:
            return [f"{self.id} is back"]
        undo = f"undo: reverie useless {self.id} --take-back"
        return _changed(done, f"{self.id} is suppressed; {undo}")


class Pin(Operation[Done], frozen=True, kw_only=True):
    """Keep memories from fading.

    A pinned memory is never archived.
    """

    NAME = "pin"
    ids: Annotated[list[str], Argument("ID...")]
    pinned: Annotated[bool, Option("--off", "Let them fade again.")] = True

    VERBS = (Verb("pin"),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.writes import Pinned

        memories, at = await parts.known_memories(self.ids), parts.clock.now()
        unit = tuple(Pinned(memory.id, self.pinned, at) for memory in memories)
        return Done(count=sum(await parts.commit(unit)))

    def lines(self, done: Done) -> list[Line]:
        return _changed(done, f"{'pinned' if self.pinned else 'unpinned'} {done.count}")


def _changed(done: Done, sentence: str) -> list[Line]:
    """The sentence, unless nothing changed; and the remark on it."""
    note = f" ({' '.join(done.note.split())})" if done.note else ""
    return [(sentence if done.count else "nothing changed") + note]


# ---- so, or not so


BECAUSE: Final = 500  # characters of a reason
BY_HAND: Final = "a person said so"


class Confirm(Deed, frozen=True, kw_only=True):
    """Say that something supposed or noticed is so.

    A hypothesis becomes a fact; one that was refuted is back in recall. A decision that was only
    noticed never fades from then on.
    """

    NAME = "confirm"
    DONE = "confirmed"

    VERBS = (Verb("confirm"),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.gate.drafts import confirmed
        from actors.staleness.messages import HoldsStill

        memories, at = await parts.known_memories(self.ids), parts.clock.now()
        open_ = [memory for memory in memories if _may_be_confirmed(memory)]
        unit: Unit = tuple(write for one in open_ for write in confirmed(one, BY_HAND, at))
        done = await _decided(parts, unit, open_, memories, "confirmed")
        parts.mailboxes.staleness.hint(HoldsStill(tuple(memory.id for memory in open_)))
        return done


class Refute(Deed, frozen=True, kw_only=True):
    """Say that something is not so.

    It leaves recall; 'reverie confirm' brings it back.
    """

    NAME = "refute"
    DONE = "refuted"
    because: Annotated[str, Option("--because", "Why; 'reverie why ID' tells it.")] = ""

    VERBS = (Verb("refute"),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.gate.drafts import refuted

        if len(self.because) > BECAUSE:
            raise BadRequest(f"the reason has more than {BECAUSE} characters")
        memories, at = await parts.known_memories(self.ids), parts.clock.now()
        because, _kinds = parts.redact(" ".join(self.because.split()))
        living = [memory for memory in memories if memory.ended is None]
        unit: Unit = tuple(w for one in living for w in refuted(one, because or BY_HAND, at))
        return await _decided(parts, unit, living, memories, "refuted")


def _may_be_confirmed(memory: Memory) -> bool:
    if memory.ended is not None:
        return memory.ended == "refuted"
    return memory.status != "confirmed" or bool(memory.stale)


async def _decided(
    parts: Parts, unit: Unit, those: list[Memory], asked: list[Memory], status: str
) -> Done:
    if unit:
        await parts.commit(unit)
    notes = [
        f"{short_id(one.id)} is {status} already"
        if one.ended == status
        else why_not(one, f"is {status} already")
        for one in asked
        if one not in those
    ]
    if those and status == "refuted":
        notes.append("undo with reverie confirm")
    return Done(count=len(those), note="; ".join(notes))
