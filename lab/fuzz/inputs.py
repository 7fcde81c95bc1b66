"""Inputs that are nearly right: what is right at each border, bent in its values or torn in its bytes."""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

from msgspec import inspect

from daemon.dispatch import REQUESTS

DEPTH: Final = 900  # of a list in a list; json takes a thousand
NASTY: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 2**63, -(2**64), 1e308, "", " ", "\x00", "\ud800", "\u202e\u2066", "é" * 9000,
    "a" * 70_000, "-" * 5000 + "BEGIN PRIVATE KEY", "token=" + "x" * 3000, "../../etc/passwd", "{}",
    [], {}, [[]], {"": {"": {}}}, [None] * 3000, json.loads("[" * DEPTH + "]" * DEPTH), {"a": 1, "\ud800": 2},
)  # fmt: skip
TOKENS: Final = (
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\x1b[2J", b'"', b"\\u0000", b"\\ud800", b"{" * 300,
    b"[" * 300, b"NaN", b"1e999", b"\n", b"\r\n\r\n", b"Content-Length: 9", b"\xdf\xff\xff\xff\xff",
    b"\xdd\xff\xff\xff\xff", b"\xc1", b"\xc6\x7f\xff\xff\xff", b"\xd4\xff\x00", b"9" * 5000,
)  # fmt: skip
TOOL: Final = {
    "session_id": "s", "cwd": "/", "tool_name": "Bash", "tool_use_id": "t",
    "tool_input": {"command": "psql -c 'select 1' | tee out.txt", "description": "Look"},
}  # fmt: skip
EVENTS: Final[tuple[Any, ...]] = (
    {"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/", "prompt": "Use port 5."},
    {"hook_event_name": "SessionStart", "session_id": "s", "cwd": "/", "source": "startup"},
    {"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": "It was the cache."},
    {"hook_event_name": "PostToolUse", **TOOL, "tool_response": {"stdout": "1", "stderr": ""}},
    {"hook_event_name": "PostToolUseFailure", **TOOL, "error": "Exit code 1\nError: no port"},
    {"hook_event_name": "PostToolUse", **TOOL, "tool_name": "Edit",
     "tool_input": {"file_path": "/a.py", "old_string": "a", "new_string": "b"},
     "tool_response": {"structuredPatch": [{"oldStart": 1, "lines": ["-a", "+b"]}]}},
)  # fmt: skip
SPOOLED: Final[tuple[Any, ...]] = tuple(
    {"v": 1, "agent": "claude", "event_id": "0f" * 16, "at": 1_790_000_000 * 10**9, "event": one}
    for one in EVENTS
)
ROWS: Final[tuple[Any, ...]] = (
    {"text": "It was so.", "key": "k", "project": None, "tier": "normal", "type": "fact",
     "created_at": 1.5, "triggers": ["so"], "status": "hypothesis", "valid_from": 1.0},
)  # fmt: skip
DOCUMENT: Final = {"uri": "file:///a.py"}
ALL: Final = {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}
EDITOR: Final[tuple[Any, ...]] = (
    {"method": "textDocument/didOpen", "params": {"textDocument": {
        **DOCUMENT, "languageId": "python", "version": 1, "text": "# the port\nx = 5\n"}}},
    {"method": "textDocument/didChange", "params": {"textDocument": {**DOCUMENT, "version": 2},
        "contentChanges": [{"range": ALL, "text": "y"}]}},
    {"id": 7, "method": "textDocument/hover", "params": {
        "textDocument": DOCUMENT, "position": {"line": 0, "character": 1}}},
    {"id": 8, "method": "textDocument/inlayHint", "params": {"textDocument": DOCUMENT, "range": ALL}},
    {"id": 9, "method": "textDocument/codeAction", "params": {
        "textDocument": DOCUMENT, "range": ALL, "context": {"diagnostics": []}}},
    {"id": 10, "method": "workspace/executeCommand", "params": {
        "command": "reverie.remember", "arguments": ["the port"]}},
    {"method": "$/cancelRequest", "params": {"id": 7}},
    {"method": "textDocument/didClose", "params": {"textDocument": DOCUMENT}},
)  # fmt: skip
WORDS: Final = (
    *"-k --json --limit --project --all --erase --yes --as-of --tier --trigger --explain".split(),
    *"--detail --tokens --concept --since --show list cancel m1 m2 p1 0 -1 1e999 tomorrow".split(),
    *"99999999999999999999 2026-01-01 normal causes . - nowhere.jsonl -- -h --= \x1b[2J".split(),
    *("", " ", "\u202e", "\udcff", "é" * 3000, "a" * 20_000),
)
# What ends the daemon, waits for what may never come, or takes minutes.
UNASKED: Final = frozenset(
    {"stop", "watch", "follow", "await-embedded", "dream", "backup-now", "backfill"}
)
KINDS: Final = tuple(sorted(REQUESTS.keys() - UNASKED))


def bent(value: Any, chance: Random) -> Any:
    """The value with about one of its parts replaced, dropped, doubled or renamed."""
    if chance.random() < 0.2 or not isinstance(value, (dict, list)) or not value:
        return chance.choice(NASTY)
    if isinstance(value, list):
        items: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
        at = chance.randrange(len(items))
        items[at : at + 1] = chance.choice(([], [bent(items[at], chance)], [items[at]] * 2))
        return items
    fields: dict[Any, Any] = dict(value)  # pyright: ignore[reportUnknownArgumentType]
    key = chance.choice(list(fields))
    match chance.randrange(5):
        case 0:
            del fields[key]
        case 1:
            fields[chance.choice(("", "x" * 500, "session_id", "text"))] = fields.pop(key)
        case _:
            fields[key] = bent(fields[key], chance)
    return fields


def torn(data: bytes, chance: Random) -> bytes:
    """The bytes with one to four places cut, doubled, flipped or overwritten."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((0, 1, 1, 4, 64)))
        put = chance.choice((b"", data[at:end] * 2, chance.randbytes(end - at), *TOKENS))
        data = data[:at] + put + data[end:]
    return data


def noisy(samples: tuple[Any, ...], chance: Random) -> bytes:
    """One of the samples as JSON, wrong in its values, its bytes, or both."""
    value = chance.choice(samples)
    kind = chance.randrange(4)
    data = json.dumps(bent(value, chance) if kind else value).encode()
    return torn(data, chance) if kind in (0, 3) else data


def request(chance: Random) -> tuple[str, Any]:
    """A kind and a right body for it; fields with a default are there half the time."""
    kind = chance.choice(KINDS)
    return kind, _value(inspect.type_info(REQUESTS[kind]), chance)


def _value(of: inspect.Type, chance: Random) -> Any:
    match of:
        case inspect.StructType(fields=fields):
            return {
                field.encode_name: _value(field.type, chance)
                for field in fields
                if field.required or chance.random() < 0.5
            }
        case inspect.UnionType(types=types):
            return _value(chance.choice(types), chance)
        case inspect.LiteralType(values=values):
            return chance.choice(values)
        case inspect.ListType(item_type=item):
            return [_value(item, chance) for _ in range(chance.randrange(4))]
        case inspect.DictType(value_type=item):
            return {"a": _value(item, chance)}
        case inspect.BoolType():
            return chance.random() < 0.5
        case inspect.IntType():
            return chance.choice((0, 1, 5, 100, -1, 2**40))
        case inspect.FloatType():
            return chance.choice((0.0, 1.5, 1.79e9, -1e300))
        case inspect.BytesType():
            return chance.randbytes(16)
        case inspect.StrType():
            return chance.choice(("m1", "the port", "", "2026-01-01", "/a.py", "s", "x" * 900))
        case _:
            return None
