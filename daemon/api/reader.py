"""The reader of sessions as a person uses it: its engine, its cost, a reading now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

import msgspec

from daemon.api.operation import Argument, Line, Operation, Option, Terminal, Verb
from daemon.commands.terminal.words import age, counted
from daemon.shapes.replies import BadRequest, Reply
from daemon.views import view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

AGENTS: Final = ("claude", "codex", "gemini")  # whose clients are engines
ENGINES: Final = "claude, codex, gemini, llama FILE, http URL or command -- ARGV..."
UNREAD: Final = 5  # sessions that are shown, of those that are not read


def _price(dollars: float | None) -> str:
    return "cost not known yet" if dollars is None else f"${dollars:.3f}"


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """A request to an engine."""

    session: str  # empty: a dream
    project: str | None
    engine: str
    why: str
    ended_at: float
    tokens: int
    dollars: float | None
    failure: str  # empty: it was read
    written: int  # notes


class ReaderView(Reply, frozen=True, kw_only=True):
    """The reader: the engine, what was read, what comes next and why."""

    engine: str  # empty: none
    since: float | None  # when a person agreed to it
    stopped: str  # why it is not asked any more
    reading: str  # the session that is being read
    next: str  # the session that is read next
    why: str  # why that one, or what it waits for
    waiting: int  # sessions that are to be read
    sessions: int  # that were read
    notes: int
    tokens: int
    tokens_today: int
    tokens_per_day: int
    dollars: float | None  # null: no engine told any
    unread: tuple[str, ...]  # sessions that are not read, and why not
    past: list[Past]  # the newest first
    at: float  # now


class HowReads(Operation[ReaderView], frozen=True, kw_only=True):
    """Show the reader: its engine, what it read, and what comes next.

    An engine that was stopped after two failures is asked again once you looked.
    """

    NAME = "reader"
    VERBS = (Verb("reader"),)

    async def answer(self, parts: Parts, _: Progress) -> ReaderView:
        from daemon.answers.reader import state_of

        state, at = await state_of(parts, by_person=True), parts.clock.now()
        limit = parts.settings.reader.tokens_per_day
        past = [view(Past, one) for one in state.past]
        return view(ReaderView, state, past=past, tokens_per_day=limit, at=at)

    def lines(self, found: ReaderView) -> Iterator[Line]:
        if found.engine:
            since = "" if found.since is None else f", since {age(found.at - found.since)}"
            yield f"reader   {found.engine}{since}"
        else:
            yield f"reader   none: nothing is read. 'reverie reader use' takes {ENGINES}"
        if found.sessions or found.tokens or found.engine:
            read = f"{counted(found.sessions, 'session')}, {counted(found.notes, 'note')}"
            yield f"read     {read}, {found.tokens:,} tokens, {_price(found.dollars)}"
            yield f"today    {found.tokens_today:,} of {found.tokens_per_day:,} tokens"
        if found.reading:
            yield f"now      {found.reading}"
        if found.engine:
            yield f"next     {f'{found.next}: ' if found.next else 'nothing: '}{found.why}"
        if found.waiting:
            yield f"waiting  {counted(found.waiting, 'session')}"
        if found.stopped:
            yield f"stopped  {found.stopped}; it is asked again, as you looked"
        if found.unread:
            more = len(found.unread) - UNREAD
            yield f"not read{f' ({more} more)' if more > 0 else ''}"
            yield from (f"  {one}" for one in found.unread[:UNREAD])
        for one in found.past:
            said = one.failure or f"{counted(one.written, 'note')}, {one.why}"
            tokens = f"{one.tokens:,} tokens"
            yield [age(found.at - one.ended_at), one.session or one.why, tokens, said]


class ReaderChosen(Reply, frozen=True, kw_only=True):
    """An engine, what is sent where, and whether it reads from now on."""

    engine: str  # empty: none
    program: str = ""
    model: str = ""
    endpoint: str = ""
    sends: str = ""  # what goes where, and about what it costs
    warning: str = ""
    done: bool = False


class UseReader(Operation[ReaderChosen], frozen=True, kw_only=True):
    """Choose who reads sessions, or nobody.

    ENGINE is claude, codex or gemini (your own client; a program after it takes its place), llama
    with a model FILE, http with a URL, command with '--' and a program of yours, or off. What is sent
    where and about what it costs is said before you agree; it holds at once.
    """

    NAME = "reader-use"
    VERBS = (Verb("reader use"),)
    REFUSED = "nothing is read"
    engine: Annotated[
        Literal["claude", "codex", "gemini", "llama", "http", "command", "off"], Argument("ENGINE")
    ]
    words: Annotated[list[str], Argument("[WORDS]...")] = msgspec.field(default_factory=list[str])
    model: Annotated[str, Option("--model", "Ask for this model.")] = ""
    agents: Annotated[
        list[str], Option("--agents", "Read sessions of this agent as well; several times.")
    ] = msgspec.field(default_factory=list[str])
    yes: Annotated[bool, Option("--yes", "Agree beforehand.")] = False
    was_told: bool = False  # what is sent where, before the person agreed

    def agreed(self) -> Self:
        return msgspec.structs.replace(self, yes=True, was_told=True)

    def prepared(self, _: Terminal, /) -> Self:
        if wrong := self.wrong():
            raise ValueError(wrong)
        if self.engine == "http" or not self.words:
            return self
        first, *others = self.words
        if self.engine == "llama" or "/" in first:
            first = str(Path(first).expanduser().absolute())
        return msgspec.structs.replace(self, words=[first, *others])

    def wrong(self) -> str:
        """Mistake in the words typed for the engine; empty when there is none."""
        count = len(self.words)
        if self.agents and self.engine not in AGENTS:
            return "--agents goes with claude, codex or gemini: others read every agent's sessions"
        if self.model and self.engine not in (*AGENTS, "http"):
            return f"{self.engine} takes no --model"
        match self.engine:
            case "llama" | "http" if count != 1:
                return f"give one {'FILE' if self.engine == 'llama' else 'URL'} after {self.engine}"
            case "command" if not count:
                return "give a program after 'command --'"
            case "claude" | "codex" | "gemini" if count > 1:
                return f"give at most the program of {self.engine}"
            case "off" if count:
                return "give nothing after off"
            case _:
                return ""

    async def answer(self, parts: Parts, _: Progress) -> ReaderChosen:
        from actors.policy.events.agents import TABLE
        from daemon.answers.reader import choose
        from daemon.engines.choice import BadChoice, described
        from daemon.settings import Reader

        if wrong := self.wrong():
            raise BadRequest(wrong)
        if unknown := sorted(set(self.agents) - TABLE.keys()):
            raise BadRequest(f"there is no agent {unknown[0]!r}: one of {', '.join(TABLE)}")
        if self.engine == "off":
            await choose(parts, Reader())
            return ReaderChosen(engine="", done=True)
        one = self.words[0] if self.words else ""
        choice = Reader(
            engine=self.engine,
            command=() if self.engine in ("llama", "http") else tuple(self.words),
            url=one if self.engine == "http" else "",
            model=one if self.engine == "llama" else self.model,
            agents=tuple(self.agents),
        )
        try:
            found = await described(choice, parts.place)
        except BadChoice as error:
            raise BadRequest(str(error)) from None
        if found.trouble:
            raise BadRequest(found.trouble)
        if self.yes:
            await choose(parts, choice)
        return view(ReaderChosen, found, engine=found.name, done=self.yes)

    def lines(self, found: ReaderChosen) -> Iterator[Line]:
        if not found.engine:
            yield "nothing is read any more; the notes stay ('reverie inbox' shows them)"
            return
        if not self.was_told:
            named = {"program": found.program, "model": found.model, "endpoint": found.endpoint}
            yield from (f"{name:<9}{value}" for name, value in named.items() if value)
            yield found.sends
            yield "'reverie reader show SESSION' prints what would be sent of a session"
            if found.warning:
                yield f"warning: {found.warning}"
        if found.done:
            yield f"{found.engine} reads sessions that begin from now on"
            yield "'reverie inbox' shows what it wrote, 'reverie reader use off' ends it"

    def question(self, found: ReaderChosen) -> str:
        return "" if found.done else f"Let {found.engine} read sessions that begin from now on?"


class ReadSessions(Reply, frozen=True, kw_only=True):
    """Sessions that were read, or would be."""

    sessions: int
    notes: int
    tokens: int
    dollars: float | None
    failures: tuple[str, ...]
    dropped: Mapping[str, int]  # notes that were not kept, by reason
    done: bool


class ReadThese(Operation[ReadSessions], frozen=True, kw_only=True):
    """Read sessions now.

    Without an option those that wait: they began since you agreed, and are over or still. How many and
    about what it costs is said before you agree. It is your order: no count of an hour or a day stops it. Ctrl-C stops it; what was read stays.
    """

    NAME = "reader-now"
    VERBS = (Verb("reader now"),)
    REFUSED = "nothing was read"
    SLOW = True
    all: Annotated[
        bool, Option("--all", "What was not read yet of every session that is over or still.")
    ] = False
    sessions: Annotated[
        list[str], Option("--session", "This session, also an open one; several times.")
    ] = msgspec.field(default_factory=list[str])
    yes: Annotated[bool, Option("--yes", "Do not ask.")] = False

    def prepared(self, _: Terminal, /) -> Self:
        if self.all and self.sessions:
            raise ValueError("give one of --all and --session")
        return self

    async def answer(self, parts: Parts, progress: Progress) -> ReadSessions:
        from daemon.answers.reader import read_now, waiting

        named = None if self.all else tuple(self.sessions) or await waiting(parts)
        report = await read_now(parts, named, progress, dry_run=not self.yes)
        return view(ReadSessions, report, done=self.yes)

    def has_failed(self, found: ReadSessions) -> bool:
        return bool(found.failures) and not found.sessions

    def step(self, frame: Mapping[str, Any]) -> str:
        return (
            f"{frame['done'] + 1} of {counted(frame['sessions'], 'session')},"
            f" {counted(frame['notes'], 'note')}, {frame['tokens']:,} tokens"
        )

    def lines(self, found: ReadSessions) -> Iterator[Line]:
        if not found.sessions:
            yield "nothing was read" if found.failures else "nothing waits to be read"
            yield from (f"not read: {one}" for one in found.failures)
            return
        about = "" if found.done else "about "
        cost = f"{about}{found.tokens:,} tokens, {about if found.dollars is not None else ''}"
        said = f"{counted(found.sessions, 'session')}{' to read' if not found.done else ' read'}"
        notes = f", {counted(found.notes, 'note')}" if found.done else ""
        yield f"{said}{notes}, {cost}{_price(found.dollars)}"
        if found.dropped:
            yield f"left out: {', '.join(f'{why} ({n})' for why, n in found.dropped.items())}"
        yield from (f"not read: {one}" for one in found.failures)

    def question(self, found: ReadSessions) -> str:
        return "" if found.done or not found.sessions else "Read them now?"


class DigestView(Reply, frozen=True, kw_only=True):
    """Digest of a session, with its size."""

    session: str
    tokens: int  # as they are estimated: a quarter of the characters
    text: str


class ShowDigest(Operation[DigestView], frozen=True, kw_only=True):
    """Print what the reader would be shown of a session, with its size."""

    NAME = "reader-show"
    VERBS = (Verb("reader show"),)
    session: Annotated[str, Argument("SESSION")]

    async def answer(self, parts: Parts, _: Progress) -> DigestView:
        from actors.reader.messages import WouldShow
        from daemon.answers.reader import LOOK_WITHIN

        digest = await parts.mailboxes.session_reader.ask(
            WouldShow(self.session), within=LOOK_WITHIN
        )
        return DigestView(session=self.session, tokens=digest.tokens, text=digest.text)

    def lines(self, found: DigestView) -> Iterator[Line]:
        if not found.text:
            yield "nothing of this session would be sent ('reverie session' lists them)"
            return
        yield f"about {found.tokens:,} tokens"
        yield ""
        yield found.text
