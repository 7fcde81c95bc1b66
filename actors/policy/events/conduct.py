"""Conduct: how a session goes about its work, read off its events.

Somebody who looks up a lot, reads what is found and seldom edits is learning; what is learnt then
matters more. The record is a small value; ``went_on`` makes the next one of an event. Which tools
look up, read and edit is ours: the names are those of the agents' own tools.
"""

from dataclasses import dataclass, replace
from typing import Final

from actors.policy.capture.importance import Conduct
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.events.trail import EDITORS

READERS: Final = frozenset({"Read", "NotebookRead", "WebFetch", "read_file", "view"})
SEARCHERS: Final = frozenset({"Grep", "Glob", "WebSearch", "grep_search", "file_search", "search"})
TOPICS: Final = 500  # different ones that are remembered of a session
TOPIC: Final = 200  # characters that tell topics apart

_ASKED: Final = ("pattern", "query", "url")


@dataclass(frozen=True, slots=True)
class Doings:
    """Record of what a session did so far."""

    began: float  # seconds UTC
    last: float
    prompts: int = 0
    reads: int = 0
    searches: int = 0
    edits: int = 0
    topics: frozenset[str] = frozenset()


def went_on(doings: Doings | None, event: Event, at: float, *, person: bool) -> Doings:
    """Record after one more event; ``person``: a prompt is a person's words."""
    so_far = replace(doings, last=max(at, doings.last)) if doings else Doings(at, at)
    if event.kind is EventKind.PROMPT:
        return (
            _asked(replace(so_far, prompts=so_far.prompts + 1), event.prompt) if person else so_far
        )
    tool = event.tool
    if tool is None or event.kind is not EventKind.TOOL:
        return so_far
    if tool.name in EDITORS:
        return replace(so_far, edits=so_far.edits + 1)
    if tool.name in READERS:
        return _asked(replace(so_far, reads=so_far.reads + 1), tool.path or _words(tool))
    if tool.name in SEARCHERS:
        return _asked(replace(so_far, searches=so_far.searches + 1), _words(tool))
    return so_far


def conduct(doings: Doings) -> Conduct:
    """The conduct that attention is computed of.

    Queries are prompts, reads and searches; depth is the share of look-ups that read something
    rather than search for it; topics are the different things asked for.
    """
    looked = doings.reads + doings.searches
    return Conduct(
        queries=doings.prompts + looked,
        edits=doings.edits,
        minutes=(doings.last - doings.began) / 60,
        depth=doings.reads / looked if looked else 0.0,
        topics=len(doings.topics),
    )


def _asked(doings: Doings, topic: str) -> Doings:
    flat = " ".join(topic.casefold().split())[:TOPIC]
    if not flat or len(doings.topics) >= TOPICS:
        return doings
    return replace(doings, topics=doings.topics | {flat})


def _words(tool: Tool) -> str:
    given = tool.input
    return next((text for name in _ASKED if isinstance(text := given.get(name), str)), "")
