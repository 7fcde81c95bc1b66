"""Names in the environment that other memory systems gave their settings (rows B05, F15, O03).

Somebody who comes from one of them finds the names they know at work: a name here is another
name of a setting, or it is known, has no effect, and says why. ``REVERIE_...`` wins over an
alias, an alias over the file. A value that cannot be one is ignored with a warning: these names
are not ours alone, and a stranger's variable must not keep the daemon from starting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

CHARACTERS_A_TOKEN: Final = 4  # as those systems count
SPELLINGS: Final[Mapping[str, str]] = MappingProxyType(
    {"1": "true", "on": "true", "yes": "true", "0": "false", "off": "false", "no": "false"}
)


class Alias(NamedTuple):
    """The setting that a name stands for, and how its text is read."""

    key: str
    read: Callable[[str], object]


def as_it_is(text: str) -> str:
    """The text; the setting's own type reads it."""
    return text.strip()


def a_switch(text: str) -> str:
    """A feature's switch: true or false in any of their words, or a percentage.

    A bare 1 is true, as in those systems; one per cent is ``1%``.
    """
    plain = text.strip().casefold()
    return SPELLINGS.get(plain) or a_percentage(plain)


def a_percentage(text: str) -> str:
    """A percentage, with or without its sign."""
    return text.strip().removesuffix("%").strip()


def tokens(text: str) -> int:
    """Tokens as characters."""
    return int(text) * CHARACTERS_A_TOKEN


ALIASES: Final[Mapping[str, Alias]] = MappingProxyType(
    {
        "HOT_THRESHOLD": Alias("states.hot", as_it_is),
        "WARM_THRESHOLD": Alias("states.warm", as_it_is),
        "COLD_THRESHOLD": Alias("states.cold", as_it_is),
        "ARCHIVED_DAYS": Alias("states.archivable_days", as_it_is),
        "ARCHIVED_DAYS_THRESHOLD": Alias("states.archivable_days", as_it_is),
        "MAX_HOT_MEMORIES": Alias("capacity.hot", as_it_is),
        "MAX_WARM_MEMORIES": Alias("capacity.warm", as_it_is),
        "MAX_COLD_MEMORIES": Alias("capacity.cold", as_it_is),
        "MAX_DORMANT_MEMORIES": Alias("capacity.dormant", as_it_is),
        "SPECKIT_ARCHIVAL": Alias("archivist.enabled", a_switch),
        "SPECKIT_COACTIVATION": Alias("activation.enabled", a_switch),
        "SPECKIT_TOKEN_BUDGET": Alias("injection.characters", tokens),
        "SPECKIT_ROLLOUT_PERCENT": Alias("features.percent", a_percentage),
        "SPECKIT_SESSION_BOOST": Alias("features.session_boost", a_switch),
        "SPECKIT_PRESSURE_POLICY": Alias("features.pressure", a_switch),
        "SPECKIT_EXTRACTION": Alias("features.extraction", a_switch),
        "SPECKIT_NOVELTY_BOOST": Alias("features.novelty", a_switch),
        "SPECKIT_INTERFERENCE_SCORE": Alias("features.interference", a_switch),
    }
)

_OTHER_RANKING: Final = "results are fused and judged in another way (docs/adr/0006)"
_ALWAYS: Final = "this is always so and has no switch"

# Known, and without effect: why.
WITHOUT_EFFECT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "MAX_ARCHIVED_MEMORIES": "what is archived is never put into a prompt",
        "SPECKIT_REDACTION_GATE": "redaction cannot be switched off",
        "SPECKIT_WORKING_MEMORY": "working memory is always kept; SPECKIT_SESSION_BOOST takes"
        " its effect on recall away",
        "SPECKIT_CLASSIFICATION_DECAY": _ALWAYS,
        "SPECKIT_SCORE_NORMALIZATION": _ALWAYS,
        "SPECKIT_SIGNAL_VOCAB": _ALWAYS,
        "SPECKIT_COACTIVATION_STRENGTH": "it comes with the profile: activation.profile",
        "SPECKIT_CAUSAL_BOOST": _OTHER_RANKING,
        "SPECKIT_GRAPH_UNIFIED": _OTHER_RANKING,
        "SPECKIT_RSF_FUSION": _OTHER_RANKING,
        "SPECKIT_CHANNEL_MIN_REP": _OTHER_RANKING,
        "SPECKIT_CONFIDENCE_TRUNCATION": _OTHER_RANKING,
        "SPECKIT_COMPLEXITY_ROUTER": "every question goes to every channel",
        "SPECKIT_DYNAMIC_TOKEN_BUDGET": "the budget goes by how full the context is, not by the"
        " question",
        "SPECKIT_QUALITY_LOOP": "texts are kept as they were said; nothing rewrites them",
        "SPECKIT_EVAL_LOGGING": "evaluations are programs of their own, in lab/benchmarks/",
        "SPECKIT_LEVEL": "a mark inside documents, not a setting",
        "SPECKIT_TEMPLATE_SOURCE": "a mark inside documents, not a setting",
        "ENABLE_TOOL_CACHE": "no result of a tool is cached",
        "EMBEDDINGS_PROVIDER": "vectors are made on this machine alone; see embedding.model",
        "VOYAGE_API_KEY": "nothing is sent to a service",
        "OPENAI_API_KEY": "nothing is sent to a service",
    }
)


def known_without_effect(environ: Mapping[str, str]) -> dict[str, str]:
    """Names that are set and do nothing, with the reason; keys of services are not named.

    A key is there for other programs: saying so each time would be noise.
    """
    return {
        name: why
        for name, why in WITHOUT_EFFECT.items()
        if name in environ and not name.endswith("_API_KEY")
    }
