"""Memories leave recall by a person's wish or word and come back, are put away, or are erased.

Put away is not forgotten: an archived memory is in no index and in no answer, and stays as it was.
"""

from contextlib import suppress
from functools import partial

import trio

from actors.core.mailbox import Lane, SwitchedOff
from actors.gate.drafts import confirmed, refuted
from actors.intake.messages import DrainSpool
from actors.intentions.messages import IntentionsErased
from actors.memory.messages import EraseNow
from actors.memory.rows import Memory
from actors.memory.unit import Unit
from actors.memory.writes import Ended, Erased, ErasedEverything, Revived, ValiditySet
from actors.plans.archivist import old_of
from actors.plans.messages import Preview, WhatWouldBeArchived
from actors.policy.decay import archival
from actors.policy.decay.states import is_protected
from actors.policy.decay.tiers import expires_at
from actors.policy.times.validity import is_valid
from actors.staleness.messages import HoldsStill
from actors.strength.rows import Opinion
from daemon import files
from daemon.answers.read_notes import EDITED, KEPT
from daemon.answers.remember import check_agent
from daemon.context import PAGE_LIMIT, Parts, commit, known_memories, project_meant, table
from daemon.durability import leftovers
from daemon.requests.forget import (
    Archival,
    ArchivalReply,
    Archive,
    Confirm,
    Forget,
    Purge,
    Refute,
    Unforget,
    WhichWouldBeArchived,
)
from daemon.requests.shapes import BadRequest, Done
from daemon.requests.wording import counted
from daemon.storage import purge as purge_stored
from daemon.storage import read_notes, strength, traces
from daemon.views import short_id

SPOOL_WITHIN = 5.0  # seconds for the spool to be taken in before something is erased
ERASE_DEADLINE = 600.0  # seconds: the file is rewritten
LOOK_DEADLINE = 30.0  # seconds for a look through everything that is old
NAMED = 10  # memories that are told by their ids
BACK = ("forgotten", "archived", "expired")  # endings that ``unforget`` undoes
BECAUSE = 500  # characters of a reason
BY_HAND = "a person said so"


async def erase(parts: Parts, unit: Unit) -> tuple[int, str]:
    """Erase; how many memories, and what may still hold the text, in words."""
    written = await _without_spool(parts)
    count: int = await parts.mailboxes.long_term.ask(
        lambda reply: EraseNow(unit, reply), within=ERASE_DEADLINE
    )
    with suppress(SwitchedOff):  # it is erased; who is away holds nothing
        await parts.mailboxes.working_memory.tell(IntentionsErased())
    files_left = counted(written, "file")
    left = f"{files_left} that hooks may be writing in {parts.home.spool}: again in a minute"
    return count, left if written else ""


async def _without_spool(parts: Parts) -> int:
    """Take in what hooks spooled, which may quote the text: then erasing finds it.

    Returns how many files stay, because a hook may be writing them.
    """
    with trio.move_on_after(SPOOL_WITHIN):
        while await trio.to_thread.run_sync(files.waiting, parts.home.spool):
            await parts.mailboxes.intake.tell(DrainSpool())
            await trio.sleep(0.05)
    # What is no event may quote it too, and nobody can search it.
    work = partial(leftovers.erase, parts.home.spool, parts.clock.now())
    return await trio.to_thread.run_sync(work)


async def purge(parts: Parts, request: Purge) -> Done:
    """Erase what was forgotten, a project, or everything."""
    if request.what == "project" and request.project is None:
        raise BadRequest("say which project is to be purged")
    orders = {
        "forgotten": ErasedEverything(),
        "project": ErasedEverything(project=project_meant(parts, request.project)),
        "everything": ErasedEverything(whole_store=True),
    }
    order = orders[request.what]
    count, left = await erase(parts, (order,))
    if request.what == "everything":
        parts.home.evaluations.unlink(missing_ok=True)  # its figures are of memories that are gone
    return Done(count=count, note=f"all but {left}" if left else "")


async def forget(parts: Parts, request: Forget) -> Done:
    """End memories, undoably; or erase them."""
    memories = await known_memories(parts, request.ids)
    if request.agent_in is not None:
        if request.erase or request.looks:
            raise BadRequest(
                "what is erased is gone: a person does that, by reverie forget --erase"
            )
        for memory in memories:
            check_agent(parts, memory, request.agent_in)
    named = tuple(memory.id for memory in memories)
    if request.looks:
        return Done(count=0, note=_told(await parts.reader.read(purge_stored.remaining, named)))
    if request.erase:
        return await _erased(parts, Erased(named, mentions=request.with_events))
    at = parts.clock.now()
    outcome = await commit(parts, tuple(Ended(memory.id, "forgotten", at) for memory in memories))
    over = [short_id(memory.id) for memory in memories if memory.ended is not None]
    note = f"{', '.join(over)} had ended before" if over else "undo with reverie unforget"
    return Done(count=sum(outcome), note=note)


async def _erased(parts: Parts, order: Erased) -> Done:
    """Erase memories, and say what still mentions them in another form."""
    texts = await parts.reader.read(purge_stored.texts_of, order.memory_ids)
    count, left = await erase(parts, (order,))
    found = _told(await parts.reader.read(traces.mentions, texts))
    gone = f"the text is gone from every file{f' but {left}' if left else ''}"
    note = f"{gone}; in another form it stands in {found}" if found else gone
    return Done(count=count, note=note)


def _told(left: traces.Mentions) -> str:
    """Count what mentions a text, by kinds, in words; empty when nothing does."""
    found = [
        counted(len(some), *word)
        for some, word in (
            (left.events, ("event",)),
            (left.passages, ("passage",)),
            (left.sessions, ("session",)),
            (left.memories, ("memory", "memories")),
        )
        if some
    ]
    if left.memories:
        found[-1] += f" ({', '.join(map(short_id, left.memories[:NAMED]))})"
    return ", ".join(found)


async def unforget(parts: Parts, request: Unforget) -> Done:
    """Bring back what was forgotten, archived or expired; what was superseded or refuted stays so."""
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    over = [memory for memory in memories if memory.ended in BACK]
    await commit(parts, tuple(write for memory in over for write in _brought_back(memory, at)))
    others = [_why_not_forgotten(memory) for memory in memories if memory not in over]
    return Done(count=len(over), note="; ".join(others))


def _brought_back(memory: Memory, at: float) -> Unit:
    """What was kept for a while only is kept as long again."""
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
    return f"{short_id(memory.id)} is {memory.ended}{successor}, not forgotten"


async def confirm(parts: Parts, request: Confirm) -> Done:
    """These are so."""
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    open_ = [memory for memory in memories if _may_be_confirmed(memory)]
    unit: Unit = tuple(write for one in open_ for write in confirmed(one, BY_HAND, at))
    done = await _decided(parts, unit, open_, memories, "confirmed")
    parts.mailboxes.staleness.hint(HoldsStill(tuple(memory.id for memory in open_)))
    return done


async def refute(parts: Parts, request: Refute) -> Done:
    """These are not so."""
    if len(request.because) > BECAUSE:
        raise BadRequest(f"the reason has more than {BECAUSE} characters")
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    because, _kinds = parts.redact(" ".join(request.because.split()))
    living = [memory for memory in memories if memory.ended is None]
    unit: Unit = tuple(write for one in living for write in refuted(one, because or BY_HAND, at))
    return await _decided(parts, unit, living, memories, "refuted")


def _may_be_confirmed(memory: Memory) -> bool:
    if memory.ended is not None:
        return memory.ended == "refuted"
    return memory.status != "confirmed" or bool(memory.stale)


async def _decided(
    parts: Parts, unit: Unit, those: list[Memory], asked: list[Memory], status: str
) -> Done:
    if unit:
        await commit(parts, unit)
    notes = [_why_not(memory, status) for memory in asked if memory not in those]
    if those and status == "refuted":
        notes.append("undo with reverie confirm")
    return Done(count=len(those), note="; ".join(notes))


def _why_not(memory: Memory, status: str) -> str:
    name = short_id(memory.id)
    if memory.ended is None or memory.ended == status:
        return f"{name} is {status} already"
    if memory.ended == "deprecated":
        return f"{name} was replaced by another"
    return f"{name} is {memory.ended}: reverie unforget brings it back"


async def archive(parts: Parts, request: Archive) -> Done:
    """Put living memories away; what is pinned or of a protected tier stays."""
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    going = [memory for memory in memories if _why_it_stays(memory) is None]
    outcome = await commit(parts, tuple(Ended(memory.id, "archived", at) for memory in going))
    staying = [why for memory in memories if (why := _why_it_stays(memory)) is not None]
    return Done(count=sum(outcome), note="; ".join(staying) or "undo with reverie unforget")


def _why_it_stays(memory: Memory) -> str | None:
    if memory.ended is not None:
        return f"{short_id(memory.id)} is {memory.ended} already"
    if memory.pinned:
        return f"{short_id(memory.id)} is pinned: reverie pin --off releases it"
    if is_protected(memory.tier, pinned=False):
        return f"{short_id(memory.id)} is {memory.tier}: reverie edit --tier gives it another"
    return None


async def archivals(parts: Parts, request: WhichWouldBeArchived) -> ArchivalReply:
    """Memories that the archivist would put away now, or where these memories stand."""
    at = parts.clock.now()
    preview: Preview = await parts.mailboxes.archivist.ask(
        lambda reply: WhatWouldBeArchived(at, reply),
        within=LOOK_DEADLINE,
        lane=Lane.INTERACTIVE,
    )
    if request.ids:
        found = [
            await _archival_of(parts, one, at, preview)
            for one in await known_memories(parts, request.ids)
        ]
    else:
        first = preview.candidates[: max(0, min(request.limit, PAGE_LIMIT))]
        memories = await parts.reader.memories([one.memory_id for one in first])
        found = [
            _archival_view(memory, one.evidence, should=True)
            for one in first
            if (memory := memories.get(one.memory_id)) is not None
        ]
    return ArchivalReply(
        memories=found,
        total=len(preview.candidates),
        room=preview.room,
        figures=await parts.reader.archival_figures(),
    )


async def _archival_of(parts: Parts, memory: Memory, at: float, preview: Preview) -> Archival:
    for step in preview.candidates:
        if step.memory_id == memory.id:
            return _archival_view(memory, step.evidence, should=True)
    said = (await parts.reader.opinions([memory.id])).get(memory.id, Opinion())
    sessions = await parts.reader.read(strength.sessions_shown, memory.id)
    old = old_of(memory, said, at, sessions, None)
    why = archival.why_it_stays(old, parts.settings.archivist)
    if memory.id in await parts.reader.left_alone(at - archival.QUIET):
        note = await parts.reader.read(read_notes.note_of, memory.id)
        is_kept = note is not None and note.verdict in (KEPT, EDITED)
        lately = "somebody brought it back or left it within the last 90 days"
        why = "somebody kept it in the inbox" if is_kept else lately
    if memory.ended is not None:
        why = f"it is {memory.ended}"
    return _archival_view(memory, why, should=False)


def _archival_view(memory: Memory, why: str, *, should: bool) -> Archival:
    return Archival(
        memory=short_id(memory.id),
        title=memory.title or memory.text,
        is_archived=memory.ended == "archived",
        should_archive=should,
        why=why,
    )


ANSWERS = table(forget, unforget, purge, confirm, refute, archive, archivals)
