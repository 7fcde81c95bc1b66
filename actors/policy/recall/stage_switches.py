"""Which stages of recall a person may switch, and what is on (K28).

What is on by default won, or lost nowhere, in the tables of docs/recall-ablation.md. How many are
looked at, how many are shown, what fits and what the best brings to mind are no switches: the
mode, the number asked for, the budget and the answer's associations decide those.
"""

from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Final

from actors.policy.recall import stages
from actors.policy.recall.switches import switched

KEPT: Final = 64  # different switches whose consequences are kept; a question may have its own


@dataclass(frozen=True, slots=True)
class Settings:
    """A switch each, under the stage's name."""

    keyword_first: bool = False  # the best by words count twice (K28)
    rerank: bool = False  # the texts read again for the query's words (K16)
    length: bool = False  # very short and very long texts lose a little (K27)
    temporal: bool = False  # what is recent gains a little (K10)
    past: bool = True  # what tells how it was comes later, unless the past is asked for
    label: bool = True  # what bears the name that is asked for gains (labels)
    literal: bool = True  # what holds the very thing a concrete query names comes first (K34)
    time: bool = True  # what is of the time that is asked for gains
    together: bool = True  # what is near all concepts asked for comes first (K02)
    graph: bool = True  # what is linked with what was found gains (K05)
    degree: bool = True  # what has many causal links gains, with `channels.degree` (K06)
    noticed: bool = True  # an insight comes behind the memories it was drawn from (I10)
    accessibility: bool = False  # what comes to mind easily gains (B11)
    suppression: bool = True  # what a person suppressed comes later (Q12)
    context: bool = False  # what was made in circumstances like these gains (K30)
    boosts: bool = True  # causes, the session and co-activation, under one ceiling (K17)
    coactivation: bool = False  # the last of these: results that are like each other gain (C12)
    utility: bool = False  # what was of use when it was returned gains (K32)
    competition: bool = False  # of results that say much the same the best wins (K31)
    succession: bool = True  # what took an outdated memory's place rises over it
    confidence: bool = False  # what stands behind the first steep fall is cut (K21)
    diversity: bool = False  # marginal relevance, in searches (K12)
    regions: bool = False  # parts of the graph not seen yet go first, in searches (K24)
    representation: bool = False  # each channel has a place, in searches (K20)


DEFAULT: Final = Settings()
NAMES: Final = tuple(one.name for one in fields(Settings))


# The stages that go by more than what the channels found (``stage_facts``).
OF_FACTS: Final = frozenset(
    {
        "keyword_first", "rerank", "length", "temporal", "accessibility", "context",
        "coactivation", "utility", "competition", "diversity", "regions", "representation",
    }
)  # fmt: skip


# Those by which a search's answer is to cover more; a prompt gets what is closest, and few of it.
OF_SEARCHES: Final = frozenset({"diversity", "regions", "representation"})


@lru_cache(maxsize=KEPT)
def want_facts(settings: Settings) -> bool:
    """Whether one of the stages that are on goes by facts that are to be gathered."""
    return any(getattr(settings, name) for name in OF_FACTS)


@lru_cache(maxsize=KEPT)
def of_prompts(settings: Settings) -> Settings:
    """The same without the stages that are for searches alone."""
    return switched(settings, off=OF_SEARCHES)


@lru_cache(maxsize=KEPT)
def running(settings: Settings) -> stages.Settings:
    """The stages that these switches leave on."""
    on = {name: value for name, value in asdict(settings).items() if name != "coactivation"}
    return stages.Settings(**on, overfetch=False, limit=False, budget=False, spreading=False)
