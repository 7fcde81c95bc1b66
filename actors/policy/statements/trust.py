"""Trust: whose word ends whose. An agent's or a tool's words never end a memory kept by a person.

A noticed text may update or supersede an earlier noticed one. A text written down, pinned or given
a high tier by a person stays beside it, linked, until a person decides (tool output makes no memory
of high standing).
"""

from collections.abc import Collection
from typing import Final

from actors.policy.decay.states import is_protected
from actors.policy.gate.gate import CreateLinked, Decision, Reinforce, Supersede, Update
from actors.policy.statements.extraction import RULES
from actors.policy.statements.sources import AGENT, BY_HAND, READER, SHARED

KEPT_TIERS: Final = frozenset({"constitutional", "critical", "important"})
# Rules of earlier versions: what they kept of a person's words stays theirs.
_ONCE: Final = frozenset({"fact", "practice"})
_SAID_BY_THE_USER: Final = _ONCE | {READER} | {rule.id for rule in RULES if rule.event == "prompt"}
_CHOSEN: Final = frozenset({"answer", "plan"})  # a person agreed to the words of an agent
STATED: Final = BY_HAND | _SAID_BY_THE_USER | _CHOSEN  # sources
# What a person meant to be kept: by hand, by "remember that", as a standing rule or wish of theirs.
ON_PURPOSE: Final = BY_HAND | {"remember", "convention", "preference"}
UNJUDGED: Final = 0.5  # confidence of what a person stated, and the most of what nobody confirmed
UNCONFIRMED: Final = 0.45  # of what is only noticed: one useful lifts it over the other


def is_users_word(source: str) -> bool:
    """Return whether a memory of this source is in a person's words: by hand, or from a prompt."""
    return source in BY_HAND or source in _SAID_BY_THE_USER


def is_stated(source: str, confidence: float = UNJUDGED) -> bool:
    """Return whether a person stated it, chose it, or confirmed it since: then a decision lasts."""
    return source in STATED or confidence > UNJUDGED


def trust_in(source: str) -> float:
    """The confidence with which a memory of this source arrives, 0..1.

    A statement of an agent, a tool or a file of the repository counts as noticed until a person or
    an outcome confirms it.
    """
    return UNJUDGED if source in STATED else UNCONFIRMED


def is_kept_from(source: str, *, target: str, tier: str, pinned: bool) -> bool:
    """Return whether a text of ``source`` may not end a memory of source ``target``.

    A person's order by hand ends anything. A person's words in a prompt end anything except pinned
    memories or ones of a high tier; everybody else's also leave a person's words and choices alone.
    """
    if source in BY_HAND:
        return False
    if pinned or tier in KEPT_TIERS:
        return True
    return target in STATED and source not in STATED


def may_change(*, target: str, confidence: float, tier: str, pinned: bool) -> bool:
    """Return whether an agent may reword a memory: one not stated, confirmed, shared or kept by a person."""
    kept = is_kept_from(AGENT, target=target, tier=tier, pinned=pinned)
    return not kept and target != SHARED and not is_stated(target, confidence)


def is_told_whole(source: str, confidence: float, *, uses: int, pinned: bool) -> bool:
    """Return whether its text is told unasked; of a shared note only the title, until it was opened or kept."""
    return source != SHARED or pinned or uses > 0 or is_stated(source, confidence)


def left_standing(decision: Decision, *, tier: str, pinned: bool) -> Decision:
    """The late decision about a memory, or a link where it would end the memory as a copy.

    A memory kept before there were vectors may have been pinned, or be of a protected tier: it
    never leaves by itself.
    """
    if not isinstance(decision, Reinforce) or not is_protected(tier, pinned=pinned):
        return decision
    reason = f"kept beside what it says again; otherwise: {decision.reason}"
    return CreateLinked(decision.target, reason, decision.similarity)


def softened(decision: Decision, kept: Collection[int], why: str) -> Decision:
    """The decision, or a link where it would end one of the ``kept`` memories, and ``why``."""
    if not isinstance(decision, Update | Supersede) or decision.target not in kept:
        return decision
    contradiction = decision.contradiction if isinstance(decision, Supersede) else None
    reason = f"{why}; otherwise: {decision.reason}"
    return CreateLinked(decision.target, reason, decision.similarity, contradiction)
