"""One memory with its past, its strength over time, and the reasons for it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from daemon.api.operation import Argument, Line, Operation, Terminal, Title, Verb
from daemon.api.passages import ShowPassage
from daemon.commands.terminal.words import now, one_line, page_width, when
from daemon.shapes import memory as words
from daemon.shapes.memory import About, MemoryView, Reasons, Related, Usage
from daemon.shapes.replies import Reply
from daemon.views import BACK, view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

FARTHEST: Final = 3_650.0  # days that a course is told ahead
NARROW: Final = 30  # columns that an entry of the past has at least


class Shown(Reply, frozen=True, kw_only=True):
    """One memory with its past."""

    memory: MemoryView
    decisions: list[dict[str, Any]]
    history: list[dict[str, Any]]
    usage: Usage = Usage()
    about: list[About] = msgspec.field(default_factory=list[About])
    related: list[Related] = msgspec.field(default_factory=list[Related])
    read: list[str] | msgspec.UnsetType = msgspec.UNSET  # what the reader made of it, in sentences


class Show(Operation[Shown], frozen=True, kw_only=True):
    """Show one memory with its past.

    Its text, how strong it is, why it was kept, and every change since; or a passage.
    """

    NAME = "show"
    VERBS = (Verb("show"),)
    id: Annotated[str, Argument("ID")]

    def prepared(self, _: Terminal, /) -> Operation[Any]:
        return ShowPassage(id=self.id) if self.id.startswith("p") else self

    async def answer(self, parts: Parts, _: Progress) -> Shown:
        from daemon.answers.link import related_to
        from daemon.answers.memories import decisions_of, seen, stale_now
        from daemon.answers.why import read_of, usage_of
        from daemon.storage import edit

        (memory,) = await parts.known_memories([self.id])
        await stale_now(parts, [memory.id])
        (memory,) = await parts.known_memories([self.id])
        at = parts.clock.now()
        return Shown(
            memory=seen(parts, memory, at),
            decisions=await decisions_of(parts, memory.id),
            history=await parts.reader.read(edit.history, memory.id),
            usage=await usage_of(parts, memory),
            about=[
                view(About, one, state=one.state.value)
                for one in await parts.reader.references_of(memory.id)
            ],
            related=await related_to(parts, memory),
            read=await read_of(parts, memory.id) or msgspec.UNSET,
        )

    def lines(self, shown: Shown) -> Iterator[Line]:
        memory, moment = shown.memory, now()
        own_title = "" if memory.text.startswith(memory.title) else memory.title
        yield Title(f"{memory.id}  {one_line(own_title)}".rstrip())
        yield f"{memory.text}\n"
        yield from words.facts(memory, moment)
        yield from words.usage_facts(shown.usage, moment)
        yield from (["about", words.about_line(one)] for one in shown.about)
        if shown.related:
            yield "\nrelated"
            yield from (["", *_related(one)] for one in shown.related)
        if memory.ended in BACK:
            yield f"\nbring it back: reverie {BACK[memory.ended]} {memory.id}"
        yield from _entries(
            "decisions", [(one, _decided(one, memory.id)) for one in shown.decisions], moment
        )
        yield from _entries("history", [(one, _happened(one)) for one in shown.history], moment)


# ---- as a curve


class Fall(msgspec.Struct, frozen=True, kw_only=True):
    """A state that a memory falls into."""

    at: float  # seconds UTC
    state: str


class Course(Reply, frozen=True, kw_only=True):
    """How likely a memory is recalled, from when it was made to a day to come; times in seconds UTC."""

    id: str
    at: float  # now
    created_at: float
    past: list[tuple[float, float]]  # time, 0..1
    ahead: list[tuple[float, float]]  # if nothing is used
    events: list[dict[str, Any]]  # at, what, grade: what moved it
    falls: list[Fall]  # states to come
    borders: dict[str, float]  # of each state: 0..1 at or above


class CourseOf(Operation[Course], frozen=True, kw_only=True):
    """Request for the strength of a memory over time: what it was, and what it will be if nothing is used."""

    NAME = "course"
    id: str
    days: Annotated[float, msgspec.Meta(gt=0, le=FARTHEST)] = 90.0  # to come

    async def answer(self, parts: Parts, _: Progress) -> Course:
        from daemon.answers.memories import ahead_of, falls_of, past_of
        from daemon.storage import why

        (memory,) = await parts.known_memories([self.id])
        reviews = await parts.reader.read(why.reviews, memory.id)
        at, rules = parts.clock.now(), parts.settings.fading
        borders = rules.borders
        return Course(
            id=self.id,
            at=at,
            created_at=memory.created_at,
            past=past_of(memory, reviews, at, rules.decay),
            ahead=ahead_of(memory, at, self.days, rules.decay),
            events=[
                {"at": one["at"], "what": one["cause"], "grade": one["grade"]} for one in reviews
            ],
            falls=[
                Fall(at=when, state=state) for when, state in falls_of(memory, at, self.days, rules)
            ],
            borders={
                "HOT": borders.hot,
                "WARM": borders.warm,
                "COLD": borders.cold,
                "DORMANT": borders.dormant,
            },
        )


def _related(one: Related) -> list[str]:
    how = one.how.replace("_", " ")
    said = f"{how} it" if one.incoming else how if one.link is None else f"it {how}"
    return [one.id, said, f"{one.strength:.2f}", one.ended or "", one.title]


def _entries(title: str, entries: list[tuple[dict[str, Any], str]], moment: float) -> Iterator[str]:
    """Times of events, and their full texts, on as many lines as needed."""
    if entries:
        yield f"\n{title}"
    for entry, said in entries:
        at = entry.get("at")
        told = when(float(at), moment) if isinstance(at, int | float) else ""
        indent = " " * (len(told) + 4)
        yield from textwrap.wrap(
            f"{told}  {one_line(said)}",
            max(page_width(), len(indent) + NARROW),
            initial_indent="  ",
            subsequent_indent=indent,
            break_on_hyphens=False,
        )


def _decided(decision: Mapping[str, Any], id_: str) -> str:
    """Decision of the gate, about which other memory, why."""
    existing, decided = decision.get("existing"), decision.get("memory")
    other = ""
    if existing not in (None, id_):
        other = f" of {existing}"
    elif decided not in (None, id_):
        other = f" by {decided}"
    reason, similarity = str(decision.get("reason") or ""), decision.get("similarity")
    close = ""
    if similarity is not None and "similarity" not in reason:
        close = f" (similarity {similarity:.3f})"
    return f"{decision['action']}{other}{': ' if reason else ''}{reason}{close}"


def _happened(entry: Mapping[str, Any]) -> str:
    detail = str(entry.get("detail") or "")
    return f"{entry['what']}{': ' if detail else ''}{detail}"


class Why(Operation[Reasons], frozen=True, kw_only=True):
    """Say why a memory is there.

    Where it comes from, which decision made it, what took its place, what it is linked with,
    when it was shown and used.
    """

    NAME = "why"
    FOR_AGENTS = True
    MEMORIES = ("id",)
    VERBS = (Verb("why"),)
    id: Annotated[str, Argument("ID")]

    async def answer(self, parts: Parts, _: Progress) -> Reasons:
        from daemon.answers.why import reasons_of

        (memory,) = await parts.known_memories([self.id])
        return await reasons_of(parts, memory, parts.seen_by(self.agent_in))

    def lines(self, reasons: Reasons) -> Iterator[Line]:
        memory = reasons.memory
        yield Title(f"{memory.id}  {one_line(memory.title or memory.text)}")
        yield from map(one_line, reasons.sentences)
