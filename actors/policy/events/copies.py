"""Copies of one event: hooks installed twice, in the settings and by a plugin, report it twice.

Each copy comes with an id of its own. They are recognized by common fields: an agent runs a tool once
under a tool-use id, and takes one prompt under a prompt id and its words. Some agents have no such ids
and give the moment instead. Without any of these a tool call and a prompt are never copies: the same may
be run, or said, twice. All other events are one when everything in them is the same and they happened
within seconds.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Final

from actors.policy.events.events import text_of

TOGETHER: Final = 10.0  # seconds between two processes that an agent started side by side
_BYTES: Final = 16  # of an event's id
_PROMPT: Final = "UserPromptSubmit"


def named(body: Mapping[str, object]) -> bytes | None:
    """Return the 16-byte id shared by every copy of an event, from its names; ``None`` without them."""
    event, session = text_of(body, "hook_event_name"), text_of(body, "session_id")
    use, prompt = text_of(body, "tool_use_id"), text_of(body, "prompt_id")
    if not session:
        return None
    if use:
        return _digest(repr(("tool", session, event, use)))
    moment = prompt or text_of(body, "timestamp")
    if event == _PROMPT and moment:
        return _digest(repr(("prompt", session, moment, text_of(body, "prompt"))))
    if moment and not prompt and "tool_name" in body:
        call = (text_of(body, "tool_name"), body.get("tool_input"))
        return _digest(repr(("call", session, event, moment, call)))
    return None


def alike(body: Mapping[str, object], content: bytes) -> bytes | None:
    """Return the key for recognizing copies without names; ``None`` for repeatable events.

    ``content``: the whole content of the event.
    """
    event = text_of(body, "hook_event_name")
    may_be_repeated = event == _PROMPT or "tool_name" in body
    if may_be_repeated or not event or not text_of(body, "session_id"):
        return None
    return blake2b(content, digest_size=_BYTES).digest()


def _digest(names: str) -> bytes:
    return blake2b(names.encode("utf-8", "replace"), digest_size=_BYTES).digest()
