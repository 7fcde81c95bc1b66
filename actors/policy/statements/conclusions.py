"""Conclusions of an agent: root causes, decisions, and the summary of a compaction.

Only what is stated outright counts. An agent's guess is not knowledge, and a list of what was
done is in the commits.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from actors.policy.statements.candidates import Draft, Origin
from actors.policy.text.wording import one_line, sentence, sentences, specifics

CONCLUSIONS: Final = 3  # of one message

_CONCLUDES: Final = re.compile(
    r"\b(?:root|underlying|actual|real) (?:cause|issue|problem|reason|bug)\b.{0,80}\b(?:was|is|were)\b"
    r"|^(?:the )?(?:cause|culprit|reason)\b.{0,80}\b(?:was|is)\b"
    r"|\bturn(?:s|ed) out\b|\b(?:was|were|is|are) (?:being )?caused by\b"
    r"|\b(?:fail(?:s|ed|ing)?|broke|breaks|crash(?:es|ed)|hung|hangs|timed out)\b.{0,60}\bbecause\b",
    re.IGNORECASE,
)
_DECIDES: Final = re.compile(
    r"\b(?:we|i)(?:['’]ve| have)? (?:decided|chose|opted|agreed)\b|^decision\s*:", re.IGNORECASE
)
_FIXES: Final = re.compile(
    r"^(?:(?:the )?(?:fix|solution)\b|fixed\b|i(?:['’]ve| have)? fixed\b|solved\b)", re.IGNORECASE
)
_UNSURE: Final = re.compile(
    r"\b(?:might|may|maybe|perhaps|probably|likely|could be|i (?:think|suspect|believe|guess)"
    r"|appears? to|seems?|possibly|presumably|not sure|unclear|if)\b|\?$",
    re.IGNORECASE,
)
_DANGLING: Final = re.compile(
    r"^(?:it|this|that|they|these|those|which|there)\b(?! (?:turn(?:s|ed) out))", re.IGNORECASE
)
_SECTION: Final = re.compile(
    r"^[ \t]*(?:#+[ \t]*|\*\*)?\d{1,2}[.)][ \t]+\**([A-Z][\w ,&/()-]{2,50}?)\**:\**\s*(.*?)"
    r"(?=^[ \t]*(?:#+[ \t]*|\*\*)?\d{1,2}[.)][ \t]+\**[A-Z]|\Z)",
    re.MULTILINE | re.DOTALL,
)
_ANALYSIS: Final = re.compile(r"<analysis>.*?(?:</analysis>|\Z)", re.DOTALL)
_TAG: Final = re.compile(r"</?\w+>")


def of_summary(summary: str) -> list[Draft]:
    """A compaction's summary by its first request and where it stopped."""
    plain = _TAG.sub("", _ANALYSIS.sub("", summary))
    sections = {name.strip().casefold(): body for name, body in _SECTION.findall(plain)}
    asked = _section(sections, ("primary request", "request", "intent", "task"))
    state = _section(sections, ("current work", "pending", "next step", "state"))
    if not asked:
        return _of_plain_summary(plain)
    parts = [f"Session about: {sentence(one_line(asked, 300))}"]
    if state:
        parts.append(f"It stopped at: {sentence(one_line(state, 240))}")
    return [_summary_draft(" ".join(parts))]


def _of_plain_summary(plain: str) -> list[Draft]:
    lines = sentences(plain)
    if sum(len(line.split()) for line in lines) < 8:
        return []
    return [_summary_draft(f"Session summary: {one_line(' '.join(lines), 500)}")]


def _summary_draft(text: str) -> Draft:
    return Draft(
        "session-summary", one_line(text), "state", "episodic", 0.6, "general", Origin.AGENT
    )


def _section(sections: Mapping[str, str], names: Iterable[str]) -> str:
    for name in names:
        for heading, body in sections.items():
            said = " ".join(sentences(body)) if name in heading else ""
            if said:
                return said
    return ""


def of_message(message: str, topic: str) -> list[Draft]:
    """Root causes and decisions that the agent states outright at the end of a turn."""
    if "<summary>" in message or "<analysis>" in message:
        return []  # the compaction's own turn; PostCompact brings it
    lines = sentences(message)
    drafts: list[Draft] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        concludes = _CONCLUDES.search(line)
        if not (concludes or _DECIDES.search(line)) or not _is_plain(line):
            continue
        text = sentence(
            re.sub(r"^(?:it )?turn(?:s|ed) out (?:that )?", "", line, flags=re.IGNORECASE)
        )
        if concludes and _FIXES.match(following) and not _UNSURE.search(following):
            text += f" {sentence(following)}"
        kind = "discovery" if concludes else "decision"
        drafts.append(
            Draft(
                "conclusion",
                one_line(_with_topic(text, topic)),
                kind,
                "declarative",
                0.6,
                "discovery",
                Origin.AGENT,
            )
        )
    return drafts[:CONCLUSIONS]


def _is_plain(line: str) -> bool:
    return not (_UNSURE.search(line) or _DANGLING.match(line)) and 5 <= len(line.split()) <= 80


def _with_topic(text: str, topic: str) -> str:
    """A conclusion that names nothing says what it was about: the user's request."""
    return text if not topic or specifics(text) == 2 else beside(text, topic)


def beside(text: str, topic: str) -> str:
    """A text with the user's request that it is to be read beside."""
    return f"{text} (While working on: {topic.rstrip('.')}.)"
