"""Reconsolidation: a memory that was just recalled can be changed for a while (Q07).

After Nader (2000): recall makes a memory labile for five minutes. Changes proposed meanwhile are
collected and applied together when the window closes, or not at all; until then the memory is as
it was, so that a crash or a second thought leaves nothing half done.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from actors.policy.decay.fsrs import STABILITY_MAX


class Kind(Enum):
    """The nine kinds of modification."""

    ADD_CONTEXT = "add_context"
    REPLACE_CONTENT = "replace_content"
    ADD_TAG = "add_tag"
    REMOVE_TAG = "remove_tag"
    LINK = "link"
    STRENGTHEN_LINK = "strengthen_link"
    ADD_SOURCE = "add_source"
    SET_EMOTION = "set_emotion"
    BOOST_STABILITY = "boost_stability"


class Refusal(Enum):
    """Why a modification was not taken."""

    CLOSED = "the window is closed"
    FULL = "ten modifications are waiting already"


@dataclass(frozen=True, slots=True)
class Settings:
    """Times in seconds (Q07)."""

    labile: float = 300.0
    most: int = 10  # modifications in one window
    history: float = 30 * 86_400.0


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Modification:
    """One change; ``text`` is the content, tag, memory id or source, ``amount`` the number."""

    kind: Kind
    text: str = ""
    amount: float = 0.0


@dataclass(frozen=True, slots=True)
class Trace:
    """What of a memory can change."""

    content: str
    context: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    links: Mapping[str, float] = field(default_factory=dict[str, float])  # memory id: 0..1
    sources: tuple[str, ...] = ()
    emotion: float = 0.0  # -1..1
    stability: float = 1.0  # days


@dataclass(frozen=True, slots=True)
class Window:
    """A memory that is labile, and what is to be done to it."""

    memory_id: str
    opened_at: float  # seconds UTC
    waiting: tuple[Modification, ...] = ()


@dataclass(frozen=True, slots=True)
class Settled:
    """A window that closed: what was done, and when."""

    memory_id: str
    at: float  # seconds UTC
    applied: tuple[Modification, ...]


class NotApplicable(ValueError):
    """A modification that does not fit the memory: the proposer's fault; nothing was changed."""


def is_labile(window: Window, now: float, settings: Settings = DEFAULT) -> bool:
    """Whether the window is open: for 300 s after the recall that opened it (Q07)."""
    return now - window.opened_at < settings.labile


def recalled(
    window: Window | None, memory_id: str, now: float, settings: Settings = DEFAULT
) -> Window:
    """The window after a recall: the open one, not prolonged, or a new one (Q07).

    Not prolonged, because a memory that is recalled every minute would never settle. A closed
    window must have been settled before.
    """
    if window is not None and is_labile(window, now, settings):
        return window
    return Window(memory_id, now)


def proposed(
    window: Window, modification: Modification, now: float, settings: Settings = DEFAULT
) -> Window | Refusal:
    """The window with one more modification waiting, or why not (Q07)."""
    if not is_labile(window, now, settings):
        return Refusal.CLOSED
    if len(window.waiting) >= settings.most:
        return Refusal.FULL
    return replace(window, waiting=(*window.waiting, modification))


def settled(
    window: Window, trace: Trace, now: float, settings: Settings = DEFAULT
) -> tuple[Trace, Settled | None]:
    """The memory, and what was done to it once the window has closed (Q07).

    While it is open the memory is as it was and there is nothing to record. All modifications are
    applied in their order, or none: ``NotApplicable`` is raised before anything has changed.
    """
    if is_labile(window, now, settings):
        return trace, None
    changed = trace
    for modification in window.waiting:
        changed = _modified(changed, modification)
    return changed, Settled(window.memory_id, now, window.waiting)


def retained(history: Iterable[Settled], now: float, settings: Settings = DEFAULT) -> list[Settled]:
    """The closed windows of the last 30 days (Q07)."""
    return [entry for entry in history if now - entry.at <= settings.history]


def _modified(trace: Trace, modification: Modification) -> Trace:
    text, amount = modification.text, modification.amount
    match modification.kind:
        case Kind.ADD_CONTEXT:
            return replace(trace, context=_with(trace.context, text))
        case Kind.REPLACE_CONTENT:
            return replace(trace, content=_said(text))
        case Kind.ADD_TAG:
            return replace(trace, tags=_with(trace.tags, text))
        case Kind.REMOVE_TAG:
            return replace(trace, tags=tuple(tag for tag in trace.tags if tag != text))
        case Kind.LINK:
            return replace(trace, links={_said(text): _share(amount), **trace.links})
        case Kind.STRENGTHEN_LINK:
            return replace(trace, links=_strengthened(trace.links, text, amount))
        case Kind.ADD_SOURCE:
            return replace(trace, sources=_with(trace.sources, text))
        case Kind.SET_EMOTION:
            return replace(trace, emotion=min(1.0, max(-1.0, amount)))
        case _:  # Kind.BOOST_STABILITY
            return replace(trace, stability=_boosted(trace.stability, amount))


def _with(items: tuple[str, ...], text: str) -> tuple[str, ...]:
    return items if _said(text) in items else (*items, text)


def _said(text: str) -> str:
    if not text.strip():
        raise NotApplicable("a modification without its text: say what to add or to replace")
    return text


def _strengthened(links: Mapping[str, float], target: str, amount: float) -> dict[str, float]:
    if target not in links:
        raise NotApplicable("there is no such link to strengthen: link the memories first")
    return {**links, target: _share(links[target] + amount)}


def _boosted(stability: float, factor: float) -> float:
    if not factor >= 1:
        raise NotApplicable("a boost of stability must be a factor of 1 or more")
    return min(STABILITY_MAX, stability * factor)


def _share(amount: float) -> float:
    return min(1.0, max(0.0, amount))
