"""Memories, dreams and plans in words: the same in a terminal and in an editor.

Pure. Titles that stand in these lines are as they are stored: who shows them makes them safe.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from daemon.requests.dreams import ConnectionView, DreamView
from daemon.requests.memories import About
from daemon.requests.plans import PlanView

# What the gate decided about a text.
DECIDED: Final = {
    "CREATE": "remembered",
    "CREATE_LINKED": "remembered, with a link to what is near",
    "REINFORCE": "known already: strengthened",
    "UPDATE": "updated",
    "SUPERSEDE": "remembered, in place of the old one",
}
BECAME: Final = {"changed": "changed since", "gone": "gone"}  # of what a memory is about
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
# Where a plan stands.
STATES: Final = {
    "open": "waits for you",
    "applied": "done",
    "undone": "taken back",
    "dismissed": "left as it was",
    "stale": "out of date",
}
# Who proposes a plan; another name is as it stands.
PROPOSERS: Final = {
    "archivist": "a look through old memories",
    "dreaming": "a dream",
    "verdicts": "what people found useful",
}
# What a plan means, for somebody who does not know the words.
MEANING: Final = {
    "archive": "No answer, prompt or hint has them any more. Nothing is deleted.",
    "forget": "No answer, prompt or hint has them any more. They are kept until 'reverie purge'.",
    "retier": "They weigh more or less in answers. Nothing is deleted.",
}
OVER: Final = "An earlier version proposed it. It is not done any more."  # of any other act


def counted(count: int, word: str, plural: str | None = None) -> str:
    """``1 memory``, ``2 memories``."""
    return f"{count:,} {word if count == 1 else plural or word + 's'}"


def about_line(one: About) -> str:
    """Name what a memory is about, and what became of it."""
    name = " in ".join(filter(None, (one.command or one.symbol, one.path)))
    return name if one.state == "held" else f"{name}: {BECAME[one.state]}"


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


def proposed_by(one: PlanView) -> str:
    """Name who proposes a plan, in words."""
    return PROPOSERS.get(one.source, one.source)


def step_words(act: str, argument: str) -> str:
    """Act of a step on its memory, in words: ``retier to important``."""
    return f"{act} to {argument}" if argument else act


def acts_of(one: PlanView, *, done: bool = False) -> str:
    """Acts of a plan, counted by what is done to how many."""
    steps = [step for step in one.steps if not done or step.outcome == "done"]
    parts: list[str] = []
    for (act, argument), count in Counter((s.act, s.argument) for s in steps).items():
        verb = "set the tier of" if act == "retier" else act
        to = f" to {argument}" if argument else ""
        parts.append(f"{verb} {counted(count, 'memory', 'memories')}{to}")
    return ", ".join(parts) or "nothing any more"
