"""Intentions: plans of a person for later, and their fates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, Self

import msgspec

from daemon.api.operation import Argument, Here, InProject, Line, Operation, Option, Terminal, Verb
from daemon.commands.terminal.words import duration, duration_given, moment_to_come, now, one_line
from daemon.shapes.replies import BadRequest, Done, NotThere, Reply
from daemon.views import view

if TYPE_CHECKING:
    from actors.policy.events.cutting import Redact
    from actors.policy.night.intentions import Intention, Trigger
    from daemon.context import Parts, Progress

Form = dict[str, Any]  # of a trigger
Change = Literal["done", "cancelled", "snoozed"]
ONE_WAY: Final = "Give TEXT, --list, or one of --done, --cancel, --snooze, --erase."
WITHIN: Final = 10.0  # seconds
LONGEST: Final = 2_000  # characters of an intention
ONE_TIME: Final = "Say when, in one way: --at, --in, --on-file or --when."
UNKNOWN: Final = (
    "no_such_intention",
    "there is no intention with this id: reverie intend --list --all shows them",
)
ID: Final = re.compile(r"i?([1-9]\d{0,15})")


class IntentionView(msgspec.Struct, frozen=True, kw_only=True):
    """An intention."""

    id: str  # i1
    text: str
    when: str  # what brings it back to mind, in words
    status: str  # active, triggered, fulfilled, cancelled, snoozed
    due: bool  # its moment came, or the user was reminded, and it is not done
    made_at: float
    snoozed_until: float | None
    ended_at: float | None
    project: str | None  # where it counts; None: everywhere


class Intended(Reply, frozen=True, kw_only=True):
    """An intention as it is now."""

    intention: IntentionView


class Intend(Operation[Intended], frozen=True, kw_only=True):
    """Be reminded of something when it is time.

    TEXT is what to do. Say when: at a time, at a file, or when something is said.
    The agent's next matching prompt gets it as a note, at most five times, half an hour apart.
    With --list, --done, --cancel, --snooze or --erase it is about what you mean to do already.
    Memories that say what is erased are erased with 'reverie forget --erase'.
    """

    NAME = "intend"
    FOR_AGENTS = True
    ONE_WAY = ONE_WAY
    VERBS = (Verb("intend"),)
    text: Annotated[str, Argument("[TEXT]...", joined=" ")] = ""
    # A map with one key: {"at": seconds}, {"file": glob}, {"words": text}.
    trigger: Form = msgspec.field(default_factory=dict[str, Any])
    session: str | None = None  # of the agent that makes it
    # In the words of a person, of which the trigger is made before it is asked:
    at: Annotated[
        str, Option("--at", "tomorrow 9:00, friday, 2026-12-01 14:30, …", metavar="WHEN")
    ] = ""
    after: Annotated[str, Option("--in", "2h, 30m, 3 days, …", metavar="DURATION")] = ""
    file: Annotated[str, Option("--on-file", "A file is touched.", metavar="GLOB")] = ""
    words: Annotated[str, Option("--when", "A prompt or command says it.", metavar="TEXT")] = ""
    project: Annotated[
        str | None,
        InProject("--project", "Only in this project ('.': the current one), not in all."),
    ] = None

    def prepared(self, _: Terminal, /) -> Self:
        if not self.text:
            raise ValueError(ONE_WAY)
        given: Form = {
            "at": moment_to_come(self.at or self.after, "--at" if self.at else "--in")
            if self.at or self.after
            else None,
            "file": self.file,
            "words": self.words,
        }
        trigger = {kind: value for kind, value in given.items() if value}
        if len(trigger) != 1 or (self.at and self.after):
            raise ValueError(ONE_TIME)
        return msgspec.structs.replace(self, trigger=trigger)

    async def answer(self, parts: Parts, _: Progress) -> Intended:
        from actors.policy.events.fence import stripped
        from actors.policy.night.intentions import Intention
        from actors.policy.secrets.secret_words import is_all_secret
        from actors.session.shapes import NO_ROOM, IntentionMade
        from daemon.answers.remember import AllSecret

        text, _kinds = parts.redact(stripped(self.text).strip())
        if is_all_secret(text):
            raise AllSecret
        if not text:
            raise BadRequest("there is nothing to be reminded of")
        if len(text) > LONGEST:
            raise BadRequest(f"longer than {LONGEST:,} characters: remember it, and intend a line")
        wanted = Intention(
            "",
            text,
            _trigger(self.trigger, parts.redact),
            parts.clock.now(),
            project=self.project,
            session=self.session,
        )
        (number,) = await parts.commit((IntentionMade(wanted),))
        if number == NO_ROOM:
            raise BadRequest(
                "a hundred intentions are open: end some with reverie intend --done or --cancel"
            )
        return Intended(intention=_view(await _stored(parts, number), due=False))

    def lines(self, made: Intended) -> list[Line]:
        one = made.intention
        where = f" (in {one.project})" if one.project else ""
        return [f"{one.id}  you will be reminded {one_line(one.when)}{where}"]


def _trigger(given: Form, redact: Redact) -> Trigger:
    from actors.policy.night.intentions import BadTrigger, checked

    if redact(msgspec.json.encode(given).decode())[1]:
        raise BadRequest("there is a secret in what should bring it back: say it without")
    try:
        return checked(given)
    except BadTrigger as wrong:
        raise BadRequest(f"that cannot be waited for: {wrong}") from None


class IntentionsListed(Reply, frozen=True, kw_only=True):
    """Intentions: what is due first, then the oldest; ended ones last."""

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

    async def answer(self, parts: Parts, _: Progress) -> IntentionsListed:
        here = await open_in(parts, self.project, everything=self.everything)
        here.sort(key=lambda one: (one.ended_at is not None, not one.due))
        return IntentionsListed(intentions=here, total=len(here))

    def lines(self, found: IntentionsListed) -> Iterator[Line]:
        for one in found.intentions:
            yield [one.id, _standing(one), one.text, one.when]
        if not found.intentions:
            yield "nothing is intended; 'reverie intend TEXT --at WHEN' changes that"


async def open_in(
    parts: Parts, project: str | None, *, everything: bool = False
) -> list[IntentionView]:
    """Open intentions of a project and of everywhere, or all there are; the oldest first."""
    from actors.policy.night.intentions import is_open
    from actors.session.shapes import WhatIsIntended

    known = await parts.mailboxes.working_memory.ask(
        WhatIsIntended(parts.clock.now()), within=WITHIN
    )
    return [
        _view(one, due=due)
        for one, due in known
        if everything or (is_open(one) and one.project in (None, project))
    ]


def _standing(one: IntentionView) -> str:
    if one.status == "snoozed" and one.snoozed_until is not None:
        return f"snoozed {duration(max(0.0, one.snoozed_until - now() + 30))}"
    if one.status in ("active", "triggered"):
        return "due" if one.due else "open"
    return {"fulfilled": "done"}.get(one.status, one.status)


class ChangeIntention(Operation[Intended], frozen=True, kw_only=True):
    """Note that it was done, is given up, or is put off by so many seconds."""

    NAME = "change-intention"
    FOR_AGENTS = True
    ONE_WAY = ONE_WAY
    VERBS = tuple(
        Verb("intend", {"change": change}, flag=Option(flag, said, metavar="ID"), fills="id")
        for change, flag, said in (
            ("done", "--done", "It is done."),
            ("cancelled", "--cancel", "Give it up."),
            ("snoozed", "--snooze", "Put it off, for half an hour or --in DURATION."),
        )
    )
    id: str
    change: Change
    seconds: float | None = None
    after: Annotated[str, Option("--in", "")] = ""  # the same in words

    def prepared(self, _: Terminal, /) -> Self:
        seconds = duration_given(self.after, "--in") if self.after else None
        return msgspec.structs.replace(self, seconds=seconds)

    async def answer(self, parts: Parts, _: Progress) -> Intended:
        from actors.policy.night.intentions import FARTHEST, SNOOZE, changed
        from actors.session.shapes import IntentionChanged

        if self.seconds is not None and not 0 < self.seconds < FARTHEST:
            raise BadRequest("an intention is put off by more than nothing")
        number, at = _number(self.id), parts.clock.now()
        if self.agent_in is not None:
            here = {one.id for one in await open_in(parts, parts.project_meant(self.agent_in))}
            if f"i{number}" not in here:
                raise BadRequest(f"i{number} is no open intention of this project")
        before = await _stored(parts, number)
        after = changed(before, self.change, at, self.seconds or SNOOZE)
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
    from actors.policy.night.intentions import worded
    from daemon.times import LocalZone

    return view(
        IntentionView,
        one,
        id=f"i{one.intention_id}",
        when=worded(one.trigger, LocalZone()),
        due=due,
    )


def _number(name: str) -> int:
    found = ID.fullmatch(name)
    if found is None:
        raise NotThere(*UNKNOWN)
    return int(found[1])


async def _stored(parts: Parts, number: int) -> Intention:
    from daemon.storage import intentions

    one = await parts.reader.read(intentions.intention, number)
    if one is None:
        raise NotThere(*UNKNOWN)
    return one
