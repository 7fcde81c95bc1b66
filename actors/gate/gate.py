"""The gate: relation of a new text to the known memories.

Texts are judged one after the other, each after the one before is durable, so two equal ones never
become two memories. Without vectors a text is kept and judged again when they come.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import assert_never

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Clock, Latest
from actors.core.mailbox import Inbox, Lane, Mailbox, MailboxClosed, MailboxFull, SwitchedOff
from actors.gate import drafts, endings
from actors.gate.messages import (
    Decide,
    DocumentTold,
    GateMessage,
    Keep,
    KeepAll,
    KeepRead,
    NoSuchMemory,
    Proposed,
    ReadNote,
    Verdict,
    WhatWouldYouDo,
)
from actors.gate.neighbours import Neighbours
from actors.intake.messages import Derived
from actors.memory.commit import REFUSED, LongTermMessage, Unit, answered, attempted, commit
from actors.memory.rows import Memory, VectorsArrived
from actors.memory.use import Review, StrengthMessage
from actors.memory.writes import Created, Draft, MemoryClaim, Origin
from actors.policy.decay.curve import DAY, Use
from actors.policy.documents.versions import key_of, place_and_words
from actors.policy.gate.gate import Create, Decision, Reinforce, Supersede, Update, decide
from actors.policy.gate.gate_features import content_hash, normalised
from actors.policy.statements.extraction import CORRECTED
from actors.policy.statements.trust import is_users_word, left_standing
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

PAGE = 5  # unjudged memories judged in one turn
AGAIN = 5.0  # seconds until proposals that the store refused come again
POSTPONED = 500  # of them at most; further ones come again at the next start
SAID_ELSEWHERE = 512  # items of documents


class Gate(Struct):
    """Judges texts."""

    near: Neighbours
    reader: ReadingSide
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    strength: Mailbox[StrengthMessage]
    own: Mailbox[GateMessage]  # for what has to wait
    decay: float  # exponent of the forgetting curve
    postponed: int = 0
    # What of documents is known from another source: it is not proposed with each version again.
    _said_elsewhere: Latest[tuple[str | None, str], bool] = field(
        default_factory=lambda: Latest(SAID_ELSEWHERE)
    )

    async def run(self, inbox: Inbox[GateMessage]) -> None:
        """Judge the memories waiting from before, then handle messages until the mailbox is drained."""
        async with trio.open_nursery() as nursery:
            await attempted(self.near.look(), log, "calibration_waits")
            self._come_back()
            async for message in inbox:
                try:
                    await self.handle(message)
                except REFUSED as error:
                    if not isinstance(message, Proposed):
                        raise
                    log.warning("proposals_wait seq=%d why=%s", message.seq, type(error).__name__)
                    if self.postponed < POSTPONED:
                        self.postponed += 1
                        nursery.start_soon(self._again, message)
            nursery.cancel_scope.cancel()  # what was postponed is in the journal

    async def _again(self, proposed: Proposed) -> None:
        """Offer refused proposals once more, when the disk may have room again."""
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

    async def handle(self, message: GateMessage) -> None:
        """One message."""
        match message:
            case Proposed():
                await self._take_proposals(message)
            case Decide(proposed):
                await answered(message, self._take_proposals(proposed))
            case Keep(texts):
                await answered(message, self._keep_each(texts), NoSuchMemory)
            case KeepAll(made):
                await answered(message, self._keep_all(made))
            case KeepRead(notes, ending):
                await answered(message, self._keep_read(notes, ending))
            case WhatWouldYouDo(pairs):
                message.reply(await self.near.verdicts(pairs))
            case VectorsArrived(memory_ids):
                self.near.stored(memory_ids)
                if memory_ids:
                    await attempted(self.near.look(), log, "calibration_waits")
                await attempted(self._judge_waiting(), log, "judging_waits")
            case _:
                assert_never(message)

    async def _judge_waiting(self) -> None:
        """Judge some memories kept without vectors and vectored by now, also from before.

        A few at a time: questions to the gate come between.
        """
        waiting = await self.reader.unjudged(PAGE)
        for memory in waiting:
            if not await self._judge_again(memory):
                return
        if waiting:
            self._come_back()

    def _come_back(self) -> None:
        """Look again for memories waiting for a judgement, after the questions already waiting."""
        self.own.hint(VectorsArrived(()))

    async def _take_proposals(self, proposed: Proposed) -> None:
        """Each candidate in a unit of its own, once; the last one ends the event."""
        decided = await self.reader.decided(proposed.seq)
        set_right = await self._correct(proposed, decided) if proposed.said else ()
        left = [
            candidate
            for candidate in proposed.candidates
            if (candidate.rule, candidate.ordinal) not in decided
            and normalised(candidate.text) not in set_right
        ]
        for told in proposed.documents:
            await self._learn(told, proposed, decided)
        if not left:
            await commit(self.long_term, (Derived(proposed.seq),))
        for candidate in left:
            done = (Derived(proposed.seq),) if candidate is left[-1] else ()
            await self._keep(drafts.draft_of(candidate, proposed), done, lane=Lane.BACKGROUND)

    async def _learn(
        self, told: DocumentTold, proposed: Proposed, decided: frozenset[tuple[str, int]]
    ) -> None:
        """Bring the memories of a document up to its version."""
        changes = await endings.changes_by(self.reader, told, proposed.project)
        now = await endings.writes_of(self.reader, told, changes, proposed.at)
        if now:
            await commit(self.long_term, now)
        candidates = dict(zip((item.digest for item in told.items), told.candidates, strict=True))
        for item, before in changes.fresh:
            candidate = candidates[item.digest]
            key = key_of(told.place, item)
            said = (proposed.project, place_and_words(key))
            if (candidate.rule, candidate.ordinal) in decided or said in self._said_elsewhere:
                continue
            draft = replace(drafts.draft_of(candidate, proposed), key=key)
            verdict = await self._keep(draft, lane=Lane.BACKGROUND)
            if verdict.action in ("REINFORCE", "UPDATE"):
                self._said_elsewhere[said] = True
            if before is not None:
                await self._replace(before, verdict.memory_id, key, proposed.at)

    async def _replace(self, before: int, memory_id: int, key: str, at: float) -> None:
        """End the earlier wording of a document's item."""
        old = (await self.reader.memories([before])).get(before)
        writes = endings.takes_the_place(old, memory_id, key, at) if old is not None else ()
        if writes:
            await commit(self.long_term, writes)

    async def _correct(
        self, proposed: Proposed, decided: frozenset[tuple[str, int]]
    ) -> frozenset[str]:
        """Give memories their values from a prompt, each once.

        Returns the sentences behind the changes: none makes a second memory beside the corrected
        one.
        """
        corrections = await endings.corrections_in(self.reader, proposed)
        for memory, text, _ in corrections:
            if (CORRECTED, memory.id) not in decided:
                draft = endings.corrected_draft(memory, text, proposed)
                vector = await self.near.vector(text, interactive=False)
                decision = Supersede(memory.id, endings.BY_PROMPT, endings.ANOTHER_VALUE, 0.0)
                known = {memory.id: memory}
                await self._carry_out(draft, decision, known, drafts.standing_of(draft), vector)
        return frozenset(normalised(sentence) for _, _, sentence in corrections)

    async def _keep_each(self, texts: Sequence[Draft]) -> list[Verdict]:
        """Keep one after the other, each judged beside the ones before it."""
        return [await self._keep(draft) for draft in texts]

    async def _keep(
        self, draft: Draft, also: Unit = (), *, lane: Lane = Lane.INTERACTIVE
    ) -> Verdict:
        vector = await self.near.vector(draft.text, interactive=lane is Lane.INTERACTIVE)
        candidates, known = await self.near.candidates(draft, vector)
        order = await self._order(draft, known)
        draft, standing, named = await self._claim(draft, known)
        decision = (
            order
            or named
            or decide(draft.text, candidates, self.near.settings, vectors=vector is not None)
        )
        if order is None:
            decision = drafts.surely(decision, standing.status, known)
        verdict = await self._carry_out(draft, decision, known, standing, vector, also, lane=lane)
        if drafts.ordered(draft) or not (candidates or vector is not None):
            return replace(verdict, similarity=None)
        return verdict

    async def _carry_out(
        self,
        draft: Draft,
        decision: Decision,
        known: Mapping[int, Memory],
        standing: MemoryClaim,
        vector: bytes | None,
        also: Unit = (),
        *,
        lane: Lane = Lane.BACKGROUND,
    ) -> Verdict:
        """Carry out a decision, as far as the memory concerned may be ended."""
        decision = endings.guarded(draft, decision, known, standing)
        standing = drafts.beginning(draft, standing, decision)
        unit, memory_id = drafts.unit_of(
            draft, decision, known, standing, decay=self.decay, unjudged=vector is None
        )
        outcome = await commit(self.long_term, (*unit, *also), lane=lane)
        await self._done(decision, draft.at, past=draft.past)
        if vector is not None and not isinstance(decision, Reinforce):
            # Its vectors are not in the store yet; the next text may say the same.
            self.near.kept(memory_id or outcome[0], vector)
        return Verdict(
            memory_id or outcome[0],
            decision.action,
            decision.reason,
            decision.similarity,
            drafts.contradiction_in(decision),
        )

    async def _claim(
        self, draft: Draft, known: dict[int, Memory]
    ) -> tuple[Draft, MemoryClaim, Supersede | None]:
        """Return a draft's claim, and its replacement of a known memory by subject, if any."""
        by_hand = is_users_word(draft.origin.source)
        if not by_hand and await self.reader.refuted_before(
            content_hash(draft.text), draft.project
        ):
            draft = replace(draft, status="hypothesis")  # refuted once: no fact by itself
        standing = drafts.standing_of(draft)
        if standing.subject is None or drafts.ordered(draft):
            return draft, standing, None
        holders = await self.reader.of_subject(standing.subject, draft.project)
        known.update({holder.id: holder for holder in holders})
        named, standing = drafts.by_subject(draft, standing, holders)
        return draft, standing, named

    async def _keep_all(self, made: Sequence[Created]) -> list[Verdict]:
        """Create all of them in one unit, but for copies under the same key."""
        keys = sorted({new.draft.key for new in made if new.draft.key is not None})
        known: dict[tuple[str | None, str | None, bytes], int] = {
            (memory.key, memory.project, memory.content_hash): memory.id
            for memory in (await self.reader.keyed(keys) if keys else ())
        }
        copies = [known.get((new.draft.key, new.draft.project, new.content_hash)) for new in made]
        fresh = tuple(new for new, copy in zip(made, copies, strict=True) if copy is None)
        ids = iter(await commit(self.long_term, fresh) if fresh else [])
        return [
            Verdict(next(ids), "CREATE", "kept without a look", None)
            if copy is None
            else Verdict(copy, "REINFORCE", "this key holds this text already", 1.0)
            for copy in copies
        ]

    async def _keep_read(
        self, notes: Sequence[ReadNote], ending: Callable[[int], Unit]
    ) -> list[Verdict]:
        """Keep a reader's notes in one unit: a crash leaves all of it or nothing."""
        decisions, writes = await endings.decided(self.reader, notes, self.decay)
        unit = (*writes, *ending(sum(isinstance(write, Created) for write in writes)))
        outcome = await commit(self.long_term, unit) if unit else []
        made = zip(unit, outcome, strict=True)
        numbers = iter([number for write, number in made if isinstance(write, Created)])
        now = self.clock.now()
        for decision in decisions:
            await self._done(decision, now, past=False)
        return [
            Verdict(
                one.target if isinstance(one, Reinforce) else next(numbers),
                one.action, one.reason, None,
            )
            for one in decisions
        ]  # fmt: skip

    async def _order(self, draft: Draft, known: dict[int, Memory]) -> Decision | None:
        """Return the decision that a person ordered, if any; the memory named is ``known`` then."""
        if not drafts.ordered(draft):
            return None
        if draft.intent == "new":
            return Create("created because a new memory was asked for")
        known.update(await self.reader.memories([draft.target] if draft.target else []))
        target = known.get(draft.target or 0)
        if target is None or target.ended is not None:
            raise NoSuchMemory
        if draft.intent == "update":
            return Update(target.id, "updated because this memory was named", 1.0)
        return Supersede(target.id, None, "superseded because this memory was named", 1.0)

    async def _done(self, decision: Decision, at: float, *, past: bool) -> None:
        """Strengthen the memory that a stored decision reinforces."""
        if isinstance(decision, Reinforce) and not past:
            with suppress(SwitchedOff):  # what is known stays known, only no stronger
                await self.strength.tell(Review(decision.target, Use.REINFORCED, at))

    async def _judge_again(self, memory: Memory) -> bool:
        """Judge whether a memory kept without vectors was known before.

        False when its vector is unavailable now.
        """
        draft = Draft(
            memory.text, memory.title, memory.kind, memory.tier, memory.project, memory.triggers,
            Origin(memory.source, memory.session), self.clock.now(), status=memory.status,
            valid_from=memory.valid_from, valid_until=memory.valid_until,
        )  # fmt: skip
        vector = await self.near.vector(memory.text, interactive=False)
        if vector is None:
            return False
        found, known = await self.near.candidates(draft, vector)
        earlier = [candidate for candidate in found if candidate.id < memory.id]
        decision = decide(memory.text, earlier, self.near.settings)
        decision = drafts.surely(decision, memory.status, known)
        past = memory.created_at < draft.at - DAY
        stated = replace(draft, at=memory.created_at, past=past)
        standing = drafts.standing_of(stated)
        decision = endings.guarded(stated, decision, known, standing)
        decision = left_standing(decision, tier=memory.tier, pinned=memory.pinned)
        begun = drafts.beginning(stated, standing, decision)
        unit = (
            *drafts.settled(memory, decision, draft.at),
            drafts.audited(draft, decision, memory.id),
            *drafts.closings(stated, begun, decision, known),
        )
        await commit(self.long_term, unit)
        await self._done(decision, draft.at, past=past)
        return True
