"""Extraction: parts of a session, of its prompts and its tools, worth knowing again to a senior engineer.

Quality before quantity: most events yield nothing. A candidate is a sentence or a short paragraph that makes sense
without the session and names its subject. Only the user's words can become preferences and conventions.
"""

import re
from collections.abc import Mapping
from typing import Final

from actors.policy.events.commands import segments
from actors.policy.events.edits import commit_of
from actors.policy.events.events import ASKING, Event, EventKind, Tool, listing, mapping, text_of
from actors.policy.events.trail import has_failed
from actors.policy.gate.correcting_sentence import CorrectingSentence, said_in
from actors.policy.patterns import pattern
from actors.policy.statements import statement_rules
from actors.policy.statements import statements as stated
from actors.policy.statements.claims import ANSWER, choice_text, leans, reasons, tells_choice
from actors.policy.statements.statement_rules import Candidate, numbered
from actors.policy.statements.summaries import QUOTATION, SUMMARY, of_summary
from actors.policy.text.wording import TEXT, is_of_a_project, one_line, sentence
from actors.policy.text.words import caseless, expressions, table

_EXPRESSIONS: Final = expressions(__name__)

COMMIT: Final = "commit"
DOCUMENT: Final = "document"  # the rule of what documents say (actors.policy.documents)
CORRECTED: Final = "corrected"  # the rule of what the gate makes of a memory and a prompt


_RULES: Final = (statement_rules.REMEMBER, *statement_rules.RULES, statement_rules.WISH)
BY_PROMPT: Final = frozenset({statement_rules.CORRECTION, CORRECTED, *(rule.id for rule in _RULES)})
RULES: Final = BY_PROMPT | {ANSWER, COMMIT, SUMMARY, QUOTATION, DOCUMENT}  # all that propose one
# What a reader of the session understands better, so that these are silent where one will read it.
LEFT_TO_THE_READER: Final = frozenset({statement_rules.WISH.id, ANSWER, SUMMARY, QUOTATION})

# Text of a tool or an agent that talks to an agent: never a memory.
_INJECTED: Final = caseless(_EXPRESSIONS["injected"])
_FIRST_PERSON: Final = caseless(r"\b(?:i|i['’](?:m|d|ve|ll)|me|my|mine|myself)\b")


def extracted(event: Event) -> tuple[tuple[Candidate, ...], tuple[CorrectingSentence, ...]]:
    """Candidates from an event, and its sentences that may correct known facts."""
    turn = event.turn
    match event.kind:
        case EventKind.PROMPT if not event.is_typed_prompt or turn.text.startswith(("/", "!")):
            return (), ()  # the client's, or an order to it
        # The words of a refusal are typed as well, beside the question for a permission.
        case EventKind.PROMPT | EventKind.REFUSED:
            said = [_candidate(one.rule, one.text) for one in stated.statements(turn)]
            return numbered(said, None), turn.read(said_in)
        case EventKind.TOOL:
            drafts = _of_tool(event)
        case EventKind.POST_COMPACT:
            drafts = of_summary(event.summary)
        case _:
            drafts = []
    # What a tool or an agent wrote may try to give orders to the next agent.
    return numbered([one for one in drafts if not is_injected(one.text)], event.tool), ()


def _candidate(rule: statement_rules.Rule, text: str) -> Candidate:
    # It holds wherever the person works if it is said of themselves, and of no project.
    of_the_person = _FIRST_PERSON.search(text) is not None and not is_of_a_project(text)
    return Candidate(
        rule.id, one_line(text), rule.kind, rule.memory_type, rule.importance, rule.context_type,
        rule.user_scope and of_the_person,
    )  # fmt: skip


def is_injected(text: str) -> bool:
    """Tell whether a text reads like an order to an agent: it is never remembered."""
    return _INJECTED.search(text) is not None


# ---- findings in tools' calls worth remembering: the reason of a commit, a choice


SUBJECT: Final = 160  # characters of a commit's subject

_COMMIT: Final = pattern(r"^git\b(?: -\S+(?: \S+)?)*? commit\b")
_COMMITTED: Final = pattern(r"^\[[^\s\]]+[^\]\n]{0,200}? [0-9a-f]{7,40}\] (.+)$", re.MULTILINE)
_HEREDOC: Final = pattern(r"<<-?[ \t]*['\"]?(\w+)['\"]?\n(.*?)(?:\n[ \t]*\1\b|\Z)", re.DOTALL)
_MESSAGE: Final = pattern(
    r"(?:^|\s)(?:-\w*m|--message)[\s=]{0,3}"
    r"(?:'([^']*)(?:'|\Z)|\"((?:\\.|[^\"\\])*)(?:\"|\\?\Z))",
    re.DOTALL,
)
_ESCAPED: Final = pattern(r"\\([\\\"$`])")
_TRAILERS: Final = pattern(_EXPRESSIONS["trailers"], re.IGNORECASE | re.MULTILINE)
_CHORE: Final = caseless(_EXPRESSIONS["chore"])
# What keeps house: only a reason about behaviour is worth a word of it.
_HOUSEKEEPING: Final = caseless(_EXPRESSIONS["housekeeping"])
_COUNTER: Final = caseless(r"\btasks? \d[\d,-]*/\d+\s?(?:[—–:-]\s)?")
_CONVENTIONAL: Final = pattern(r"^(\w+)(?:\([^)]*\))?!?:\s*")
_COMMIT_KINDS: Final = table(__name__)["commit_kinds"]  # by the verb: a kind, its importance
_BETWEEN: Final = pattern(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t])")
_NOTES_ONLY: Final = "(notes only)"
_MARKED: Final = caseless(r" ?\((?:recommended|default)\)")
# It lets the work go on, and says nothing of how.
_GOES_ON: Final = caseless(_EXPRESSIONS["goes_on"])
_ASKS_WHAT_NOW: Final = caseless(_EXPRESSIONS["asks_what_now"])
# The answer leaves it to the agent, or goes on to what is asked next.
_LEFT_OPEN: Final = caseless(_EXPRESSIONS["left_open"])
# The question is how to go on with the questions ...
_ASKS_TO_GO_ON: Final = caseless(_EXPRESSIONS["asks_to_go_on"])
# ... or whether to do one thing now.
_ASKS_LEAVE: Final = caseless(_EXPRESSIONS["asks_leave"])
# The piece of work itself, which is over when it is done.
_WORK_ITEM: Final = caseless(_EXPRESSIONS["work_item"])


def _of_tool(event: Event) -> list[Candidate]:
    tool = event.tool
    if tool is not None and tool.name == ASKING:
        return _answered(tool)
    if tool is None or not tool.command or has_failed(event):
        return []
    message = commit_message(tool)
    return _committed(message, commit_of(event)) if message else []


def commit_message(tool: Tool) -> str:
    """Return the message of a command's commit, without trailers; "" for another command."""
    if not any(_COMMIT.match(segment) for segment in segments(tool.command)):
        return ""
    reported = _COMMITTED.search(tool.output)
    message = _message_in(tool.command) or (reported[1] if reported else "")
    return _TRAILERS.sub("", message).strip()


def _committed(message: str, commit: str) -> list[Candidate]:
    """A commit by why it was made; none when neither body nor subject says so."""
    subject, _, body = message.partition("\n")
    if _CHORE.match(subject) or len(subject.split()) < 3:
        return []
    subject = f"{one_line(_COUNTER.sub('', subject), SUBJECT).rstrip('.')}."
    housekeeping = bool(_HOUSEKEEPING.search(subject)) and not tells_choice(subject)
    paragraphs = [" ".join(part.split()) for part in _BETWEEN.split(body) if part.strip()]
    why = reasons(paragraphs, TEXT - len(subject), housekeeping=housekeeping)
    if not why and not tells_choice(subject):
        return []
    kind, importance = _commit_kind(subject)
    text = why if housekeeping and not leans(why) else f"{subject} {why}".strip()
    weight = importance + 0.1 * bool(why)
    return [Candidate(COMMIT, text, kind, "episodic", weight, "implementation", commit=commit)]


def _message_in(command: str) -> str:
    heredoc = _HEREDOC.search(command)
    if heredoc:
        return heredoc[2]
    paragraphs = [
        single or _ESCAPED.sub(r"\1", double) for single, double in _MESSAGE.findall(command)
    ]
    return "\n\n".join(paragraphs)


def _commit_kind(subject: str) -> tuple[str, float]:
    conventional = _CONVENTIONAL.match(subject)
    word = (conventional[1] if conventional else subject.partition(" ")[0]).casefold()
    stem = word.removesuffix("es") if word.startswith("fix") else word.removesuffix("s")
    kind, importance = _COMMIT_KINDS.get(stem.removesuffix("ed"), ("change", 0.35))
    return kind, importance


def _answered(tool: Tool) -> list[Candidate]:
    """The user's choices, each with its question; not mere leave to go on."""
    asked = [mapping(one) for one in listing(tool.input.get("questions"))]
    described = {
        text_of(option, "label"): text_of(option, "description")
        for question in asked
        for option in map(mapping, listing(question.get("options")))
    }
    said = mapping(tool.response)
    answers = mapping(said.get("answers") or tool.input.get("answers"))
    notes = mapping(said.get("annotations"))
    return [
        Candidate(ANSWER, text, "decision", "semantic", 0.8, "decision")
        for question, answer in answers.items()
        if isinstance(answer, str)
        for text in _chosen(
            question, answer, described, text_of(mapping(notes.get(question)), "notes")
        )
    ]


def _chosen(question: str, answer: str, described: Mapping[str, str], notes: str) -> list[str]:
    """The choice as a text; none when it is only about how the work goes on."""
    label = _MARKED.sub("", answer).strip()
    choice = [one for one in dict.fromkeys((label, notes)) if one and one != _NOTES_ONLY]
    operational = (
        _GOES_ON.fullmatch(label)
        or _LEFT_OPEN.match(label)
        or _ASKS_TO_GO_ON.search(question)
        or (_ASKS_WHAT_NOW.search(question) and not notes)
        or (_ASKS_LEAVE.search(question) and answer in described)
    )
    of_the_work = _WORK_ITEM.search(" ".join((question, *choice)))
    if not choice or operational or of_the_work or label.endswith("?"):
        return []
    meaning = described.get(answer, "")
    return [choice_text(question, (sentence(one) for one in (*choice, meaning) if one))]
