"""Memories and dreams in words: the same in a terminal and in an editor.

Pure. Titles that stand in these lines are as they are stored: who shows them makes them safe.
"""

from collections.abc import Iterator
from typing import Final

from daemon.requests.dreams import ConnectionView, DreamView

# What the gate decided about a text.
DECIDED: Final = {
    "CREATE": "remembered",
    "CREATE_LINKED": "remembered, with a link to what is near",
    "REINFORCE": "known already: strengthened",
    "UPDATE": "updated",
    "SUPERSEDE": "remembered, in place of the old one",
}
# The stages of a dream as a person reads them.
DOING: Final = {
    "replay": "replaying",
    "cross_reference": "connecting",
    "strengthen": "strengthening",
    "prune": "letting go",
    "transfer": "drawing conclusions",
}
# The kinds of insights.
KINDS: Final = {
    "temporal_trend": "trend",
    "hidden_connection": "connection",
    "recurring_pattern": "pattern",
    "synthesis": "settled",
    "generalization": "rule",
    "contradiction": "contradiction",
    "knowledge_gap": "open",
}
# How the two memories of a connection are to each other.
CONNECTED: Final = {
    "shared_concept": "about the same things",
    "temporal": "of the same time",
    "semantic": "alike",
    "complementary": "related",
    "causal_chain": "cause and effect",
}


def counted(count: int, word: str, plural: str | None = None) -> str:
    """``1 memory``, ``2 memories``."""
    return f"{count:,} {word if count == 1 else plural or word + 's'}"


def stage_lines(one: DreamView) -> Iterator[str]:
    """Report of each stage of a dream, in a line."""
    figures = one.figures
    if replay := figures.get("replay"):
        by = "" if replay.get("by") == "vectors" else " (by words alone: meanings were not known)"
        yield (
            f"replayed {replay['replayed']}, {counted(int(replay['patterns']), 'thing')}"
            f" that several are about{by}"
        )
    if drawn := figures.get("cross_reference"):
        kinds = ", ".join(
            f"{count} {CONNECTED.get(kind, kind)}"
            for kind, count in drawn.items()
            if kind not in ("connections", "new")
        )
        yield f"connected {counted(int(drawn['connections']), 'pair')}" + (
            f": {kinds}" if kinds else ""
        )
    if strong := figures.get("strengthen"):
        yield f"strengthened {counted(int(strong['strengthened']), 'connection')}"
    if last := figures.get("transfer"):
        yield (
            f"noticed {last['insights']}, {counted(int(last['episodes']), 'group')} of memories"
            f" that belong together, {counted(int(last['proposed']), 'plan')} proposed"
        )


def connected_line(one: ConnectionView) -> str:
    """Tell the link between two memories: ``cause and effect, strength 0.90``."""
    return f"{CONNECTED.get(one.kind, one.kind)}, strength {one.strength:.2f}"
