"""Prospective memory: what somebody means to do later, brought back when it is time.

Owns the intentions, all of them in the store, and what is around each session: files it
touched, what was said and run, the branch of its project. Recall asks what is due for a prompt and
says what it delivered, so that nobody is reminded twice in half an hour, nor after a restart. The
rules are in ``actors.policy.intentions.intentions`` and ``triggers``.
"""

import logging
from collections import deque
from collections.abc import Awaitable
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from typing import Any, TypeVar, assert_never

import trio

from actors.core.latest import Latest
from actors.core.mailbox import Crashed, Inbox, Mailbox, Reply
from actors.core.ports import Files
from actors.intake.messages import Happened
from actors.intentions.messages import (
    ChangeIntention,
    Intend,
    IntentionsErased,
    LookAtIntentions,
    NoSuchIntention,
    ProspectiveMessage,
    TooManyIntentions,
    WereReminded,
    WhatIsDue,
    WhatIsIntended,
)
from actors.intentions.writes import IntentionChanged, IntentionMade, IntentionsDropped
from actors.memory.commit import answered, attempted, commit
from actors.memory.messages import LongTermMessage, Write
from actors.memory.ports import Reader
from actors.memory.unit import Write as AnyWrite
from actors.policy.events.events import EventKind
from actors.policy.events.fence import is_machine_made
from actors.policy.events.surroundings import (
    branch_of_head,
    branch_told,
    files_named,
    files_touched,
)
from actors.policy.intentions import intentions
from actors.policy.intentions.intentions import AT_ONCE, LATELY, Intention, Status
from actors.policy.intentions.stated_intentions import stated
from actors.policy.intentions.triggers import Event, Surroundings, waits_for

log = logging.getLogger(__name__)

A = TypeVar("A")

WRITE_DEADLINE = 5.0  # seconds that somebody waits for a change to be durable
READ_WITHIN = 0.5  # seconds for a repository's HEAD: prompts wait for what is due
SESSIONS = 200  # whose surroundings are held in memory
PROJECTS = 200  # whose branch is
NOTED = 50  # files, and events, of one session
SAID = 2_000  # characters of a prompt or a command that are looked at
SLICE = 50  # intentions that are looked at before somebody else gets a turn
HEAD = 200  # bytes of a repository's HEAD

# Events after which a person may have changed the branch by hand.
_PAUSES = frozenset({EventKind.SESSION_START, EventKind.PROMPT, EventKind.TURN_END})


@dataclass(slots=True)
class Around:
    """Surroundings of one session: times are seconds UTC."""

    project: str | None = None
    files: deque[tuple[float, str]] = field(
        default_factory=lambda: deque[tuple[float, str]](maxlen=NOTED)
    )
    events: deque[tuple[float, Event]] = field(
        default_factory=lambda: deque[tuple[float, Event]](maxlen=NOTED)
    )
    made_by: dict[str, str] = field(default_factory=dict[str, str])  # intention: the prompt


NOBODY = Around()


@dataclass(slots=True)
class Place:
    """One look at what is around a session; what intentions share is made once."""

    around: Around
    project: str | None
    branch: str | None
    prompt: str = ""
    _known: dict[tuple[int, int], Surroundings] = field(
        default_factory=dict[tuple[int, int], Surroundings]
    )

    def since(self, moment: float) -> Surroundings:
        """Surroundings now, and what happened after this moment."""
        events = [event for at, event in self.around.events if at > moment]
        files = [path for at, path in self.around.files if at > moment]
        key = (len(events), len(files))
        if key not in self._known:
            if self.prompt:
                events.append(Event("prompt", self.prompt))
                files += files_named(self.prompt)
            self._known[key] = Surroundings(
                self.project, self.branch, tuple(dict.fromkeys(files)), tuple(events)
            )
        return self._known[key]


@dataclass(slots=True)
class Prospective:
    """Keeps intentions and says which are due."""

    reader: Reader
    files: Files
    zone: tzinfo  # of the person: the machine's
    long_term: Mailbox[LongTermMessage]
    held: dict[str, Intention] = field(default_factory=dict[str, Intention])
    around: Latest[str, Around] = field(default_factory=lambda: Latest(SESSIONS))
    branches: Latest[str, str] = field(default_factory=lambda: Latest(PROJECTS))
    made: int = 0
    reminded: int = 0
    _known: bool = False  # the store has been read
    _in_doubt: bool = False  # a change was given up that may come through after all

    def statistics(self) -> dict[str, Any]:
        """Counts of the open ones, and of those whose moment came or that were reminded of."""
        return {
            "open": sum(intentions.is_open(one) for one in self.held.values()),
            "due": sum(one.status is Status.TRIGGERED for one in self.held.values()),
            "made": self.made,
            "reminded": self.reminded,
        }

    async def run(self, inbox: Inbox[ProspectiveMessage]) -> None:
        """Read what there is, then handle messages until the mailbox is closed and drained."""
        await self._try(self._learn())
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: ProspectiveMessage) -> None:
        """One message."""
        match message:
            case Happened():
                await self._see(message)
            case Intend(intention, reply):
                await self._answer(reply, self._intend(intention, None))
            case WhatIsIntended(at, reply):
                await self._answer(reply, self._listed(at))
            case ChangeIntention(reply=reply):
                await self._answer(reply, self._change(message))
            case WhatIsDue(reply=reply):
                await self._answer(reply, self._due(message))
            case WereReminded():
                await self._try(self._remind(message))
            case LookAtIntentions(at):
                await self._try(self._look(at))
            case IntentionsErased():
                self._known = False
                self.held.clear()
                self.around.clear()
                await self._try(self._learn())
            case _:
                assert_never(message)

    async def _try(self, work: Awaitable[object]) -> None:
        await attempted(work, log, "intentions_wait")

    async def _answer(self, reply: Reply[A], work: Awaitable[A]) -> None:
        await answered(reply, work, NoSuchIntention, TooManyIntentions)

    async def _learn(self) -> None:
        """Read what is in the store, unless that was done."""
        if self._in_doubt or not self._known:
            self.held = {one.intention_id: one for one in await self.reader.intentions()}
            self._known = True

    # -- what is intended

    async def _intend(self, wanted: Intention, seq: int | None) -> Intention:
        await self._learn()
        alike = next((one for one in self.held.values() if _is_alike(one, wanted)), None)
        if alike is not None:
            return alike
        if not intentions.has_room(self.held.values()):
            raise TooManyIntentions
        number = await self._commit(IntentionMade(wanted, seq))
        kept = replace(wanted, intention_id=str(number))
        if number:  # 0: this prompt has made one before
            self.held[kept.intention_id] = kept
            self.made += 1
        return kept

    async def _listed(self, at: float) -> tuple[tuple[Intention, bool], ...]:
        await self._learn()
        found: list[tuple[Intention, bool]] = []
        for count, one in enumerate(list(self.held.values())):
            if count % SLICE == SLICE - 1:
                await trio.lowlevel.checkpoint()
            current = intentions.aged(one, at)
            found.append((current, self._waits(current, at)))
        return tuple(found)

    async def _change(self, order: ChangeIntention) -> Intention:
        await self._learn()
        before = self.held.get(order.intention_id)
        if before is None:
            raise NoSuchIntention
        current = intentions.aged(before, order.at)
        match order.change:
            case "done":
                after = intentions.fulfilled(current, order.at)
            case "cancelled":
                after = intentions.cancelled(current, order.at)
            case "snoozed":
                after = intentions.snoozed(current, order.at, order.seconds)
            case _:
                assert_never(order.change)
        if after != current:
            await self._commit(IntentionChanged(after, order.change, order.at))
            self.held[after.intention_id] = after
        return after

    # -- what is due

    async def _due(self, question: WhatIsDue) -> tuple[Intention, ...]:
        await self._learn()
        around = self.around.get(question.session, Around())
        said = question.prompt[:SAID]
        place = self._place(around, question.project, said)
        due: list[Intention] = []
        for count, one in enumerate(list(self.held.values())):
            if count % SLICE == SLICE - 1:
                await trio.lowlevel.checkpoint()  # a thousand are a few milliseconds
            if (
                one.project in (None, question.project)
                and intentions.is_open(one)
                and around.made_by.get(one.intention_id) != said
                and self._holds(one, place, question.at)
            ):
                due.append(one)
        first = intentions.most_urgent_first(due, question.at)
        return tuple(first[:AT_ONCE])

    def _holds(self, one: Intention, place: Place, at: float) -> bool:
        since = max(one.made_at, one.reminded_at or 0.0, at - LATELY)
        return intentions.due(one, at, place.since(since), self.zone)

    def _place(self, around: Around, project: str | None, prompt: str = "") -> Place:
        return Place(around, project, self.branches.get(project or "") or None, prompt)

    def _waits(self, one: Intention, at: float) -> bool:
        """Return whether its moment came, or it was brought to mind, and it is not done."""
        if one.status is not Status.ACTIVE:
            return one.status is Status.TRIGGERED
        return self._holds(one, self._place(NOBODY, one.project), at)

    async def _remind(self, told: WereReminded) -> None:
        for intention_id in told.intention_ids:
            one = self.held.get(intention_id)
            if one is None:
                continue  # erased meanwhile
            after = intentions.reminded(intentions.aged(one, told.at), told.at)
            self.held[intention_id] = after
            self.reminded += 1
            await self.long_term.tell(
                Write((IntentionChanged(after, "reminded", told.at, told.session or None),))
            )

    async def _look(self, at: float) -> None:
        """What time alone does: expiry, coming due, and the end of what ended long ago."""
        await self._learn()
        for one in list(self.held.values()):
            current = intentions.aged(one, at)
            if not intentions.is_open(one):
                continue
            if current.status is Status.EXPIRED:
                await self._note(current, "expired", at)
            elif current.status is Status.ACTIVE and self._waits(current, at):
                await self._note(intentions.came_due(current), "due", at)
        old = [one for one in self.held.values() if intentions.is_outdated(one, at)]
        if old:
            numbers = tuple(int(one.intention_id) for one in old)
            await self._commit(IntentionsDropped(numbers))
            for one in old:
                del self.held[one.intention_id]

    async def _note(self, after: Intention, what: str, at: float) -> None:
        await self._commit(IntentionChanged(after, what, at))
        self.held[after.intention_id] = after

    # -- what happens

    async def _see(self, happened: Happened) -> None:
        event, session = happened.event, happened.event.session
        if not session:
            return
        if event.kind is EventKind.SESSION_END:
            self.around.pop(session, None)
            return
        self.around[session] = around = self.around.get(session) or Around()
        around.project = happened.project
        around.files.extend((happened.at, path) for path in files_touched(event))
        if event.tool is not None and event.tool.command:
            around.events.append((happened.at, Event("command", event.tool.command[:SAID])))
        await self._see_branch(happened)
        if event.kind is EventKind.PROMPT and not is_machine_made(event.prompt):
            around.events.append((happened.at, Event("prompt", event.prompt[:SAID])))
            await self._try(self._hear(happened, around))

    async def _hear(self, happened: Happened, around: Around) -> None:
        """A person may say in a prompt what is to be brought back to mind."""
        said = stated(happened.event.prompt, happened.at, self.zone)
        if said is None:
            return
        wanted = Intention(
            "", said.text, said.trigger, happened.at, project=happened.project,
            session=happened.event.session,
        )  # fmt: skip
        try:
            made = await self._intend(wanted, happened.seq)
        except TooManyIntentions:
            log.warning("intention_without_room seq=%d", happened.seq)
            return
        around.made_by[made.intention_id] = happened.event.prompt[:SAID]

    async def _see_branch(self, happened: Happened) -> None:
        project = happened.project
        if project is None:
            return
        branch = branch_told(happened.event)
        if branch is None and happened.event.kind in _PAUSES and self._looks_at_branches():
            with trio.move_on_after(READ_WITHIN):
                lines = await self.files.last_lines(f"{project}/.git/HEAD", HEAD)
                branch = branch_of_head(lines[-1]) if lines else None
        if branch is not None:
            self.branches[project] = branch

    def _looks_at_branches(self) -> bool:
        return any(
            waits_for(one.trigger, "branch")
            for one in self.held.values()
            if intentions.is_open(one)
        )

    async def _commit(self, write: AnyWrite) -> int:
        try:
            (outcome,) = await commit(self.long_term, (write,), within=WRITE_DEADLINE)
        except (trio.TooSlowError, Crashed):
            self._in_doubt = True
            raise
        if self._in_doubt:  # what was given up came before: it is done now, or never
            self._in_doubt = self._known = False
        return outcome


def _is_alike(one: Intention, wanted: Intention) -> bool:
    return intentions.is_open(one) and (one.text, one.trigger, one.project, one.deadline) == (
        wanted.text, wanted.trigger, wanted.project, wanted.deadline,
    )  # fmt: skip
