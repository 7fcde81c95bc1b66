"""Other ways to put a person's query: in other words, as its answer, for what it is meant.

Each is off unless a person switched it on (``expansion``, ``hyde``, ``routing``, ``by_intent``),
and none is a prompt's affair. What expansion and hyde find joins what the channels
found, before anything is put in order. Every question has a deadline, and what fails costs its own
part alone and is told.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from actors.embedding.rows import EmbeddingUnavailable
from actors.memory.rows import Memory, Scope
from actors.policy.recall import complexity, expansion, hypothetical, query_intent
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
        _weigh(looked)


def _route(looked: Looked) -> None:
    """Follow no links for a question that asks little."""
    judged, away = complexity.tier(looked.query), LINKS & looked.settings.on
    if judged != "complex" and away:
        looked.settings = replace(looked.settings, on=looked.settings.on - away)
        looked.said.append(f"a {judged} question: {', '.join(sorted(away))} not asked")


def _weigh(looked: Looked) -> None:
    """Weigh words and vectors by what is asked for, and say so."""
    intent = query_intent.intent_of(looked.query)
    by = query_intent.weighed(intent, looked.settings.fusing)
    looked.settings = replace(looked.settings, fusing=by)
    weights = f"words weigh {by.words:.3f}, vectors {by.vectors:.3f}"
    looked.said.append(f"taken for {intent.name}: {weights}")


# ---- in other words


async def _expanded(channels: Channels, looked: Looked, scope: Scope) -> int | None:
    """Search also with a word exchanged for its synonym: by words, then by vectors.

    What words found stays when vectors fail.
    """
    exchanged = expansion.variants(looked.query)
    if not exchanged:
        return None
    variants = [variant for variant, _, _ in exchanged]
    looked.said += [f"searched also for {other} (for {word})" for _, word, other in exchanged]
    words = [
        await channels.reader.words(query_terms(variant), scope, looked.wanted)
        for variant in variants
    ]
    found = sorted({one for each in words for one in each})
    await channels.add(looked, scope, found)
    here = [_of(each, looked.memories) for each in words]
    looked.words = expansion.joined(looked.words, here, alike=False)
    # Without a vector the query itself was not searched by one, and that is told.
    if looked.vector is None:
        return len(found)
    asked = tuple(condensed(variant, limit=SEARCH) for variant in variants)
    vectors = await channels.vectors_of(asked, "query", WITHIN)
    near = [await channels.reader.nearest(vector, scope, looked.wanted) for vector in vectors]
    closest = sorted({one for each in near for one in each})
    await channels.add(looked, scope, closest)
    here = [_of(each, looked.memories) for each in near]
    looked.cosines = expansion.joined(looked.cosines, here, alike=True)
    return len({*found, *closest})


def _of(values: Mapping[int, float], here: Mapping[int, Memory]) -> dict[int, float]:
    return {one: value for one, value in values.items() if one in here}


# ---- as its answer


async def _answered(channels: Channels, looked: Looked, scope: Scope) -> int | None:
    """Search also by the middle of the query's vector and those of beginnings of answers."""
    begun = hypothetical.beginnings(looked.query)
    if not begun or "vectors" in channels.off:
        return None
    if looked.vector is None:
        raise EmbeddingUnavailable("the query itself has no vector")
    answers = await channels.vectors_of(begun, "document", WITHIN)
    middle = hypothetical.middle([looked.vector, *answers])
    near = await channels.reader.nearest(middle, scope, looked.wanted)
    await channels.add(looked, scope, sorted(near))
    cosines = await channels.reader.cosines(middle, sorted(looked.memories))
    looked.cosines = hypothetical.averaged(looked.cosines, cosines)
    looked.said.append(f"searched also by beginnings of an answer: “{begun[0]} ...”")
    return len(near)
