"""Sittings: what a session was shown, what it has heard by other ways, and which uses follow.

A *sitting* is one session's part in the life of memories: those it was shown, each with the
specifics that nobody has said yet, and the last texts that it heard. An answer, a command or an
edit that says a specific of a memory cites it; an edit of the file or symbol that a memory is about
is the stronger sign; the next prompt may confirm what was cited. What is heard counts from then on
as known, so the order is always: judge first, hear afterwards.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from actors.policy.decay.reinforcement import Use
from actors.policy.events.commands import telling
from actors.policy.events.events import Event, EventKind, Tool, is_our_tool
from actors.policy.session import citation
from actors.policy.session.citation import Specific

HELD: Final = 64  # memories that a sitting looks out for, the newest
TEXTS: Final = 16  # heard texts that are kept, for memories that are shown later
HEARD: Final = 8_000  # characters of a text that are heard
READ: Final = 2_000  # characters of a memory: a note is no longer
WITHIN: Final = 24 * 3600.0  # seconds after which a use is no longer put down to a showing
OWN: Final = "reverie"
EDITS: Final = frozenset({"edit", "write", "multiedit", "notebookedit", "apply_patch"})


@dataclass(frozen=True, slots=True)
class Held:
    """A memory that the session was shown."""

    at: float  # seconds UTC, when first
    wanted: Mapping[str, Specific]  # that nobody has said yet
    about: frozenset[str]  # files and symbols


@dataclass(frozen=True, slots=True)
class Sitting:
    """One session, as far as the use of memories goes."""

    held: Mapping[int, Held] = field(default_factory=dict[int, Held])  # by memory id, oldest first
    heard: tuple[str, ...] = ()  # the last texts, for memories that are shown later
    cited: frozenset[int] = frozenset()  # since the last prompt
    credited: frozenset[tuple[int, Use]] = frozenset()  # each cause counts once a session


@dataclass(frozen=True, slots=True)
class Used:
    """A session made use of a memory, and how it showed."""

    memory_id: int
    use: Use


def shown(sitting: Sitting, texts: Mapping[int, str], at: float) -> Sitting:
    """After memories of these texts, by their ids, were shown; of one shown again its first time counts."""
    new = {memory_id: text for memory_id, text in texts.items() if memory_id not in sitting.held}
    if not new:
        return sitting
    known = _said(
        sitting.heard
    )  # once for all of an answer: it costs more than reading the memories
    held = dict(sitting.held)
    for memory_id, text in new.items():
        wanted = citation.specifics(text[:READ])
        held[memory_id] = Held(at, citation.left(wanted, known), citation.subjects(wanted))
    return replace(sitting, held=dict([*held.items()][-HELD:]))


def happened(sitting: Sitting, event: Event, at: float) -> tuple[Sitting, list[Used]]:
    """The sitting after an event, and the uses that the event shows.

    An event from before a memory was shown, or from a day after, shows nothing of it; and what
    the agent asks of this memory and is answered is neither a use nor heard elsewhere.
    """
    if event.tool is not None and is_own(event.tool):
        return sitting, []
    if event.kind is EventKind.PROMPT:
        return _prompted(sitting, event)
    found = _uses(sitting, event, at)
    credited = sitting.credited | {(used.memory_id, used.use) for used in found}
    new = [used for used in found if (used.memory_id, used.use) not in sitting.credited]
    after = replace(
        sitting,
        cited=sitting.cited | {used.memory_id for used in found if used.use is Use.CITED},
        credited=credited,
    )
    return _hear(after, _texts(event)), new


def is_own(tool: Tool) -> bool:
    """Tell whether a call asks this memory: ``reverie recall …`` in a shell, or a tool of it."""
    program = telling(tool.command).partition(" ")[0].rpartition("/")[2]
    return program == OWN or is_our_tool(tool.name)


def resumed(sitting: Sitting, events: Iterable[Event]) -> Sitting:
    """After these events, of which no use is judged: a session that is taken up again."""
    for event in events:
        sitting = _hear(sitting, _texts(event))
    return sitting


def _prompted(sitting: Sitting, event: Event) -> tuple[Sitting, list[Used]]:
    agreed = sitting.cited if citation.confirmed(event.prompt) else frozenset[int]()
    new = [
        Used(memory_id, Use.CONFIRMED)
        for memory_id in sorted(agreed)
        if (memory_id, Use.CONFIRMED) not in sitting.credited
    ]
    credited = sitting.credited | {(used.memory_id, used.use) for used in new}
    after = replace(sitting, cited=frozenset(), credited=credited)
    return _hear(after, [event.prompt]), new


def _uses(sitting: Sitting, event: Event, at: float) -> list[Used]:
    live = _live(sitting, at)
    if not live:
        return []
    if event.kind is EventKind.TURN_END:
        spoken = citation.said(event.message)
        return [Used(i, Use.CITED) for i, held in live.items() if _cites(held, spoken)]
    if event.kind is EventKind.TOOL and event.tool is not None:
        return _uses_of_tool(live, event.tool)
    return []


def _live(sitting: Sitting, at: float) -> dict[int, Held]:
    """The memories that were shown within a day."""
    return {i: held for i, held in sitting.held.items() if 0 <= at - held.at <= WITHIN}


def _uses_of_tool(live: Mapping[int, Held], tool: Tool) -> list[Used]:
    """What a tool was told; what it answered is no sign, and a call that failed neither."""
    spoken = citation.said("\n".join(_strings(tool.input)))
    found: list[Used] = []
    for memory_id, held in live.items():
        if tool.name.casefold() in EDITS and citation.edited(held.about, tool.path, _before(tool)):
            found.append(Used(memory_id, Use.EDITED_AFTER))
        elif _cites(held, spoken):
            found.append(Used(memory_id, Use.CITED))
    return found


def _cites(held: Held, spoken: frozenset[str]) -> bool:
    return citation.cited(held.wanted, spoken).holds


def _before(tool: Tool) -> str:
    """The text that an edit takes out."""
    old = tool.input.get("old_string")
    return old if isinstance(old, str) else ""


def _hear(sitting: Sitting, texts: Iterable[str]) -> Sitting:
    """From now on these texts are known."""
    new = tuple(text[:HEARD] for text in texts if text)
    held = sitting.held
    if any(one.wanted for one in held.values()):  # reading costs milliseconds: only for somebody
        spoken = _said(new)
        held = {
            memory_id: replace(one, wanted=citation.left(one.wanted, spoken))
            for memory_id, one in held.items()
        }
    return replace(sitting, held=held, heard=(*sitting.heard, *new)[-TEXTS:])


def _said(texts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(citation.said, texts))


def _texts(event: Event) -> list[str]:
    """What an event tells a session."""
    texts = [event.prompt, event.message, event.summary]
    if event.tool is not None:
        texts += ["\n".join(_strings(event.tool.input)), event.tool.output, event.tool.error]
    return texts


def _strings(fields: Mapping[str, object]) -> list[str]:
    return [value for value in fields.values() if isinstance(value, str)]
