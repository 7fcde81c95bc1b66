"""Neighbours of a text: its vector, and similar memories, on the scale of the model in use.

Memories kept too lately for the store's vector search are found all the same. What the cosines of the
model in use are worth is looked at when the gate starts and when vectors have arrived.
"""

import heapq
import logging
from collections.abc import Mapping, Sequence

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Latest
from actors.core.mailbox import Crashed, Lane, Mailbox, SwitchedOff
from actors.gate.drafts import contradiction_in
from actors.gate.messages import Verdict
from actors.memory.rows import Embed, EmbedderMessage, EmbeddingUnavailable, Memory, Scope
from actors.memory.writes import Draft
from actors.policy.gate.gate import CANDIDATES, Candidate, Settings, decide
from actors.policy.gate.gate_features import content_hash, normalised
from actors.policy.statements.sources import NOTICED
from actors.policy.vectors import MARGIN, SAMPLE, cosines, matrix, on_scale, unrelated
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

VECTOR_DEADLINE = 10.0  # seconds
PATIENCE = 3.0  # seconds: a worker that is ready is taken into use within one
RETRY = 0.1  # seconds
JUST_KEPT = 512  # memories whose vectors are on their way to the store; further ones are not seen


class Neighbours(Struct):
    """The vectors of texts, and their similar memories."""

    thresholds: Settings  # on the scale of the model they were chosen with
    reader: ReadingSide
    embedder: Mailbox[EmbedderMessage]
    default: str = ""  # the model whose cosines the thresholds speak of
    model: str = ""  # in use
    # Its cosine of memories that have nothing in common; None: cosines are taken as they are.
    unrelated: float | None = None
    patience: float = PATIENCE
    _just_kept: Latest[int, bytes] = field(default_factory=lambda: Latest(JUST_KEPT))

    @property
    def settings(self) -> Settings:
        """The settings for the model in use: the search reaches farther where similarities are not exact."""
        if self.unrelated is None:
            return self.thresholds
        low = max(0.0, self.thresholds.low - MARGIN)
        return replace(self.thresholds, low=low)

    async def look(self) -> None:
        """Take note of the model in use; another one than the default is measured once."""
        model = await self.reader.model_in_use()
        if model != self.model:
            self.model, self.unrelated = model, None
        if model in ("", self.default) or self.unrelated is not None:
            return
        found = unrelated(matrix(await self.reader.sampled_vectors(SAMPLE)))
        if found is not None and model == await self.reader.model_in_use():
            self.unrelated = found
            log.info("calibrated model=%s unrelated=%.3f", model, found)

    def similarity(self, cosine: float) -> float:
        """Similarity to the gate, up to 1, of a cosine of the model in use."""
        return cosine if self.unrelated is None else on_scale(cosine, self.unrelated)

    def kept(self, memory_id: int, vector: bytes) -> None:
        """Find a memory by this vector until the store has it."""
        self._just_kept[memory_id] = vector

    def stored(self, memory_ids: Sequence[int]) -> None:
        """Leave these to the store."""
        for memory_id in memory_ids:
            self._just_kept.pop(memory_id, None)

    async def vector(self, text: str, *, interactive: bool) -> bytes | None:
        """The vector of a text; none when it cannot be had now."""
        vectors = await self.vectors((text,), interactive=interactive)
        return vectors[0] if vectors else None

    async def vectors(self, texts: tuple[str, ...], *, interactive: bool) -> list[bytes]:
        """One vector a text; none at all when they cannot be had now."""
        try:
            made = await self.embedder.ask(
                Embed(texts, "document", interactive),
                within=VECTOR_DEADLINE,
                lane=Lane.INTERACTIVE if interactive else Lane.BACKGROUND,
            )
        except (EmbeddingUnavailable, trio.TooSlowError, Crashed, SwitchedOff):
            return []
        return [one.vector for one in made]

    async def awaited_vectors(self, texts: tuple[str, ...]) -> list[bytes]:
        """Vectors for a question about texts, with one wait for a model just started.

        The answer to such a question is final; nothing judges it again later.
        """
        until = trio.current_time() + self.patience
        while not (vectors := await self.vectors(texts, interactive=False)):
            if trio.current_time() >= until:
                self.patience = 0.0
                break
            await trio.sleep(RETRY)
        return vectors

    async def candidates(
        self, draft: Draft, vector: bytes | None
    ) -> tuple[list[Candidate], dict[int, Memory]]:
        """Similar memories in the scope of the draft, nearest first."""
        scope = Scope(draft.project)
        exact = await self.reader.same_content(content_hash(draft.text), scope)
        similarity: dict[int, float | None] = dict.fromkeys(exact)
        if vector is not None:
            stored = await self.reader.nearest(vector, scope, CANDIDATES * 2)
            near = {**stored, **self._like_just_kept(vector)}
            similarity |= {one: self.similarity(cosine) for one, cosine in near.items()}
        known = {
            memory_id: memory
            for memory_id, memory in (await self.reader.memories(list(similarity))).items()
            if memory.ended is None and memory.project == draft.project
        }
        candidates = [
            Candidate(memory_id, known[memory_id].text, cosine, memory_id in exact)
            for memory_id, cosine in similarity.items()
            # An insight quotes what it tells of; only its copy is the same statement.
            if memory_id in known and (memory_id in exact or known[memory_id].source != NOTICED)
        ]
        return candidates, known

    def _like_just_kept(self, vector: bytes) -> dict[int, float]:
        """Cosines of the nearest memories kept too lately for the store's vector search."""
        kept = {
            memory_id: other
            for memory_id, other in self._just_kept.items()
            if len(other) == len(vector)  # another model's are no measure
        }
        if not kept:
            return {}
        found = cosines(matrix([vector])[0], matrix(list(kept.values())))
        near = heapq.nlargest(CANDIDATES * 2, zip(found.tolist(), kept, strict=True))
        return {memory_id: cosine for cosine, memory_id in near}

    async def verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """Verdicts of the gate on pairs of a stored and a new text, without a store."""
        texts = tuple(dict.fromkeys(text for pair in pairs for text in pair))
        vectors = await self.awaited_vectors(texts) if texts else []
        known = dict(zip(texts, vectors, strict=False))
        return [self._verdict(existing, incoming, known) for existing, incoming in pairs]

    def _verdict(self, existing: str, incoming: str, known: Mapping[str, bytes]) -> Verdict:
        similarity = None
        if known:
            cosine = cosines(matrix([known[existing]])[0], matrix([known[incoming]]))[0]
            similarity = self.similarity(float(cosine))
        same = normalised(existing) == normalised(incoming)
        decision = decide(
            incoming,
            [Candidate(1, existing, similarity, exact=same)],
            self.settings,
        )
        return Verdict(1, decision.action, decision.reason, similarity, contradiction_in(decision))
