"""Corrections by the sentences of a prompt, among memories with words in common."""

from collections.abc import Iterable
from typing import Final

from actors.gate.drafts import stated_at
from actors.gate.guards import told_of
from actors.gate.messages import Draft, Proposed
from actors.memory.rows import Memory, Scope
from actors.memory.writes import Origin
from actors.policy.gate.contradiction import Contradiction
from actors.policy.gate.correcting_sentence import CorrectingSentence
from actors.policy.gate.corrections import corrected
from actors.policy.gate.gate import SLOT_CONFIDENCE
from actors.policy.gate.gate_features import Kind
from actors.policy.statements.extraction import CORRECTED
from actors.policy.statements.sources import NOTICED, READ
from actors.policy.statements.trust import is_past
from actors.policy.text.words import query_terms
from daemon.storage.reader import ReadingSide

LOOKED_AT: Final = 20  # memories that share the most telling words with a sentence
MOST: Final = 3  # memories that one sentence corrects: the same may be kept in several
BEFORE: Final = 7_200.0  # seconds in which what a session was shown is what it speaks of
LEFT_ALONE: Final = READ | {NOTICED}  # sources
BY_PROMPT: Final = Contradiction(Kind.CHANGED_VALUE, SLOT_CONFIDENCE)
ANOTHER_VALUE: Final = "the user gave the same subject another value"


async def corrections_in(reader: ReadingSide, proposed: Proposed) -> list[tuple[Memory, str, str]]:
    """Memories corrected by a prompt, their new texts, and the sentence behind each."""
    found: dict[int, tuple[Memory, str, str]] = {}
    for told in proposed.said:
        for memory, text in await _corrections(reader, told, proposed):
            found.setdefault(memory.id, (memory, text, told.text))
    return list(found.values())


async def _corrections(
    reader: ReadingSide, told: CorrectingSentence, proposed: Proposed
) -> list[tuple[Memory, str]]:
    """Corrections by one sentence; one tied only to the session's talk must fit a single memory."""
    scope = Scope(proposed.project)
    hits = await reader.words(query_terms(" ".join((told.text, *told.left))), scope, LOOKED_AT)
    alike = await _known(reader, hits, proposed)
    by_itself = _changed(told, alike, discussed=False)
    if by_itself:
        return by_itself[:MOST]
    shown = await reader.shown_in(proposed.session, proposed.at - BEFORE)
    discussed = await _known(reader, shown, proposed)
    by_talk = _changed(told, discussed, discussed=True)
    return by_talk if len(by_talk) == 1 else []


async def _known(reader: ReadingSide, ids: Iterable[int], proposed: Proposed) -> list[Memory]:
    """Living memories among these, stated by a person or an agent before and in the prompt's scope.

    Notes of the reader do not count: it reads the session too, and names the notes to end. Ten of
    them given another value by sentences of one project's prompts were wrong from then on, all of
    them (docs/adr/0021).
    """
    return [
        memory
        for memory in (await reader.memories(list(ids))).values()
        if memory.ended is None
        and memory.source not in LEFT_ALONE
        and not is_past(told_of(memory))
        and stated_at(memory) < proposed.at
        and memory.project in (None, proposed.project)
    ]


def _changed(
    told: CorrectingSentence, known: Iterable[Memory], *, discussed: bool
) -> list[tuple[Memory, str]]:
    changes = ((one, corrected(told, one.text, discussed=discussed)) for one in known)
    return [(memory, change.text) for memory, change in changes if change is not None]


def corrected_draft(memory: Memory, text: str, proposed: Proposed) -> Draft:
    """Draft of a corrected memory's new text: its kind, tier and phrases stay."""
    origin = Origin(CORRECTED, proposed.session or None, proposed.seq, CORRECTED, memory.id)
    return Draft(
        text, "", memory.kind, memory.tier, memory.project, memory.triggers, origin, proposed.at,
        memory.memory_type, memory.context_type, memory.importance, past=proposed.past,
    )  # fmt: skip
