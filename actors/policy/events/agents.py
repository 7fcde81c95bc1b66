"""Agents: one row each, and their payloads in Claude Code's words, one form for every reader of events.

The rows are ``agents.json``, from each agent's documentation; ``tried`` tells whether the real client was run.
A payload is read leniently by ``payloads.json``: a field by any of its names, an event without a name by fields of
its own, a tool by any agent's name for it. Anything unknown, and a payload in the one form, stays as it came, so
that a spooled event may be read again. Nothing raises.

Imports only `json` and `re`, and runs on Python 3.8: the hook loads it by file path, to spool in one form.
"""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False  # the constant of typing, which the hook does not import
if TYPE_CHECKING:
    from typing import Any, TypedDict, Union

    Json = Union[str, int, float, bool, None, list["Json"], dict[str, "Json"]]  # noqa: UP007
    Fields = dict[str, Json]

    class Row(TypedDict):
        """One agent; ``{config}`` is the system's folder of settings, ``{xdg}`` the one of the XDG rules."""

        title: str
        tried: bool  # with the real client; else from its documentation
        # What it sends.
        events: dict[str, str]  # its name of an event: Claude Code's
        tools: dict[str, str]  # its name of a tool: Claude Code's
        forgets: tuple[str, ...]  # sources of a start after which its context is without our notes
        known_by: tuple[str, ...]  # fields that it alone sends, whatever its hook is called
        # What it takes.
        speaks: dict[str, str]  # events whose answer reaches the model: how it is written
        plain: tuple[str, ...]  # events named on the command line, answered by the bare text
        maps: tuple[str, ...]  # agents whose settings it runs, and takes the answer in their form
        notice: str  # field of a line for the person alone; "" when there is none
        summarises: bool  # plain text before a compaction is added to its instructions
        # Where it is connected.
        program: str  # on PATH
        folder: str  # its own: where this is, the agent is
        variable: str  # of the environment, that names the folder instead; "" for none
        user: str  # file of the person's hooks, below the folder
        project: str  # file of a project's hooks, below its root
        shape: str  # of the file: GROUPED, PLUGIN or flat
        frame: dict[str, object]  # further content of a new file
        entry: dict[str, object]  # one hook; {command} is the command line
        heard: dict[str, str]  # events that get an entry: the agent's name on the command line
        matchers: dict[str, str]  # of these events only for some tools
        commands: dict[str, str]  # the command line of an event, where it is not COMMAND
        pointer: tuple[str, ...]  # settings file below the folder, and what in it names the hooks
        remark: str  # steps or facts for a person


# How an answer is written; in `agents.json` there is `additional_context` as well, the text under it.
NESTED = "hookSpecificOutput"  # an object with "hookEventName" and "additionalContext" under it
FIELD = "additionalContext"  # the text under it

# How hooks are listed in a file; in `agents.json` there is `flat` as well: event: [entry].
GROUPED = "grouped"  # event: [{"hooks": [entry]}]
PLUGIN = "plugin"  # the whole file is ours: hooks/opencode.js

MARK = "--reverie"  # the last argument of each command that is ours; hook.sh ignores it
CALL = "/bin/sh {hook} {agent} " + MARK
# A shell that does not find the script leaves with 2, and that stops a prompt: it never may.
COMMAND = CALL + " || true"
# Prints what it is to say on both streams and leaves with 2: versions differ on which one they read.
ALOUD = (
    "said=$(" + CALL + '); [ -z "$said" ] && exit 0;'
    ' printf "%s\\n" "$said"; printf "%s\\n" "$said" >&2; exit 2'
)

# What a row of the file says in other words: texts of several names, and names by what is ours.
_LISTS = ("forgets", "known_by", "plain", "maps", "pointer")
_GROUPS = ("events", "tools", "speaks", "heard")
_TEXTS = ("title", "notice", "program", "folder", "variable", "user", "project", "remark")


def _row(said: dict[str, Any]) -> Row:
    """Make a row of an agent's entry in the file; what most of them leave out is empty."""
    row: dict[str, Any] = {
        "tried": False, "summarises": False, "shape": GROUPED, "frame": {}, "entry": {}, "matchers": {},
        **dict.fromkeys(_TEXTS, ""),
    }  # fmt: skip
    row.update({key: said[key] for key in said if key in row})
    for key in _LISTS:
        row[key] = tuple(said.get(key, "").split())
    for key in _GROUPS:
        groups = said.get(key, {}).items()
        row[key] = {name: ours for ours, names in groups for name in names.split()}
    row["commands"] = dict.fromkeys(said.get("commands", "").split(), ALOUD)
    made: Row = row  # type: ignore[assignment]
    return made


def _beside(file: str) -> dict[str, Any]:
    """Read a table beside this module: JSON, which Python 3.8 reads; a key with a leading `//` is a remark."""
    with open(__file__[: -len("agents.py")] + file, encoding="utf-8") as table:
        found: dict[str, Any] = json.load(table)
    return found


TABLE = {name: _row(said) for name, said in _beside("agents.json").items()}

# In the order of a session; a start is one that goes on as well. Nothing is recalled before a usual call.
_MOMENTS = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "tool call",
    "PostToolUseFailure": "failure",
    "SubagentStart": "subagent",
}


def told_at(row: Row) -> tuple[str, ...]:
    """Moments with an answer for the agent's model, in words."""
    said = tuple(moment for event, moment in _MOMENTS.items() if event in row["speaks"])
    return (*said, "compaction") if row["summarises"] else said


# ---- payloads

_PAYLOADS = _beside("payloads.json")


def _names(row: str) -> dict[str, str]:
    """The one name of a field by each of its other names."""
    others = _PAYLOADS[row].items()
    return {name: one for one, names in others for name in names.split()}


_ALIASES = _names("fields")
_ARGUMENTS, _OF_TASKS, _OF_LISTS = map(_names, ("arguments", "of_tasks", "of_lists"))
_OF_FILES = ("Read", "Write", "Edit", "MultiEdit")
_ENTRY = _PAYLOADS["entry"].split()
_ANSWERS = frozenset(_PAYLOADS["answer"].split())
PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (\S.*)$", re.MULTILINE)
_LEFT = re.compile(
    r"(?:\AExit code:? |^Exit Code: |exited with (?:exit )?code )(\d{1,5})", re.MULTILINE
)
# What hooks said at the start stands before the person's words in Gemini CLI, with its brackets escaped.
_BEFORE_WORDS = re.compile(r"\A\s*<hook_context>.*?</hook_context>\s*", re.DOTALL)
_EDGE = 300  # characters of an output in which a shell says how a command left
_LONGEST = 1024 * 1024  # characters of arguments that came as text


ENDPOINT = "model_endpoint"  # field of an event: where its client's model is asked, if not as usual
ENTRYPOINT = "client_entrypoint"  # and what runs its client, if no person at a terminal
# Programs for running a client without a person. Claude Code names the program in the environment of its hooks.
# Measured with 2.1.330: ``cli`` at a terminal, ``sdk-cli`` with ``-p``, unless an editor or a kit had set its own.
_SCRIPTS = frozenset(("sdk-ts", "sdk-py", "mcp", "claude-code-github-action"))
# A person types ``claude -p`` too, so this name alone is no sign of a script: sessions with the same first words are.
HEADLESS = "sdk-cli"


def bare_name(agent: str) -> str:
    """Return the agent's name without its hook's remarks about the environment (``hooks/hook.sh``)."""
    return agent.partition("@")[0]


def is_script(entrypoint: str) -> bool:
    """Tell whether a program, and no person, runs the client."""
    return entrypoint in _SCRIPTS


def client_of(agent: str, event: Fields) -> str:
    """Return the client of a payload: the agent its hook was set up for, or one reading the same settings."""
    plain = bare_name(agent).strip().casefold().partition("/")[0]
    for name, row in TABLE.items():
        if any(field in event for field in row["known_by"]):
            return name
    return "claude" if plain == "claude-code" else plain


def normal(agent: str, event: Fields) -> tuple[str, Fields]:
    """Return the client, and its event in Claude Code's words; ``agent`` may be ``name/event``."""
    client = client_of(agent, event)
    if client == "claude":
        endpoint, _, entrypoint = agent.partition("@")[2].partition("!")
        seen: Fields = {ENDPOINT: endpoint, ENTRYPOINT: entrypoint}
        said = {name: value for name, value in seen.items() if value}
        return client, {**event, **said} if said else event
    fields = _renamed(event)
    fits = (
        name
        for name, needed in _PAYLOADS["telling"]
        if all(one in fields for one in needed.split())
    )
    named = fields.get("hook_event_name") or agent.partition("/")[2] or next(fits, None)
    if not isinstance(named, str):
        return client, event
    if named in _PAYLOADS["of_one_tool"]:
        fields = _of_one_tool(named, fields)
    if named == "afterAgentResponse":
        fields["last_assistant_message"] = fields.pop("text", "")
    fields["hook_event_name"] = _of_agents("events", client, named)
    prompt = fields.get("prompt")
    if isinstance(prompt, str):
        fields["prompt"] = _BEFORE_WORDS.sub("", prompt)
    if fields.get("source") == "new":
        fields["source"] = "startup"
    if client in TABLE and fields.get("source") in TABLE[client]["forgets"]:
        fields["source"] = "clear"
    if isinstance(fields.get("tool_name"), str):
        _set_tool(client, fields)
    return client, fields


def event_called(agent: str, event: str) -> str:
    """Return an agent's name of one of Claude Code's events."""
    row = TABLE.get(agent.strip().casefold())
    theirs = (name for name, ours in row["events"].items() if ours == event) if row else ()
    return next(iter(theirs), event)


def _renamed(event: Fields) -> Fields:
    """The event's fields by their one name; the one name goes before another for the same."""
    fields: Fields = {}
    for key, value in event.items():
        name = _ALIASES.get(key, key)
        if name == key or (name not in event and name not in fields):
            fields[name] = value
    cwd = fields.get("cwd")
    if isinstance(cwd, list):
        fields["cwd"] = cwd[0] if cwd else ""
    error = fields.get("error")
    if isinstance(error, dict):
        fields["error"] = error.get("message", "")
    return fields


def _of_agents(column: str, client: str, name: str) -> str:
    """The name by the client's row, else by any agent's."""
    rows = [TABLE[client], *TABLE.values()] if client in TABLE else [*TABLE.values()]
    for row in rows:
        found = (row["events"] if column == "events" else row["tools"]).get(name)
        if found:
            return found
    return name


def _of_one_tool(event: str, fields: Fields) -> Fields:
    tool, arguments_of, response = _PAYLOADS["of_one_tool"][event]
    rest = dict(fields)
    arguments = {key: rest.pop(key) for key in arguments_of.split() if key in fields}
    answer = rest.pop(response, "")
    return {**rest, "tool_name": tool, "tool_input": arguments, "tool_response": answer}


# -- tools ------------------------------------------------------------------------------------


def _set_tool(client: str, fields: Fields) -> None:
    """Set name, arguments and response of the event's tool in Claude Code's words."""
    tool = _of_agents("tools", client, str(fields["tool_name"]))
    fields["tool_name"] = tool
    given = _read(fields.get("tool_input"))
    if isinstance(given, str) and tool == "apply_patch":
        patch: Fields = {"patch": given}
        given = patch
    if isinstance(given, dict):
        fields["tool_input"] = _arguments(tool, given)
    if "tool_response" not in fields:
        return
    response, failed = _response(_answered(fields["tool_response"]))
    code = _code(response) if tool == "Bash" else 0
    if code:
        response = {"output": response, "exit_code": code}
    fields["tool_response"] = response
    if failed and not fields.get("error"):
        fields["error"] = failed


def _read(value: Json) -> Json:
    """The value; an object where it came as text."""
    if isinstance(value, str) and value[:1] == "{" and len(value) <= _LONGEST:
        try:
            found: Json = json.loads(value, strict=False)
        except (ValueError, RecursionError):
            return value
        return found
    return value


def _answered(value: Json) -> Json:
    """The answer; an object where it came as text and is a tool's answer, not a file."""
    found = _read(value)
    return found if isinstance(found, dict) and found.keys() <= _ANSWERS else value


def _arguments(tool: str, given: Fields) -> Fields:
    fields: Fields = {}
    for key, value in given.items():
        name = _ARGUMENTS.get(key, key)
        if key == "path" and tool in _OF_FILES:
            name = "file_path"
        if tool == "Agent":
            name = _OF_TASKS.get(key, name)
        if tool == "TodoWrite":
            name = _OF_LISTS.get(key, name)
        if name == key or name not in given:
            fields[name] = value
    files = fields.get("files") or fields.get("replacements")
    if tool in _OF_FILES and "file_path" not in fields and isinstance(files, list) and files:
        first = files[0]
        fields["file_path"] = first.get("filePath") if isinstance(first, dict) else first
    todos = fields.get("todos")
    if tool == "TodoWrite" and isinstance(todos, list):
        fields["todos"] = [_task(one) if isinstance(one, dict) else one for one in todos]
    command = fields.get("command")
    if isinstance(command, list):
        command = fields["command"] = _line([one for one in command if isinstance(one, str)])
    if tool == "apply_patch":
        _set_patch(fields)
    return fields


def _task(entry: Fields) -> Fields:
    """An entry of a task list; its text is always under the same name."""
    said = next((name for name in _ENTRY if name in entry), "content")
    return {"content" if key == said else key: value for key, value in entry.items()}


def _line(words: list[str]) -> str:
    """The command line of an argument list; for a shell with a command line as argument, that line alone."""
    if len(words) == 3 and words[1] in ("-c", "-lc", "-ic", "-Command"):
        return words[2]
    plain = re.compile(r"[\w./:=@,+%\-]+\Z")
    return " ".join(
        one if plain.match(one) else "'" + one.replace("'", "'\\''") + "'" for one in words
    )


def _set_patch(fields: Fields) -> None:
    """A patch stands under its own name, and its first file as the tool's file."""
    for key in ("patch", "input", "command", "patchText"):
        text = fields.get(key)
        if isinstance(text, str) and "*** " in text:
            del fields[key]
            fields["patch"] = text
            found = PATCHED.search(text)
            if found and "file_path" not in fields:
                fields["file_path"] = found[1]
            return


def _response(value: Json) -> tuple[Json, str]:
    """Answer of a tool, in the one form, and its error text."""
    if not isinstance(value, dict):
        return value, ""
    text = value.get("text_result_for_llm", value.get("textResultForLlm"))
    if isinstance(text, str):
        kind = value.get("result_type", value.get("resultType"))
        return text, text if kind in ("failure", "error", "denied") else ""
    if "llmContent" in value:
        error = value.get("error")
        told = error.get("message") if isinstance(error, dict) else error
        return _parts(value["llmContent"]), told if isinstance(told, str) else ""
    about = value.get("metadata")
    if isinstance(about, dict) and "exit_code" in about and "exit_code" not in value:
        return {**value, "exit_code": about["exit_code"]}, ""
    return value, ""


def _parts(content: Json) -> Json:
    """The text of a model's content: a text, a part, or several."""
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return content
    texts = [one.get("text") if isinstance(one, dict) else one for one in content]
    return "\n".join(text for text in texts if isinstance(text, str))


def _code(response: Json) -> int:
    """The code with which a command left, where its output alone tells."""
    if not isinstance(response, str):
        return 0
    found = _LEFT.search(response[:_EDGE]) or _LEFT.search(response[-_EDGE:])
    return int(found[1]) if found else 0
