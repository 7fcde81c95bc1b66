"""Texts of an event for the digest of a session, each by its kind.

Of a failure the command with head and tail of its output, of an edit the path and its definitions,
of a document the written text. Nothing here reads a file: the event has the facts.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from actors.policy.events.events import ASKING, Event, Tool, listing, mapping, text_of
from actors.policy.events.trail import EDITORS, SessionTrail, fixes, resolved
from actors.policy.patterns import pattern
from actors.policy.statements.accounts import ANALYSIS, sections
from actors.policy.statements.extraction import commit_message
from actors.policy.text.wording import listed, one_line
from actors.policy.text.words import caseless

COMMAND: Final = 300  # characters of a command line
WANTED: Final = 300  # of what an edit that was refused would have written
OPTION: Final = 200  # of what an agent offers
LINES: Final = 400  # lines of a document or of an edit that are looked at
NAMES: Final = 4  # names that an edit defines, paths that ended a failure

_PROSE: Final = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt")
# What a client says of a call that it refused to make: its protocol, and nothing of the project.
_PROTOCOL: Final = "<tool_use_error>"
_DEFINES: Final = pattern(
    r"^[ \t]{0,40}(?:(?:pub|public|private|protected|export|default|async|static|abstract|final) ){0,4}"
    r"(?:def|class|func|function|fn|interface|struct|trait|enum|type) {1,4}"
    r"(?:\([^()\n]{0,80}\) {0,4})?([A-Za-z_]\w{0,80})",
    re.MULTILINE,
)
_PLAN: Final = "ExitPlanMode"
_REPORTED: Final = pattern(r"^\[[^\]\n]{0,200} [0-9a-f]{7,40}\]", re.MULTILINE)
# Sections of a compaction's account of what was done and is to be done next, and the weighing before.
_WORKING: Final = caseless(
    rf"\A(?:{ANALYSIS}|(?:relevant )?files\b|code\b|pending|current|(?:optional )?next|remaining|completed|progress)"
)
_MESSAGES: Final = caseless(r"\buser messages\b")
_QUOTED: Final = pattern(r"\A[ \t*•-]{0,12}[\"“]([^\"”]*)[\"”]")
BEGINNING: Final = 40  # characters by which a prompt is known again


def questions(tool: Tool) -> Iterator[tuple[str, str]]:
    """Yield the questions of a dialogue with their options, each with the person's answer."""
    if tool.name != ASKING:
        return
    response = mapping(tool.response)
    answers, notes = mapping(response.get("answers")), mapping(response.get("annotations"))
    offered = {
        str(one.get("question")): map(mapping, listing(one.get("options")))
        for one in map(mapping, listing(tool.input.get("questions")))
    }
    for question in answers:
        answer, note = text_of(answers, question), text_of(mapping(notes.get(question)), "notes")
        if answer.strip():
            asked = "\n".join((question, *map(_option, offered.get(question, ()))))
            yield asked, f"{answer}\n{note}" if note.strip() else answer


def _option(given: Mapping[str, object]) -> str:
    description = text_of(given, "description")
    more = f": {one_line(description, OPTION)}" if description else ""
    return f"- {given.get('label')}{more}"


def failure(tool: Tool) -> str:
    """Return the failed call with its output; "" where it says nothing of the project."""
    said = (tool.error or tool.output).strip()
    if not said or said.startswith(_PROTOCOL) or tool.interrupted:
        return ""
    return f"{called(tool)} failed:\n{said}"


def called(tool: Tool) -> str:
    """Name a call: the command line, the file, or the tool's arguments."""
    if tool.command:
        return f"`{_flat(tool.command, COMMAND)}`"
    given = tool.path or ", ".join(
        f"{name} {_flat(value, COMMAND // 3)}"
        for name, value in tool.input.items()
        if isinstance(value, str) and value.strip()
    )
    return f"{tool.name} {_flat(given, COMMAND)}".strip()


def recovery(before: SessionTrail, event: Event) -> str:
    """Return the failures over by this event, and their fixes as far as known."""
    if not before.failures:
        return ""
    over = resolved(before, event)
    ended = [
        *(path for fix in fixes(before, event) for path in fix.paths),
        *(path for one in over for path in one.edits),
    ]
    if (not over and not ended) or event.tool is None:
        return ""
    causes = list(dict.fromkeys(_place(event.cwd, one) for one in ended))[:NAMES]
    after = f", after {listed(causes)}" if causes else ""
    return f"`{_flat(event.tool.command, COMMAND)}` works now{after}"


def commit(event: Event) -> str:
    """Return the message of an event's commit, as git reports it; "" for another event."""
    tool = event.tool
    if tool is None or "commit" not in tool.command:
        return ""
    message, reported = commit_message(tool), _REPORTED.search(tool.output)
    return f"{reported.group()} {message}" if message and reported else message


def summary(text: str, prompts: Collection[str]) -> Iterator[str]:
    """Yield the sections of a compaction's account: requests, insights and repairs.

    Of the messages listed only the ones not yet shown as prompts are kept, by the beginnings in
    ``prompts``: a person types while an agent works too, and no client reports it.
    """
    parts = [(name, body) for name, body in sections(text) if not _WORKING.match(name)]
    for name, body in parts or [("", text)]:
        if _MESSAGES.search(name):
            yield from (f"the user said: {one}" for one in _messages(body, prompts))
        elif body.strip():
            yield f"{name}:\n{body}" if name else body


def _messages(body: str, prompts: Collection[str]) -> Iterator[str]:
    """Yield the messages of a person listed in an account, except known beginnings."""
    for line in body.splitlines():
        quotation = _QUOTED.match(line)
        if quotation is not None and beginning(quotation[1]) not in prompts:
            yield line.lstrip(" \t-*•")


def beginning(prompt: str) -> str:
    """Return the beginning of a prompt, by which it is known again."""
    return " ".join(prompt[: 2 * BEGINNING].split())[:BEGINNING].casefold()


def document(event: Event) -> str:
    """Return the text an event wrote into a document, or a plan a person agreed to."""
    tool = event.tool
    if tool is None:
        return ""
    plan = tool.input.get("plan")
    if tool.name == _PLAN and isinstance(plan, str):
        return f"plan that the user approved:\n{plan}"
    if tool.name not in EDITORS or not tool.path.casefold().endswith(_PROSE):
        return ""
    written = "\n".join(_written(tool)).strip()
    return f"{_place(event.cwd, tool.path)}:\n{written}" if written else ""


def _written(tool: Tool) -> Iterator[str]:
    """Yield the lines written by a call, from the first new one to the last."""
    for old, new in _pieces(tool):
        before = {line.strip() for line in old.splitlines()}
        lines = new.splitlines()[:LINES]
        fresh = [at for at, line in enumerate(lines) if line.strip() not in before]
        yield from lines[fresh[0] : fresh[-1] + 1] if fresh else ()


def _pieces(tool: Tool) -> Iterator[tuple[str, str]]:
    """Yield the text taken out and put in by each edit of a call."""
    for one in (tool.input, *map(mapping, listing(tool.input.get("edits")))):
        yield text_of(one, "old_string"), text_of(one, "new_string", "content", "new_source")


def edit(event: Event) -> str:
    """Return the path of an event's edit and the names defined in it; "" for another event."""
    tool = event.tool
    if tool is None or tool.name not in EDITORS or not tool.path:
        return ""
    names = dict.fromkeys(
        name for old, new in _pieces(tool) for text in (new, old) for name in _DEFINES.findall(text)
    )
    defined = ", ".join(list(names)[:NAMES])
    place = _place(event.cwd, tool.path)
    return f"{place} ({defined})" if defined else place


def refused(event: Event) -> str:
    """Return the call refused by a person, as the agent's intention; "" where it is not told."""
    tool = event.refused
    if tool is None:
        return ""
    written = _flat("\n".join(_written(tool)), WANTED)
    return f"wanted: {called(tool)}{': ' if written else ''}{written}"


def _place(cwd: str, path: str) -> str:
    """Name a path from the folder of the work, where it lies in it."""
    return path.removeprefix(f"{cwd.rstrip('/')}/") if cwd else path


def _flat(text: str, characters: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= characters else f"{flat[: characters - 2]} …"
