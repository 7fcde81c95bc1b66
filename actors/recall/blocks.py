"""The block of a prompt or a page: notes and quotations as attributed lines within a budget."""

from collections.abc import Mapping, Sequence

from actors.memory.rows import Memory
from actors.policy.documents.versions import heading_in, place_in
from actors.policy.passages import quoting
from actors.policy.recall import notes
from actors.policy.recall.candidate import Candidate
from actors.policy.statements.sources import SHARED
from actors.policy.statements.trust import is_told_whole
from actors.policy.text import wording
from actors.recall.messages import Quotation


def block_of(
    chosen: Sequence[Candidate[Memory]],
    room: wording.Settings,
    now: float,
    successors: Mapping[int, int] | None = None,
    *,
    heading: str = notes.HEADING,
    quoted: Sequence[Quotation] = (),
) -> tuple[str, tuple[int, ...]]:
    """The fenced block of these notes within a budget, and the ids of the fitting ones.

    Of two that disagree both say so; ``successors`` names the newer one of each older one.
    """
    here = {note.memory.id for note in chosen}
    pairs = [(a, b) for a, b in (successors or {}).items() if a in here and b in here]
    odds = {b: notes.NEWER for _, b in pairs} | {a: notes.OLDER for a, _ in pairs}
    lines = [
        wording.Note(one.id, told_text(one), score, attribution(one, now, odds.get(one.id, "")))
        for one, score in ((note.memory, note.score) for note in chosen)
    ]
    for one in quoted:
        said, identity = one.passage, quotation_id(one)
        by = quoting.whence(said.kind, said.place, said.title)
        behind = notes.source(identity, by, now - said.at)
        lines.append(wording.Note(identity, f"“{one.text}”", one.confidence, behind))
    return notes.block(lines, room, heading=heading)


def told_text(memory: Memory) -> str:
    """Text of a memory told unasked: its whole text, or only the title of a note shared by others."""
    return memory.title if _is_title_alone(memory) else memory.text


def _is_title_alone(memory: Memory) -> bool:
    whole = is_told_whole(memory.source, memory.confidence, uses=memory.uses, pinned=memory.pinned)
    return not whole and memory.title != memory.text


def attribution(memory: Memory, now: float, odds: str = "") -> str:
    """Attribution of a note: its author or its place in a document, and anything against it."""
    key = memory.key or ""
    by = notes.whose(memory.source, place_in(key) or "", heading_in(key), memory.author)
    return notes.source(
        memory.id,
        by,
        now - memory.created_at,
        "unconfirmed" if memory.status == "hypothesis" else "",
        odds,
        notes.TITLE_ALONE if _is_title_alone(memory) else "",
        notes.CHANGED_HERE if memory.source == SHARED and memory.versions > 1 else "",
        f"stale: {memory.stale}" if memory.stale else "",
    )


def quotation_id(one: Quotation) -> int:
    """Number of a quotation in a block: below zero, apart from the ids of memories."""
    return -one.passage.id
