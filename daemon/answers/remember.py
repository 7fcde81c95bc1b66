"""Drafts of texts from a person or an agent, and an agent's right to change a memory."""

from msgspec.structs import astuple

from actors.gate.messages import Draft, Keep, Verdict
from actors.memory.particulars import Particulars, particulars_of
from actors.memory.rows import Memory
from actors.memory.writes import Origin
from actors.policy.references.naming import is_secret
from actors.policy.references.references import Reference
from actors.policy.references.symbols import digest
from actors.policy.secrets.secret_words import is_all_secret
from actors.policy.statements.sources import AGENT
from actors.policy.statements.statements import kind_of_kept
from actors.policy.statements.trust import may_change
from actors.staleness.messages import PlaceGiven
from daemon.context import Parts
from daemon.projects import place_in
from daemon.shapes.acceptance import GivenText, check, interval
from daemon.shapes.replies import BadRequest
from daemon.views import short_id

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


def cleaned(parts: Parts, text: str) -> tuple[str, bool]:
    """A text without its secrets, and whether it had any."""
    plain = text.replace("\0", "�").encode("utf-8", "replace").decode("utf-8")
    cleaned, kinds = parts.redact(plain)
    return cleaned, bool(kinds)


def draft_of(
    parts: Parts,
    said: GivenText,
    source: str,
    at: float,
    session: str | None = None,
) -> Draft:
    """The draft of a client's text: redacted, its type spelt out.

    Raises ``BadRequest`` for a text empty, too long, or nothing but a secret.
    """
    check(said)
    text, secret = cleaned(parts, said.text)
    if is_all_secret(text):
        raise AllSecret
    title, _ = cleaned(parts, said.title)
    begun, over = interval(said)
    kind = _SAID_AS.get(said.type, said.type)
    if not kind:
        kind = "fact" if source == AGENT else kind_of_kept(text)
    return Draft(
        text=text,
        title=title,
        kind=kind,
        tier=said.tier,
        project=parts.project_meant(said.project),
        triggers=tuple(cleaned(parts, phrase)[0] for phrase in said.triggers),
        origin=Origin(source, session, redacted=secret),
        at=at,
        memory_type=_TYPES.get(kind, "declarative"),
        context_type=_CONTEXTS.get(kind, "general"),
        importance=_IMPORTANCE[said.tier],
        status="confirmed" if said.status == "noticed" else said.status,  # its source tells so
        valid_from=begun,
        valid_until=over,
        particulars=_particulars(parts, said),
    )


def _particulars(parts: Parts, said: GivenText) -> Particulars:
    return Particulars(*(cleaned(parts, text)[0] for text in astuple(particulars_of(said))))


async def keep(parts: Parts, draft: Draft, about: Reference | None) -> Verdict:
    """Keep a text, which is about a line if one is given."""
    verdicts = await parts.mailboxes.gate.ask(Keep((draft,)), within=KEEP_DEADLINE)
    if about is not None:
        parts.mailboxes.staleness.hint(PlaceGiven(verdicts[0].memory_id, about))
    return verdicts[0]


def line_of(
    parts: Parts, project: str | None, file: str, number: int, text: str
) -> Reference | None:
    """Refer to a line of a project's file; nothing where it may hold a secret."""
    root = parts.project_meant(project)
    path = None if root is None else place_in(root, file)
    if path is None or is_secret(path):
        return None
    return Reference(path, digest=digest([text]), line=number, given=True)


def check_agent(parts: Parts, memory: Memory, project: str | None) -> None:
    """Raise ``BadRequest`` unless an agent in this project may change or replace the memory."""
    name = short_id(memory.id)
    if memory.project != parts.project_meant(project):
        raise BadRequest(f"{name} is not of this project: only notes of this project are changed")
    if not may_change(
        target=memory.source, confidence=memory.confidence, tier=memory.tier, pinned=memory.pinned
    ):
        raise BadRequest(
            f"{name} is what the user said, confirmed or keeps, and stays as it is: remember yours"
            " beside it, without an id, or ask the user"
        )
