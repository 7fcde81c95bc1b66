"""A memory says something else from now on, or again what it said."""

from actors.gate.drafts import content_hash, derived_of, rewritten_standing
from actors.gate.messages import Draft
from actors.gate.writes import Audited
from actors.memory.rows import Memory
from actors.memory.writes import Origin, Rewritten
from actors.policy.decay.reinforcement import EDITS, LABILE
from actors.policy.events.all_secret import is_all_secret
from actors.policy.text.wording import titled
from daemon.answers.remember import TEXT_LIMIT, AllSecret
from daemon.context import Parts, Progress, commit, known_memories, table
from daemon.ids import short_id
from daemon.requests.edit import Edit, Edited
from daemon.requests.shapes import BadRequest
from daemon.storage import edit as edit_stored

BY_HAND = "edited by hand"
UNDONE = "an edit was undone"


async def edit(parts: Parts, request: Edit, _: Progress) -> Edited:
    """Give a memory another text; the one before is kept as a version.

    While the memory is labile all edits together are one version (Q07, docs/adr/0009).
    """
    (memory,) = await known_memories(parts, [request.id])
    at = parts.clock.now()
    if memory.ended is not None:
        raise BadRequest(f"{short_id(memory.id)} is {memory.ended}: reverie unforget comes first")
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
        Origin("hand"), at, status=memory.status,
    )  # fmt: skip
    rewritten = Rewritten(
        memory.id, text, title, memory.triggers, derived_of(draft), content_hash(text), at,
        UNDONE if request.undo else BY_HAND, while_labile=not request.undo,
        standing=rewritten_standing(draft, memory),
    )  # fmt: skip
    audited = Audited(
        "UPDATE", memory.id, None, None, rewritten.reason, None, rewritten.content_hash,
        memory.project, at,
    )  # fmt: skip
    await commit(parts, (rewritten, audited))
    (after,) = await known_memories(parts, [request.id])
    settles = None if window is None or request.undo else window.opened_at + LABILE
    return Edited(
        id=short_id(memory.id), version=after.versions, before=memory.text, settles_at=settles
    )


def _said(parts: Parts, request: Edit, memory: Memory) -> tuple[str, str]:
    """The new text and title, without secrets."""
    text, title = request.text.replace("\0", "�"), request.title.replace("\0", "�")
    if not text.strip():
        raise BadRequest("the text is empty: reverie forget ends a memory")
    if len(text) > TEXT_LIMIT:
        raise BadRequest(f"the text has {len(text)} characters, the limit is {TEXT_LIMIT}")
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


ANSWERS = table(edit)
