"""A text to keep, from a person, an editor or an agent; another text, reason or tier for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

import msgspec
from msgspec.structs import replace

from daemon.api.operation import Argument, InProject, Line, Operation, Option, Terminal, Verb
from daemon.commands.terminal.words import one_line
from daemon.shapes.replies import BadRequest, Tier
from daemon.shapes.rows import Decided, Edited, FileLine, ImportRow
from daemon.views import memory_number, short_id, view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

# What the gate decided about a text.
DECIDED: Final = {
    "CREATE": "remembered",
    "CREATE_LINKED": "remembered, with a link to what is near",
    "REINFORCE": "known already: strengthened",
    "UPDATE": "updated",
    "SUPERSEDE": "remembered, in place of the old one",
}


class Remember(Operation[Decided], frozen=True, kw_only=True):
    """Keep a text.

    TEXT is one text, however many words; '-' reads standard input. Secrets in it are
    taken out before anything is stored.
    """

    NAME = "remember"
    FOR_AGENTS = True
    VERBS = (Verb("remember"),)
    text: Annotated[str, Argument("TEXT...", joined=" ", piped=True)]
    title: Annotated[str, Option("--title", "A name for it; the first words, unless given.")] = ""
    type: Annotated[  # "": a rule or a wish where a person says one, else a fact
        str,
        Option(
            "--type", "What it is: fact, decision, rule, wish, trap, …; unless given by its words."
        ),
    ] = ""
    tier: Annotated[Tier, Option("--tier", "How much it weighs.", shows_default=True)] = "normal"
    triggers: Annotated[list[str], Option("--trigger", "A phrase that brings it back; repeat.")] = (
        msgspec.field(default_factory=list[str])
    )
    project: Annotated[
        str | None,
        InProject("--project", "Keep it for this project ('.': the current one), not for all."),
    ] = None
    new: Annotated[bool, Option("--new", "Keep it beside what is there, whatever is there.")] = (
        False
    )
    update: Annotated[
        str | None, Option("--update", "It is the new text of this memory.", metavar="ID")
    ] = None
    supersede: Annotated[
        str | None, Option("--supersede", "It takes the place of this memory.", metavar="ID")
    ] = None
    source: Literal["hand", "editor", "agent"] = "hand"
    session: str | None = None  # that an agent writes it in
    hypothesis: Annotated[
        bool, Option("--hypothesis", "It is only supposed: 'reverie confirm' or 'refute'.")
    ] = False
    valid_from: Annotated[  # seconds UTC, or an ISO date
        str | float | None,
        Option("--valid-from", "True from this date or time on (ISO, UTC).", metavar="WHEN"),
    ] = None
    valid_until: Annotated[
        str | float | None,
        Option("--valid-until", "True until then, and not then any more.", metavar="WHEN"),
    ] = None
    why: Annotated[str, Option("--why", "Why it is so; shown beside it, not searched.")] = ""
    line: FileLine | None = None  # that it is about

    def prepared(self, _: Terminal, /) -> Self:
        if len(self._orders()) > 1:
            raise ValueError("Give one of --new, --update and --supersede.")
        if not self.text.strip():
            raise ValueError("There is no text to remember.")
        return msgspec.structs.replace(self, text=self.text.strip())

    def _orders(self) -> list[tuple[str, str | None]]:
        """Order to the gate, and its memory."""
        told: list[tuple[str, str | None]] = [("new", None)] if self.new else []
        named = ("update", self.update), ("supersede", self.supersede)
        return told + [one for one in named if one[1] is not None]

    async def answer(self, parts: Parts, _: Progress) -> Decided:
        from daemon.answers.remember import check_agent, draft_of, keep, line_of

        if len(self._orders()) > 1:
            raise BadRequest("give one of new, update and supersede")
        intent, target = next(iter(self._orders()), ("auto", None))
        if self.source == "agent" and target is not None:
            (memory,) = await parts.known_memories([target])
            check_agent(parts, memory, self.project)
        text, about, line = self.text, None, self.line
        if line is not None:
            about = line_of(parts, self.project, line)
        if line is not None and about is not None:
            text = text.rstrip()
            if text and line.text.strip() not in text:  # what is no quotation names its place
                text = f"{text} ({about.path}:{about.line})"
        said = ImportRow(
            text=text, title=self.title, type=self.type, tier=self.tier, project=self.project,
            triggers=self.triggers, status="hypothesis" if self.hypothesis else "confirmed",
            valid_from=self.valid_from, valid_until=self.valid_until, why=self.why,
        )  # fmt: skip
        draft = replace(
            draft_of(parts, said, self.source, parts.clock.now(), self.session),
            intent=intent, target=None if target is None else memory_number(target),
        )  # fmt: skip
        kept = await keep(parts, draft, about)
        return view(Decided, kept, id=short_id(kept.memory_id))

    def lines(self, done: Decided) -> list[Line]:
        reason = f" ({one_line(done.reason)})" if done.reason else ""
        return [f"{done.id}  {DECIDED.get(done.action, done.action)}{reason}"]


ONE_WAY: Final = "give one of these: the new text, --undo, --why, --tier"


class Edit(Operation[Edited], frozen=True, kw_only=True):
    """Change the text of a memory, or its tier.

    '-' reads the text from standard input. What it said before is kept. Edits within five
    minutes count as one change.
    """

    NAME = "edit"
    FOR_AGENTS = True
    MEMORIES = ("id",)
    VERBS = (Verb("edit"),)
    id: Annotated[str, Argument("ID")]
    text: Annotated[str, Argument("[TEXT]...", joined=" ", piped=True)] = ""
    undo: Annotated[bool, Option("--undo", "Go back to what it said before its last change.")] = (
        False
    )
    why: Annotated[str | None, Option("--why", "Set why it is so.")] = None
    tier: Annotated[Tier | None, Option("--tier", "Set how much it weighs.")] = None

    def prepared(self, _: Terminal, /) -> Self:
        if self._ways() != 1:
            raise ValueError(ONE_WAY)
        return self

    def _ways(self) -> int:
        return sum((bool(self.text), self.undo, self.why is not None, self.tier is not None))

    async def answer(self, parts: Parts, _: Progress) -> Edited:
        from daemon.answers import remember

        if self._ways() != 1 or (self.agent_in is not None and not self.text):
            raise BadRequest(ONE_WAY if self.agent_in is None else "an agent corrects a text alone")
        if self.undo:
            return await remember.undo(parts, self.id)
        if self.why is not None:
            return await remember.set_why(parts, self.id, self.why)
        if self.tier is not None:
            return await remember.set_tier(parts, self.id, self.tier)
        return await remember.edit(parts, self.id, self.text, self.agent_in)

    def lines(self, done: Edited) -> list[Line]:
        if self.why is not None or self.tier is not None:
            now = "has its reason" if self.tier is None else f"is {self.tier}"
            before = f" (it was: {one_line(done.before)})" if done.before else ""
            return [f"{done.id} {now}{before}"]
        said = f"{done.id} {'says again what it said before' if self.undo else 'is changed'}"
        return [f"{said} (version {done.version}; undo: reverie edit {done.id} --undo)"]
