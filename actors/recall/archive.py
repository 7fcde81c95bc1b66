"""The archive beside the memories: passages of earlier sessions with a bearing on a prompt.

A memory is a sentence judged worth keeping; a passage is the place where something was settled. A
passage is quoted where no memory says the same.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from actors.memory.rows import Scope
from actors.passages.rows import FoundPassages
from actors.policy.passages import quoting, telling
from actors.policy.recall import ranking
from actors.policy.recall.evidence import Reason, Verdict
from actors.policy.text.words import stems
from actors.recall.blocks import quotation_id
from actors.recall.inquiry import Inquiry
from actors.recall.messages import Quotation

LOOKED_AT: Final = 8  # passages: those of the session itself are among the best and leave

# Search in the archive (``actors.recall.finding``): query, how many, scope, the query's vector.
Find = Callable[[str, int, Scope, bytes], Awaitable[FoundPassages]]


@dataclass(frozen=True, slots=True)
class Archive:
    """Looks for passages by a prompt's words and its vector."""

    find: Find

    async def look(self, inquiry: Inquiry) -> int | None:
        """Look for the passages; nothing without a vector: words alone find too much."""
        if inquiry.vector is None:
            return None
        found = await self.find(inquiry.query, LOOKED_AT, inquiry.scope, inquiry.vector)
        inquiry.passages = found.passages
        return len(inquiry.passages)


def quotations(inquiry: Inquiry) -> list[tuple[Quotation, Verdict]]:
    """Passages as they would be quoted, and whether each bears on the prompt."""
    question, prompt = ranking.question(inquiry), stems(inquiry.query)
    judged: list[tuple[Quotation, Verdict]] = []
    for passage, _, cosine in inquiry.passages:
        said = passage.text
        if passage.kind == "turn":
            said = quoting.answer_of_turn(passage.title, said)
        quote = quoting.quoted(said, question.weights)
        one = Quotation(passage, quote, telling.confidence(question, cosine, quote))
        bears = telling.bears(question, prompt, cosine, quote)
        judged.append((one, Verdict(quotation_id(one), bears, one.confidence, Reason.QUOTED)))
    return judged
