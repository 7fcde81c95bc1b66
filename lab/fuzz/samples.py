"""What is right at each border, to be bent."""

from __future__ import annotations

from typing import Any, Final

_TOOL: Final = {
    "session_id": "s", "cwd": "/", "tool_name": "Bash", "tool_use_id": "t",
    "tool_input": {"command": "psql -c 'select 1' | tee out.txt", "description": "Look"},
}  # fmt: skip
EVENTS: Final[tuple[Any, ...]] = (
    {"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/", "prompt": "Use port 5."},
    {"hook_event_name": "SessionStart", "session_id": "s", "cwd": "/", "source": "startup"},
    {"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": "It was the cache."},
    {"hook_event_name": "PostToolUse", **_TOOL, "tool_response": {"stdout": "1", "stderr": ""}},
    {"hook_event_name": "PostToolUseFailure", **_TOOL, "error": "Exit code 1\nError: no port"},
    {"hook_event_name": "PreToolUse", **_TOOL},
    {"hook_event_name": "PostToolUse", **_TOOL, "tool_name": "Edit",
     "tool_input": {"file_path": "/a.py", "old_string": "a", "new_string": "b"},
     "tool_response": {"structuredPatch": [{"oldStart": 1, "lines": ["-a", "+b"]}]}},
)  # fmt: skip
SPOOLED: Final[tuple[Any, ...]] = tuple(
    {
        "v": 1,
        "agent": "claude",
        "event_id": "0f" * 16,
        "at": 1_790_000_000_000_000_000,
        "event": one,
    }
    for one in EVENTS
)
ROWS: Final[tuple[Any, ...]] = (
    {"text": "The port is 5.", "key": "k", "project": None, "tier": "normal", "type": "fact"},
    {"text": "It was so.", "created_at": 1.5, "triggers": ["so"], "status": "hypothesis",
     "valid_from": 1.0, "valid_until": 2.0, "title": "So"},
)  # fmt: skip
_DOCUMENT: Final = {"uri": "file:///a.py"}
_HERE: Final = {"textDocument": _DOCUMENT, "position": {"line": 0, "character": 1}}
_ALL: Final = {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}
EDITOR: Final[tuple[Any, ...]] = (
    {"method": "textDocument/didOpen", "params": {"textDocument": {
        **_DOCUMENT, "languageId": "python", "version": 1, "text": "# the port\nx = 5\n"}}},
    {"method": "textDocument/didChange", "params": {"textDocument": {**_DOCUMENT, "version": 2},
        "contentChanges": [{"range": _ALL, "text": "y"}]}},
    {"id": 7, "method": "textDocument/hover", "params": _HERE},
    {"id": 8, "method": "textDocument/inlayHint", "params": {"textDocument": _DOCUMENT, "range": _ALL}},
    {"id": 9, "method": "textDocument/codeAction", "params": {
        "textDocument": _DOCUMENT, "range": _ALL, "context": {"diagnostics": []}}},
    {"id": 10, "method": "workspace/executeCommand", "params": {
        "command": "reverie.remember", "arguments": ["the port"]}},
    {"method": "workspace/didChangeConfiguration", "params": {"settings": {"reverie": {}}}},
    {"method": "$/cancelRequest", "params": {"id": 7}},
    {"method": "textDocument/didClose", "params": {"textDocument": _DOCUMENT}},
)  # fmt: skip
COMMANDS: Final = (
    "remember recall about list show useful useless link unlink confirm refute pin edit tier promote"
    " demote suppress unsuppress proposals plans plan forget unforget archive unarchive purge intend"
    " intentions learn import export gate redact timeline why injections graph explore forecast stats"
    " session log episodes backfill journal dreams insights config status backup"
).split()
WORDS: Final = (
    *COMMANDS,
    *"-k --json --limit --project --all --erase --yes --as-of --tier --trigger --explain".split(),
    *"--detail --tokens --concept --since --show list cancel m1 m2 p1 0 -1 1e999 tomorrow".split(),
    *"99999999999999999999 2026-01-01 normal causes . - nowhere.jsonl -- -h --= \x1b[2J".split(),
    *("", " ", "\u202e", "\udcff", "é" * 3000, "a" * 20_000),
)
