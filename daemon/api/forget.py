"""Memories leave recall and come back, or are put away.

Put away is not forgotten: an archived memory is in no index and in no answer, and stays as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from daemon.api import erase
from daemon.api.operation import Deed, Option, Verb
from daemon.shapes.replies import BadRequest, Done
from daemon.views import BACK, short_id, why_not

if TYPE_CHECKING:
    from actors.memory.commit import Unit
    from actors.memory.rows import Memory
    from daemon.context import Parts, Progress

BESIDE: Final = (erase,)  # another way to ask by the same command


class Forget(Deed, frozen=True, kw_only=True):
    """Take memories out of recall.

    'reverie unforget' brings them back, unless they were erased. With --erase it says what else
    mentions the text, if anything does, and asks.
    """

    NAME = "forget"
    FOR_AGENTS = True
    DONE = "forgot"
    MEMORIES = ("ids",)

    VERBS = (Verb("forget"),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.writes import Ended
        from daemon.answers.remember import check_agent

        memories = await parts.known_memories(self.ids)
        if self.agent_in is not None:
            for memory in memories:
                check_agent(parts, memory, self.agent_in)
        at = parts.clock.now()
        unit = tuple(Ended(memory.id, "forgotten", at) for memory in memories)
        outcome = await parts.commit(unit)
        over = [why_not(memory, "") for memory in memories if memory.ended is not None]
        note = "; ".join(over) or "undo with reverie unforget"
        return Done(count=sum(outcome), note=note + await _still_shared(parts, memories))


async def _still_shared(parts: Parts, memories: Sequence[Memory]) -> str:
    """Name memories with files left in a repository; empty where none is shared."""
    from daemon.share.leaving import in_a_repository

    there = await in_a_repository(parts, [one.id for one in memories])
    named = " ".join(map(short_id, sorted(there)))
    return f"; shared still: reverie share {named} --back takes the file out" if named else ""


class Unforget(Deed, frozen=True, kw_only=True):
    """Bring forgotten or archived memories back."""

    NAME = "unforget"
    DONE = "brought back"

    VERBS = (Verb("unforget"),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        memories, at = await parts.known_memories(self.ids), parts.clock.now()
        over = [memory for memory in memories if BACK.get(memory.ended or "") == "unforget"]
        await parts.commit(tuple(write for memory in over for write in _brought_back(memory, at)))
        others = [why_not(memory, "was not forgotten") for memory in memories if memory not in over]
        return Done(count=len(over), note="; ".join(others))


def _brought_back(memory: Memory, at: float) -> Unit:
    """Keep memories of a limited time for as long again."""
    from actors.memory.writes import Revived, ValiditySet
    from actors.policy.decay.states import expires_at
    from actors.policy.times.stated_times import is_valid

    back = Revived(memory.id, at)
    if memory.tier != "temporary" or is_valid(memory.validity, at):
        return (back,)
    return (back, ValiditySet(memory.id, memory.valid_from, expires_at(memory.tier, at)))


class Reinstate(Deed, frozen=True, kw_only=True):
    """Bring back what others replaced; those leave recall, and ``again`` takes that back."""

    NAME = "reinstate"
    DONE = "brought back"
    by: list[str] = msgspec.field(default_factory=list[str])  # with ``again``: what replaced each
    again: bool = False

    VERBS = (
        Verb(
            "unforget",
            flag=Option("--replaced", "What another memory replaced; that one leaves recall."),
        ),
    )

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from daemon.answers.forget import reinstated, replaced_again

        if self.again:
            if len(self.by) != len(self.ids):
                raise BadRequest("'by' names one memory for each of 'ids'")
            return await replaced_again(parts, self.ids, self.by)
        return await reinstated(parts, self.ids)


class Archive(Deed, frozen=True, kw_only=True):
    """Put these away: out of recall and the indexes, as they are. What is pinned or protected stays."""

    NAME = "archive"
    DONE = "archived"

    VERBS = (
        Verb("forget", flag=Option("--archive", "Put them away as they are, and not forgotten.")),
    )

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.writes import Ended

        memories, at = await parts.known_memories(self.ids), parts.clock.now()
        stays = {memory.id: why for memory in memories if (why := _why_it_stays(memory))}
        going = [memory for memory in memories if memory.id not in stays]
        outcome = await parts.commit(tuple(Ended(memory.id, "archived", at) for memory in going))
        return Done(
            count=sum(outcome), note="; ".join(stays.values()) or "undo with reverie unforget"
        )


def _why_it_stays(memory: Memory) -> str:
    """Tell why a memory is not put away; empty where it may be."""
    from actors.policy.decay.states import is_protected

    if memory.ended is not None:
        return why_not(memory, "")
    if memory.pinned:
        return f"{short_id(memory.id)} is pinned: reverie pin --off releases it"
    if is_protected(memory.tier, pinned=False):
        return f"{short_id(memory.id)} is {memory.tier}: reverie edit --tier gives it another"
    return ""
