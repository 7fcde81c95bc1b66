"""Another text for a memory, or the one before again; the former text is kept as a version.

While a memory is labile all edits together are one version (docs/adr/0009).
"""

from typing import Final, NamedTuple

from actors.gate.drafts import content_hash, derived_of, rewritten_standing, stated_now
from actors.gate.messages import Draft
from actors.gate.writes import Audited
from actors.memory.commit import Unit
from actors.memory.rows import Memory
from actors.memory.writes import Origin, Rewritten
from actors.policy.decay.reinforcement import EDITS, LABILE
from actors.policy.secrets.secret_words import is_all_secret
from actors.policy.statements.sources import AGENT
from actors.policy.text.wording import titled
from daemon.answers.remember import AllSecret, check_agent
from daemon.context import Parts
from daemon.shapes.acceptance import check_length
from daemon.shapes.replies import BadRequest
from daemon.storage import edit as stored
from daemon.views import short_id

BY_PERSON: Final = "hand"  # the source of what is edited
BY_HAND: Final = "edited by hand"
BY_AGENT: Final = "corrected by an agent"
UNDONE: Final = "an edit was undone"


class Change(NamedTuple):
    """A memory with another text now."""

    id: str
    before: str
    version: int
    settles_at: float | None  # seconds UTC: until then further edits are part of this version


async def edit(
    parts: Parts, id_: str, text: str, title: str = "", agent_in: str | None = None
) -> Change:
    """Give a memory another text, or only another title. Raises ``BadRequest``."""
    memory, at = await editable(parts, id_, agent_in), parts.clock.now()
    text, title = _said(parts, memory, text, title)
    window = await parts.reader.read(stored.window, memory.id, at)
    if window is not None and window.edits >= EDITS:
        wait = LABILE - (at - window.opened_at)
        raise BadRequest(
            f"{short_id(memory.id)} was edited {window.edits} times since it was recalled:"
            f" it settles in {wait:.0f} seconds, then it can be edited again"
        )
    change = _change(memory, text, title, agent_in, at)
    reason = BY_HAND if agent_in is None else BY_AGENT
    # What a person words anew is their word from then on.
    version = await _write(parts, memory, change, reason, stated_now(change, memory))
    settles = None if window is None else window.opened_at + LABILE
    return Change(short_id(memory.id), memory.text, version, settles)


async def undo(parts: Parts, id_: str, agent_in: str | None = None) -> Change:
    """Give a memory back its text before its last version. Raises ``BadRequest``."""
    memory, at = await editable(parts, id_, agent_in), parts.clock.now()
    former = await parts.reader.read(stored.last_version, memory.id)
    if former is None:
        raise BadRequest(
            f"{short_id(memory.id)} never said anything else: there is no edit to undo"
        )
    change = _change(memory, *former, agent_in, at)
    version = await _write(parts, memory, change, UNDONE, ())
    return Change(short_id(memory.id), memory.text, version, None)


async def editable(parts: Parts, id_: str, agent_in: str | None) -> Memory:
    """Look a memory up that may be changed. Raises ``BadRequest`` for one that has ended."""
    (memory,) = await parts.known_memories([id_])
    if memory.ended is not None:
        raise BadRequest(f"{short_id(memory.id)} is {memory.ended}: reverie unforget comes first")
    if agent_in is not None:
        check_agent(parts, memory, agent_in)
    return memory


def _said(parts: Parts, memory: Memory, text: str, title: str) -> tuple[str, str]:
    """The new text and title, without secrets."""
    said = text or (memory.text if title else "")
    text, title = said.replace("\0", "�"), title.replace("\0", "�")
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


def _change(memory: Memory, text: str, title: str, agent_in: str | None, at: float) -> Draft:
    """The memory as it is to be."""
    return Draft(
        text, title, memory.kind, memory.tier, memory.project, memory.triggers,
        Origin(BY_PERSON if agent_in is None else AGENT), at,
        status="confirmed" if memory.status == "noticed" else memory.status,  # as it is stored
    )  # fmt: skip


async def _write(parts: Parts, memory: Memory, change: Draft, reason: str, stated: Unit) -> int:
    """Write the change; returns the number of its version."""
    rewritten = Rewritten(
        memory.id, change.text, change.title, memory.triggers, derived_of(change),
        content_hash(change.text), change.at, reason, while_labile=reason != UNDONE,
        standing=rewritten_standing(change, memory),
    )  # fmt: skip
    audited = Audited(
        "UPDATE", memory.id, None, None, reason, None, rewritten.content_hash, memory.project,
        change.at,
    )  # fmt: skip
    await parts.commit((rewritten, audited, *stated))
    (after,) = await parts.known_memories([short_id(memory.id)])
    return after.versions
