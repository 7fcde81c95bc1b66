"""The archive beside the memories: its search, and passages of earlier sessions with a bearing on a prompt.

A memory is a sentence judged worth keeping; a passage is the place where something was settled.
"""

from collections.abc import Mapping
from typing import Final

import trio
from msgspec import Struct

from actors.core.equipment import Clock
from actors.core.mailbox import Crashed, Mailbox, SwitchedOff
from actors.memory.commit import LongTermMessage, Write
from actors.memory.rows import Embed, EmbedderMessage, EmbeddingUnavailable, Scope
from actors.passages.shapes import FoundPassages, PassagesUsed, RankedPassage
from actors.policy import passages
from actors.policy.recall import ranking
from actors.policy.recall.evidence import Reason, Verdict
from actors.policy.recall.fusion import fused
from actors.policy.text.chunking import SEARCH, condensed
from actors.policy.text.words import query_terms, stems
from actors.recall.channels import Inquiry
from actors.recall.shapes import Quotation
from daemon.storage.reader import ReadingSide

# Passages for a prompt: those of the session itself are among the best and leave.
LOOKED_AT: Final = 8
REACH: Final = 50  # candidates of each channel, at least
READ_WITHIN: Final = 5.0  # seconds for each look at the store
EMBED_WITHIN: Final = 5.0  # seconds for the query's vector; then words answer alone


class Archive(Struct):
    """Answers searches by words and vectors, fused as memories are."""

    reader: ReadingSide
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    embedder: Mailbox[EmbedderMessage]

    async def look(self, inquiry: Inquiry) -> None:
        """Look for passages for a prompt; nothing without a vector: words alone find too much."""
        if inquiry.vector is not None:
            found = await self.find(inquiry.query, LOOKED_AT, inquiry.scope, inquiry.vector)
            inquiry.passages = found.passages

    async def find(
        self, query: str, k: int, scope: Scope, vector: bytes = b"", *, track: bool = False
    ) -> FoundPassages:
        """Find the ``k`` passages about a query, best first.

        ``vector``: the query's, from whoever has it; else it is made. ``track``: passages found count
        as used. Raises ``Unreadable``, and ``trio.TooSlowError`` when the store does not answer.
        """
        wanted, terms = max(REACH, 2 * k), query_terms(query)
        with trio.fail_after(READ_WITHIN):
            words = await self.reader.passage_words(terms, scope, wanted)
        missing = ""
        if not vector:
            vector, missing = await self._vector(query)
        cosines: Mapping[int, float] = {}
        if vector:
            cosines = await self._cosines(vector, words, scope, wanted)
        ranked = fused(words, cosines)[:k]
        if not ranked:
            return FoundPassages((), missing)
        with trio.fail_after(READ_WITHIN):
            there = await self.reader.passages([one.memory for one in ranked])
        found = tuple(
            RankedPassage(there[one.memory], one.score, cosines.get(one.memory, 0.0))
            for one in ranked
            if one.memory in there
        )
        if track and there:
            used = PassagesUsed(tuple(there), self.clock.now())
            await self.long_term.tell(Write((used,)))
        return FoundPassages(found, missing)

    async def _cosines(
        self, vector: bytes, words: Mapping[int, float], scope: Scope, wanted: int
    ) -> Mapping[int, float]:
        """Cosines of the nearest passages, and of the ones found by words.

        A passage of the last minutes has no vector yet: its score by words counts as its nearness.
        """
        with trio.fail_after(READ_WITHIN):
            found = dict(await self.reader.passage_nearest(vector, scope, wanted))
            others = [one for one in words if one not in found]
            found |= await self.reader.passage_cosines(vector, others)
        best, most = max(found.values(), default=0.0), max(words.values(), default=1.0)
        return found | {one: best * words[one] / most for one in others if one not in found}

    async def _vector(self, query: str) -> tuple[bytes, str]:
        """The query's vector; empty, and why, when there is none in time."""
        text = condensed(query, limit=SEARCH)
        try:
            made = await self.embedder.ask(Embed((text,), "query", True), within=EMBED_WITHIN)
        except EmbeddingUnavailable as error:
            return b"", str(error)
        except trio.TooSlowError:
            return b"", "the query's vector was not ready in time"
        except (Crashed, SwitchedOff):
            return b"", "the embedder is away"
        return made[0].vector, ""


def quotations(inquiry: Inquiry) -> tuple[list[Quotation], list[Verdict]]:
    """Passages as they would be quoted, and whether each bears on the prompt."""
    question, prompt = ranking.question(inquiry), stems(inquiry.query)
    quoted, verdicts = list[Quotation](), list[Verdict]()
    for passage, _, cosine in inquiry.passages:
        said = passage.text
        if passage.kind == "turn":
            said = passages.answer_of_turn(passage.title, said)
        quote = passages.quoted(said, question.weights)
        one = Quotation(passage, quote, passages.confidence(question, cosine, quote))
        bears = passages.bears(question, prompt, cosine, quote)
        quoted.append(one)
        verdicts.append(Verdict(one.number, bears, one.confidence, Reason.QUOTED))
    return quoted, verdicts
