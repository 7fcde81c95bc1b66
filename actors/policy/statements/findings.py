"""What tools show that is worth remembering: commits, fixes, choices, documents, edits.

Each function takes what happened and returns drafts; most return none.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, cast

from actors.policy.events.commands import is_test, segments, telling
from actors.policy.events.documents import reading
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.events.trail import Edit, Resolved, SessionTrail, has_failed, resolved
from actors.policy.statements.candidates import Draft, Origin
from actors.policy.text.wording import listed, one_line, sentence

EDITED_FILES: Final = 5  # summaries of edits of one session
MATCHES: Final = 5  # lines of a search
ASKING: Final = "AskUserQuestion"

_COMMIT: Final = re.compile(r"^git\b(?: -\S+(?: \S+)?)*? commit\b")
_COMMITTED: Final = re.compile(r"^\[([^\s\]]+)[^\]]*? ([0-9a-f]{7,40})\] (.+)$", re.MULTILINE)
_SETTING: Final = re.compile(r"(?:^|[;&|(]\s*)(?:env\s+)?((?:[A-Za-z_]\w*=\S+\s+)+)(?=\S)")
_WATCHING: Final = re.compile(r"\s2>&1\b|\|\s*(?:tee|tail|head|cat|grep|less)\b[^|;&\n]*")
_HEREDOC: Final = re.compile(r"<<-?[ \t]*['\"]?(\w+)['\"]?\n(.*?)(?:\n[ \t]*\1\b|\Z)", re.DOTALL)
_MESSAGE: Final = re.compile(
    r"(?:^|\s)(?:-\w*m|--message)[\s=]{0,3}"
    r"(?:'([^']*)(?:'|\Z)|\"((?:\\.|[^\"\\])*)(?:\"|\\?\Z))",
    re.DOTALL,
)
_TRAILERS: Final = re.compile(
    r"^(?:co-authored-by|signed-off-by|change-id|reviewed-by|refs?|\W*generated with)\b.*$",
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
_SEARCHED: Final = re.compile(r"\berrors?\b|\bexceptions?\b|\bfatal\b|\bpanic\b", re.IGNORECASE)
_ERROR_WORD: Final = re.compile(r"\berror\b", re.IGNORECASE)


def of_tool(event: Event, trail: SessionTrail) -> list[Draft]:
    """What a tool call shows, given the trail before it; a failure alone shows nothing yet."""
    tool = event.tool
    if tool is None or event.kind is EventKind.TOOL_ERROR:
        return []
    if tool.name == "Read":
        return _read(tool, event.cwd)
    if tool.name == "Grep":
        return _searched(tool)
    if tool.name == ASKING:
        return _answered(tool)
    if tool.name.endswith("create_pull_request"):
        return _pull_request(_string(tool.input, "title"))
    if not tool.command or has_failed(event):
        return []
    return [*_commands(tool), *_fixed(resolved(trail, event), event.cwd)]


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


def _fixed(over: Resolved | None, cwd: str) -> list[Draft]:
    """A failure that is over, if what ended it is known: another command, a repair or edits."""
    if over is None or not over.failure.error:
        return []
    error = f"failed with “{over.failure.error}”"
    remedies = [f"running `{one_line(repair, 80)}`" for repair in over.failure.repairs]
    known = over.failure.command.split()
    chosen = [one for one in _variables(over.command) if one not in known]
    if chosen and (remedies or over.edits):
        remedies.append(f"setting {one_line(listed(chosen), 120)}")
    if over.edits:
        remedies += _edits_told(over.edits[-4:], cwd)
    if remedies:
        tests = is_test(over.command)
        rule = "tests-fixed" if tests else "command-fixed"
        verb = "passed" if tests else "worked"
        core = one_line(telling(over.failure.command), 120)
        text = f"`{core}` {error}. It {verb} after {listed(remedies)}."
        return [Draft(rule, one_line(text), "bugfix", "procedural", 0.7, "discovery")]
    if _unwatched(over.command) == _unwatched(over.failure.command):
        return []  # it works now and nobody knows why
    failing, working = (one_line(line, 120) for line in (over.failure.command, over.command))
    text = f"`{failing}` {error}. `{working}` works."
    return [Draft("command-variant", one_line(text), "discovery", "procedural", 0.7, "discovery")]


def _unwatched(line: str) -> str:
    """A command line without what only shows or keeps its output: `pytest 2>&1 | tail -3`."""
    return " ".join(_WATCHING.sub("", line).split())


def _variables(line: str) -> list[str]:
    """What a command line sets for its commands, as ``NAME=value``."""
    return [one for found in _SETTING.finditer(line) for one in found[1].split()]


def _edits_told(edits: Sequence[Edit], cwd: str) -> list[str]:
    """What was edited, and what was taken back from the repository."""
    edited = [_described(edit, cwd) for edit in edits if not edit.restored]
    restored = [_relative(edit.path, cwd) for edit in edits if edit.restored]
    told = [f"editing {listed(edited)}"] if edited else []
    return [*told, f"restoring {listed(restored)} with git"] if restored else told


def _described(edit: Edit, cwd: str) -> str:
    names = f" ({', '.join(edit.symbols[:4])})" if edit.symbols else ""
    return f"{_relative(edit.path, cwd)}{names}"


def _read(tool: Tool, cwd: str) -> list[Draft]:
    path = _relative(tool.path, cwd)
    read = reading(path, tool.output) if path else None
    if read is None:
        return []
    memory_type = "procedural" if read.rule == "configuration" else "declarative"
    return [Draft(read.rule, one_line(read.text), read.kind, memory_type, 0.45, "research")]


def _searched(tool: Tool) -> list[Draft]:
    """F11's rule for searches: how many lines say `error`, and the first of them."""
    pattern = _string(tool.input, "pattern")
    lines = [line.strip() for line in tool.output.splitlines() if _ERROR_WORD.search(line)]
    if not lines or not _SEARCHED.search(pattern):
        return []
    shown = "; ".join(one_line(line, 90) for line in lines[:MATCHES])
    count = f"{len(lines)} line" + "s" * (len(lines) > 1)
    text = f"A search for `{one_line(pattern, 60)}` found {count} with errors: {shown}"
    return [Draft("error-search", one_line(text), "state", "working", 0.3, "research")]


def _answered(tool: Tool) -> list[Draft]:
    """What the user chose: question and answer, from the answer or, in older clients, the call."""
    given: Mapping[str, object] = {}
    if isinstance(tool.response, Mapping):
        given = cast("Mapping[str, object]", tool.response)
    answers = given.get("answers") or tool.input.get("answers")
    if not isinstance(answers, Mapping):
        return []
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
        for question, answer in cast("Mapping[object, object]", answers).items()
        if isinstance(question, str) and isinstance(answer, str) and answer.strip()
    ]


def of_edits(edits: Sequence[Edit], cwd: str) -> list[Draft]:
    """The files a session worked on most, by the functions and classes in them."""
    named = [edit for edit in edits if edit.symbols]
    most = sorted(named, key=lambda edit: (-edit.times, -edit.at))[:EDITED_FILES]
    return [_of_edit(edit, cwd) for edit in most]


def _of_edit(edit: Edit, cwd: str) -> Draft:
    verb = "created" if edit.created else "edited"
    times = f" in {edit.times} steps" if edit.times > 1 else ""
    text = f"{_relative(edit.path, cwd)} was {verb}{times}: {listed(edit.symbols)}."
    return Draft("edits", text, "change", "episodic", 0.2, "implementation")


def _relative(path: str, cwd: str) -> str:
    root = cwd.rstrip("/")
    return path[len(root) + 1 :] if root and path.startswith(f"{root}/") else path


def _string(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""
