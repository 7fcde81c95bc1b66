"""Candidates: what the rules of extraction propose to remember, before the gate has seen it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from actors.policy.events.events import Tool
from actors.policy.text.phrases import phrases_of
from actors.policy.text.wording import titled

TRIGGERS: Final = 5  # phrases of a candidate


class Origin(Enum):
    """Origin of a candidate's words, most trusted first."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Draft:
    """A candidate's own part, before numbering and triggers."""

    rule: str
    text: str
    kind: str
    memory_type: str
    importance: float  # 0..1
    context_type: str = "general"
    origin: Origin = Origin.TOOL
    user_scope: bool = False
    correction: bool = False


@dataclass(frozen=True, slots=True)
class Candidate(Draft):
    """Something worth remembering, before the gate has seen it.

    ``(rule, ordinal)`` is unique within one event. There is no tier: people set tiers.
    """

    ordinal: int = 0
    title: str = ""
    triggers: tuple[str, ...] = ()
    source_tool: str = ""
    source_call: str = ""


def numbered(drafts: Sequence[Draft], tool: Tool | None) -> tuple[Candidate, ...]:
    """The drafts of one event as candidates: numbered by rule, titled, with trigger phrases."""
    counts: dict[str, int] = {}
    candidates: list[Candidate] = []
    for draft in drafts:
        ordinal = counts.get(draft.rule, 0)
        counts[draft.rule] = ordinal + 1
        title = titled(draft.text)
        candidates.append(
            Candidate(
                draft.rule,
                draft.text,
                draft.kind,
                draft.memory_type,
                round(draft.importance, 2),
                draft.context_type,
                draft.origin,
                draft.user_scope,
                draft.correction,
                ordinal,
                title,
                tuple(phrases_of(title, draft.text, limit=TRIGGERS)),
                tool.name if tool else "",
                tool.use_id if tool else "",
            )
        )
    return tuple(candidates)
