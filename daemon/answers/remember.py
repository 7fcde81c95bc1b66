"""Drafts of texts from a person or an agent, an agent's right to change a memory, and its next text."""

from typing import Final

import msgspec
from msgspec.structs import astuple

from actors.gate.drafts import derived_of, rewritten_standing, stated_now
from actors.gate.messages import Audited, Keep, Verdict
from actors.memory.commit import Unit
from actors.memory.particulars import LIMIT, Particulars, particulars_of
from actors.memory.rows import Memory
from actors.memory.use import Retiered
from actors.memory.writes import Draft, Origin, ParticularsSet, Rewritten
from actors.policy.gate.gate_features import content_hash
from actors.policy.references.naming import is_secret
from actors.policy.references.references import Reference
from actors.policy.references.symbols import digest
from actors.policy.secrets.secret_words import is_all_secret
from actors.policy.statements.sources import AGENT, SHARED
from actors.policy.statements.statements import kind_of_kept
from actors.policy.statements.trust import may_change
from actors.policy.text.wording import titled
from actors.staleness.messages import PlaceGiven
from daemon.context import Parts
from daemon.projects import place_in
from daemon.shapes.replies import BadRequest
from daemon.shapes.rows import Edited, FileLine, ImportRow, check, check_length, interval
from daemon.storage import edit as stored
from daemon.views import short_id, why_not

KEEP_DEADLINE = 60.0  # seconds for one text
# Type (whose half-life a new memory has) and context of a kind; of any other: a declaration.
_KINDS: dict[str, tuple[str, str]] = {
    "decision": ("semantic", "decision"),
    "convention": ("procedural", "general"),
    "preference": ("procedural", "general"),
    "discovery": ("declarative", "discovery"),
    "feature": ("declarative", "implementation"),
    "bugfix": ("declarative", "implementation"),
    "refactor": ("episodic", "general"),
    "change": ("episodic", "implementation"),
    "insight": ("semantic", "general"),
}
_DECLARED = ("declarative", "general")
_SAID_AS: dict[str, str] = {
    # word of the inbox, where a reader's notes are looked at -> kind
    "rule": "convention",
    "wish": "preference",
    "trap": "discovery",
    "cause": "discovery",
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
    parts: Parts, said: ImportRow, source: str, at: float, session: str | None = None
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
    memory_type, context = _KINDS.get(kind, _DECLARED)
    return Draft(
        text=text,
        title=title,
        kind=kind,
        tier=said.tier,
        project=parts.project_meant(said.project),
        triggers=tuple(cleaned(parts, phrase)[0] for phrase in said.triggers),
        origin=Origin(source, session, redacted=secret),
        at=at,
        memory_type=memory_type,
        context_type=context,
        importance=_IMPORTANCE[said.tier],
        status="confirmed" if said.status == "noticed" else said.status,  # its source tells so
        valid_from=begun,
        valid_until=over,
        particulars=Particulars(*(cleaned(parts, one)[0] for one in astuple(particulars_of(said)))),
    )


async def keep(parts: Parts, draft: Draft, about: Reference | None) -> Verdict:
    """Keep a text, which is about a line if one is given."""
    verdicts = await parts.mailboxes.gate.ask(Keep((draft,)), within=KEEP_DEADLINE)
    if about is not None:
        parts.mailboxes.staleness.hint(PlaceGiven(verdicts[0].memory_id, about))
    return verdicts[0]


def line_of(parts: Parts, project: str | None, line: FileLine) -> Reference | None:
    """Refer to a line of a project's file; nothing where it may hold a secret."""
    root = parts.project_meant(project)
    path = None if root is None else place_in(root, line.path)
    if path is None or is_secret(path):
        return None
    return Reference(path, digest=digest([line.text]), line=line.number, given=True)


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


# ---- another text, or the one before again; the former text is kept as a version
#
# Edits by one hand within five minutes are one version (docs/adr/0009).


BY_PERSON: Final = "hand"  # the source of what is edited
BY_HAND: Final = "edited by hand"
BY_AGENT: Final = "corrected by an agent"
UNDONE: Final = "an edit was undone"


async def edit(parts: Parts, id_: str, text: str, agent_in: str | None = None) -> Edited:
    """Give a memory another text. Raises ``BadRequest``."""
    memory, at = await editable(parts, id_, agent_in), parts.clock.now()
    text = _said(parts, memory, text)
    change = _change(memory, text, titled(text), agent_in, at)
    reason = BY_HAND if agent_in is None else BY_AGENT
    # What a person words anew is their word from then on.
    return await _written(parts, memory, change, reason, stated_now(change, memory))


async def undo(parts: Parts, id_: str) -> Edited:
    """Give a memory back its text before its last version. Raises ``BadRequest``."""
    memory, at = await editable(parts, id_), parts.clock.now()
    former = await parts.reader.read(stored.last_version, memory.id)
    if former is None:
        raise BadRequest(
            f"{short_id(memory.id)} never said anything else: there is no edit to undo"
        )
    return await _written(parts, memory, _change(memory, *former, None, at), UNDONE, ())


async def set_why(parts: Parts, id_: str, why: str) -> Edited:
    """Set why a memory is so. Raises ``BadRequest``."""
    check_length(why, "why", LIMIT)
    memory = await editable(parts, id_)
    said = msgspec.structs.replace(memory.particulars, why=cleaned(parts, why)[0])
    await parts.commit((ParticularsSet(memory.id, said, parts.clock.now()),))
    return _edited(memory, memory.particulars.why)


async def set_tier(parts: Parts, id_: str, tier: str) -> Edited:
    """Set how much a memory weighs. Raises ``BadRequest``."""
    memory = await editable(parts, id_)
    if memory.source == SHARED and tier == "constitutional":
        raise BadRequest("what others share is never constitutional: remember a rule of yours")
    await parts.commit((Retiered(memory.id, tier, parts.clock.now()),))
    return _edited(memory, memory.tier)


def _edited(memory: Memory, before: str) -> Edited:
    return Edited(id=short_id(memory.id), version=memory.versions, before=before)


async def editable(parts: Parts, id_: str, agent_in: str | None = None) -> Memory:
    """Look a memory up that may be changed. Raises ``BadRequest`` for one that has ended."""
    (memory,) = await parts.known_memories([id_])
    if memory.ended is not None:
        raise BadRequest(why_not(memory, ""))
    if agent_in is not None:
        check_agent(parts, memory, agent_in)
    return memory


def _said(parts: Parts, memory: Memory, text: str) -> str:
    if not text.strip():
        raise BadRequest("the text is empty: reverie forget ends a memory")
    check_length(text, "text")
    plain, _ = cleaned(parts, text)
    if is_all_secret(plain):
        raise AllSecret
    if plain == memory.text:
        raise BadRequest(f"{short_id(memory.id)} says that already")
    return plain


def _change(memory: Memory, text: str, title: str, agent_in: str | None, at: float) -> Draft:
    return Draft(
        text, title, memory.kind, memory.tier, memory.project, memory.triggers,
        Origin(BY_PERSON if agent_in is None else AGENT), at,
        status="confirmed" if memory.status == "noticed" else memory.status,  # as it is stored
    )  # fmt: skip


async def _written(
    parts: Parts, memory: Memory, change: Draft, reason: str, stated: Unit
) -> Edited:
    rewritten = Rewritten(
        memory.id, change.text, change.title, memory.triggers, derived_of(change),
        content_hash(change.text), change.at, reason, joins=reason != UNDONE,
        standing=rewritten_standing(change, memory),
    )  # fmt: skip
    audited = Audited(
        "UPDATE", memory.id, None, None, reason, None, rewritten.content_hash, memory.project,
        change.at,
    )  # fmt: skip
    await parts.commit((rewritten, audited, *stated))
    (after,) = await parts.known_memories([short_id(memory.id)])
    return _edited(after, memory.text)
