"""The table of agents: one row each, data alone; the rows are in ``agents.json``.

A row has the agent's names of events and tools (theirs: Claude Code's, the names used in the rest of
the house), the form of an answer and the events open to it, and the place of its configuration. Its
facts are from the agent's documentation; ``tried`` tells whether the real client was run.

Imports only `json` and runs on Python 3.8: the hook loads it by file path, to spool in one form.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False  # the constant of typing, which the hook does not import
if TYPE_CHECKING:
    from typing import Any, TypedDict

    class Row(TypedDict):
        """One agent; ``{config}`` is the system's folder of settings, ``{xdg}`` the one of the XDG rules."""

        title: str
        tried: bool  # with the real client; else from its documentation
        # What it sends.
        events: dict[str, str]  # its name of an event: Claude Code's
        tools: dict[str, str]  # its name of a tool: Claude Code's
        forgets: tuple[str, ...]  # sources of a start after which its context is without our notes
        known_by: tuple[
            str, ...
        ]  # fields that it alone sends, under whatever name its hook was run
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

# What most of them leave out.
NOTHING: Row = {
    "title": "",
    "tried": False,
    "events": {},
    "tools": {},
    "forgets": (),
    "known_by": (),
    "speaks": {},
    "plain": (),
    "maps": (),
    "notice": "",
    "summarises": False,
    "program": "",
    "folder": "",
    "variable": "",
    "user": "",
    "project": "",
    "shape": GROUPED,
    "frame": {},
    "entry": {},
    "heard": {},
    "matchers": {},
    "commands": {},
    "pointer": (),
    "remark": "",
}

# What a row of the file says in other words: texts of several names, and names by what is ours.
_LISTS = ("forgets", "known_by", "plain", "maps", "pointer")
_GROUPS = ("events", "tools", "speaks", "heard")


def _row(said: dict[str, Any]) -> Row:
    """Make a row of an agent's entry in the file; missing fields are as in ``NOTHING``."""
    row: dict[str, Any] = {**NOTHING, **{key: said[key] for key in said if key in NOTHING}}
    for key in _LISTS:
        row[key] = tuple(said.get(key, "").split())
    for key in _GROUPS:
        groups = said.get(key, {}).items()
        row[key] = {name: ours for ours, names in groups for name in names.split()}
    row["commands"] = dict.fromkeys(said.get("commands", "").split(), ALOUD)
    made: Row = row  # type: ignore[assignment]
    return made


def _read() -> dict[str, Row]:
    """Read the rows: JSON, which Python 3.8 reads; a key with a leading `//` is a remark."""
    with open(__file__[: -len("py")] + "json", encoding="utf-8") as file:
        return {name: _row(said) for name, said in json.load(file).items()}


TABLE = _read()

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
