"""Intentions: made, listed, changed and erased."""

import json
import re

from actors.intentions.messages import (
    IntentionsErased,
    NoSuchIntention,
    TooManyIntentions,
    WhatIsIntended,
)
from actors.intentions.writes import NO_ROOM, IntentionChanged, IntentionErased, IntentionMade
from actors.memory.messages import EraseNow
from actors.policy.events.cutting import Redact
from actors.policy.events.fence import stripped
from actors.policy.events.secret_names import is_all_secret
from actors.policy.intentions.intentions import (
    Intention,
    Priority,
    aged,
    changed,
    is_open,
    most_urgent_first,
)
from actors.policy.intentions.triggers import BadTrigger, Trigger, checked, worded
from daemon.answers.erasure import ERASE_DEADLINE
from daemon.answers.remember import AllSecret
from daemon.clock import LocalZone
from daemon.context import Parts, check_limit, commit, project_meant, table
from daemon.requests import intentions as asked
from daemon.requests.shapes import BadRequest, Done
from daemon.storage import intentions
from daemon.views import view

WITHIN = 10.0  # seconds
LONGEST = 2_000  # characters of an intention
FARTHEST = 6e10  # seconds: a calendar ends in 9999
_ID = re.compile(r"i?([1-9]\d{0,15})")


def view_of(one: Intention, *, due: bool) -> asked.IntentionView:
    """An intention as clients see it."""
    return view(
        asked.IntentionView,
        one,
        id=f"i{one.intention_id}",
        when=worded(one.trigger, LocalZone()),
        priority=one.priority.name.lower(),
        status=one.status.value,
        due=due,
    )


async def intend(parts: Parts, request: asked.Intend) -> asked.Intended:
    """Keep an intention; durable when answered."""
    text, _kinds = parts.redact(stripped(request.text).strip())
    if is_all_secret(text):
        raise AllSecret
    if not text:
        raise BadRequest("there is nothing to be reminded of")
    if len(text) > LONGEST:
        raise BadRequest(f"longer than {LONGEST:,} characters: remember it, and intend a line")
    now = parts.clock.now()
    if request.deadline is not None and not now < request.deadline < FARTHEST:
        raise BadRequest("the deadline is over already, or beyond every calendar")
    trigger = _trigger(request.trigger, parts.redact)
    wanted = Intention(
        "",
        text,
        trigger,
        now,
        Priority[request.priority.upper()],
        request.deadline,
        project=request.project,
        session=request.session,
    )
    (number,) = await commit(parts, (IntentionMade(wanted),))
    if number == NO_ROOM:
        raise TooManyIntentions
    return asked.Intended(intention=view_of(await _one(parts, number), due=False))


async def _one(parts: Parts, number: int) -> Intention:
    found = await parts.reader.read(intentions.intention, number)
    if found is None:
        raise NoSuchIntention
    return found


def _trigger(given: object, redact: Redact) -> Trigger:
    if redact(json.dumps(given, ensure_ascii=False))[1]:
        raise BadRequest("there is a secret in what should bring it back: say it without")
    try:
        return checked(given)
    except BadTrigger as wrong:
        raise BadRequest(f"that cannot be waited for: {wrong}") from None


async def open_in(
    parts: Parts, project: str | None, *, everywhere: bool = False, ended: bool = False
) -> list[asked.IntentionView]:
    """Open intentions of a project and of everywhere, the most urgent first."""
    now = parts.clock.now()
    known: tuple[tuple[Intention, bool], ...] = await parts.mailboxes.working_memory.ask(
        lambda reply: WhatIsIntended(now, reply), within=WITHIN
    )
    due = {one.intention_id: is_due for one, is_due in known}
    return [
        view_of(one, due=due[one.intention_id])
        for one in most_urgent_first((one for one, _ in known), now)
        if (ended or is_open(one)) and (everywhere or one.project in (None, project))
    ]


async def list_intentions(parts: Parts, request: asked.ListIntentions) -> asked.IntentionsListed:
    """A page of intentions: what is due first, what has ended last."""
    check_limit(request.limit)
    here = await open_in(parts, request.project, everywhere=request.everywhere, ended=request.ended)
    here.sort(key=lambda one: (one.ended_at is not None, not one.due))
    return asked.IntentionsListed(intentions=here[: request.limit], total=len(here))


def number_of(name: str) -> int:
    """The number in an id. Raises ``NoSuchIntention``."""
    found = _ID.fullmatch(name)
    if found is None:
        raise NoSuchIntention
    return int(found[1])


async def show_intention(parts: Parts, request: asked.ShowIntention) -> asked.IntentionShown:
    """One intention with its past."""
    number = number_of(request.id)
    every = await open_in(parts, None, everywhere=True, ended=True)
    found = next((one for one in every if one.id == f"i{number}"), None)
    if found is None:
        raise NoSuchIntention
    past = await parts.reader.read(intentions.past, number)
    return asked.IntentionShown(
        intention=found,
        past=[asked.IntentionPast(at=at, what=what, session=session) for at, what, session in past],
    )


async def change_intention(parts: Parts, request: asked.ChangeIntention) -> asked.Intended:
    """Done, cancelled or snoozed; durable when answered."""
    if request.seconds is not None and not 0 < request.seconds < FARTHEST:
        raise BadRequest("an intention is put off by more than nothing")
    number, now = number_of(request.id), parts.clock.now()
    if request.agent_in is not None:
        here = {one.id for one in await open_in(parts, project_meant(parts, request.agent_in))}
        if f"i{number}" not in here:
            raise BadRequest(f"i{number} is no open intention of this project")
    before = aged(await _one(parts, number), now)
    after = changed(before, request.change, now, request.seconds)
    if after != before:
        await commit(parts, (IntentionChanged(after, request.change, now),))
    return asked.Intended(intention=view_of(after, due=False))


async def erase_intention(parts: Parts, request: asked.EraseIntention) -> Done:
    """Out of every file."""
    number = number_of(request.id)
    await _one(parts, number)
    count: int = await parts.mailboxes.long_term.ask(
        lambda reply: EraseNow((IntentionErased(number),), reply), within=ERASE_DEADLINE
    )
    await parts.mailboxes.working_memory.tell(IntentionsErased())
    return Done(count=count, note="the text is gone from every file")


ANSWERS = table(intend, list_intentions, show_intention, change_intention, erase_intention)
