"""Extraction: parts of a session worth knowing again to a senior engineer.

Quality before quantity: most events yield nothing. A candidate is a sentence or a short paragraph
that makes sense without the session and names its subject. The user's words rank above a tool's
output; only the user's words can become preferences and conventions.

``RULES`` lists every rule with its purpose; the rules of the user's statements are in
``actors.policy.statements.statement_rules``.
"""

from dataclasses import dataclass
from typing import Final

from actors.policy.events.events import Event, EventKind
from actors.policy.gate.correcting_sentence import CorrectingSentence, said_in
from actors.policy.statements import statement_rules
from actors.policy.statements import statements as stated
from actors.policy.statements.candidates import Candidate, numbered
from actors.policy.statements.choices import ANSWER
from actors.policy.statements.findings import of_tool
from actors.policy.statements.summaries import QUOTATION, QUOTATION_DOCS, SUMMARY, of_summary
from actors.policy.text.turn import Turn
from actors.policy.text.wording import is_of_a_project, one_line
from actors.policy.text.words import caseless

DOCUMENT: Final = "document"  # the rule of what documents say (actors.policy.documents)
CORRECTED: Final = "corrected"  # the rule of what the gate makes of a memory and a prompt


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """Purpose of a rule."""

    id: str
    event: str
    docs: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """Candidates from an event."""

    candidates: tuple[Candidate, ...]
    said: tuple[CorrectingSentence, ...] = ()  # possible corrections of known facts


_BY_PROMPT: Final = (statement_rules.REMEMBER, *statement_rules.RULES, statement_rules.WISH)
RULES: Final[tuple[RuleInfo, ...]] = (
    *(RuleInfo(r.id, "prompt", r.docs) for r in _BY_PROMPT),
    RuleInfo(statement_rules.CORRECTION, "prompt", statement_rules.CORRECTION_DOCS),
    RuleInfo(CORRECTED, "prompt", "What was known, with the value that the user gives it"),
    RuleInfo(ANSWER, "tool", "What the user chose when the agent asked"),
    RuleInfo("commit", "tool", "Why a git commit was made"),
    RuleInfo(
        SUMMARY,
        "post_compact",
        "What was settled, required and explained, by a compaction's summary",
    ),
    RuleInfo(QUOTATION, "post_compact", QUOTATION_DOCS),
    RuleInfo(DOCUMENT, "turn_end, prompt", "What a document that was written or read states"),
)
# What a reader of the session understands better, so that these are silent where one will read it.
LEFT_TO_THE_READER: Final = frozenset({statement_rules.WISH.id, ANSWER, SUMMARY, QUOTATION})

# What a text says was done to it.
_CONTEXT_WORDS: Final = (
    ("research", caseless(r"\bexplored\b")),
    ("implementation", caseless(r"\bimplemented\b")),
    ("decision", caseless(r"\bdecided\b")),
    ("discovery", caseless(r"\bfound\b")),
)

# Text of a tool or an agent that talks to an agent: never a memory.
_INJECTED: Final = caseless(
    r"\b(?:ignore|disregard|forget|override) (?:all |any |the |your |previous )*(?:previous|prior"
    r"|above|earlier|system)\b|\byou are now\b|\bsystem prompt\b|</?(?:system|assistant|user)\b"
    r"|\bdo not (?:tell|inform|mention .{1,30} to) the user\b|\byou must (?:now|always|never)\b"
)
_FIRST_PERSON: Final = caseless(r"\b(?:i|i['’](?:m|d|ve|ll)|me|my|mine|myself)\b")


def extracted(event: Event) -> Extraction:
    """Candidates from an event."""
    if event.kind is EventKind.PROMPT:
        is_told = event.is_typed_prompt and not event.turn.text.startswith(("/", "!"))
        return _told(event.turn) if is_told else Extraction(())  # the client's, or an order to it
    if event.kind is EventKind.REFUSED:
        return _told(event.turn)  # typed as well, beside the question for a permission
    return Extraction(numbered(_observed(event), event.tool))


def _told(turn: Turn) -> Extraction:
    return Extraction(numbered(_prompted(turn), None), turn.read(said_in))


def context_type(text: str) -> str:
    """Kind of work behind a text, by its first verb of these; else general.

    explored: research, implemented: implementation, decided: decision, found: discovery.
    """
    named = (context for context, verb in _CONTEXT_WORDS if verb.search(text))
    return next(named, "general")


def _prompted(turn: Turn) -> list[Candidate]:
    return [
        Candidate(
            statement.rule.id,
            one_line(statement.text),
            statement.rule.kind,
            statement.rule.memory_type,
            statement.rule.importance,
            statement.rule.context_type,
            statement.rule.user_scope and _is_of_the_person(statement.text),
        )
        for statement in stated.statements(turn)
    ]


def _is_of_the_person(text: str) -> bool:
    """Tell whether it holds wherever the person works: said of themselves, and of no project."""
    return _FIRST_PERSON.search(text) is not None and not is_of_a_project(text)


def _observed(event: Event) -> list[Candidate]:
    match event.kind:
        case EventKind.TOOL | EventKind.TOOL_ERROR:
            drafts = of_tool(event)
        case EventKind.POST_COMPACT:
            drafts = of_summary(event.summary)
        case _:
            drafts = []
    # What a tool or an agent wrote may try to give orders to the next agent.
    return [draft for draft in drafts if not is_injected(draft.text)]


def is_injected(text: str) -> bool:
    """Tell whether a text reads like an order to an agent: it is never remembered."""
    return _INJECTED.search(text) is not None
