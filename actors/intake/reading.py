"""An event read: decoded, without secrets and cut. Pure: a large one is read on a thread."""

import json
from collections.abc import Mapping
from typing import cast

from msgspec import Struct

from actors.policy.events import switch
from actors.policy.events.agents import normal
from actors.policy.events.cutting import MOST_VALUES, Json, Redact, cut, is_overfull
from actors.policy.events.events import Event, Unknown, Upcoming, is_our_tool, parsed
from actors.policy.events.fence import stripped
from actors.policy.secrets.secret_commands import masked


class Reading(Struct, frozen=True):
    """Parts of an event: ``event`` is None when it was no JSON object."""

    body: Mapping[str, object]
    event: Event | Upcoming | Unknown | None
    redactions: int
    places: tuple[str, ...]  # where it happens, as the agent wrote it


def read(agent: str, raw: bytes, redact: Redact) -> Reading:
    """Read a hook's standard input."""
    text = raw.decode("utf-8", "replace")
    found: object = None
    why = f"it holds more than {MOST_VALUES:,} values" if is_overfull(raw) else ""
    if not why:
        try:
            # Not strict: a raw control character in a string is an agent's slip.
            found = json.loads(text, strict=False)
        except ValueError:
            why = "it is no JSON"
        except RecursionError:
            why = "it is nested too deep"
    if isinstance(found, dict):
        return read_object(agent, cast("Mapping[str, object]", found), redact)
    cleaned, redactions = _cleaned(text, redact)
    where = switch.places_of_text(text)
    body = {"size": len(raw), "text": cleaned, "why": why or "it is no JSON object"}
    return Reading(body, None, redactions, where)


def read_object(agent: str, raw: Mapping[str, object], redact: Redact) -> Reading:
    """Read a hook's JSON object, in whatever words the agent has."""
    client, whole = normal(agent, cast("dict[str, Json]", raw))
    name = whole.get("tool_name")
    if "tool_response" in whole and isinstance(name, str) and is_our_tool(name):
        # The answer of a tool of ours is stored already, and to be erased there.
        whole = {**whole, "tool_response": ""}
    # The whole event first: a command that reads a secret makes a bare value one.
    without = masked(whole)
    cleaned, redactions = _cleaned(without, redact)
    body = cast("Mapping[str, object]", cleaned)
    taken_out = redactions + (without is not whole)
    return Reading(body, parsed(client, body), taken_out, switch.places(whole))


def _cleaned(value: Json, redact: Redact) -> tuple[Json, int]:
    cleaned, kinds = cut(value, lambda text: redact(stripped(text)))
    return cleaned, len(kinds)
