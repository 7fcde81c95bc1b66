"""Settings of earlier versions: what became of each, so that an old file still starts.

A key or a value that was removed is one line among the warnings; only a name that never was
one stops the daemon. Who removes a setting writes its key here.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_IMPORTANCE: Final = "an importance stays what a person, a rule or a tier gave the memory"
_ATTENTION: Final = "a prompt leaves .85 of a session's attention to a note"
_CAPACITY: Final = "a prompt's notes are bounded by relevance and characters, not by their state"
_MEASURED: Final = "it is a constant, whose reason stands beside it in the code"
_PREFETCH: Final = "nothing is made ready any more: the last answers are kept while they hold"
_STRONG: Final = (
    "an update keeps the old wording as a version, however strong the memory: reverie show"
)
_SWITCHED: Final = "write its name in recall.with to have it on, in recall.without to have it off"
_CHANNELS: Final = (
    "words vectors phrases tokens neighbours graph degree causes spelling anchors expansion hyde"
    " routing intent"
)
_STAGES: Final = (
    "keyword_first rerank length temporal contiguity past label literal time together graph degree"
    " noticed accessibility suppression captured context boosts coactivation utility competition"
    " succession interference novelty confidence diversity regions representation"
)

# By key: why it is not there any more, or what to set instead.
KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "consolidation.preset": "there is one set of figures, that of seed",
        "consolidation.decay_every": "a relevance is computed when somebody asks for it",
        "consolidation.associations_every": "each dream connects what belongs together",
        "consolidation.forgetting_every": "each dream proposes, where dreaming.forget is true",
        "consolidation.forget": "set dreaming.forget",
        "consolidation.evolves": "a newer text on the same matter always evolves from the old one",
        "consolidation.forget_below": "what is proposed has a relevance under .01",
        "consolidation.boost": _IMPORTANCE,
        "gate.to_the_letter": "set gate.weighed = false to go by cosines",
        "activation.enabled": "memories that are alike are always joined: recall --mode precise tells of none",
        "activation.profile": "activation spreads in one way",
        "dreaming.compression": "what a newer memory says is put away or proposed, and no summary is written",
        "dreaming.focus": "a dream goes over everything: it takes seconds",
        "dreaming.saves": _MEASURED,
        "dreaming.hours": _MEASURED,
        "dreaming.gap_hours": _MEASURED,
        "dreaming.memories": _MEASURED,
        "dreaming.connections": _MEASURED,
        "dreaming.similarity": _MEASURED,
        "dreaming.strengthening": _MEASURED,
        "dreaming.kept": _MEASURED,
        "dreaming.insights": _MEASURED,
        "archivist.every": _MEASURED,
        "archivist.batch": _MEASURED,
        "archivist.shown": _MEASURED,
        "dreaming.profile": "the four phases of sleep were never measured to be better",
        "strength.kept": "no edit of a real session said what it had been told; 'reverie useful' does",
        "strength.undone": "no edit of a real session said what it had been told; 'reverie useless' does",
        "strength.cleared": "no error in an editor was measured to tell anything; 'reverie useful' does",
        "archivist.uses": "what was used is never proposed, only what three sessions were shown",
        "archivist.confidence": "the archivist goes by evidence: what sessions were shown and did not use",
        "gate.strength_gate": _STRONG,
        "gate.strong": _STRONG,
        "gate.strong_days": _STRONG,
        "gate.same": _MEASURED,
        "gate.same_fuller": _MEASURED,
        "gate.conflict": _MEASURED,
        "gate.contradicted": _MEASURED,
        "gate.contradicted_confidence": _MEASURED,
        "gate.candidates": _MEASURED,
        "gate.calibrated": "another model's cosines are always read on the default one's scale",
        "daemon.stop_within": _MEASURED,
        "daemon.tidy_every": _MEASURED,
        "passages.pause": _MEASURED,
        "states.hot_days": _MEASURED,
        "states.warm_days": _MEASURED,
        "states.cold_days": _MEASURED,
        "states.archivable_days": _MEASURED,
        "strength.implicit_gap": _MEASURED,
        "ranking.late": "late interaction has the weight that was measured: docs/adr/0010",
        "storage.group": _MEASURED,
        "storage.checkpoint_units": _MEASURED,
        "storage.checkpoint_forced": _MEASURED,
        "storage.mark_every": _MEASURED,
        "storage.words": "words are searched in memory, and by FTS5 until they are read",
        "storage.vectors": "vectors are searched in memory, and by sqlite-vec until they are read",
        "embedding.tokens": "the signs of tokens are always kept, for late interaction",
        "storage.gather": "whoever looks at once would not see what waits to be gathered",
        "tagging.release": "every important moment captures",
        "tagging.least_tag": "a tag leaves after nine hours",
        "tagging.lifetime": _MEASURED,
        "tagging.backward": _MEASURED,
        "tagging.forward": _MEASURED,
        "tagging.threshold": _MEASURED,
        "tagging.members": "an episode has fifty turns at most",
        "tagging.captured_for": "the newest two thousand captured turns are kept",
        "tagging.report": "a session's start no longer tells what was captured: reverie episodes",
        "importance.enabled": _IMPORTANCE,
        "importance.cycle": _IMPORTANCE,
        "importance.decay": _IMPORTANCE,
        "importance.helped": _IMPORTANCE,
        "importance.hindered": _IMPORTANCE,
        "features.capacity": _CAPACITY,
        "capacity.hot": _CAPACITY,
        "capacity.warm": _CAPACITY,
        "capacity.cold": _CAPACITY,
        "capacity.dormant": _CAPACITY,
        "features.pressure": "a nearly full context is always given less, from .6 of the window on",
        "pressure.focused": _MEASURED,
        "pressure.quick": _MEASURED,
        "prefetch.enabled": _PREFETCH,
        "prefetch.patterns": _PREFETCH,
        "prefetch.predictions": _PREFETCH,
        "prefetch.confidence": _PREFETCH,
        "prefetch.decay": _PREFETCH,
        "prefetch.outcome": _PREFETCH,
        "prefetch.interest_rate": _PREFETCH,
        "prefetch.interest_decay": _PREFETCH,
        "prefetch.session": _PREFETCH,
        "sessions.ttl": "what a session was told counts for a month, while it attends to it",
        "sessions.capacity": "a hundred notes, documents and files of instructions are remembered",
        **{f"channels.{name}": _SWITCHED for name in _CHANNELS.split()},
        **{f"stages.{name}": _SWITCHED for name in _STAGES.split()},
        "features.novelty": _SWITCHED,
        "features.interference": _SWITCHED,
        "features.session_boost": "it is a part of the boosts: recall.with = ['boosts']",
        "features.percent": "a feature is on or off, and for all installations",
        "ranking.fusion": "write the way's name in recall.with",
        "ranking.score": "write recall.with = ['composite']",
        "injection.before_tools": "a hook before commands and edits belongs to the others: reverie install",
        "working_memory.timeout": "attention fades by events and never by the clock",
        "working_memory.capacity": "set working_memory.hot and working_memory.warm",
        "working_memory.eviction": "what is attended to least has to go",
        "working_memory.decay": _ATTENTION,
        "working_memory.mention": _ATTENTION,
        "working_memory.floor": _ATTENTION,
        "working_memory.gone": _ATTENTION,
        "working_memory.boost": _ATTENTION,
        "working_memory.boost_ceiling": _ATTENTION,
    }
)


def retired(key: str, value: object) -> str | None:
    """Reason why ``key`` or its ``value`` is not used any more; None if nothing was removed."""
    if key in KEYS:
        return f"{key} is gone and has no effect: {KEYS[key]}"
    if key == "features.extraction" and _is_share(value):
        return f"{key} = {value} is gone, the default holds: it is on or off for all installations"
    return None


def _is_share(value: object) -> bool:
    """Return whether it is a percentage of installations, as the file or the environment has it."""
    text = "" if isinstance(value, bool) else str(value)
    return text.replace(".", "", 1).isdigit() and text not in ("0", "1")
