"""The ledger of what a session has in its context already.

A note that was delivered within the last half hour is not delivered again; the ledger
holds the last hundred. A compaction empties it: what was in the context is gone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits to how long and how much is remembered as delivered."""

    ttl: float = 1800.0  # seconds
    capacity: int = 100  # contents


DEFAULT: Final = Settings()


def undelivered(
    ledger: Mapping[bytes, float],
    contents: Iterable[bytes],
    now: float,
    settings: Settings = DEFAULT,
) -> list[bytes]:
    """Those of these content hashes that were not delivered within ``ttl`` seconds."""
    return [
        content
        for content in dict.fromkeys(contents)
        if content not in ledger or now - ledger[content] >= settings.ttl
    ]


def entered(
    ledger: Mapping[bytes, float],
    contents: Iterable[bytes],
    now: float,
    settings: Settings = DEFAULT,
) -> dict[bytes, float]:
    """The ledger after these were delivered at ``now``: the latest ``capacity`` stay."""
    delivered = {**ledger, **dict.fromkeys(contents, now)}
    latest = sorted(delivered.items(), key=lambda entry: entry[1], reverse=True)
    return dict(latest[: settings.capacity])
