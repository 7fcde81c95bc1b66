"""The channels and stages of recall, each declared once: name, order, default, needs, meaning.

The name of a field is the name in the settings (``stages.rerank``), in ``recall --with`` and in the
trace; its place is the stage's place. First come the stages that change scores, then those that
arrange results. What is on by default won, or lost nowhere, in docs/recall-ablation.md.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Final, TypeVar

from actors.policy.graph.activation import Breadth
from actors.policy.recall import stage_rules
from actors.policy.recall.stage_rules import Arranging, Scoring

S = TypeVar("S", bound=Any)

KEPT: Final = 64  # different switches whose consequences are kept; a question may have its own
PRECISE: Final = frozenset({Breadth.PRECISE})
EXHAUSTIVE: Final = frozenset({Breadth.EXHAUSTIVE})


def _channel(says: str, *, on: bool = False) -> Any:
    return field(default=on, metadata={"says": says})


@dataclass(frozen=True, slots=True)
class Channels:
    """Channels asked for a query, and how it is read."""

    words: bool = _channel("memories are found by their words", on=True)
    vectors: bool = _channel("memories are found by their meaning", on=True)
    phrases: bool = _channel("memories are called by phrases that are theirs", on=True)
    tokens: bool = _channel("the best meet the query token by token (late interaction)", on=True)
    neighbours: bool = _channel(
        "what was kept just before and after lends some of its score", on=True
    )
    graph: bool = _channel("a search follows links from what it found", on=True)
    degree: bool = _channel("memories with many causal links come sooner")
    causes: bool = _channel("causal links among the results raise them")
    spelling: bool = _channel("a misspelt word is looked for as the known one it means", on=True)
    anchors: bool = _channel(
        "an event that a query names is looked up (before the release)", on=True
    )
    expansion: bool = _channel("a word is searched as its synonym as well")
    hyde: bool = _channel("a search looks by beginnings of an answer as well")
    routing: bool = _channel("a question that asks little follows no links")
    intent: bool = _channel("what is asked for decides how much results vary, with diversity")


@dataclass(frozen=True, slots=True)
class Stage:
    """Stage of recall: its rule, the facts it needs, and where it does not run."""

    scoring: Scoring | None = None
    arranging: Arranging | None = None
    needs: str = ""  # the field of ``Known`` that is worked out for it alone
    left_out: frozenset[Breadth] = frozenset()  # modes in which it does not run
    of_searches: bool = False  # a prompt gets what is closest, and few of it


def _scores(rule: Scoring, says: str, needs: str = "", *, on: bool = False, **how: Any) -> Any:
    return _stage(Stage(scoring=rule, needs=needs, **how), says, on=on)


def _arranges(rule: Arranging, says: str, needs: str = "", **how: Any) -> Any:
    return _stage(Stage(arranging=rule, needs=needs, **how), says, on=False)


def _stage(stage: Stage, says: str, *, on: bool) -> Any:
    return field(default=on, metadata={"says": says, "stage": stage})


@dataclass(frozen=True, slots=True)
class Stages:
    """Stages that work on what the channels found, in this order."""

    keyword_first: bool = _scores(stage_rules.keyword_first, "the best by words count twice")
    rerank: bool = _scores(
        stage_rules.rerank, "the texts are read again for the query's words", "overlap"
    )
    length: bool = _scores(
        stage_rules.length, "very short and very long texts lose a little", "characters"
    )
    temporal: bool = _scores(stage_rules.temporal, "what is recent gains a little", "ages")
    contiguity: bool = _scores(
        stage_rules.contiguous, "what was made close in time to other results gains", "ages"
    )
    past: bool = _scores(
        stage_rules.past, "what tells how it was comes later, unless the past is asked for", on=True
    )
    label: bool = _scores(
        stage_rules.labelled, "what bears the name that is asked for before a colon gains", on=True
    )
    literal: bool = _scores(
        stage_rules.literally, "what holds the very thing a query names comes first", on=True
    )
    time: bool = _scores(
        stage_rules.asked_time, "what is of the time that is asked for gains", on=True
    )
    together: bool = _scores(
        stage_rules.all_concepts, "what is near all concepts asked for comes first", on=True
    )
    graph: bool = _scores(stage_rules.linked, "what is linked with what was found gains", on=True)
    degree: bool = _scores(
        stage_rules.connected, "what has many causal links gains, with channels.degree", on=True
    )
    noticed: bool = _scores(
        stage_rules.noticed, "an insight comes behind the memories it was drawn from", on=True
    )
    accessibility: bool = _scores(stage_rules.reached, "what comes to mind easily gains", "reach")
    suppression: bool = _scores(
        stage_rules.suppressed, "what a person suppressed or called useless comes later", on=True
    )
    captured: bool = _scores(
        stage_rules.captured, "what an important moment captured gains a little", "captured"
    )
    context: bool = _scores(
        stage_rules.context,
        "what was made in circumstances like these gains",
        "contexts",
        left_out=PRECISE,
    )
    boosts: bool = _scores(
        stage_rules.boosts, "causes, the session and co-activation raise a score"
    )
    # The last part of the boosts, with which it is under one ceiling.
    coactivation: bool = _stage(
        Stage(needs="coactive"),
        "results that are like each other are raised by it, with boosts",
        on=False,
    )
    utility: bool = _scores(
        stage_rules.useful, "what was of use when it was returned gains", "uses"
    )
    competition: bool = _scores(
        stage_rules.compete,
        "of results that say much the same the best wins",
        left_out=PRECISE | EXHAUSTIVE,
    )
    succession: bool = _scores(
        stage_rules.succeed, "what took an outdated memory's place rises over it", on=True
    )
    interference: bool = _scores(
        stage_rules.interfere, "results of one project that say much the same lose", "siblings"
    )
    novelty: bool = _scores(stage_rules.novel, "what is newer than two days gains", "ages")
    confidence: bool = _arranges(
        stage_rules.confident, "what stands behind the first steep fall is cut", left_out=EXHAUSTIVE
    )
    diversity: bool = _arranges(
        stage_rules.diversify,
        "results of a search are to say different things",
        "vectors",
        left_out=PRECISE,
        of_searches=True,
    )
    regions: bool = _arranges(
        stage_rules.over_regions,
        "parts of the graph not seen yet go first in a search",
        "regions",
        left_out=PRECISE,
        of_searches=True,
    )
    representation: bool = _arranges(
        stage_rules.represent, "each channel has a place in a search's answer", of_searches=True
    )


CHANNELS: Final[Mapping[str, str]] = {one.name: one.metadata["says"] for one in fields(Channels)}
STAGES: Final[Mapping[str, str]] = {one.name: one.metadata["says"] for one in fields(Stages)}
HOW: Final[Mapping[str, Stage]] = {one.name: one.metadata["stage"] for one in fields(Stages)}


@lru_cache(maxsize=KEPT)
def selected(on: Stages, mode: Breadth = Breadth.BALANCED) -> tuple[tuple[str, Stage], ...]:
    """The stages that run in a mode, in their order, each under its name."""
    return tuple(
        (name, how)
        for name, how in HOW.items()
        if getattr(on, name) and (how.scoring or how.arranging) and mode not in how.left_out
    )


@lru_cache(maxsize=KEPT)
def needed(on: Stages) -> frozenset[str]:
    """The facts that the stages which are on need, as fields of ``Known``."""
    return frozenset(how.needs for name, how in HOW.items() if getattr(on, name) and how.needs)


@lru_cache(maxsize=KEPT)
def of_prompts(on: Stages) -> Stages:
    """The same without the stages that are for searches alone."""
    return switched(on, off=[name for name, how in HOW.items() if how.of_searches])


def switched(settings: S, *, off: Collection[str] = (), on: Collection[str] = ()) -> S:
    """The same switches with these off and these on; a name that is no switch of them changes nothing.

    ``settings`` is a dataclass of which each field is a switch. A name in both is off.
    """
    names = {one.name for one in fields(settings)}
    changed = dict.fromkeys(names & set(on), True) | dict.fromkeys(names & set(off), False)
    return replace(settings, **changed) if changed else settings
