"""Memories leave recall and come back, are put away, or erased for good.

Put away is not forgotten: an archived memory is in no index and in no answer, and stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

import msgspec

from daemon.api.operation import (
    Argument,
    Line,
    Offer,
    Operation,
    Option,
    Terminal,
    Verb,
)
from daemon.commands.terminal.scope import named_project
from daemon.commands.terminal.words import counted, counted_memories
from daemon.shapes.replies import BadRequest, Done, Reply
from daemon.views import short_id

if TYPE_CHECKING:
    from actors.memory.commit import Unit
    from actors.memory.rows import Memory
    from daemon.context import Parts, Progress

BACK: Final = ("forgotten", "archived", "expired")  # endings that ``unforget`` undoes
NOTHING_ERASED: Final = "nothing was erased"
TAKEN_OUT: Final = "taken out of the repository, whose git keeps the text: {}"
ERASED_WITHIN: Final = 620.0  # seconds: every file is rewritten; the daemon gives up before


# ---- out of recall, and back


class Forget(Operation[Done], frozen=True, kw_only=True):
    """Take memories out of recall.

    'reverie unforget' brings them back, unless they were erased. With --erase it says what else
    mentions the text, if anything does, and asks.
    """

    NAME = "forget"
    MEMORIES = ("ids",)
    ids: Annotated[list[str], Argument("ID...")]

    VERBS = (Verb("forget"),)
    OFFERS = (
        Offer(
            "memory_delete",
            "Forget a memory",
            "Take a memory out that an agent wrote, or that was noticed. The user can bring it back.",
            "id=ids",
            unused="specFolder confirm",
            destructive=True,
            idempotent=True,
        ),
    )

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
        over = [short_id(memory.id) for memory in memories if memory.ended is not None]
        note = f"{', '.join(over)} had ended before" if over else "undo with reverie unforget"
        return Done(count=sum(outcome), note=note + await _still_shared(parts, memories))

    def lines(self, done: Done) -> list[Line]:
        return [counted_memories(done, "forgot")]


async def _still_shared(parts: Parts, memories: Sequence[Memory]) -> str:
    """Name memories with files left in a repository; empty where none is shared."""
    from daemon.share.leaving import in_a_repository

    there = await in_a_repository(parts, [one.id for one in memories])
    named = " ".join(map(short_id, sorted(there)))
    return f"; shared still: reverie share {named} --back takes the file out" if named else ""


class Unforget(Operation[Done], frozen=True, kw_only=True):
    """Bring forgotten or archived memories back."""

    NAME = "unforget"
    ids: Annotated[list[str], Argument("ID...")]

    VERBS = (Verb("unforget"),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        memories, at = await parts.known_memories(self.ids), parts.clock.now()
        over = [memory for memory in memories if memory.ended in BACK]
        await parts.commit(tuple(write for memory in over for write in _brought_back(memory, at)))
        others = [_why_not_forgotten(memory) for memory in memories if memory not in over]
        return Done(count=len(over), note="; ".join(others))

    def lines(self, done: Done) -> list[Line]:
        return [counted_memories(done, "brought back")]


def _brought_back(memory: Memory, at: float) -> Unit:
    """Keep memories of a limited time for as long again."""
    from actors.memory.writes import Revived, ValiditySet
    from actors.policy.decay.states import expires_at
    from actors.policy.times.validity import is_valid

    back = Revived(memory.id, at)
    if memory.tier != "temporary" or is_valid(memory.validity, at):
        return (back,)
    return (back, ValiditySet(memory.id, memory.valid_from, expires_at(memory.tier, at)))


def _why_not_forgotten(memory: Memory) -> str:
    if memory.ended is None:
        return f"{short_id(memory.id)} was not forgotten"
    if memory.ended == "refuted":
        return f"{short_id(memory.id)} was refuted: reverie confirm brings it back"
    successor = f" by {short_id(memory.superseded_by)}" if memory.superseded_by else ""
    return f"{short_id(memory.id)} was replaced{successor}: --replaced brings it back"


# ---- back in the place of what replaced it


class Reinstate(Operation[Done], frozen=True, kw_only=True):
    """Bring back what others replaced; those leave recall, and ``again`` takes that back."""

    NAME = "reinstate"
    ids: Annotated[list[str], Argument("ID...")]
    by: list[str] = msgspec.field(default_factory=list[str])  # with ``again``: what replaced each
    again: bool = False

    VERBS = (
        Verb(
            "unforget",
            flag=Option("--replaced", "What another memory replaced; that one leaves recall."),
        ),
    )

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from daemon.answers.replaced import reinstated, replaced_again

        if self.agent_in is not None:
            raise BadRequest("a person says which of two memories holds, not an agent")
        if self.again:
            if len(self.by) != len(self.ids):
                raise BadRequest("'by' names one memory for each of 'ids'")
            return await replaced_again(parts, self.ids, self.by)
        return await reinstated(parts, self.ids)

    def lines(self, done: Done) -> list[Line]:
        return [counted_memories(done, "brought back")]


# ---- put away


class Archive(Operation[Done], frozen=True, kw_only=True):
    """Put these away: out of recall and the indexes, as they are. What is pinned or protected stays."""

    NAME = "archive"
    ids: Annotated[list[str], Argument("ID...")]

    VERBS = (
        Verb(
            "forget",
            flag=Option("--archive", "Put them away as they are, and not forgotten."),
        ),
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

    def lines(self, done: Done) -> list[Line]:
        return [counted_memories(done, "archived")]


def _why_it_stays(memory: Memory) -> str:
    """Tell why a memory is not put away; empty where it may be."""
    from actors.policy.decay.states import is_protected

    if memory.ended is not None:
        return f"{short_id(memory.id)} is {memory.ended} already"
    if memory.pinned:
        return f"{short_id(memory.id)} is pinned: reverie pin --off releases it"
    if is_protected(memory.tier, pinned=False):
        return f"{short_id(memory.id)} is {memory.tier}: reverie edit --tier gives it another"
    return ""


class Archival(msgspec.Struct, frozen=True, kw_only=True):
    """Standing of a memory with the archivist."""

    memory: str
    title: str
    is_archived: bool
    should_archive: bool
    why: str  # why it should, in figures, or why it stays


class ArchivalReply(Reply, frozen=True, kw_only=True):
    """Memories that would be archived, or where these stand."""

    memories: list[Archival]
    total: int  # that the rule holds for
    room: int  # how many of them one run takes at most
    figures: dict[str, Any]  # totalScanned, totalArchived, totalUnarchived, lastScanTime, errors


class WhichWouldBeArchived(Operation[ArchivalReply], frozen=True, kw_only=True):
    """Tell what the archivist would put away now; with ids, where these stand. Nothing is done."""

    NAME = "archival"
    ids: Annotated[list[str], Argument("[ID]...")] = msgspec.field(default_factory=list[str])
    limit: int = 100

    VERBS = (
        Verb(
            "forget",
            flag=Option("--candidates", "Only show what reverie would put away, and why."),
        ),
    )

    async def answer(self, parts: Parts, _: Progress) -> ArchivalReply:
        from daemon.answers.archival import first_to_go, preview, standings

        seen = await preview(parts)
        found = (
            await standings(parts, seen, self.ids)
            if self.ids
            else await first_to_go(parts, seen, self.limit)
        )
        return ArchivalReply(
            memories=[
                Archival(
                    memory=short_id(one.memory.id),
                    title=one.memory.title or one.memory.text,
                    is_archived=one.memory.ended == "archived",
                    should_archive=one.should,
                    why=one.why,
                )
                for one in found
            ],
            total=len(seen.candidates),
            room=seen.room,
            figures=await parts.reader.archival_figures(),
        )

    def lines(self, found: ArchivalReply) -> Iterator[Line]:
        words = {(True, False): "archived", (False, True): "should go", (False, False): "stays"}
        for one in found.memories:
            yield [one.memory, words[one.is_archived, one.should_archive], one.why, one.title]
        if not found.memories:
            yield "nothing would be archived"
        elif not self.ids:
            much = counted(found.total, "memory", "memories")
            yield f"{much} may go, at most {found.room} in one plan; nothing was done"


# ---- erased for good


class Erase(Operation[Done], frozen=True, kw_only=True):
    """Erase these, out of every file.

    Where something else says one in another form, or snapshots would go too, a person agrees first:
    the note is what they are asked, and nothing is done.
    """

    NAME = "erase"
    REFUSED = NOTHING_ERASED
    WITHIN = ERASED_WITHIN
    ids: Annotated[list[str], Argument("ID...")]
    with_events: Annotated[
        bool, Option("--with-events", "With --erase: and what else mentions the text.")
    ] = False
    yes: Annotated[bool, Option("--yes", "With --erase: do not ask.")] = False

    VERBS = (Verb("forget", flag=Option("--erase", "Out of every file, for good.")),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.writes import Erased
        from daemon.answers.erasure import erase, mentions_in_words
        from daemon.share.leaving import taken_out
        from daemon.storage import erasing, traces

        if self.agent_in is not None:
            raise BadRequest(
                "what is erased is gone: a person does that, by reverie forget --erase"
            )
        named = tuple(memory.id for memory in await parts.known_memories(self.ids))
        if not self.yes and (asks := await self._asks(parts, named)):
            return Done(count=0, note=asks)
        texts = await parts.reader.read(erasing.texts_of, named)
        files = await taken_out(parts, await parts.reader.read(erasing.with_copies, named))
        count, left = await erase(
            parts, (Erased(named, mentions=self.with_events, at=parts.clock.now()),)
        )
        gone = f"the text is gone from every file{f' but {left}' if left else ''}"
        if files:
            gone += f"; {TAKEN_OUT.format(', '.join(files))}"
        others = mentions_in_words(await parts.reader.read(traces.mentions, texts))
        return Done(
            count=count, note=f"{gone}; in another form it stands in {others}" if others else gone
        )

    async def _asks(self, parts: Parts, named: Sequence[int]) -> str:
        """Ask where there is more than a person named; empty where there is not."""
        from daemon.answers.erasure import mentions_in_words, snapshots_named
        from daemon.storage import erasing

        copies = await snapshots_named(parts)
        others = mentions_in_words(await parts.reader.read(erasing.remaining, named))
        if not others:
            return f"Erase it{copies} for good?" if copies else ""
        question = (
            f"Erase it with these events, passages and sessions{copies} for good?"
            if self.with_events
            else f"Erase it{copies} for good and leave these as they are? (--with-events takes them"
            " too)"
        )
        return f"in another form the text stands in {others}\n{question}"

    def question(self, done: Done) -> str:
        return "" if self.yes or done.count else done.note

    def has_failed(self, done: Done) -> bool:
        return bool(self.question(done))

    def lines(self, done: Done) -> list[Line]:
        return [] if self.question(done) else [counted_memories(done, "erased")]


class Purge(Operation[Done], frozen=True, kw_only=True):
    """Erase memories for good.

    Those that were forgotten, unless a project or everything is named. Asks first.
    """

    NAME = "purge"
    REFUSED = NOTHING_ERASED
    WITHIN = ERASED_WITHIN
    project: Annotated[
        str | None, Option("--project", "Everything of this project ('.': the current one).")
    ] = None
    everything: Annotated[bool, Option("--everything", "Every memory there is.")] = False
    yes: Annotated[bool, Option("--yes", "Do not ask.")] = False

    VERBS = (Verb("purge"),)

    def prepared(self, _: Terminal, /) -> Self:
        """One of both, and a project by its root."""
        if self.project and self.everything:
            raise ValueError("Give one of --project and --everything.")
        named = named_project(self.project) if self.project else None
        return msgspec.structs.replace(self, project=named)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.writes import ErasedEverything
        from daemon.answers.erasure import erase, snapshots_named
        from daemon.share.leaving import taken_out
        from daemon.storage import erasing
        from daemon.storage.homes import shared_notes as stored

        project = None if self.everything else parts.project_meant(self.project)
        if not self.yes:
            what = "forgotten memory" if project is None else f"memory of {project}"
            named = "memory there is" if self.everything else what
            copies = await snapshots_named(parts)
            return Done(count=0, note=f"Erase every {named}{copies} for good?")
        if project is None and not self.everything:
            going = await parts.reader.read(erasing.forgotten)
        else:
            going = await parts.reader.read(stored.shared_from, project)
        files = await taken_out(parts, going)
        order = ErasedEverything(project=project, whole_store=self.everything, at=parts.clock.now())
        count, left = await erase(parts, (order,))
        if self.everything:
            parts.home.evaluations.unlink(missing_ok=True)  # its figures are of what is gone
        notes = [f"all but {left}"] * bool(left)
        notes += [TAKEN_OUT.format(", ".join(files))] * bool(files)
        return Done(count=count, note="; ".join(notes))

    def question(self, done: Done) -> str:
        return "" if self.yes else done.note

    def has_failed(self, _: Done) -> bool:
        return not self.yes

    def lines(self, done: Done) -> list[Line]:
        return [counted_memories(done, "erased")] if self.yes else []
