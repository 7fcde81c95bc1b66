"""The order of reading: the next session to read, and the reader's reasons to wait.

Nothing here excludes a session for its words. Captured turns (``actors.policy.decay.capture``) give the
order; the counts an hour and a day and the day's tokens bound the amount. Other readers of sessions
were left on without such limits and spent millions of tokens a day (claude-mem #2201).
"""

import math
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from typing import Final

from msgspec import Struct

from actors.policy.decay.capture import EventKind
from actors.policy.reader.exchange import Reason

MINUTE: Final = 60.0  # seconds
HOUR: Final = 3_600.0
DAY: Final = 86_400.0
AGAIN: Final = (10 * MINUTE, HOUR, 6 * HOUR)  # after the first, second and third failure
IN_A_ROW: Final = 2  # failures for one reason that stop an engine
ALONE: Final = 10 * MINUTE  # without a person, before a local engine begins
SETTLED: Final = MINUTE  # after the last event, before another engine begins
ENDED: Final = "ended"  # the status of a session that is over
# Why a turn was captured, as a person is told it.
CAPTURED: Final = {
    EventKind.USER_FLAG.value: "you asked to remember something",
    EventKind.DECISION.value: "you decided something",
    EventKind.CORRECTION.value: "you corrected the agent",
    EventKind.TEST_FIXED.value: "a failing test was mended",
    EventKind.RESOLUTION.value: "a failure ended",
    EventKind.REVERT.value: "work was taken back",
}


class Settings(Struct, frozen=True):
    """Limits of reading, each a person's to change."""

    still: float = 45 * MINUTE  # seconds without an event after which a session is read
    per_hour: int = 3  # sessions
    per_day: int = 12
    tokens_per_day: int = 200_000  # of input and output, failed requests included


class Unread(Struct, frozen=True):
    """A session of which something was not read yet."""

    session: str
    agent: str
    project: str | None
    started_at: float  # seconds UTC
    seen_at: float  # when its last event came
    status: str  # of the session: active, ended
    emptied_at: float  # when its context was last cleared or compacted; 0: never
    first_seq: int  # of what was not read
    last_seq: int
    prompts: int  # in what was not read
    tries: int  # failed ones in a row
    next_try: float
    given_up: bool
    failure: str
    captured: str  # the kind of the moment by which a turn was captured last; "" when none was
    captured_at: float
    unread_since: float  # when the first event came that was not read

    def is_ripe(self, now: float, still: float) -> bool:
        """Tell whether it ended, was still for so many seconds, or was compacted since it was read."""
        since_event = now - self.seen_at
        compacted = self.emptied_at >= self.unread_since > 0.0
        return self.status == ENDED or since_event >= still or compacted


class PastReading(Struct, frozen=True):
    """A request to an engine."""

    id: int
    session: str
    project: str | None
    engine: str
    why: str
    began_at: float
    ended_at: float
    tokens: int
    dollars: float | None
    failure: str  # "": it was read
    written: int


class Presence(Struct, frozen=True):
    """Presence of people and agents, and the machine's source of power."""

    person: float  # seconds since a person typed a prompt, edited a file or gave a command
    event: float  # seconds since anything happened
    on_battery: bool = False


def why_not(one: Unread, barred: str, now: float, consent: float, settings: Settings) -> str:
    """Tell why a session is not read by itself now; empty when it is to be read.

    ``barred``: why it may not be read at all; empty when it may.
    """
    if barred:
        return barred
    if one.started_at < consent:
        return "it began before the reader was agreed to: reverie reader now --all reads it"
    if one.given_up:
        return "it failed four times: reverie reader now --session tries it again"
    if one.prompts == 0:
        return "nothing was typed in it since it was read"
    if not one.is_ripe(now, settings.still):
        return "it goes on"
    if one.next_try > now:
        return f"it is tried again in {math.ceil((one.next_try - now) / MINUTE)} min"
    return ""


def in_order(sessions: Sequence[Unread], now: float, zone: tzinfo) -> list[Unread]:
    """Sessions in the order of reading: of today, then with captured turns, then the newest."""
    today = _local(now, zone).date()

    def rank(one: Unread) -> tuple[bool, bool, float]:
        return (_local(one.seen_at, zone).date() != today, not one.captured, -one.seen_at)

    return sorted(sessions, key=rank)


def reason(one: Unread, now: float, zone: tzinfo) -> str:
    """Reason for reading this session now, in a line for ``why``; ``zone``: where the person lives."""
    if one.captured in CAPTURED:
        return f"read because {CAPTURED[one.captured]} at {_local(one.captured_at, zone):%H:%M}"
    if _local(one.seen_at, zone).date() == _local(now, zone).date():
        return "read because it is of today"
    return "read because nothing more urgent was left"


def limit(spent: Sequence[PastReading], now: float, settings: Settings) -> str:
    """Reason for reading nothing more for now; empty when something may be.

    Times in the future, after a clock was set back, count as of now: a limit is never undercut.
    """
    recent = [one for one in spent if now - one.ended_at < DAY]
    if len({one.began_at for one in recent if now - one.began_at < HOUR}) >= settings.per_hour:
        return f"{settings.per_hour} sessions were read within the hour"
    if len({one.began_at for one in recent}) >= settings.per_day:
        return f"{settings.per_day} sessions were read within a day"
    if sum(one.tokens for one in recent) >= settings.tokens_per_day:
        return f"the {settings.tokens_per_day:,} tokens of a day are spent"
    return ""


def stopped(spent: Sequence[PastReading], looked: float) -> str:
    """Reason for not asking an engine any more; empty when it is asked.

    It stops after two failures in a row for one reason, until a person looks. Somebody coming back
    is no failure of an engine, and a good reader of sessions need not understand a night's
    question.
    """
    ended = [one for one in spent if one.session and one.failure != Reason.INTERRUPTED.value]
    last = ended[-IN_A_ROW:]
    alike = {one.failure for one in last}
    if len(last) < IN_A_ROW or len(alike) > 1 or alike == {""} or last[-1].ended_at <= looked:
        return ""
    return f"it failed twice in a row: {last[-1].failure}"


def absence(presence: Presence) -> str:
    """Reason for a local engine to wait; empty when it may run."""
    if presence.person < ALONE:
        return "somebody is there"
    return "on battery" if presence.on_battery else ""


def after_failure(tries: int, now: float) -> tuple[float, bool]:
    """Return the time of the next try after so many failures in a row, and whether the session is given up."""
    if tries > len(AGAIN):
        return math.inf, True
    return now + AGAIN[max(tries, 1) - 1], False


def _local(at: float, zone: tzinfo) -> datetime:
    return datetime.fromtimestamp(at, UTC).astimezone(zone)
