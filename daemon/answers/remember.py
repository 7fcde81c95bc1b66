"""A text that a person or an agent wants kept."""

from datetime import UTC, datetime

from actors.gate.messages import Draft, Keep, Verdict
from actors.memory.writes import Origin
from actors.policy.events.all_secret import is_all_secret
from daemon.context import Parts, Progress, project_meant, table
from daemon.ids import memory_number, short_id
from daemon.requests.imports import ImportRow
from daemon.requests.remember import Decided, Remember
from daemon.requests.shapes import BadRequest
from daemon.views import view

KEEP_DEADLINE = 60.0  # seconds for one text
TEXT_LIMIT = 100_000  # characters of one memory
END_OF_TIME = 6e10  # seconds: the year 3871; a calendar ends in 9999
_TYPES: dict[str, str] = {
    # kind -> memory_type, whose half-life a new memory has (features.md A21, M06)
    "decision": "semantic",
    "convention": "procedural",
    "preference": "procedural",
    "feature": "declarative",
    "bugfix": "declarative",
    "discovery": "declarative",
    "refactor": "episodic",
    "change": "episodic",
    "state": "declarative",  # its lifetime ends it, not its fading
    "insight": "semantic",
    "fact": "declarative",
}
_CONTEXTS: dict[str, str] = {
    # kind -> context_type, the classification of row A23
    "decision": "decision",
    "discovery": "discovery",
    "feature": "implementation",
    "bugfix": "implementation",
    "change": "implementation",
}
_IMPORTANCE: dict[str, float] = {
    # features.md C11
    "constitutional": 1.0,
    "critical": 1.0,
    "important": 0.8,
    "normal": 0.5,
    "temporary": 0.2,
    "deprecated": 0.1,
}


class AllSecret(BadRequest):
    """Of a text nothing is left to remember without its secrets."""

    def __init__(self) -> None:
        super().__init__("the text is nothing but a secret: it is not kept")


def _cleaned(parts: Parts, text: str, what: str) -> tuple[str, bool]:
    if len(text) > TEXT_LIMIT:
        raise BadRequest(f"the {what} has {len(text)} characters, the limit is {TEXT_LIMIT}")
    plain = text.replace("\0", "�").encode("utf-8", "replace").decode("utf-8")
    cleaned, kinds = parts.redact(plain)
    return cleaned, bool(kinds)


def draft_of(
    parts: Parts,
    row: ImportRow | Remember,
    source: str,
    at: float,
) -> Draft:
    """The draft of a text that a client wants kept: redacted, its type spelt out.

    Raises ``BadRequest`` for a text that is empty, too long, or nothing but a secret.
    """
    text, secret = _cleaned(parts, row.text, "text")
    if not text.strip():
        raise BadRequest("the text is empty: there is nothing to remember")
    if is_all_secret(text):
        raise AllSecret
    title, _ = _cleaned(parts, row.title, "title")
    target = row.target if isinstance(row, Remember) else None
    begun, over = _interval(row)
    return Draft(
        text=text,
        title=title,
        kind=row.type,
        tier=row.tier,
        project=project_meant(parts, row.project),
        triggers=tuple(_cleaned(parts, phrase, "trigger")[0] for phrase in row.triggers),
        origin=Origin(source, redacted=secret),
        at=at,
        memory_type=_TYPES.get(row.type, "declarative"),
        context_type=_CONTEXTS.get(row.type, "general"),
        importance=_IMPORTANCE[row.tier],
        key=row.key if isinstance(row, ImportRow) else None,
        intent=row.intent if isinstance(row, Remember) else "auto",
        target=None if target is None else memory_number(target),
        status=row.status,
        valid_from=begun,
        valid_until=over,
    )


def _interval(row: ImportRow | Remember) -> tuple[float | None, float | None]:
    """From when until when a text is said to be true.

    Raises ``BadRequest`` when that is no time, or never.
    """
    begun = None if row.valid_from is None else moment(row.valid_from, 0.0, "valid_from")
    over = None if row.valid_until is None else moment(row.valid_until, 0.0, "valid_until")
    if begun is not None and over is not None and over <= begun:
        raise BadRequest("valid_until is not after valid_from: it would never be true")
    return begun, over


def decided(verdict: Verdict) -> Decided:
    """What became of a text, for the wire."""
    return view(Decided, verdict, id=short_id(verdict.memory_id))


async def remember(parts: Parts, request: Remember, _: Progress) -> Decided:
    """Keep one text."""
    if request.intent in ("update", "supersede") and request.target is None:
        raise BadRequest(f"{request.intent} needs the id of the memory that is meant")
    draft = draft_of(parts, request, request.source, parts.clock.now())
    verdicts: list[Verdict] = await parts.mailboxes.gate.ask(
        lambda reply: Keep((draft,), reply), within=KEEP_DEADLINE
    )
    return decided(verdicts[0])


def moment(value: float | str | None, otherwise: float, what: str = "created_at") -> float:
    """Seconds since the epoch of a number (seconds or milliseconds) or an ISO date.

    Raises ``BadRequest`` for what is neither.
    """
    if value is None:
        return otherwise
    if isinstance(value, str):
        try:
            stamp = datetime.fromisoformat(value)
        except ValueError:
            raise BadRequest(f"{what} {value[:40]!r} is no ISO 8601 date") from None
        return (stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)).timestamp()
    seconds = value / 1000 if value > 1e11 else value  # milliseconds since 1973 are larger
    if not abs(seconds) < END_OF_TIME:  # NaN is neither
        raise BadRequest(f"{what} {value} is no time that a calendar has")
    return seconds


ANSWERS = table(remember)
