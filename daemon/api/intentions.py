"""Intentions: plans of a person for later, and their fates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, Self

import msgspec

from daemon.api.operation import Argument, Here, InProject, Line, Operation, Option, Terminal, Verb
from daemon.commands.terminal.words import (
    age,
    duration,
    duration_given,
    local,
    moment_to_come,
    now,
    one_line,
    schedule_given,
    shown_of,
)
from daemon.shapes.replies import BadRequest, Count, Done, Reply
from daemon.views import view

if TYPE_CHECKING:
    from actors.policy.events.cutting import Redact
    from actors.policy.night.intention_triggers import Trigger
    from actors.policy.night.intentions import Intention
    from daemon.context import Parts, Progress

Form = dict[str, Any]  # of a trigger
Priority = Literal["low", "normal", "high", "critical"]
Change = Literal["done", "cancelled", "snoozed"]
ONE_WAY: Final = "Give TEXT, --list, or one of --show, --done, --cancel, --snooze, --erase."
WITHIN: Final = 10.0  # seconds
LONGEST: Final = 2_000  # characters of an intention
FARTHEST: Final = 6e10  # seconds: a calendar ends in 9999
BEFORE_DEADLINE: Final = 86_400.0  # seconds: what has a deadline alone is brought back then
ID: Final = re.compile(r"i?([1-9]\d{0,15})")


class IntentionView(msgspec.Struct, frozen=True, kw_only=True):
    """An intention."""

    id: str  # i1
    text: str
    when: str  # what brings it back to mind, in words
    trigger: dict[str, Any]  # the same, for programs
    priority: Priority
    status: str  # active, triggered, fulfilled, cancelled, expired, snoozed
    due: bool  # its moment came, or the user was reminded, and it is not done
    made_at: float
    deadline: float | None
    reminders: int
    reminded_at: float | None
    snoozed_until: float | None
    ended_at: float | None
    project: str | None  # where it counts; None: everywhere
    session: str | None  # that it was said or made in; None: made by hand


class Intended(Reply, frozen=True, kw_only=True):
    """An intention as it is now."""

    intention: IntentionView


# ---- making one


class Intend(Operation[Intended], frozen=True, kw_only=True):
    """Be reminded of something when it is time.

    TEXT is what to do. Say when: at a time, at a file, on a branch, or when something is said.
    The agent's next matching prompt gets it as a note, at most five times, half an hour apart.
    With --list, --show, --done, --cancel, --snooze or --erase it is about what you mean to do
    already. Memories that say what is erased are erased with 'reverie forget --erase'.
    """

    NAME = "intend"
    ONE_WAY = ONE_WAY
    VERBS = (Verb("intend"),)
    text: Annotated[str, Argument("[TEXT]...", joined=" ")] = ""
    # A map with one key: {"at": seconds}, {"after": seconds}, {"every": ["daily", 9, 0]},
    # {"file": glob}, {"branch": glob}, {"event": [kind, words]}, {"all": [...]}, {"any": [...]}.
    trigger: Form = msgspec.field(default_factory=dict[str, Any])
    deadline: float | None = None
    session: str | None = None  # of the agent that makes it
    # In the words of a person, of which the trigger and the deadline are made before it is asked:
    at: Annotated[
        str, Option("--at", "tomorrow 9:00, friday, 2026-12-01 14:30, …", metavar="WHEN")
    ] = ""
    after: Annotated[str, Option("--in", "2h, 30m, 3 days, …", metavar="DURATION")] = ""
    every: Annotated[
        str,
        Option("--every", "30m, hourly, daily 9:00, weekly mon, monthly 15", metavar="SCHEDULE"),
    ] = ""
    files: Annotated[list[str], Option("--on-file", "A file is touched.", metavar="GLOB")] = (
        msgspec.field(default_factory=list[str])
    )
    branches: Annotated[list[str], Option("--on-branch", "A branch; repeat.", metavar="GLOB")] = (
        msgspec.field(default_factory=list[str])
    )
    events: Annotated[
        list[str], Option("--when", "A prompt or command says it.", metavar="TEXT")
    ] = msgspec.field(default_factory=list[str])
    all_of: Annotated[
        bool, Option("--all-of", "When all of these hold; one is enough otherwise.")
    ] = False
    priority: Annotated[Priority, Option("--priority", "How urgent it is.", True)] = "normal"
    until: Annotated[
        str, Option("--deadline", "More urgent a day before; over after it.", metavar="WHEN")
    ] = ""
    project: Annotated[
        str | None,
        InProject("--project", "Only in this project ('.': the current one), not in all."),
    ] = None

    def prepared(self, _: Terminal, /) -> Self:
        """Turn the typed words into a program's request."""
        if not self.text:
            raise ValueError(ONE_WAY)
        until = moment_to_come(self.until, "--deadline") if self.until else None
        triggers = self._triggers()
        if not triggers and until is not None:
            triggers = [{"at": until - BEFORE_DEADLINE}]
        if not triggers:
            raise ValueError(
                "Say when: --at, --in, --every, --on-file, --on-branch, --when or --deadline."
            )
        together = {"all" if self.all_of else "any": triggers}
        return msgspec.structs.replace(
            self,
            trigger=triggers[0] if len(triggers) == 1 else together,
            deadline=until,
        )

    def _triggers(self) -> list[Form]:
        return [
            *([{"at": moment_to_come(self.at, "--at")}] if self.at else []),
            *([{"after": duration_given(self.after, "--in")}] if self.after else []),
            *([{"every": schedule_given(self.every, "--every")}] if self.every else []),
            *({"file": _glob(pattern)} for pattern in self.files),
            *({"branch": name} for name in self.branches),
            *({"event": ["", words]} for words in self.events),
        ]

    async def answer(self, parts: Parts, _: Progress) -> Intended:
        from actors.policy.events.fence import stripped
        from actors.policy.night.intentions import Intention, Priority
        from actors.policy.secrets.secret_words import is_all_secret
        from actors.session.shapes import NO_ROOM, IntentionMade, TooManyIntentions
        from daemon.answers.remember import AllSecret

        text, _kinds = parts.redact(stripped(self.text).strip())
        if is_all_secret(text):
            raise AllSecret
        if not text:
            raise BadRequest("there is nothing to be reminded of")
        if len(text) > LONGEST:
            raise BadRequest(f"longer than {LONGEST:,} characters: remember it, and intend a line")
        made_at = parts.clock.now()
        if self.deadline is not None and not made_at < self.deadline < FARTHEST:
            raise BadRequest("the deadline is over already, or beyond every calendar")
        wanted = Intention(
            "",
            text,
            _trigger(self.trigger, parts.redact),
            made_at,
            Priority[self.priority.upper()],
            self.deadline,
            project=self.project,
            session=self.session,
        )
        (number,) = await parts.commit((IntentionMade(wanted),))
        if number == NO_ROOM:
            raise TooManyIntentions
        return Intended(intention=_view(await _stored(parts, number), due=False))

    def lines(self, made: Intended) -> list[Line]:
        one = made.intention
        where = f" (in {one.project})" if one.project else ""
        return [f"{one.id}  you will be reminded {one_line(one.when)}{where}"]


def _glob(pattern: str) -> str:
    if pattern.startswith("re:"):
        raise ValueError("--on-file takes a glob ('*.sql'): expressions are understood no more")
    return pattern


def _trigger(given: Form, redact: Redact) -> Trigger:
    from actors.policy.night.intention_triggers import BadTrigger, checked

    if redact(msgspec.json.encode(given).decode())[1]:
        raise BadRequest("there is a secret in what should bring it back: say it without")
    try:
        return checked(given)
    except BadTrigger as wrong:
        raise BadRequest(f"that cannot be waited for: {wrong}") from None


# ---- which there are


class IntentionsListed(Reply, frozen=True, kw_only=True):
    """Intentions: what is due first, then by urgency; ended ones last."""

    intentions: list[IntentionView]
    total: int


class ListIntentions(Operation[IntentionsListed], frozen=True, kw_only=True):
    """Show what is intended in a project and everywhere."""

    NAME = "list-intentions"
    ONE_WAY = ONE_WAY
    VERBS = (Verb("intend", flag=Option("--list", "Show what you mean to do; the due first.")),)
    project: Annotated[str | None, Here("--project")] = None
    everything: Annotated[bool, Option("--all", "With --list: of every project, and ended.")] = (
        False
    )
    limit: Annotated[
        Count, Option("--limit", "With --list: how many at most.", True, within=(1, 1_000))
    ] = 100

    async def answer(self, parts: Parts, _: Progress) -> IntentionsListed:
        here = await open_in(parts, self.project, everything=self.everything)
        here.sort(key=lambda one: (one.ended_at is not None, not one.due))
        return IntentionsListed(intentions=here[: self.limit], total=len(here))

    def lines(self, found: IntentionsListed) -> Iterator[Line]:
        for one in found.intentions:
            yield [one.id, _standing(one), one.priority, one.text, one.when]
        if not found.intentions:
            yield "nothing is intended; 'reverie intend TEXT --at WHEN' changes that"
        elif more := shown_of(found.intentions, found.total):
            yield more


async def open_in(
    parts: Parts, project: str | None, *, everything: bool = False
) -> list[IntentionView]:
    """Open intentions of a project and of everywhere, or all there are; the most urgent first."""
    from actors.policy.night.intentions import is_open, most_urgent_first
    from actors.session.shapes import WhatIsIntended

    at = parts.clock.now()
    known = await parts.mailboxes.working_memory.ask(WhatIsIntended(at), within=WITHIN)
    due = {one.intention_id: is_due for one, is_due in known}
    return [
        _view(one, due=due[one.intention_id])
        for one in most_urgent_first((one for one, _ in known), at)
        if everything or (is_open(one) and one.project in (None, project))
    ]


def _standing(one: IntentionView) -> str:
    """State of an intention, in a word or two."""
    if one.status == "snoozed" and one.snoozed_until is not None:
        return f"snoozed {duration(max(0.0, one.snoozed_until - now() + 30))}"
    if one.status in ("active", "triggered"):
        return "due" if one.due else "open"
    return {"fulfilled": "done"}.get(one.status, one.status)


# ---- one


class IntentionPast(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to an intention."""

    at: float
    what: str
    session: str | None


class IntentionShown(Reply, frozen=True, kw_only=True):
    """One intention, and what happened to it, oldest first."""

    intention: IntentionView
    past: list[IntentionPast]


class ShowIntention(Operation[IntentionShown], frozen=True, kw_only=True):
    """Show one intention with its past."""

    NAME = "show-intention"
    ONE_WAY = ONE_WAY
    VERBS = (
        Verb("intend", flag=Option("--show", "Show one with its past.", metavar="ID"), fills="id"),
    )
    id: str

    async def answer(self, parts: Parts, _: Progress) -> IntentionShown:
        from actors.session.shapes import NoSuchIntention
        from daemon.storage import intentions

        number = _number(self.id)
        every = await open_in(parts, None, everything=True)
        found = next((one for one in every if one.id == f"i{number}"), None)
        if found is None:
            raise NoSuchIntention
        past = await parts.reader.read(intentions.past, number)
        return IntentionShown(
            intention=found,
            past=[IntentionPast(at=at, what=what, session=session) for at, what, session in past],
        )

    def lines(self, shown: IntentionShown) -> Iterator[Line]:
        one, moment = shown.intention, now()
        by = f"in session {one.session}" if one.session else "by hand"
        yield ["what", one.text]
        yield ["when", one.when]
        yield ["state", _standing(one)]
        yield ["priority", one.priority]
        yield ["project", one.project or "every"]
        yield ["made", f"{age(moment - one.made_at)}, {by}"]
        yield ["reminders", str(one.reminders)]
        if one.deadline is not None:
            yield ["deadline", f"{local(one.deadline):%Y-%m-%d %H:%M}"]
        yield "\npast"
        for past in shown.past:
            yield ["", age(moment - past.at), past.what, past.session or ""]


class ChangeIntention(Operation[Intended], frozen=True, kw_only=True):
    """Note that it was done, is given up, or is put off by so many seconds."""

    NAME = "change-intention"
    ONE_WAY = ONE_WAY
    VERBS = (
        Verb(
            "intend",
            {"change": "done"},
            flag=Option(
                "--done", "It is done; what recurs comes back at its next time.", metavar="ID"
            ),
            fills="id",
        ),
        Verb(
            "intend",
            {"change": "cancelled"},
            flag=Option("--cancel", "Give it up, every occurrence of it.", metavar="ID"),
            fills="id",
        ),
        Verb(
            "intend",
            {"change": "snoozed"},
            flag=Option("--snooze", "Put it off, for half an hour or --in DURATION.", metavar="ID"),
            fills="id",
        ),
    )
    id: str
    change: Change
    seconds: float | None = None
    after: Annotated[str, Option("--in", "")] = ""  # the same in words

    def prepared(self, _: Terminal, /) -> Self:
        """Read the words."""
        seconds = duration_given(self.after, "--in") if self.after else None
        return msgspec.structs.replace(self, seconds=seconds)

    async def answer(self, parts: Parts, _: Progress) -> Intended:
        from actors.policy.night.intentions import aged, changed
        from actors.session.shapes import IntentionChanged

        if self.seconds is not None and not 0 < self.seconds < FARTHEST:
            raise BadRequest("an intention is put off by more than nothing")
        number, at = _number(self.id), parts.clock.now()
        if self.agent_in is not None:
            here = {one.id for one in await open_in(parts, parts.project_meant(self.agent_in))}
            if f"i{number}" not in here:
                raise BadRequest(f"i{number} is no open intention of this project")
        before = aged(await _stored(parts, number), at)
        after = changed(before, self.change, at, self.seconds)
        if after != before:
            await parts.commit((IntentionChanged(after, self.change, at),))
        return Intended(intention=_view(after, due=False))

    def lines(self, done: Intended) -> list[Line]:
        one = done.intention
        return [f"{one.id}  {_standing(one)}: {one_line(one.text)}"]


class EraseIntention(Operation[Done], frozen=True, kw_only=True):
    """Let no byte of an intention stay."""

    NAME = "erase-intention"
    ONE_WAY = ONE_WAY
    WITHIN: ClassVar[float] = 620.0  # every file is rewritten
    VERBS = (
        Verb(
            "intend",
            flag=Option(
                "--erase", "Erase it for good, with the prompts that say it.", metavar="ID"
            ),
            fills="id",
        ),
    )
    id: str

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.session.shapes import IntentionErased
        from daemon.answers.forget import erase

        number = _number(self.id)
        await _stored(parts, number)
        count, left = await erase(parts, (IntentionErased(number, at=parts.clock.now()),))
        return Done(count=count, note=f"the text is gone from every file{left and f' but {left}'}")

    def lines(self, done: Done) -> list[Line]:
        return [f"erased {one_line(self.id)} ({one_line(done.note)})"]


def _view(one: Intention, *, due: bool) -> IntentionView:
    from actors.policy.night.intention_triggers import worded
    from daemon.times import LocalZone

    return view(
        IntentionView,
        one,
        id=f"i{one.intention_id}",
        when=worded(one.trigger, LocalZone()),
        priority=one.priority.name.lower(),
        status=one.status.value,
        due=due,
    )


def _number(name: str) -> int:
    """The number in an id. Raises ``NoSuchIntention``."""
    from actors.session.shapes import NoSuchIntention

    found = ID.fullmatch(name)
    if found is None:
        raise NoSuchIntention
    return int(found[1])


async def _stored(parts: Parts, number: int) -> Intention:
    from actors.session.shapes import NoSuchIntention
    from daemon.storage import intentions

    one = await parts.reader.read(intentions.intention, number)
    if one is None:
        raise NoSuchIntention
    return one
