"""Context pressure: how full an agent's context is, and how much to put into it.

The only place with certain knowledge is the agent's transcript. ``tokens_in_use`` reads its last
lines; writing lags behind the turn, so the answer is a lower bound of a moment ago.
"""

import json
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final

from msgspec import Struct

from actors.policy.events.events import mapping

WINDOW: Final = 200_000  # tokens of context when the agent does not say
# Shares of the window from which recall is shorter, and shortest.
FOCUSED: Final = 0.60
QUICK: Final = 0.80

# Parts of a context that an answer's usage tells.
_USED: Final = (
    "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens",
)  # fmt: skip


class Level(Enum):
    """Level of a session's pressure for room."""

    NONE = "none"
    FOCUSED = "focused"
    QUICK = "quick"


class Settings(Struct, frozen=True):
    """Room of a context."""

    window: int = WINDOW  # tokens


# Share of the usual budget of characters under each level. Choice: half and a quarter.
SHARES: Final = {Level.NONE: 1.0, Level.FOCUSED: 0.5, Level.QUICK: 0.25}


def level(ratio: float) -> Level:
    """Level of a share in use: below .60 none, below .80 focused, else quick."""
    if ratio >= QUICK:
        return Level.QUICK
    return Level.FOCUSED if ratio >= FOCUSED else Level.NONE


def pressure(tokens: int | None, window: int = WINDOW) -> Level:
    """Level of so many tokens in a window; none where nobody knows."""
    return Level.NONE if tokens is None or window <= 0 else level(tokens / window)


def tokens_in_use(lines: Iterable[str]) -> int | None:
    """Tokens in an agent's context by the last lines of its transcript, oldest first; or None.

    The last answer of the main conversation tells (its usage: input, cached, written and output
    tokens); a compaction after it starts anew. Cut or unknown lines are skipped.
    """
    in_use: int | None = None
    for line in lines:
        if '"usage"' not in line and "compact_boundary" not in line:
            continue  # most lines, and the longest ones: not worth parsing
        entry = _parsed(line)
        if entry.get("subtype") == "compact_boundary":
            in_use = _count(mapping(entry.get("compactMetadata")).get("postTokens")) or None
        elif entry.get("type") == "assistant" and not entry.get("isSidechain"):
            # A synthetic answer (an API error) reports zeros and says nothing of the context.
            usage = mapping(mapping(entry.get("message")).get("usage"))
            in_use = sum(_count(usage.get(name)) for name in _USED) or in_use
    return in_use


def _parsed(line: str) -> Mapping[str, object]:
    try:
        return mapping(json.loads(line))
    except ValueError:
        return {}


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
