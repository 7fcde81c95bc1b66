"""The archive beside the memories: what earlier sessions wrote and said that bears on a prompt.

A memory is a sentence that was thought worth keeping; a passage is the place where something was
settled. Where no memory says it, the passage is quoted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from actors.core.mailbox import Mailbox
from actors.memory.rows import Scope
from actors.passages.messages import FoundPassages, PassagesMessage, SearchPassages
from actors.passages.rows import Passage
from actors.policy.passages import quoting, telling
from actors.policy.recall import ranking
from actors.policy.session.ledger import Context, Made, has
from actors.policy.text.words import stems
from actors.recall.channels import Looked
from actors.recall.messages import Note, Quotation

LOOKED_AT: Final = 8  # passages: those of the session itself are among the best and leave


@dataclass(frozen=True, slots=True)
class Archive:
    """Looks for passages by a prompt's words and the vector that recall has of it."""

    passages: Mailbox[PassagesMessage]

    async def look(self, looked: Looked, scope: Scope, within: float) -> int | None:
        """Look for the passages; nothing without a vector: words alone find too much."""
        if looked.vector is None:
            return None
        vector = looked.vector
        found: FoundPassages = await self.passages.ask(
            lambda reply: SearchPassages(looked.query, LOOKED_AT, scope, False, reply, vector),
            within=within,
        )
        looked.passages = tuple(
            (passage, ranked.parts.cosine or 0.0) for passage, ranked in found.passages
        )
        return len(looked.passages)


def quotations(
    looked: Looked, had: Context | None, session: str, notes: Sequence[Note]
) -> list[Quotation]:
    """The passages that are told beside these notes, the surest first.

    Of one place the surest alone; none that the session has in its context, and none that a note
    says in its words, also where the note is known, corrected or suppressed.
    """
    if had is None:
        return []
    question, prompt = ranking.question(looked), stems(looked.query)
    best: dict[str, Quotation] = {}
    for passage, cosine in looked.passages:
        if has(had, session, _made(passage)):
            continue
        said = passage.text
        if passage.kind == "turn":
            said = quoting.answer(passage.title, said)
        quote = quoting.quoted(said, question.weights)
        confidence = telling.confidence(question, prompt, cosine, quote)
        told = best.get(passage.place)
        if not confidence or (told and told.confidence >= confidence):
            continue
        if not any(telling.says(note.memory.text, quote) for note in notes):
            best[passage.place] = Quotation(passage, quote, confidence)
    return sorted(best.values(), key=lambda one: -one.confidence)


def _made(passage: Passage) -> Made:
    document = passage.place if passage.kind == "document" else None
    return Made(passage.content_hash, passage.session, passage.at, document, passage.text)
