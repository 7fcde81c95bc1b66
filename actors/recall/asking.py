"""Other ways to put a person's query: in other words, as its answer, for what it is meant.

Each is off unless a person switched it on (``expansion``, ``hyde``, ``routing``, ``by_intent``),
and none is a prompt's affair. What expansion and hyde find joins what the channels
found, before anything is put in order. Every question has a deadline, and what fails costs its own
part alone and is told.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from actors.embedding.rows import EmbeddingUnavailable
from actors.memory.rows import Memory, Scope
from actors.policy.recall import complexity, expansion, hypothetical, query_intent
from actors.policy.recall.expansion import joined_cosines, joined_words
from actors.policy.recall.fusion_methods import weighed_for
from actors.policy.text.chunking import SEARCH, condensed
from actors.policy.text.words import query_terms
from actors.recall.channels import Channels, Looked

LINKS: Final = frozenset({"graph", "degree"})
WITHIN: Final = 1.0  # seconds for each of the two that look again


async def reread(channels: Channels, looked: Looked, scope: Scope) -> None:
    """Apply what is on for this question; what is asked for is told when the order goes by it."""
    if looked.does("routing"):
        _route(looked)
    if looked.does("expansion"):
        await channels.beside(looked, "expansion", _expanded(channels, looked, scope), WITHIN)
    if looked.does("hyde"):
        await channels.beside(looked, "hyde", _answered(channels, looked, scope), WITHIN)
    if looked.does("by_intent"):
        looked.intent = _intent(looked)


def _route(looked: Looked) -> None:
    """Follow no links for a question that asks little."""
    judged, away = complexity.tier(looked.query), LINKS & looked.settings.on
    if judged != "complex" and away:
        looked.settings = replace(looked.settings, on=looked.settings.on - away)
        looked.said.append(f"a {judged} question: {', '.join(sorted(away))} not asked")


def _intent(looked: Looked) -> str:
    """What is asked for, told with the weights that it gives."""
    judged = query_intent.classified(looked.query)
    intent = judged.intent.value
    by = weighed_for(intent, looked.settings.fusing)
    name = f"taken for {intent.replace('_', ' ')} ({judged.confidence:.2f})"
    looked.said.append(f"{name}: words weigh {by.words:.3f}, vectors {by.vectors:.3f}")
    return intent


# ---- in other words


async def _expanded(channels: Channels, looked: Looked, scope: Scope) -> int | None:
    """Search also with a word exchanged for its synonym: by words, then by vectors.

    What words found stays when vectors fail.
    """
    variants = expansion.variants(looked.query)[1:]
    if not variants:
        return None
    looked.said += [
        f"searched also for {other} (for {word})"
        for word, other in expansion.synonyms(looked.query)[: len(variants)]
    ]
    by = looked
    words = [
        await channels.reader.words(query_terms(variant), scope, looked.wanted)
        for variant in variants
    ]
    found = sorted({one for each in words for one in each})
    await channels.add(looked, scope, found)
    by.words = joined_words(by.words, [_of(each, looked.memories) for each in words])
    # Without a vector the query itself was not searched by one, and that is told.
    if looked.vector is None:
        return len(found)
    asked = tuple(condensed(variant, limit=SEARCH) for variant in variants)
    vectors = await channels.vectors_of(asked, "query", WITHIN)
    near = [await channels.reader.nearest(vector, scope, looked.wanted) for vector in vectors]
    closest = sorted({one for each in near for one in each})
    await channels.add(looked, scope, closest)
    by.cosines = joined_cosines(by.cosines, [_of(each, looked.memories) for each in near])
    return len({*found, *closest})


def _of(values: Mapping[int, float], here: Mapping[int, Memory]) -> dict[int, float]:
    return {one: value for one, value in values.items() if one in here}


# ---- as its answer


async def _answered(channels: Channels, looked: Looked, scope: Scope) -> int | None:
    """Search also by the middle of the query's vector and those of beginnings of answers."""
    begun = hypothetical.hypotheses(looked.query)[1:]
    if not begun or "vectors" in channels.off:
        return None
    if looked.vector is None:
        raise EmbeddingUnavailable("the query itself has no vector")
    vectors = (looked.vector, *await channels.vectors_of(begun, "document", WITHIN))
    rows = np.stack([np.frombuffer(vector, np.float32) for vector in vectors])
    middle = hypothetical.centroid(rows).tobytes()
    near = await channels.reader.nearest(middle, scope, looked.wanted)
    await channels.add(looked, scope, sorted(near))
    cosines = await channels.reader.cosines(middle, sorted(looked.memories))
    looked.cosines = hypothetical.averaged_cosines(looked.cosines, cosines)
    kind = hypothetical.kind_of(looked.query).value.replace("_", " ")
    looked.said.append(f"searched also by {len(begun)} beginnings of an answer ({kind})")
    return len(near)
