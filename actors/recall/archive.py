"""The archive beside the memories: what earlier sessions wrote and said that bears on a prompt.

A memory is a sentence that was thought worth keeping; a passage is the place where something was
settled. Where no memory says it, the passage is quoted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from actors.core.mailbox import Mailbox
from actors.memory.rows import Scope
from actors.passages.messages import FoundPassages, PassagesMessage, SearchPassages
from actors.passages.rows import Passage
from actors.policy.passages import quoting, telling
from actors.policy.recall import ranking
from actors.policy.recall.evidence import Asked, Reason, Verdict
from actors.policy.session.ledger import Context, Made, has
from actors.policy.text.words import stems
from actors.recall.channels import Looked
from actors.recall.messages import Note, Quotation
from actors.recall.ordering import quotation_id

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
        looked.passages = found.passages
        return len(looked.passages)


def read(looked: Looked) -> list[tuple[Quotation, Verdict]]:
    """Passages as they would be quoted, and whether each bears on the prompt."""
    question, prompt = ranking.question(looked), stems(looked.query)
    return [
        (one, _verdict(one, cosine, question, prompt)) for one, cosine in _quoted(looked, question)
    ]


def unheard(quoted: Sequence[Quotation], had: Context | None, session: str) -> list[Quotation]:
    """Quotations that the session does not have in its context; None while that is not known."""
    if had is None:
        return []
    return [one for one in quoted if not has(had, session, _made(one.passage))]


def unsaid(quoted: Sequence[Quotation], notes: Sequence[Note]) -> list[Quotation]:
    """Quotations that no note says in its words, also where it is known, corrected or suppressed."""
    return [
        one for one in quoted if not any(telling.says(note.memory.text, one.text) for note in notes)
    ]


def of_each_place(quoted: Sequence[Quotation]) -> list[Quotation]:
    """The surest of each place, the surest first."""
    best: dict[str, Quotation] = {}
    for one in sorted(quoted, key=lambda one: -one.confidence):
        best.setdefault(one.passage.place, one)
    return list(best.values())


def _quoted(looked: Looked, question: Asked) -> Iterator[tuple[Quotation, float]]:
    for passage, _, cosine in looked.passages:
        said = passage.text
        if passage.kind == "turn":
            said = quoting.answer(passage.title, said)
        quote = quoting.quoted(said, question.weights)
        yield Quotation(passage, quote, telling.confidence(question, cosine, quote)), cosine


def _verdict(one: Quotation, cosine: float, question: Asked, prompt: frozenset[str]) -> Verdict:
    bears = telling.bears(question, prompt, cosine, one.text)
    return Verdict(quotation_id(one), bears, one.confidence, Reason.QUOTED)


def _made(passage: Passage) -> Made:
    document = passage.place if passage.kind == "document" else None
    return Made(passage.content_hash, passage.session, passage.at, document, passage.text)
