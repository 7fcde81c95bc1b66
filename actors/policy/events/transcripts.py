"""Transcripts of Claude Code (2.1.330), read as the events of its hooks.

A line is a prompt, a block of an answer or a result of a call. Lines of subagents and of the client itself
(reminders, words of hooks, its requests to the model) count for nothing.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import islice
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from actors.policy.events.events import ASKING, TOOL_REFUSED, listing, mapping, text_of
from actors.policy.events.trail import EDITORS, SHELLS

# ---- refusals: a person who is asked for a permission says no, and often what to do instead
#
# Claude Code 2.1.330 reports no event for a refused call; the words stand in its transcript, in a field of their own.
# Other versions report a failure with them in its text. A tool server writes its own texts of failures, so its calls'
# texts prove nothing. A refusal without words says nothing lasting: of 23 in real sessions 3 had none, two of them the
# same edit tried twice, and no call was refused in two sessions.


_FIELD: Final = '"userFeedback"'


class Refusal(Struct, frozen=True):
    """A call refused by a person, and the person's words."""

    use_id: str
    words: str
    at: float | None = None  # seconds UTC, if the transcript says it


def refusals(lines: Iterable[str]) -> list[Refusal]:
    """Return the refusals with words in these lines of a transcript, in their order."""
    found = (_refusal(line) for line in lines if _FIELD in line)
    return [one for one in found if one is not None]


def _refusal(line: str) -> Refusal | None:
    try:
        entry = mapping(json.loads(line))
    except (ValueError, RecursionError):
        return None
    if entry.get("type") != "user" or entry.get("toolDenialKind") != "user-rejected":
        return None
    answer = next(iter(_blocks(mapping(entry.get("message")).get("content"))), mapping(None))
    use_id = text_of(answer, "tool_use_id") if answer.get("type") == "tool_result" else ""
    words = text_of(entry, "userFeedback").strip()
    return Refusal(use_id, words, written_at(entry)) if use_id and words else None


def written_at(entry: Mapping[str, object]) -> float | None:
    """Return when a line of a transcript was written, seconds UTC; None where it does not say."""
    said = entry.get("timestamp")
    try:
        moment = datetime.fromisoformat(said) if isinstance(said, str) else None
    except ValueError:
        return None
    return moment.timestamp() if moment is not None and moment.tzinfo is not None else None


CALLS: Final = 64  # waiting for a result, the newest
_INTERRUPTED: Final = "[Request interrupted by user"


class TranscriptEvent(Struct, frozen=True):
    """An event of a transcript, with a unique id."""

    id: str
    at: float  # seconds UTC
    event: Mapping[str, object]  # as a hook's, without its session


class Open(Struct, frozen=True):
    """State left open by the lines before: calls without a result, and the possible last words of the turn."""

    calls: Mapping[str, Mapping[str, object]] = field(
        default_factory=dict[str, Mapping[str, object]]
    )
    words: TranscriptEvent | None = None
    message: str = ""  # id of the message of these words


def events_of_line(
    entry: Mapping[str, object], before: Open
) -> tuple[Open, tuple[TranscriptEvent, ...]]:
    """Return the state left open by a line, and its events."""
    at = written_at(entry)
    if at is None or entry.get("isSidechain") is True or entry.get("isMeta") is True:
        return before, ()
    match entry.get("type"):
        case "assistant" if entry.get("isApiErrorMessage") is not True:
            return _answered(entry, at, before), ()
        case "user":
            content = mapping(entry.get("message")).get("content")
            results = [one for one in _blocks(content) if one.get("type") == "tool_result"]
            if results:
                return _returned(entry, at, before, results)
            return _asked(entry, at, before, _words(content))
        case "attachment":
            return before, _queued(entry, at)
        case _:
            return before, ()


def ended(left: Open) -> tuple[TranscriptEvent, ...]:
    """Return the end of the turn, if the agent said anything after its last call."""
    return () if left.words is None else (left.words,)


def _event(entry: Mapping[str, object], name: str, **fields: object) -> dict[str, object]:
    return {"hook_event_name": name, "cwd": entry.get("cwd"), **fields}


def _answered(entry: Mapping[str, object], at: float, before: Open) -> Open:
    """Keep the calls of an answer, and its words until it makes one."""
    message = mapping(entry.get("message"))
    blocks = _blocks(message.get("content"))
    made = [one for one in blocks if one.get("type") == "tool_use"]
    if made:
        calls = {**before.calls, **{str(one.get("id")): one for one in made}}
        newest = islice(calls.items(), max(0, len(calls) - CALLS), None)
        return Open(dict(newest))
    words, name = _words(blocks), str(message.get("id"))
    if not words:
        return before
    if before.words is not None and before.message == name:
        words = f"{before.words.event['last_assistant_message']}\n{words}"
    event = _event(entry, "Stop", last_assistant_message=words)
    return replace(before, words=TranscriptEvent(_id(entry), at, event), message=name)


def _asked(
    entry: Mapping[str, object], at: float, before: Open, text: str
) -> tuple[Open, tuple[TranscriptEvent, ...]]:
    """Read a prompt, which ends the turn before, or the summary of a compaction."""
    if entry.get("isCompactSummary") is True:
        event = _event(entry, "PostCompact", compact_summary=text)
    elif not text or text.startswith(_INTERRUPTED):
        return Open(), ()
    else:
        event = _event(entry, "UserPromptSubmit", prompt=text, source=entry.get("promptSource"))
    return Open(), (*ended(before), TranscriptEvent(_id(entry), at, event))


def _queued(entry: Mapping[str, object], at: float) -> tuple[TranscriptEvent, ...]:
    """Read a prompt typed while the agent worked."""
    given = mapping(entry.get("attachment"))
    text = _words(given.get("prompt"))
    typed = (
        given.get("type") == "queued_command"
        and given.get("commandMode") == "prompt"
        and given.get("isMeta") is not True
        and mapping(given.get("origin")).get("kind", "human") == "human"
    )
    event = _event(entry, "UserPromptSubmit", prompt=text)
    return (TranscriptEvent(_id(entry), at, event),) if typed and text else ()


def _returned(
    entry: Mapping[str, object], at: float, before: Open, results: Iterable[Mapping[str, object]]
) -> tuple[Open, tuple[TranscriptEvent, ...]]:
    calls, found = dict(before.calls), list[TranscriptEvent]()
    for result in results:
        name = str(result.get("tool_use_id"))
        call = calls.pop(name, None)
        if call is not None and str(call.get("name")) in SHELLS | EDITORS | {ASKING}:
            found.append(TranscriptEvent(name, at, _result(entry, call, result)))
    return Open(calls), tuple(found)


def _result(
    entry: Mapping[str, object], call: Mapping[str, object], result: Mapping[str, object]
) -> dict[str, object]:
    """Return the event of a call returned, failed or refused."""
    if entry.get("toolDenialKind") == "user-rejected":
        return _event(entry, TOOL_REFUSED, user_feedback=text_of(entry, "userFeedback"))
    tool = {
        "tool_name": call.get("name"), "tool_input": call.get("input"),
        "tool_use_id": result.get("tool_use_id"),
    }  # fmt: skip
    text = _words(result.get("content"))
    if result.get("is_error") is True:
        return _event(entry, "PostToolUseFailure", error=text, **tool)
    # The answer to an edit is the whole file, of which nothing is read.
    response = "" if str(call.get("name")) in EDITORS else entry.get("toolUseResult") or text
    return _event(entry, "PostToolUse", tool_response=response, **tool)


def _blocks(content: object) -> list[Mapping[str, object]]:
    return [mapping(one) for one in listing(content)]


def _words(content: object) -> str:
    """Return the text of a message."""
    if isinstance(content, str):
        return content
    texts = (one.get("text") for one in _blocks(content) if one.get("type") == "text")
    return "\n".join(text for text in texts if isinstance(text, str))


def _id(entry: Mapping[str, object]) -> str:
    return str(entry.get("uuid") or f"{entry.get('sessionId')} {entry.get('timestamp')}")
