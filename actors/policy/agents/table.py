"""The table of agents: one row each, data alone.

A row says what the agent calls its events and tools (theirs: Claude Code's, which the rest of the
house speaks), how an answer is written and to which events it may be given, and where its
configuration lies. What a row says is from the agent's documentation; ``tried`` tells whether the real
client was run.

Imports nothing and runs on Python 3.8: the hook loads it by file path, to spool in one form.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the constant of typing, which the hook does not import
if TYPE_CHECKING:
    from typing import TypedDict

    class Row(TypedDict):
        """One agent; ``{config}`` is the system's folder of settings, ``{xdg}`` that of the XDG rules."""

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
        shape: str  # of the file: GROUPED, FLAT or PLUGIN
        frame: dict[str, object]  # what else a new file must hold
        entry: dict[str, object]  # one hook; {command} is the command line
        heard: dict[str, str]  # events that get an entry: the agent's name on the command line
        matchers: dict[str, str]  # of these events only for some tools
        commands: dict[str, str]  # the command line of an event, where it is not COMMAND
        pointer: tuple[str, ...]  # settings file below the folder, and what in it names the hooks
        remark: str  # what a person has to do, or to know


# How an answer is written.
NESTED = "hookSpecificOutput"  # an object with "hookEventName" and "additionalContext" under it
FIELD = "additionalContext"  # the text under it
SNAKE = "additional_context"  # the text under it

# How hooks are listed in a file.
GROUPED = "grouped"  # event: [{"hooks": [entry]}]
FLAT = "flat"  # event: [entry]
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

# Its hooks stand in hooks/hooks.json, because the plugin brings the same.
CLAUDE: Row = {
    **NOTHING,
    "title": "Claude Code",
    "tried": True,
    "speaks": dict.fromkeys(
        "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure SubagentStart".split(),
        NESTED,
    ),
    "notice": "systemMessage",
    "summarises": True,
    "program": "claude",
    "folder": "~/.claude",
    "variable": "CLAUDE_CONFIG_DIR",
    "user": "settings.json",
    "project": ".claude/settings.local.json",
    "shape": GROUPED,
}

CODEX: Row = {
    **NOTHING,
    "title": "Codex CLI",
    "tried": True,
    "tools": {
        **dict.fromkeys(("shell", "local_shell", "exec_command", "shell_command"), "Bash"),
        "spawn_agent": "Agent",
        "update_plan": "TodoWrite",
    },
    "speaks": dict.fromkeys(
        "SessionStart UserPromptSubmit PreToolUse PostToolUse SubagentStart".split(), NESTED
    ),
    "notice": "systemMessage",
    "program": "codex",
    "folder": "~/.codex",
    "variable": "CODEX_HOME",
    "user": "hooks.json",
    "project": ".codex/hooks.json",
    "shape": GROUPED,
    "entry": {"type": "command", "command": "{command}", "timeout": 5},  # seconds
    "heard": dict.fromkeys(
        "SessionStart UserPromptSubmit PreToolUse PostToolUse PreCompact PostCompact SubagentStart SubagentStop Stop".split(),
        "codex",
    ),
    "matchers": {"PreToolUse": "spawn_agent"},
    "remark": "Codex skips new hooks until you trust them: /hooks in Codex",
}

GEMINI: Row = {
    **NOTHING,
    "title": "Gemini CLI",
    "tried": True,
    "events": {
        "BeforeAgent": "UserPromptSubmit",
        "BeforeTool": "PreToolUse",
        "AfterTool": "PostToolUse",
        "AfterAgent": "Stop",
        "PreCompress": "PreCompact",
    },
    "tools": {
        "run_shell_command": "Bash",
        "read_file": "Read",
        "write_file": "Write",
        "replace": "Edit",
        "search_file_content": "Grep",
        "grep_search": "Grep",
        "glob": "Glob",
        "list_directory": "LS",
        "web_fetch": "WebFetch",
        "google_web_search": "WebSearch",
        "write_todos": "TodoWrite",
    },
    "forgets": ("resume",),  # 0.61.0 brings back what was said, without what hooks added
    "speaks": {"SessionStart": NESTED, "UserPromptSubmit": NESTED, "PostToolUse": NESTED},
    "notice": "systemMessage",
    "program": "gemini",
    "folder": "~/.gemini",
    "user": "settings.json",
    "project": ".gemini/settings.json",
    "shape": GROUPED,
    "entry": {
        "name": "reverie",
        "type": "command",
        "command": "{command}",
        "timeout": 5000,  # milliseconds
    },
    # Not PreCompress: 0.61.0 runs it before each prompt, compressed or not, and reads no answer to it.
    "heard": dict.fromkeys(
        "SessionStart BeforeAgent AfterTool AfterAgent SessionEnd".split(),
        "gemini",
    ),
}

CURSOR: Row = {
    **NOTHING,
    "title": "Cursor",
    "events": {
        "sessionStart": "SessionStart",
        "beforeSubmitPrompt": "UserPromptSubmit",
        "preToolUse": "PreToolUse",
        "postToolUse": "PostToolUse",
        "postToolUseFailure": "PostToolUseFailure",
        "afterShellExecution": "PostToolUse",
        "afterMCPExecution": "PostToolUse",
        "afterFileEdit": "PostToolUse",
        "subagentStart": "SubagentStart",
        "subagentStop": "SubagentStop",
        "preCompact": "PreCompact",
        "afterAgentResponse": "Stop",
        "stop": "Stop",
        "sessionEnd": "SessionEnd",
    },
    "tools": {"Shell": "Bash", "Task": "Agent", "StrReplace": "Edit"},
    "known_by": ("cursor_version", "generation_id", "workspace_roots"),
    "speaks": {"SessionStart": SNAKE, "PostToolUse": SNAKE},
    "maps": ("claude",),
    "program": "cursor",
    "folder": "~/.cursor",
    "user": "hooks.json",
    "project": ".cursor/hooks.json",
    "shape": FLAT,
    "frame": {"version": 1},
    "entry": {"command": "{command}", "timeout": 5},  # seconds
    "heard": dict.fromkeys(
        "sessionStart beforeSubmitPrompt postToolUse postToolUseFailure preCompact subagentStop afterAgentResponse sessionEnd".split(),
        "cursor",
    ),
    "remark": "Cursor tells a prompt nothing: its notes come with the first tool call after it",
}

COPILOT: Row = {
    **NOTHING,
    "title": "Copilot CLI",
    "events": {
        "sessionStart": "SessionStart",
        "userPromptSubmitted": "UserPromptSubmit",
        "preToolUse": "PreToolUse",
        "postToolUse": "PostToolUse",
        "postToolUseFailure": "PostToolUseFailure",
        "preCompact": "PreCompact",
        "subagentStart": "SubagentStart",
        "subagentStop": "SubagentStop",
        "agentStop": "Stop",
        "sessionEnd": "SessionEnd",
    },
    "tools": {
        "bash": "Bash",
        "powershell": "Bash",
        "view": "Read",
        "create": "Write",
        "edit": "Edit",
        "str_replace_editor": "Edit",
        "grep": "Grep",
        "rg": "Grep",
        "glob": "Glob",
        "web_fetch": "WebFetch",
        "web_search": "WebSearch",
        "ask_user": "AskUserQuestion",
        "update_todo": "TodoWrite",
        "task": "Agent",
    },
    "speaks": dict.fromkeys(
        "SessionStart PostToolUse PostToolUseFailure SubagentStart".split(), FIELD
    ),
    "plain": ("postToolUseFailure",),
    "program": "copilot",
    "folder": "~/.copilot",
    "variable": "COPILOT_HOME",
    "user": "hooks/reverie.json",
    "project": ".github/hooks/reverie-copilot.json",
    "shape": FLAT,
    "frame": {"version": 1},
    "entry": {"type": "command", "bash": "{command}", "timeoutSec": 5},  # seconds
    # PascalCase names give payloads in Claude Code's fields; a subagent's start is only in camelCase.
    "heard": {
        **dict.fromkeys(
            "SessionStart UserPromptSubmit PreToolUse PostToolUse PreCompact SubagentStop Stop SessionEnd".split(),
            "copilot",
        ),
        "PostToolUseFailure": "copilot/postToolUseFailure",
        "subagentStart": "copilot/subagentStart",
    },
    "matchers": {"PreToolUse": "Agent|Task"},
    "commands": {"PostToolUseFailure": ALOUD},
    "remark": "Copilot CLI tells a prompt nothing: its notes come with the first tool call after it",
}

VSCODE: Row = {
    **NOTHING,
    "title": "VS Code agent hooks",
    "tools": {
        **dict.fromkeys(("runTerminalCommand", "runInTerminal", "run_in_terminal"), "Bash"),
        "readFile": "Read",
        "read_file": "Read",
        "createFile": "Write",
        "create_file": "Write",
        **dict.fromkeys(("editFiles", "insert_edit_into_file", "replace_string_in_file"), "Edit"),
        "multi_replace_string_in_file": "MultiEdit",
        "grep_search": "Grep",
        "file_search": "Glob",
        "list_dir": "LS",
        "fetch_webpage": "WebFetch",
        "runSubagent": "Agent",
        "manage_todo_list": "TodoWrite",
    },
    "known_by": ("hookEventName",),
    "speaks": dict.fromkeys("SessionStart PreToolUse PostToolUse SubagentStart".split(), NESTED),
    "notice": "systemMessage",
    "program": "code",
    "folder": "{config}/Code/User",
    "user": "reverie-hooks.json",
    "project": ".github/hooks/reverie-vscode.json",
    "shape": FLAT,
    "entry": {"type": "command", "command": "{command}", "timeout": 5},  # seconds
    "heard": dict.fromkeys(
        "SessionStart UserPromptSubmit PostToolUse PreCompact SubagentStart SubagentStop Stop".split(),
        "vscode",
    ),
    "pointer": ("settings.json", "chat.hookFilesLocations"),
    "remark": "VS Code tells a prompt nothing: its notes come with the first tool call after it",
}

OPENCODE: Row = {
    **NOTHING,
    "title": "OpenCode",
    "events": {  # of hooks/opencode.js
        "session.created": "SessionStart",
        "chat.message": "UserPromptSubmit",
        "tool.execute.after": "PostToolUse",
        "tool.error": "PostToolUseFailure",
        "experimental.session.compacting": "PreCompact",
        "session.compacted": "PostCompact",
        "session.idle": "Stop",
        "session.deleted": "SessionEnd",
    },
    "tools": {
        "bash": "Bash",
        "read": "Read",
        "write": "Write",
        "edit": "Edit",
        "patch": "apply_patch",
        "grep": "Grep",
        "glob": "Glob",
        "list": "LS",
        "webfetch": "WebFetch",
        "websearch": "WebSearch",
        "todowrite": "TodoWrite",
        "task": "Agent",
    },
    "speaks": {"UserPromptSubmit": FIELD, "PostToolUse": FIELD, "SubagentStart": FIELD},
    "summarises": True,
    "program": "opencode",
    "folder": "{xdg}/opencode",
    "variable": "OPENCODE_CONFIG_DIR",
    "user": "plugins/reverie.js",
    "project": ".opencode/plugins/reverie.js",
    "shape": PLUGIN,
}

TABLE = {
    "claude": CLAUDE,
    "codex": CODEX,
    "gemini": GEMINI,
    "cursor": CURSOR,
    "copilot": COPILOT,
    "opencode": OPENCODE,
    "vscode": VSCODE,
}
