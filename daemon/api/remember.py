"""A text to keep, from a person, an editor or an agent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

import msgspec

from daemon.api.operation import Argument, Line, Offer, Operation, Option, Terminal, Verb
from daemon.commands.terminal.scope import named_project
from daemon.commands.terminal.words import one_line
from daemon.shapes.replies import BadRequest, Tier
from daemon.shapes.rows import Decided
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


class FileLine(msgspec.Struct, frozen=True, kw_only=True):
    """Line of a file as an editor has it, saved or not."""

    path: str
    number: int  # from 1
    text: str


class Remember(Operation[Decided], frozen=True, kw_only=True):
    """Keep a text.

    TEXT is one text, however many words; '-' reads standard input. Secrets in it are
    taken out before anything is stored.
    """

    NAME = "remember"
    VERBS = (Verb("remember"),)
    OFFERS = (
        Offer(
            "smart_ingest ingest",
            "Remember",
            "Keep one self-contained note. A duplicate is merged; forceCreate keeps it all the same.",
            "content=text node_type=type forceCreate=new",
            {"source": "agent"},
            here="project session",
            unused="tags source",
            idempotent=True,
        ),
    )
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
        Option("--project", "Keep it for this project ('.': the current one), not for all."),
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

    @property
    def status(self) -> str:
        """Status of the kept text."""
        return "hypothesis" if self.hypothesis else "confirmed"

    def prepared(self, _: Terminal, /) -> Self:
        """A text, and one order at most."""
        if len(self._orders()) > 1:
            raise ValueError("Give one of --new, --update and --supersede.")
        if not self.text.strip():
            raise ValueError("There is no text to remember.")
        project = named_project(self.project) if self.project else None
        return msgspec.structs.replace(self, text=self.text.strip(), project=project)

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
        said, about, line = self, None, self.line
        if line is not None:
            about = line_of(parts, self.project, line.path, line.number, line.text)
        if line is not None and about is not None:
            text = self.text.rstrip()
            if text and line.text.strip() not in text:  # what is no quotation names its place
                text = f"{text} ({about.path}:{about.line})"
            said = msgspec.structs.replace(self, text=text)
        draft = replace(
            draft_of(parts, said, self.source, parts.clock.now(), self.session),
            intent=intent, target=None if target is None else memory_number(target),
        )  # fmt: skip
        kept = await keep(parts, draft, about)
        return view(Decided, kept, id=short_id(kept.memory_id))

    def lines(self, done: Decided) -> list[Line]:
        """Tell the gate's decision."""
        reason = f" ({one_line(done.reason)})" if done.reason else ""
        return [f"{done.id}  {DECIDED.get(done.action, done.action)}{reason}"]
