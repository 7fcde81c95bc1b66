"""A question, and the memories about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

import msgspec

from daemon.api import passages
from daemon.api.injections import weighed_rows
from daemon.api.operation import (
    Argument,
    Complaint,
    Here,
    Line,
    Operation,
    Option,
    Results,
    Terminal,
    Verb,
)
from daemon.shapes.replies import RECALL_DEADLINE, BadRequest
from daemon.shapes.results import ConsideredView, Recalled, Scored, recalled, results
from daemon.views import told_id, view

if TYPE_CHECKING:
    from actors.memory.rows import Scope
    from actors.recall.shapes import Answer
    from daemon.context import Parts, Progress

NOTES_WITHIN: Final = 0.1  # seconds for a look at what a pull brought into the project's notes
BESIDE: Final = (passages,)  # other ways to ask by the same command


class Recall(Operation[Recalled], frozen=True, kw_only=True):
    """Find what is known about something.

    Searches the project of the current directory and what holds everywhere, best first.
    """

    NAME = "recall"
    FOR_AGENTS = True
    query: Annotated[str, Argument("[QUERY]...", joined=" ")] = ""
    k: Results = 10
    project: Annotated[
        str | None,
        Here("--project", "In this project and what holds everywhere; else the current one."),
    ] = None
    everywhere: Annotated[bool, Option("--all", "In every project.")] = False
    explain: Annotated[bool, Option("--explain", "Say why each result is there.")] = False
    track: Annotated[bool, Option("--no-track", "Do not note that it was shown.")] = True
    as_prompt: Annotated[
        bool,
        Option("--as-prompt", "Show what an agent's prompt would get, and why; nobody is told."),
    ] = False
    associations: bool = False  # what the best result brings to mind
    # names of the settings ``channels.*`` and ``stages.*``
    without: Annotated[
        list[str],
        Option("--without", "Do without this channel, stage or way, to compare.", metavar="NAME"),
    ] = msgspec.field(default_factory=list[str])
    also: Annotated[
        list[str],
        Option("--with", "With this channel, stage or way, which is off.", metavar="NAME"),
    ] = msgspec.field(default_factory=list[str])
    tokens: int | None = None  # of the results' texts at most: what does not fit is left out

    VERBS = (Verb("recall"),)

    def prepared(self, _: Terminal, /) -> Self:
        if not self.query:
            raise ValueError("Give a QUERY, or --batch FILE.jsonl.")
        return msgspec.structs.replace(self, associations=not self.as_prompt)

    async def answer(self, parts: Parts, _: Progress) -> Recalled:
        from actors.memory.rows import Scope

        project = parts.project_meant(self.project)
        if project is not None:
            await parts.looks.look(project, NOTES_WITHIN)
        if self.as_prompt:
            return await self._rehearsed(parts, project)
        return await self._searched(parts, Scope(project, everywhere=self.everywhere))

    async def _searched(self, parts: Parts, scope: Scope) -> Recalled:
        from actors.recall.shapes import Search
        from daemon.answers.link import associations_of

        found = await parts.mailboxes.recall.ask(
            Search(
                self.query, self.k, scope, self.track, RECALL_DEADLINE,
                without=switches_of(self.without), also=switches_of(self.also),
            ),
            within=RECALL_DEADLINE,
        )  # fmt: skip
        answer = recalled(found, explain=self.explain, at=parts.clock.now())
        answer = await _looked_at(parts, found, answer)
        if self.tokens is not None:
            answer = self.cut(answer)
        if not self.associations or not found.notes:
            return answer
        came = await associations_of(parts, found.notes[0].memory, scope)
        return msgspec.structs.replace(answer, associations=came)

    async def _rehearsed(self, parts: Parts, project: str | None) -> Recalled:
        """Answer as a prompt of an agent would be, for a person; nobody else is told of it."""
        from actors.policy.events.events import Event, EventKind
        from actors.recall.shapes import Bring

        event = Event("reverie", EventKind.PROMPT, "", prompt=self.query)
        found = await parts.mailboxes.recall.ask(
            Bring(event, project, parts.clock.now(), RECALL_DEADLINE, rehearsed=True),
            within=RECALL_DEADLINE,
        )
        answer = recalled(found, explain=self.explain, at=parts.clock.now())
        weighed = await _considered(parts, found)
        return msgspec.structs.replace(answer, prompt=found.block, considered=weighed)

    def cut(self, found: Recalled) -> Recalled:
        """The answer within its tokens: the first result, and whichever of the others fit."""
        from actors.policy.text.wording import tokens

        kept, left, room = list[Scored](), list[str](), self.tokens or 0
        for one in found.results:
            size = tokens(one.text)
            if not kept or size <= room:
                kept.append(one)
                room -= size
            else:
                left.append(one.id)
        return msgspec.structs.replace(found, results=kept, expandable=left)

    def lines(self, found: Recalled) -> Iterator[Line]:
        if found.degraded is not None:
            yield Complaint(found.degraded.line)
        if found.prompt is not None:
            yield found.prompt or "an agent would be told nothing"
            yield from weighed_rows(found.considered)
        else:
            yield from results(found, explain=self.explain)

    def document(self, found: Recalled) -> dict[str, Any]:
        whole: dict[str, Any] = msgspec.to_builtins(found)
        told = ["confidence", "degraded", "evidence", "mode", "results", "said"]
        told += ["associations"] if found.prompt is None else ["prompt", "considered"]
        told += ["expandable"] if found.expandable else []
        if self.explain:
            return {name: whole[name] for name in (*told, "stages")}
        for result in whole["results"]:
            for name in ("why", "parts", "terms"):
                del result[name]
        return {name: whole[name] for name in told}


def switches_of(names: Sequence[str]) -> frozenset[str]:
    """Switches of recall turned by a question. Raises ``BadRequest`` for any other."""
    from actors.policy.recall import ways

    for name in names:
        if name not in ways.NAMES:
            near = difflib.get_close_matches(name, sorted(ways.NAMES), n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}? " if near else ""
            raise BadRequest(
                f"{name[:40]!r} is no channel, stage, way of fusing or score: {hint}"
                "reverie recall --stages lists them"
            )
    return frozenset(names)


async def _considered(parts: Parts, found: Answer) -> list[ConsideredView]:
    """Memories weighed for a prompt, and still there."""
    from daemon.storage import passages

    ids = [one.identity for one in found.considered]
    titles = {i: memory.title for i, memory in (await parts.reader.memories(ids)).items()}
    quoted = await parts.reader.read(passages.passages, [-i for i in ids if i < 0])
    titles |= {-i: passage.title for i, passage in quoted.items()}
    return [
        view(
            ConsideredView,
            one,
            id=told_id(one.identity),
            title=titles[one.identity],
            fate=one.fate.value,
        )
        for one in found.considered
        if one.identity in titles
    ]


async def _looked_at(parts: Parts, found: Answer, answer: Recalled) -> Recalled:
    """Mark each result as stale or not, by a look at its files."""
    from daemon.answers.memories import stale_now

    ids = [note.memory.id for note in found.notes]
    if not await stale_now(parts, ids):
        return answer
    now = await parts.reader.memories(ids)
    held = [
        msgspec.structs.replace(one, stale=now[i].stale if i in now else one.stale)
        for one, i in zip(answer.results, ids, strict=True)
    ]
    return msgspec.structs.replace(answer, results=held)
