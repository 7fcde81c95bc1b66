"""Candidates: proposals of the rules of extraction, before the gate has seen them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from actors.policy.events.events import Tool
from actors.policy.text.derived_phrases import phrases_of
from actors.policy.text.wording import titled

TRIGGERS: Final = 5  # phrases of a candidate


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something worth remembering, before the gate has seen it.

    A rule makes it; numbered, ``(rule, ordinal)`` is unique within one event. There is no tier: people
    set tiers.
    """

    rule: str
    text: str
    kind: str
    memory_type: str
    importance: float  # 0..1
    context_type: str = "general"
    user_scope: bool = False
    ordinal: int = 0
    title: str = ""
    triggers: tuple[str, ...] = ()
    source_tool: str = ""
    source_call: str = ""
    commit: str = ""  # the hash of the one that says it, as git told it
    author: str = ""  # the name of who made that


def numbered(found: Sequence[Candidate], tool: Tool | None) -> tuple[Candidate, ...]:
    """The candidates of one event numbered by rule, titled, with trigger phrases."""
    counts: Counter[str] = Counter()
    candidates: list[Candidate] = []
    for one in found:
        title = titled(one.text)
        candidates.append(
            replace(
                one,
                importance=round(one.importance, 2),
                ordinal=counts[one.rule],
                title=title,
                triggers=tuple(phrases_of(title, one.text, limit=TRIGGERS)),
                source_tool=tool.name if tool else "",
                source_call=tool.use_id if tool else "",
            )
        )
        counts[one.rule] += 1
    return tuple(candidates)
