"""A text that a person or an agent wants kept; one that says something else from now on, or again."""

import msgspec

from actors.gate.drafts import content_hash, derived_of, rewritten_standing, stated_now
from actors.gate.messages import Draft, Keep, Verdict
from actors.gate.writes import Audited
from actors.memory.rows import Memory
from actors.memory.writes import Origin, Rewritten
from actors.policy.decay.reinforcement import EDITS, LABILE
from actors.policy.events.secret_names import is_all_secret
from actors.policy.references.naming import is_secret
from actors.policy.references.references import Reference
from actors.policy.references.symbols import digest
from actors.policy.statements.sources import AGENT
from actors.policy.statements.statements import kind_of_kept
from actors.policy.statements.trust import may_change
from actors.policy.text.wording import titled
from actors.staleness.messages import PlaceGiven
from daemon.context import Parts, commit, known_memories, project_meant, table
from daemon.projects import place_in
from daemon.requests.acceptance import check, check_length, interval
from daemon.requests.remember import Decided, Edit, Edited, Remember
from daemon.requests.rows import ImportRow
from daemon.requests.shapes import BadRequest
from daemon.storage import edit as edit_stored
from daemon.views import memory_number, short_id, view

KEEP_DEADLINE = 60.0  # seconds for one text
_TYPES: dict[str, str] = {
    # kind -> memory_type, whose half-life a new memory has
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
_SAID_AS: dict[str, str] = {
    # word of the inbox, where a reader's notes are looked at -> kind
    "rule": "convention",
    "wish": "preference",
    "trap": "discovery",
    "cause": "discovery",
}
_CONTEXTS: dict[str, str] = {
    # kind -> context_type
    "decision": "decision",
    "discovery": "discovery",
    "feature": "implementation",
    "bugfix": "implementation",
    "change": "implementation",
}
_IMPORTANCE: dict[str, float] = {
    # tier -> importance
    "constitutional": 1.0,
    "critical": 1.0,
    "important": 0.8,
    "normal": 0.5,
    "temporary": 0.2,
    "deprecated": 0.1,
}


class AllSecret(BadRequest):
    """Error: nothing is left of a text to remember without its secrets."""

    def __init__(self) -> None:
        super().__init__("the text is nothing but a secret: it is not kept")


def _cleaned(parts: Parts, text: str) -> tuple[str, bool]:
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
    check(row)
    text, secret = _cleaned(parts, row.text)
    if is_all_secret(text):
        raise AllSecret
    title, _ = _cleaned(parts, row.title)
    target = row.target if isinstance(row, Remember) else None
    begun, over = interval(row)
    kind = _SAID_AS.get(row.type, row.type)
    if not kind:
        kind = "fact" if source == AGENT else kind_of_kept(text)
    return Draft(
        text=text,
        title=title,
        kind=kind,
        tier=row.tier,
        project=project_meant(parts, row.project),
        triggers=tuple(_cleaned(parts, phrase)[0] for phrase in row.triggers),
        origin=Origin(source, row.session if isinstance(row, Remember) else None, redacted=secret),
        at=at,
        memory_type=_TYPES.get(kind, "declarative"),
        context_type=_CONTEXTS.get(kind, "general"),
        importance=_IMPORTANCE[row.tier],
        key=row.key if isinstance(row, ImportRow) else None,
        intent=row.intent if isinstance(row, Remember) else "auto",
        target=None if target is None else memory_number(target),
        status="confirmed" if row.status == "noticed" else row.status,  # its source tells so
        valid_from=begun,
        valid_until=over,
    )


def decided(verdict: Verdict) -> Decided:
    """Outcome of a text, for the wire."""
    return view(Decided, verdict, id=short_id(verdict.memory_id))


async def remember(parts: Parts, request: Remember) -> Decided:
    """Keep one text."""
    if request.intent in ("update", "supersede") and request.target is None:
        raise BadRequest(f"{request.intent} needs the id of the memory that is meant")
    if request.source == AGENT and request.target is not None:
        (target,) = await known_memories(parts, [request.target])
        check_agent(parts, target, request.project)
    about = _line_of(parts, request)
    if request.line is not None and about is not None:
        text = request.text.rstrip()
        if text and request.line.text.strip() not in text:  # what is no quotation names its place
            text = f"{text} ({about.path}:{about.line})"
        request = msgspec.structs.replace(request, text=text)
    draft = draft_of(parts, request, request.source, parts.clock.now())
    verdicts: list[Verdict] = await parts.mailboxes.gate.ask(
        lambda reply: Keep((draft,), reply), within=KEEP_DEADLINE
    )
    if about is not None:
        parts.mailboxes.staleness.hint(PlaceGiven(verdicts[0].memory_id, about))
    return decided(verdicts[0])


def _line_of(parts: Parts, request: Remember) -> Reference | None:
    """Refer to the line that a memory is about; None without one, and where it may hold a secret."""
    line, project = request.line, project_meant(parts, request.project)
    path = place_in(project, line.path) if line is not None and project is not None else None
    if line is None or path is None or is_secret(path):
        return None
    return Reference(path, digest=digest([line.text]), line=line.number, given=True)


BY_PERSON = "hand"  # the source of what is edited
BY_HAND = "edited by hand"
BY_AGENT = "corrected by an agent"
UNDONE = "an edit was undone"


async def edit(parts: Parts, request: Edit) -> Edited:
    """Give a memory another text; the one before is kept as a version.

    While the memory is labile all edits together are one version (docs/adr/0009).
    """
    (memory,) = await known_memories(parts, [request.id])
    at = parts.clock.now()
    if memory.ended is not None:
        raise BadRequest(f"{short_id(memory.id)} is {memory.ended}: reverie unforget comes first")
    by_agent = request.agent_in is not None
    if by_agent:
        check_agent(parts, memory, request.agent_in)
    window = await parts.reader.read(edit_stored.window, memory.id, at)
    if request.undo:
        text, title = await _former(parts, memory)
    else:
        text, title = _said(parts, request, memory)
        if window is not None and window.edits >= EDITS:
            wait = LABILE - (at - window.opened_at)
            raise BadRequest(
                f"{short_id(memory.id)} was edited {window.edits} times since it was recalled:"
                f" it settles in {wait:.0f} seconds, then it can be edited again"
            )
    draft = Draft(
        text, title, memory.kind, memory.tier, memory.project, memory.triggers,
        Origin(AGENT if by_agent else BY_PERSON), at,
        status="confirmed" if memory.status == "noticed" else memory.status,  # as it is stored
    )  # fmt: skip
    rewritten = Rewritten(
        memory.id, text, title, memory.triggers, derived_of(draft), content_hash(text), at,
        UNDONE if request.undo else BY_AGENT if by_agent else BY_HAND, while_labile=not request.undo,
        standing=rewritten_standing(draft, memory),
    )  # fmt: skip
    audited = Audited(
        "UPDATE", memory.id, None, None, rewritten.reason, None, rewritten.content_hash,
        memory.project, at,
    )  # fmt: skip
    # What a person words anew is their word from then on.
    stated = () if request.undo else stated_now(draft, memory)
    await commit(parts, (rewritten, audited, *stated))
    (after,) = await known_memories(parts, [request.id])
    settles = None if window is None or request.undo else window.opened_at + LABILE
    return Edited(
        id=short_id(memory.id), version=after.versions, before=memory.text, settles_at=settles
    )


def check_agent(parts: Parts, memory: Memory, project: str | None) -> None:
    """Raise ``BadRequest`` unless an agent in this project may change or replace the memory."""
    name = short_id(memory.id)
    if memory.project != project_meant(parts, project):
        raise BadRequest(f"{name} is not of this project: only notes of this project are changed")
    if not may_change(
        target=memory.source, confidence=memory.confidence, tier=memory.tier, pinned=memory.pinned
    ):
        raise BadRequest(
            f"{name} is what the user said, confirmed or keeps, and stays as it is: remember yours"
            " beside it, without an id, or ask the user"
        )


def _said(parts: Parts, request: Edit, memory: Memory) -> tuple[str, str]:
    """The new text and title, without secrets."""
    said = request.text or (memory.text if request.title else "")
    text, title = said.replace("\0", "�"), request.title.replace("\0", "�")
    if not text.strip():
        raise BadRequest("the text is empty: reverie forget ends a memory")
    check_length(text, "text")
    plain, _ = parts.redact(text)
    named, _ = parts.redact(title)
    if is_all_secret(plain):
        raise AllSecret
    if plain == memory.text and named in ("", memory.title):
        raise BadRequest(f"{short_id(memory.id)} says that already")
    return plain, named or titled(plain)


async def _former(parts: Parts, memory: Memory) -> tuple[str, str]:
    """What a memory said before its last version."""
    found = await parts.reader.read(edit_stored.last_version, memory.id)
    if found is None:
        raise BadRequest(
            f"{short_id(memory.id)} never said anything else: there is no edit to undo"
        )
    return found


ANSWERS = table(remember, edit)
