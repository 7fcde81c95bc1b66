"""Shapes of one memory as clients get them: a test names the fields that it is about."""

from __future__ import annotations

from typing import Any, Final

from daemon.shapes.memory import MatchView, MemoryView
from daemon.shapes.results import Scored

MEMORY: Final[dict[str, Any]] = {
    "id": "m1", "title": "", "text": "t", "kind": "fact", "tier": "normal", "created_at": 0.0,
    "origin": "remembered by hand",
}  # fmt: skip


def memory_view(**other: Any) -> MemoryView:
    shown: dict[str, Any] = {
        "project": None, "updated_at": 0.0, "state": "HOT", "retrievability": 0.93, "stability": 4.2,
        "pinned": False, "ended": None, "key": None, "triggers": [], "session": None, "versions": 1,
    }  # fmt: skip
    return MemoryView(**{**MEMORY, **shown, **other})


def scored(**other: Any) -> Scored:
    found: dict[str, Any] = {"key": None, "score": 0.5, "project": None, "why": ""}
    return Scored(**{**MEMORY, **found, **other})


def match_view(**other: Any) -> MatchView:
    place: dict[str, Any] = {"start": 0, "end": 1, "phrase": "p", "score": 0.9, "state": "HOT"}
    return MatchView(**{**MEMORY, **place, **other})
