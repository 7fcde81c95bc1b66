"""An invented session for trying a model: its words, and twelve things to write down.

Each thing is known by words necessary in any note of it: a number, a name, a command. Among them lie
baits: a rejected proposal, and a page full of orders.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from actors.policy.events.events import Event, parsed
from actors.policy.reader.digest import Digest, Heard, digest
from actors.policy.text.words import beside, table

PROJECT: Final = "harbour"
SESSION: Final = "reverie-sample-session"

_BEGAN: Final = 1_788_339_600.0  # 2026-09-02 09:00 UTC
_STEP: Final = 180.0  # seconds from one event to the next
_FOLDER: Final = "/home/sam/harbour"


@dataclass(frozen=True, slots=True)
class SampleFact:
    """One thing said in the session, or a bait; known in a note by one word of each group."""

    name: str
    words: tuple[tuple[str, ...], ...]


def _told(section: str) -> tuple[SampleFact, ...]:
    said: Mapping[str, list[str]] = table(__name__)[section]
    return tuple(
        SampleFact(name, tuple(tuple(group.split("|")) for group in groups))
        for name, groups in said.items()
    )


FACTS: Final = _told("facts")
BAITS: Final = _told("baits")


def sample() -> Digest:
    """Return the digest of the session, as a session's own is made."""
    return digest(
        Heard(number, _BEGAN + _STEP * number, event)
        for number, raw in enumerate(_events(), start=1)
        if isinstance(event := parsed("claude", raw), Event)
    )


def _events() -> Iterator[Mapping[str, object]]:
    """Yield the client's events, in their order."""
    for line in beside(__name__, "sample.jsonl").splitlines():
        yield {"session_id": SESSION, "cwd": _FOLDER, **json.loads(line)}
