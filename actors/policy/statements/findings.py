"""Findings that tools show and that are worth remembering: commits, choices, documents.

Each function takes what happened and returns drafts; most return none.
"""

import re
from collections.abc import Mapping
from typing import Final

from actors.policy.events.commands import segments, telling
from actors.policy.events.documents import reading
from actors.policy.events.events import Event, EventKind, Tool, mapping
from actors.policy.events.trail import has_failed
from actors.policy.statements.candidates import Draft, Origin
from actors.policy.text.wording import one_line, sentence

ASKING: Final = "AskUserQuestion"

_COMMIT: Final = re.compile(r"^git\b(?: -\S+(?: \S+)?)*? commit\b")
_COMMITTED: Final = re.compile(
    r"^\[([^\s\]]+)[^\]\n]{0,200}? ([0-9a-f]{7,40})\] (.+)$", re.MULTILINE
)
_HEREDOC: Final = re.compile(r"<<-?[ \t]*['\"]?(\w+)['\"]?\n(.*?)(?:\n[ \t]*\1\b|\Z)", re.DOTALL)
_MESSAGE: Final = re.compile(
    r"(?:^|\s)(?:-\w*m|--message)[\s=]{0,3}"
    r"(?:'([^']*)(?:'|\Z)|\"((?:\\.|[^\"\\])*)(?:\"|\\?\Z))",
    re.DOTALL,
)
_TRAILERS: Final = re.compile(
    r"^(?:co-authored-by|signed-off-by|change-id|reviewed-by|refs?|[^\w\n]*+generated with)\b.*$",
    re.IGNORECASE | re.MULTILINE,
)
_CHORE: Final = re.compile(
    r"^(?:wip|fixup!|squash!|tmp|temp|checkpoint|merge (?:branch|pull)|bump version|v?\d[\d.]*$)",
    re.IGNORECASE,
)
_CONVENTIONAL: Final = re.compile(r"^(\w+)(?:\([^)]*\))?!?:\s*")
_COMMIT_KINDS: Final[Mapping[str, tuple[str, float]]] = {
    "fix": ("bugfix", 0.55),
    "bugfix": ("bugfix", 0.55),
    "hotfix": ("bugfix", 0.55),
    "feat": ("feature", 0.5),
    "add": ("feature", 0.5),
    "implement": ("feature", 0.5),
    "support": ("feature", 0.5),
    "refactor": ("refactor", 0.4),
    "perf": ("change", 0.5),
    "revert": ("change", 0.55),
}
_PULL_REQUEST: Final = re.compile(r"^gh pr create\b.*?--title[\s=]+(?:'([^']+)'|\"([^\"]+)\")")


def of_tool(event: Event) -> list[Draft]:
    """Findings of a tool call; a failure shows nothing."""
    tool = event.tool
    if tool is None or event.kind is EventKind.TOOL_ERROR:
        return []
    if tool.name == "Read":
        return _read(tool, event.cwd)
    if tool.name == ASKING:
        return _answered(tool)
    if tool.name.endswith("create_pull_request"):
        return _pull_request(_string(tool.input, "title"))
    if not tool.command or has_failed(event):
        return []
    return _commands(tool)


def _commands(tool: Tool) -> list[Draft]:
    drafts: list[Draft] = []
    if any(_COMMIT.match(segment) for segment in segments(tool.command)):
        drafts += _committed(tool)
    opened = _PULL_REQUEST.search(telling(tool.command))
    if opened:
        drafts += _pull_request(opened[1] or opened[2])
    return drafts


def _committed(tool: Tool) -> list[Draft]:
    """A commit by its message: the subject, and the first paragraph of the body as the why."""
    reported = _COMMITTED.search(tool.output)
    message = _commit_message(tool.command) or (reported[3] if reported else "")
    subject, _, body = _TRAILERS.sub("", message).strip().partition("\n")
    if _CHORE.match(subject) or len(subject.split()) < 3:
        return []
    kind, importance = _commit_kind(subject)
    where = f" {reported[2][:8]} on {reported[1]}" if reported else ""
    why = one_line(body.strip().partition("\n\n")[0], 320)
    text = " ".join(filter(None, [f"Commit{where}: {subject.rstrip('.')}.", why]))
    return [Draft("commit", text, kind, "episodic", importance + 0.1 * bool(why), "implementation")]


def _commit_message(command: str) -> str:
    heredoc = _HEREDOC.search(command)
    if heredoc:
        return heredoc[2]
    paragraphs = [
        single or double.replace('\\"', '"') for single, double in _MESSAGE.findall(command)
    ]
    return "\n\n".join(paragraphs)


def _commit_kind(subject: str) -> tuple[str, float]:
    conventional = _CONVENTIONAL.match(subject)
    word = (conventional[1] if conventional else subject.partition(" ")[0]).casefold()
    stem = word.removesuffix("es") if word.startswith("fix") else word.removesuffix("s")
    return _COMMIT_KINDS.get(stem.removesuffix("ed"), ("change", 0.35))


def _pull_request(title: str) -> list[Draft]:
    if len(title.split()) < 3:
        return []
    kind, importance = _commit_kind(title)
    text = f"A pull request was opened: {one_line(title, 200).rstrip('.')}."
    return [Draft("pull-request", text, kind, "episodic", importance, "implementation")]


def _read(tool: Tool, cwd: str) -> list[Draft]:
    path = _relative(tool.path, cwd)
    read = reading(path, tool.output) if path else None
    if read is None:
        return []
    memory_type = "procedural" if read.rule == "configuration" else "declarative"
    return [Draft(read.rule, one_line(read.text), read.kind, memory_type, 0.45, "research")]


def _answered(tool: Tool) -> list[Draft]:
    """What the user chose: question and answer, from the answer or, in older clients, the call."""
    answers = mapping(mapping(tool.response).get("answers") or tool.input.get("answers"))
    return [
        Draft(
            "answer",
            f"Asked “{one_line(question, 200)}”, the user chose: {sentence(one_line(answer, 200))}",
            "decision",
            "semantic",
            0.8,
            "decision",
            Origin.USER,
        )
        for question, answer in answers.items()
        if isinstance(answer, str) and answer.strip()
    ]


def _relative(path: str, cwd: str) -> str:
    root = cwd.rstrip("/")
    return path[len(root) + 1 :] if root and path.startswith(f"{root}/") else path


def _string(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""
