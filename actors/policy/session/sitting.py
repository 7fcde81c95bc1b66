"""Sittings: memories shown to a session, texts it has heard in other ways, and the uses that follow.

An answer with a specific of a memory cites it, and the next prompt may confirm the citation. A call
with one follows the memory, within twenty events of its telling; an edit of its file or symbol is the
stronger sign; but not the edit a memory was told before, nor another of the same file: it was under
way. Whoever opens a memory by its id uses it, however it was found. Heard texts count from then on as
known, so the order is always: judge first, hear afterwards.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from actors.policy.decay.curve import Use
from actors.policy.events.command_lines import pipelines, plain, program_of, unwrapped
from actors.policy.events.events import ASKING, DELEGATING, Event, EventKind, Tool, is_our_tool
from actors.policy.events.trail import EDITORS
from actors.policy.session import citation, tasks
from actors.policy.session.citation import Specific
from actors.policy.text.short_ids import numbered

HELD: Final = 64  # memories that a sitting looks out for, the newest
TEXTS: Final = 16  # heard texts that are kept, for memories that are shown later
HEARD: Final = 8_000  # characters of a text that are heard
LINE: Final = 2 * 1024  # characters of a command line: 20,000 of a hostile one cost 31 ms
READ: Final = 2_000  # characters of a memory: a note is no longer
WITHIN: Final = 24 * 3600.0  # seconds after which a use is no longer put down to a showing
FOLLOWED: Final = 20  # events after a telling in which a call may do what was told
OWN: Final = "reverie"
# Ways to open one memory: tools, actions, commands.
OPENING: Final = frozenset({"open", "show", "why", "get"})
# Tools whose calls do nothing: they read, plan, ask, or leave it to a subagent.
IDLE: Final = DELEGATING | {
    *tasks.TOOLS, ASKING, "ExitPlanMode", "Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch",
}  # fmt: skip


class ShownMemory(Struct, frozen=True):
    """A memory shown to the session."""

    at: float  # seconds UTC, when first
    told: float  # when last
    wanted: Mapping[str, Specific]  # not said by anybody yet
    about: frozenset[str]  # files and symbols


class Sitting(Struct, frozen=True):
    """One session, as far as the use of memories goes."""

    # by memory id, oldest first
    held: Mapping[int, ShownMemory] = field(default_factory=dict[int, ShownMemory])
    heard: tuple[str, ...] = ()  # the last texts, for memories that are shown later
    cited: frozenset[int] = frozenset()  # since the last prompt
    credited: frozenset[tuple[int, Use]] = frozenset()  # each cause counts once a session
    times: tuple[float, ...] = ()  # seconds UTC of the last FOLLOWED events, oldest first


class Used(Struct, frozen=True):
    """A session made use of a memory, and how it showed."""

    memory_id: int
    use: Use


def shown(
    sitting: Sitting, texts: Mapping[int, str], at: float, *, edit: Tool | None = None
) -> Sitting:
    """The sitting after memories of these texts, by their ids, were shown; one shown again is held since its
    first time.

    Where they were told before an ``edit``, its file and words show nothing of them: it was written
    before they were read.
    """
    held = dict(sitting.held)
    for again in texts.keys() & held.keys():
        held[again] = replace(held[again], told=max(at, held[again].told))
    new = {memory_id: text for memory_id, text in texts.items() if memory_id not in held}
    if not new:
        return replace(sitting, held=held)
    # Once for all of an answer: it costs more than reading the memories.
    known = _said(sitting.heard)
    under_way = citation.said_keys(_input(edit)) if edit is not None else frozenset[str]()
    for memory_id, text in new.items():
        wanted = citation.specifics(text[:READ])
        about = citation.subjects(wanted) - under_way
        held[memory_id] = ShownMemory(at, at, citation.left(wanted, known | under_way), about)
    return replace(sitting, held=dict([*held.items()][-HELD:]))


def happened(sitting: Sitting, event: Event, at: float) -> tuple[Sitting, list[Used]]:
    """The sitting after an event, and the uses shown by the event.

    An event from before a memory was shown, or from a day after, shows nothing of it; and the
    agent's questions to this memory, with their answers, are not heard elsewhere, and are a use
    only where they open a memory.
    """
    if event.tool is not None and is_own(event.tool):
        asked = [Used(one, Use.OPENED) for one in opened(event)]
        return _after(sitting, asked, at)
    if event.kind is EventKind.PROMPT:
        agreed = sorted(sitting.cited) if citation.confirmed(event.turn) else []
        after, new = _after(sitting, [Used(one, Use.CONFIRMED) for one in agreed], at)
        return _hear(replace(after, cited=frozenset()), [event.prompt]), new
    found = _uses(sitting, event, at)
    cited = {used.memory_id for used in found if used.use in (Use.CITED, Use.DONE)}
    after, new = _after(replace(sitting, cited=sitting.cited | cited), found, at)
    sought, told = list[str](), _texts(event)
    if event.tool is not None and event.tool.name in IDLE:
        sought, told = told[:1], told[1:]  # what it asks for may still be done
    return _hear(after, told, sought), new


def _after(sitting: Sitting, uses: Iterable[Used], at: float) -> tuple[Sitting, list[Used]]:
    """The sitting after an event with these uses, and the uses not counted yet."""
    new = [used for used in uses if (used.memory_id, used.use) not in sitting.credited]
    credited = sitting.credited | {(used.memory_id, used.use) for used in new}
    times = (*sitting.times, at)[-FOLLOWED:]
    return replace(sitting, credited=credited, times=times), new


def opened(event: Event) -> list[int]:
    """Memories opened by their ids in a call of this memory's own tool; none of a failed call."""
    if event.tool is None or event.kind is not EventKind.TOOL:
        return []
    named = [word for verb, *words in _asked(event.tool) if verb in OPENING for word in words]
    return list(dict.fromkeys(number for word in named if (number := numbered(word)) is not None))


def is_own(tool: Tool) -> bool:
    """Tell whether a call asks this memory: ``reverie recall …`` in a shell, or a tool of it."""
    return bool(_asked(tool))


def _asked(tool: Tool) -> list[list[str]]:
    """List a call's questions to this memory, a verb and its words each: of a shell's line, by every ``reverie``
    in it."""
    if is_our_tool(tool.name):
        verb = str(tool.input.get("action", tool.name.rpartition("__")[2]))
        return [[verb, str(tool.input.get("id", ""))]]
    commands = chain.from_iterable(pipelines(tool.command[:LINE]))
    run = (list(map(plain, unwrapped(one.words))) for one in commands)
    own = (words[1:] for words in run if words and program_of(words[0]) == OWN)
    return [[word for word in words if not word.startswith("-")] or [""] for words in own]


def resumed(sitting: Sitting, events: Iterable[tuple[Event, float]]) -> Sitting:
    """The sitting after these events at their times, without judging uses: for a session taken up again."""
    for event, at in events:
        sitting, _ = _after(_hear(sitting, _texts(event)), (), at)
    return sitting


def _uses(sitting: Sitting, event: Event, at: float) -> list[Used]:
    shown_before = ((i, held) for i, held in sitting.held.items() if held.at <= at)
    live = {i: held for i, held in shown_before if at - held.told <= WITHIN}
    if not live:
        return []
    if event.kind is EventKind.TURN_END:
        spoken = citation.said_keys(event.message)
        cited = (i for i, held in live.items() if citation.cited(held.wanted, spoken))
        return [Used(i, Use.CITED) for i in cited]
    if event.kind is EventKind.TOOL and event.tool is not None:
        # Of what was told within the last FOLLOWED events, this one among them.
        since = sitting.times[0] if len(sitting.times) == FOLLOWED else -math.inf
        followed = {i: held for i, held in live.items() if since <= held.told}
        return _uses_of_tool(followed, event.tool)
    return []


def _uses_of_tool(live: Mapping[int, ShownMemory], tool: Tool) -> list[Used]:
    """Uses in a tool's input; its answer is no sign, nor is a failed call."""
    if tool.name in IDLE:
        return []
    spoken = citation.said_keys(_input(tool))
    old = tool.input.get("old_string")
    taken_out = old if isinstance(old, str) else ""
    found: list[Used] = []
    for memory_id, held in live.items():
        if tool.name in EDITORS and citation.edited(held.about, tool.path, taken_out):
            found.append(Used(memory_id, Use.EDITED_AFTER))
        elif citation.cited(held.wanted, spoken):
            found.append(Used(memory_id, Use.DONE))
    return found


def _hear(sitting: Sitting, texts: Iterable[str], sought: Sequence[str] = ()) -> Sitting:
    """The sitting with these texts known from now on; ``sought`` ones only to memories shown later."""
    new = tuple(text[:HEARD] for text in texts if text)
    only_later = tuple(text[:HEARD] for text in sought if text)
    held = sitting.held
    if any(one.wanted for one in held.values()):  # reading costs milliseconds: only for somebody
        spoken = _said(new)
        held = {
            memory_id: replace(one, wanted=citation.left(one.wanted, spoken))
            for memory_id, one in held.items()
        }
    return replace(sitting, held=held, heard=(*sitting.heard, *only_later, *new)[-TEXTS:])


def _said(texts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(citation.said_keys, texts))


def _texts(event: Event) -> list[str]:
    """Texts of an event for a session; of a call its input first."""
    tool = event.tool
    called = [] if tool is None else [_input(tool), tool.output, tool.error]
    return [*called, event.prompt, event.message, event.summary]


def _input(tool: Tool) -> str:
    return "\n".join(value for value in tool.input.values() if isinstance(value, str))
