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
    "contradicts": "in contradiction",
    "explains": "one explains the other",
    "shares_theme": "of one theme",
    "parallel_context": "of like work",
    "evolves_from": "one came of the other",
}
# What a dream proposes.
ACTS: Final = {
    "archive": "put away",
    "forget": "forget",
    "retier": "change the tier of",
    "retype": "keep as general knowledge",
    "summarise": "sum up",
    "rescope": "share with all projects",
}
EVERYWHERE: Final = "all your projects"  # the user's own scope
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
    "consolidation": "a dream, of what nobody would miss",
    "verdicts": "what people found useful",
}
# What a plan means, for somebody who does not know the words.
MEANING: Final = {
    "archive": "No answer, prompt or hint has them any more. Nothing is deleted.",
    "forget": "No answer, prompt or hint has them any more. They are kept until 'reverie purge'.",
    "retier": "They weigh more or less in answers. Nothing is deleted.",
    "retype": "They fade at another pace. Nothing is deleted.",
    "summarise": "An earlier version proposed it: the text below in their place. It is not done any more.",
    "rescope": "They leave their project and are recalled in all of yours. No text changes.",
}


def counted(count: int, word: str, plural: str | None = None) -> str:
    """``1 memory``, ``2 memories``."""
    return f"{count:,} {word if count == 1 else plural or word + 's'}"


def about_line(one: About) -> str:
    """Name what a memory is about, and what became of it."""
    name = " in ".join(filter(None, (one.command or one.symbol, one.path)))
    return name if one.state == "held" else f"{name}: {BECAME[one.state]}"


def left_out(one: DreamView) -> list[str]:
    """Stages that a dream passed over because they came to no end: ``connecting``."""
    return [DOING.get(stage, stage) for stage in one.figures.get("left_out", {})]


def left_out_lines(one: DreamView) -> Iterator[str]:
    """Stages that a dream passed over and why; what stopped all of it."""
    for stage in one.figures.get("left_out", {}):
        yield f"{DOING.get(stage, stage)} {_failed(one, stage)} and was left out{_where(one, stage)}"
    if one.outcome == "failed" and _tried(one, "gather"):
        failed = _failed(one, "gather")
        yield f"reading the memories {failed}, so nothing was dreamt{_where(one, 'gather')}"


def _tried(one: DreamView, part: str) -> int:
    return int(one.figures.get("tried", {}).get(part, 0))


def _failed(one: DreamView, part: str) -> str:
    """``failed twice``, ``was cut off 4 times``."""
    faults = int(one.figures.get("faults", {}).get(part, 0))
    cut = _tried(one, part) - faults
    said = [f"failed {_times(faults)}"] if faults else []
    return " and ".join([*said, *([f"was cut off {_times(cut)}"] if cut > 0 else [])])


def _where(one: DreamView, part: str) -> str:
    """Where more is to be read: nothing was there to log a process that ended."""
    fault = one.figures.get("fault", {}).get(part)
    return f"; the log names the fault ({fault})" if fault else "; each time the daemon ended in it"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def stage_lines(one: DreamView) -> Iterator[str]:
    """Report of each stage of a dream, in a line, and what was left out."""
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
    yield from left_out_lines(one)


def connected_line(one: ConnectionView) -> str:
    """Tell the link between two memories: ``cause and effect, strength 0.90``."""
    return f"{CONNECTED.get(one.kind, one.kind)}, strength {one.strength:.2f}"


def proposed_by(one: PlanView) -> str:
    """Name who proposes a plan, in words."""
    return PROPOSERS.get(one.source, one.source)


def title_of(one: PlanView) -> str:
    """``archive 12 memories``."""
    return acts_of(one)


def step_words(act: str, argument: str) -> str:
    """Act of a step on its memory, in words: ``retier to important``."""
    if act == "rescope":
        return f"to {EVERYWHERE}"
    return f"{act} to {argument}" if argument else act


def acts_of(one: PlanView, *, done: bool = False) -> str:
    """Acts of a plan, counted by what is done to how many."""
    steps = [step for step in one.steps if not done or step.outcome == "done"]
    parts: list[str] = []
    for (act, argument), count in Counter((s.act, s.argument) for s in steps).items():
        if act == "rescope":
            parts.append(f"move {counted(count, 'memory', 'memories')} to {EVERYWHERE}")
            continue
        verb = {"retier": "set the tier of", "retype": "set the type of"}.get(act, act)
        to = f" to {argument}" if argument else ""
        parts.append(f"{verb} {counted(count, 'memory', 'memories')}{to}")
    return ", ".join(parts) or "nothing any more"
