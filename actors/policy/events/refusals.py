"""Refusals: a person who is asked for a permission says no, and often what to do instead.

Claude Code 2.1.330 reports no event for a refused call; the words stand in its transcript, in a field of their own.
Other versions report a failure with them in its text. A tool server writes its own texts of failures, so its calls'
texts prove nothing. A refusal without words says nothing lasting: of 23 in real sessions 3 had none, two of them the
same edit tried twice, and no call was refused in two sessions.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast

_FIELD: Final = '"userFeedback"'


@dataclass(frozen=True, slots=True)
class Refusal:
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
        entry: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    match entry:
        case {
            "type": "user",
            "toolDenialKind": "user-rejected",
            "userFeedback": str(words),
            "message": {"content": [answer, *_]},  # pyright: ignore[reportUnknownVariableType]
        }:
            use_id, said = _call(cast("object", answer)), words.strip()
            at = written_at(cast("Mapping[str, object]", entry))
            return Refusal(use_id, said, at) if use_id and said else None
        case _:
            return None


def written_at(entry: Mapping[str, object]) -> float | None:
    """Return when a line of a transcript was written, seconds UTC; None where it does not say."""
    said = entry.get("timestamp")
    try:
        moment = datetime.fromisoformat(said) if isinstance(said, str) else None
    except ValueError:
        return None
    return moment.timestamp() if moment is not None and moment.tzinfo is not None else None


def _call(answer: object) -> str:
    """Return the id of the call answered in a block of a message; empty for another block."""
    match answer:
        case {"type": "tool_result", "tool_use_id": str(use_id)}:
            return use_id
        case _:
            return ""
