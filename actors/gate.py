"""The gate: what a new text is to what is known already.

Looks up what resembles the text, asks ``actors.policy.gate``, and hands the decision
to long-term memory as one unit with its audit (rows C-01 to C-06). Texts are judged
one after the other, each after the one before is durable, so that two equal ones never
become two memories. Without vectors a text is kept and judged again when they come.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, assert_never

import numpy as np
import trio

from actors.mailbox import Crashed, Inbox, Lane, Mailbox, MailboxClosed, MailboxFull, SwitchedOff
from actors.messages import (
    Commit,
    Draft,
    Embed,
    EmbedderMessage,
    GateMessage,
    Keep,
    LongTermMessage,
    NoSuchMemory,
    Proposed,
    StrengthMessage,
    Used,
    VectorsArrived,
    Verdict,
    WhatWouldYouDo,
)
from actors.policy.budget import shortened
from actors.policy.fsrs import classification_factor, initial_stability
from actors.policy.gate import (
    Candidate,
    Create,
    CreateLinked,
    Decision,
    ForceNew,
    ForceSupersede,
    ForceUpdate,
    Intent,
    Judge,
    Reinforce,
    Settings,
    Supersede,
    Update,
    action,
    decide,
    normalised,
)
from actors.policy.phrases import phrases_of
from actors.policy.reinforcement import Use
from actors.policy.trust import is_kept_from, softened
from actors.policy.vectors import cosines
from actors.ports import (
    Clock,
    Conflicting,
    EmbeddingUnavailable,
    Memory,
    Reader,
    Scope,
    Unreadable,
    Unwritable,
)
from actors.writes import (
    Audited,
    Created,
    Derived,
    Ended,
    Judged,
    Linked,
    Origin,
    Rewritten,
    Unit,
    Write,
)

log = logging.getLogger(__name__)

WRITE_DEADLINE = 30.0  # seconds
VECTOR_DEADLINE = 10.0  # seconds
TITLE = 80  # characters of a title taken from the text
TRIGGERS = 16  # phrases a memory may be called by
PAGE = 5  # unjudged memories judged in one turn
AGAIN = 5.0  # seconds until proposals that the store refused come again
POSTPONED = 500  # of them at most; further ones come again at the next start
UNREVIEWED_DIFFICULTY = 5.0  # features.md C03


# What passes: the store, or a neighbour, cannot do it now.
_REFUSED = (Unwritable, Unreadable, trio.TooSlowError, SwitchedOff, Conflicting)
# A unit that crashed its reader would crash it again: whoever asked is told, a proposal
# is a dead letter.
_PASSING = (*_REFUSED, Crashed)


@dataclass(slots=True)
class Gate:
    """Judges texts."""

    settings: Settings
    reader: Reader
    clock: Clock
    embedder: Mailbox[EmbedderMessage]
    long_term: Mailbox[LongTermMessage]
    strength: Mailbox[StrengthMessage]
    own: Mailbox[GateMessage]  # for what has to wait
    actions: dict[str, int] = field(default_factory=dict[str, int])
    contradictions: int = 0
    unjudged: int = 0
    postponed: int = 0

    def statistics(self) -> dict[str, Any]:
        """Decisions by action (row C-05), and those made without vectors."""
        return {
            "actions": dict(self.actions),
            "contradictions": self.contradictions,
            "without_vectors": self.unjudged,
            "postponed": self.postponed,
        }

    async def run(self, inbox: Inbox[GateMessage]) -> None:
        """Judge what waits from before, then handle messages until the mailbox is drained."""
        async with trio.open_nursery() as nursery:
            self._come_back()
            async for message in inbox:
                if isinstance(message, Proposed):
                    await self._take(message, nursery)
                else:
                    await self.handle(message)
            nursery.cancel_scope.cancel()  # what was postponed is in the journal

    async def handle(self, message: GateMessage) -> None:
        """One message."""
        match message:
            case Proposed():
                await self._take_proposals(message)
            case Keep(drafts, judged, reply):
                try:
                    if judged:
                        reply([await self._keep(draft) for draft in drafts])
                    else:
                        reply(await self._keep_all(drafts))
                except (NoSuchMemory, *_PASSING) as error:
                    reply.fail(error)
            case WhatWouldYouDo(pairs, reply):
                reply([await self._verdict(existing, incoming) for existing, incoming in pairs])
            case VectorsArrived():
                await self._judge_waiting()
            case _:
                assert_never(message)

    async def _judge_waiting(self) -> None:
        """Judge some of what was kept without vectors and has them now, also from before.

        A few at a time: whoever has a question to the gate comes between.
        """
        try:
            waiting = await self.reader.unjudged(PAGE)
            for memory in waiting:
                if not await self._judge_again(memory):
                    return
        except _PASSING as error:
            log.warning("judging_waits why=%s", type(error).__name__)
        else:
            if waiting:
                self._come_back()

    def _come_back(self) -> None:
        """Look again for what waits for a judgement, after whoever waits for the gate."""
        with suppress(MailboxFull, MailboxClosed, SwitchedOff):
            self.own.offer(VectorsArrived(()))

    async def _take(self, proposed: Proposed, nursery: trio.Nursery) -> None:
        """Take an event's proposals; while the store refuses them, they come again later."""
        try:
            await self._take_proposals(proposed)
        except _REFUSED as error:
            log.warning("proposals_wait seq=%d why=%s", proposed.seq, type(error).__name__)
            if self.postponed < POSTPONED:
                self.postponed += 1
                nursery.start_soon(self._again, proposed)

    async def _again(self, proposed: Proposed) -> None:
        try:
            while True:
                await trio.sleep(AGAIN)
                with suppress(MailboxFull):
                    self.own.offer(proposed)
                    return
        except (MailboxClosed, SwitchedOff):
            log.debug("proposals_left seq=%d", proposed.seq)  # the journal has them
        finally:
            self.postponed -= 1

    async def _take_proposals(self, proposed: Proposed) -> None:
        """Each candidate in a unit of its own, once; the last one ends the event."""
        decided = await self.reader.decided(proposed.seq)
        left = [
            candidate
            for candidate in proposed.candidates
            if (candidate.rule, candidate.ordinal) not in decided
        ]
        if not left:
            await self._commit((Derived(proposed.seq),), Lane.BACKGROUND)
        for candidate in left:
            draft = Draft(
                candidate.text,
                candidate.title,
                candidate.kind,
                "normal",  # people set tiers: what a tool printed cannot ask for a high one
                None if candidate.user_scope else proposed.project,
                (),  # its phrases are derived from its text, nobody set them
                Origin(
                    candidate.rule,
                    proposed.session or None,
                    proposed.seq,
                    candidate.rule,
                    candidate.ordinal,
                    candidate.source_tool or None,
                    candidate.source_call or None,
                ),
                proposed.at,
                candidate.memory_type,
                candidate.context_type,
                candidate.importance,
            )
            done = (Derived(proposed.seq),) if candidate is left[-1] else ()
            await self._keep(draft, done, lane=Lane.BACKGROUND)

    async def _keep(
        self, draft: Draft, also: Unit = (), *, lane: Lane = Lane.INTERACTIVE
    ) -> Verdict:
        vector = await self._vector(draft.text, interactive=lane is Lane.INTERACTIVE)
        candidates, known = await self._candidates(draft, vector)
        intent = await self._intent(draft)
        target = intent.target if isinstance(intent, ForceUpdate | ForceSupersede) else None
        if target is not None and int(target) not in known:
            known.update(await self.reader.memories([int(target)]))
        decision = decide(draft.text, candidates, self.settings, intent, vectors=vector is not None)
        decision = softened(decision, _kept_from(draft.origin.source, known.values()))
        unit, memory_id = self._unit(draft, decision, known, unjudged=vector is None)
        outcome = await self._commit((*unit, *also), lane)
        self._count(decision, unjudged=vector is None)
        await self._strengthen(decision, draft.at)
        return Verdict(
            memory_id or outcome[0],
            action(decision).value,
            decision.reason,
            decision.similarity if candidates or vector is not None else None,
            _contradiction(decision),
        )

    async def _keep_all(self, drafts: Sequence[Draft]) -> list[Verdict]:
        """Create all of them in one unit, but for copies under the same key."""
        verdicts: list[Verdict | None] = []
        fresh: list[Created] = []
        for draft in drafts:
            copy = await self._copy_under_same_key(draft)
            if copy is not None:
                verdicts.append(Verdict(copy, "REINFORCE", "this key holds this text already", 1.0))
                continue
            verdicts.append(None)
            fresh.append(created(draft, Create((), "kept without a look", 0.0), unjudged=False))
        ids = iter(await self._commit(tuple(fresh), Lane.INTERACTIVE) if fresh else [])
        return [
            verdict or Verdict(next(ids), "CREATE", "kept without a look", None)
            for verdict in verdicts
        ]

    async def _copy_under_same_key(self, draft: Draft) -> int | None:
        if draft.key is None:
            return None
        same = await self.reader.same_content(content_hash(draft.text), Scope(draft.project))
        for memory in (await self.reader.memories(same)).values():
            if memory.key == draft.key and memory.project == draft.project:
                return memory.id
        return None

    async def _vector(self, text: str, *, interactive: bool) -> bytes | None:
        try:
            vectors: list[bytes] = await self.embedder.ask(
                lambda reply: Embed((text,), "document", interactive, reply),
                within=VECTOR_DEADLINE,
                lane=Lane.INTERACTIVE if interactive else Lane.BACKGROUND,
            )
        except (EmbeddingUnavailable, trio.TooSlowError, Crashed, SwitchedOff):
            return None
        return vectors[0]

    async def _candidates(
        self, draft: Draft, vector: bytes | None
    ) -> tuple[list[Candidate], dict[int, Memory]]:
        """What resembles the draft in its own scope, nearest first."""
        scope = Scope(draft.project)
        exact = await self.reader.same_content(content_hash(draft.text), scope)
        near = (
            await self.reader.nearest(vector, scope, self.settings.candidates * 2)
            if vector is not None
            else []
        )
        similarity: dict[int, float | None] = dict.fromkeys(exact)
        similarity.update({hit.memory_id: hit.cosine for hit in near})
        known = {
            memory_id: memory
            for memory_id, memory in (await self.reader.memories(list(similarity))).items()
            if memory.ended is None and memory.project == draft.project
        }
        candidates = [
            Candidate(str(memory_id), known[memory_id].text, cosine, memory_id in exact)
            for memory_id, cosine in similarity.items()
            if memory_id in known
        ]
        return candidates, known

    async def _intent(self, draft: Draft) -> Intent:
        match draft.intent:
            case "new":
                return ForceNew()
            case "update" | "supersede":
                found = await self.reader.memories([draft.target] if draft.target else [])
                living = [memory for memory in found.values() if memory.ended is None]
                if not living:
                    raise NoSuchMemory
                target = str(living[0].id)
                return ForceUpdate(target) if draft.intent == "update" else ForceSupersede(target)
            case _:
                return Judge()

    def _unit(
        self, draft: Draft, decision: Decision, known: dict[int, Memory], *, unjudged: bool
    ) -> tuple[Unit, int | None]:
        """The writes of a decision, and the memory it is about unless that is a new one."""
        match decision:
            case Create() | CreateLinked() | Supersede():
                new = created(draft, decision, unjudged=unjudged and not _ordered(draft))
                return (new, audited(draft, decision, 0)), None
            case Reinforce(target):
                return (audited(draft, decision, int(target)),), int(target)
            case Update(target):
                old = known[int(target)]
                rewritten = Rewritten(
                    old.id,
                    draft.text,
                    draft.title or title_of(draft.text),
                    tuple(dict.fromkeys((*draft.triggers, *old.triggers))),
                    derived_of(draft),
                    content_hash(draft.text),
                    draft.at,
                    decision.reason,
                )
                return (rewritten, audited(draft, decision, old.id)), old.id
            case _:
                assert_never(decision)

    async def _commit(self, unit: Unit, lane: Lane) -> list[int]:
        return await self.long_term.ask(
            lambda reply: Commit(unit, reply), within=WRITE_DEADLINE, lane=lane
        )

    async def _strengthen(self, decision: Decision, at: float) -> None:
        if isinstance(decision, Reinforce):
            with suppress(SwitchedOff):  # what is known stays known, only no stronger
                await self.strength.tell(Used(int(decision.target), Use.REINFORCED, at))

    def _count(self, decision: Decision, *, unjudged: bool) -> None:
        name = action(decision).value
        self.actions[name] = self.actions.get(name, 0) + 1
        self.contradictions += _contradiction(decision) is not None
        self.unjudged += unjudged

    async def _verdict(self, existing: str, incoming: str) -> Verdict:
        """What the gate would do with a pair, without a store."""
        similarity = await self._similarity(existing, incoming)
        same = normalised(existing) == normalised(incoming)
        decision = decide(
            incoming, [Candidate("1", existing, similarity, exact=same)], self.settings, Judge()
        )
        return Verdict(
            1, action(decision).value, decision.reason, similarity, _contradiction(decision)
        )

    async def _similarity(self, one: str, other: str) -> float | None:
        first = await self._vector(one, interactive=True)
        second = await self._vector(other, interactive=True)
        if first is None or second is None:
            return None
        pair = np.frombuffer(first, np.float32), np.frombuffer(second, np.float32)
        return float(cosines(pair[0], [pair[1]])[0])

    async def _judge_again(self, memory: Memory) -> bool:
        """Is a memory that was kept without vectors one that was known before?

        False when its vector cannot be had now.
        """
        draft = Draft(
            memory.text, memory.title, memory.kind, memory.tier, memory.project, memory.triggers,
            Origin(memory.source, memory.session), self.clock.now(),
        )  # fmt: skip
        vector = await self._vector(memory.text, interactive=False)
        if vector is None:
            return False
        found, known = await self._candidates(draft, vector)
        earlier = [candidate for candidate in found if int(candidate.id) < memory.id]
        decision = decide(memory.text, earlier, self.settings, Judge())
        decision = softened(decision, _kept_from(memory.source, known.values()))
        await self._commit(
            (*_settled(memory, decision, draft.at), audited(draft, decision, memory.id)),
            Lane.BACKGROUND,
        )
        self._count(decision, unjudged=False)
        await self._strengthen(decision, draft.at)
        return True


def _kept_from(source: str, known: Iterable[Memory]) -> frozenset[str]:
    """The memories that a text of this source may not end."""
    return frozenset(
        str(memory.id)
        for memory in known
        if is_kept_from(source, target=memory.source, tier=memory.tier, pinned=memory.pinned)
    )


def _settled(memory: Memory, decision: Decision, at: float) -> tuple[Write, ...]:
    """What a late decision does: both texts exist, so one of the two ends, or none."""
    judged = Judged(memory.id)
    match decision:
        case Create():
            return (judged,)
        case CreateLinked(target, _, similarity):
            return (judged, Linked(memory.id, int(target), "related", similarity, at))
        case Reinforce(target):
            return (judged, Ended(memory.id, "deprecated", at, superseded_by=int(target)))
        case Update(target, _, similarity):
            return (
                judged,
                Linked(memory.id, int(target), "supersedes", similarity, at),
                Ended(int(target), "deprecated", at, superseded_by=memory.id),
            )
        case Supersede(target, _, _, similarity):
            return (
                judged,
                Linked(memory.id, int(target), "supersedes", similarity, at),
                Ended(int(target), "deprecated", at, superseded_by=memory.id),
            )
        case _:
            assert_never(decision)


def _ordered(draft: Draft) -> bool:
    return draft.intent != "auto"


def _contradiction(decision: Decision) -> str | None:
    if isinstance(decision, CreateLinked | Supersede) and decision.contradiction is not None:
        return decision.contradiction.kind.value
    return None


def content_hash(text: str) -> bytes:
    """The same for texts that differ only in what ``normalised`` takes away."""
    return blake2b(normalised(text).encode("utf-8", "replace"), digest_size=16).digest()


def title_of(text: str) -> str:
    """A title for a text that has none: its first line, shortened."""
    first = text.strip().partition("\n")[0]
    return shortened(first, TITLE)


def derived_of(draft: Draft) -> tuple[str, ...]:
    """The phrases of the draft's own text that may call it."""
    found = phrases_of(draft.title or title_of(draft.text), draft.text)
    return tuple(phrase for phrase in found if phrase not in draft.triggers)[:TRIGGERS]


def created(
    draft: Draft, decision: Create | CreateLinked | Supersede, *, unjudged: bool
) -> Created:
    """The new memory that a decision asks for."""
    factor = classification_factor(draft.context_type, draft.tier)
    stability = initial_stability(draft.memory_type, factor=factor)
    return Created(
        text=draft.text,
        title=draft.title or title_of(draft.text),
        kind=draft.kind,
        tier=draft.tier,
        memory_type=draft.memory_type,
        context_type=draft.context_type,
        project=draft.project,
        at=draft.at,
        content_hash=content_hash(draft.text),
        stability=min(stability, 36_500.0),
        difficulty=UNREVIEWED_DIFFICULTY,
        importance=draft.importance,
        origin=draft.origin,
        triggers=draft.triggers,
        derived=derived_of(draft),
        key=draft.key,
        unjudged=unjudged,
        supersedes=int(decision.target) if isinstance(decision, Supersede) else None,
        linked_to=int(decision.target) if isinstance(decision, CreateLinked) else None,
        similarity=decision.similarity,
    )


def audited(draft: Draft, decision: Decision, memory_id: int) -> Audited:
    """The decision as it is kept (row C-04)."""
    target = None if isinstance(decision, Create) else int(decision.target)
    return Audited(
        action(decision).value,
        memory_id,
        target,
        decision.similarity,
        decision.reason,
        _contradiction(decision),
        content_hash(draft.text),
        draft.project,
        draft.at,
        draft.origin if draft.origin.seq is not None else None,
    )
