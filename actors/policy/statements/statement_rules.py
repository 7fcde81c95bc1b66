"""The rules of people's statements: ways to say a decision, a preference, a convention, a cause.

They read English and are data: each has its purpose and its kind of memory; the forms of saying it are rows of the
table beside this module, each with a sentence to keep and one not to keep. ``actors.policy.statements.statements``
decides whether their findings are worth keeping.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from actors.policy.text.forms import forms, pattern_of


@dataclass(frozen=True, slots=True)
class Rule:
    """A way of stating something worth remembering."""

    id: str
    docs: str
    pattern: re.Pattern[str]
    kind: str
    memory_type: str
    importance: float  # 0..1
    context_type: str = "general"
    user_scope: bool = False


def _rule(rule_id: str, docs: str, *, said: str = "", **rest: Any) -> Rule:
    """The rule of the forms under its name in the table, or under ``said``."""
    return Rule(rule_id, docs, pattern_of(RULE_FORMS.get(said or rule_id, ())), **rest)


RULE_FORMS: Final = forms(__name__, "statement_rules")
# In order: the first rule that matches a sentence has it.
RULES: Final[tuple[Rule, ...]] = (
    _rule(
        "identity",
        "Who the user is: name, role, time zone, tools of their own",
        kind="fact",
        memory_type="autobiographical",
        importance=0.7,
        user_scope=True,
    ),
    _rule(
        "preference",
        "What the user prefers, in the first person, or 'please always / never'",
        kind="preference",
        memory_type="semantic",
        importance=0.8,
        user_scope=True,
    ),
    _rule(
        "decision",
        "What was decided: 'we decided', 'let's use', 'use X, not Y', 'we are switching to'",
        kind="decision",
        memory_type="semantic",
        context_type="decision",
        importance=0.85,
    ),
    _rule(
        "convention",
        "A standing rule of the project: always, never, from now on, before every commit",
        kind="convention",
        memory_type="procedural",
        importance=0.8,
    ),
    _rule(
        "cause",
        "Why something happened, as the user found it: 'it turned out', 'the root cause was'",
        kind="discovery",
        memory_type="declarative",
        context_type="discovery",
        importance=0.7,
    ),
)
# Whoever keeps one of these on purpose means more than the task at hand.
ORDER: Final = _rule(
    "convention",
    "A standing order that a person keeps: 'do not ...', 'use X, not Y'",
    said="order",
    kind="convention",
    memory_type="procedural",
    importance=0.8,
)
REMEMBER: Final = _rule(
    "remember",
    "What the user asked to remember: 'remember that', 'note:', 'keep in mind'",
    kind="fact",
    memory_type="declarative",
    importance=0.9,
)
WISH: Final = _rule(
    "wish",
    "What is to hold, said in passing: 'we should only have one cache', 'not as X, but as Y'",
    kind="decision",
    memory_type="semantic",
    context_type="decision",
    importance=0.8,
)
CORRECTION: Final = "correction"
CORRECTION_DOCS: Final = "A statement that sets something right: 'no, ...', 'actually ...'"
CORRECTION_IMPORTANCE: Final = 0.85
