"""Plays a script: one line after the other, and between them time passes.

Each line waits until everything is made of the one before it, unless that one was in a
hurry. So a life is a sequence, and its timeline the same each time.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

import trio
from trio.testing import MockClock

from actors.core.failures import first_leaf
from actors.core.mailbox import Crashed, SwitchedOff
from actors.gate.messages import NoSuchMemory
from actors.memory.ports import Unwritable
from actors.policy.decay.reinforcement import Use
from actors.strength.messages import Review
from daemon.views import memory_number, short_id
from daemon.wire import ERROR, REPLY
from lab.simulation import events, expecting
from lab.simulation.clock import repeatable
from lab.simulation.script import Script, ScriptError, Step, When, every, mapped, unrolled
from lab.simulation.witness import Happening, Witness
from lab.simulation.world import STRIDE, Circumstances, World, event_id, open_embedding, open_world

EXACT = 6 * 3_600.0  # seconds: in a longer sleep what runs every few minutes runs every hour
PACE = 1.0  # seconds between two lines, unless a line says when it happens
PAGE = 500
AXIS = ("accessibility", "accessibility_value")
SESSION = "session"
PROJECT = "/project"
USE_WITHIN = 30.0  # seconds
ENDINGS = frozenset({"restart", "kill"})
HEARD = frozenset({"recall", "prompt", "start", "show", "ask", "remember", "event", "compact"})
REAL = frozenset({"pid", "uptime", "timings"})  # of this run, not of the life


@dataclass(frozen=True, slots=True)
class Life:
    """Outcome of a script."""

    begins: float
    ends: float
    vectors: str  # the model's name, or why there are none
    timeline: list[Happening]
    memories: list[dict[str, Any]]
    failed: list[str]  # expectations that did not hold, with their places


@dataclass(slots=True)
class Player:
    """State while a script is played."""

    script: Script
    given: Circumstances
    begins: float
    steps: deque[Step]
    witness: Witness
    timeline: list[Happening] = field(default_factory=list[Happening])
    failed: list[str] = field(default_factory=list[str])
    labels: dict[str, str] = field(default_factory=dict[str, str])
    heard: expecting.Heard = field(default_factory=expecting.Heard)
    sessions: dict[str, str] = field(default_factory=dict[str, str])  # and its project
    session: str = SESSION
    project: str = PROJECT
    sent: int = 0
    played: int = 0
    hurried: bool = False  # the line before did not wait: this one comes at once
    vectors: str = ""
    ends: float = 0.0
    reach: dict[str, dict[str, Any]] = field(default_factory=dict[str, "dict[str, Any]"])

    async def live(self) -> None:
        """Play everything, through every restart."""
        ending = "begin"
        async with open_embedding(self.given) as embedding:
            while ending:
                async with open_world(self.given, embedding) as world:
                    ending = await self._day(world, ending)
                    self.ends = world.clock.now()

    async def _day(self, world: World, after: str) -> str:
        """Play until the world ends: why it does, empty at the end of the script."""
        state = world.embedding.state
        self.vectors = state.model if state.state == "ready" else f"none: {state.reason}"
        self.witness.forget_crashes()
        found = await self.witness.look(world)
        if after in ENDINGS:
            self._tell(found)  # what was left undone is done at the start
        while self.steps:
            step = self.steps.popleft()
            await self._wait_for(world, step)
            self.played += 1
            if step.verb in ENDINGS:
                self._tell([{"at": world.clock.now(), "what": step.verb, "line": step.line}])
                if step.verb == "kill":
                    world.kill()
                return step.verb
            await self._play(world, step)
        await self._look(world, None)
        await self._axes(world)
        return ""

    async def _wait_for(self, world: World, step: Step) -> None:
        """Let time pass until this line happens."""
        now = world.clock.now()
        if step.at is not None:
            await self._pass(world, self._moment(step, step.at, now))
        elif self.played and not self.hurried and step.verb not in ("expect", "say"):
            await self._pass(world, now + PACE)

    def _moment(self, step: Step, when: When, now: float) -> float:
        moment = when.seconds(self.begins, now)
        if moment < now - 1e-3:
            raise self.script.wrong(
                step.line, f"{clock_face(moment)} is over already: it is {clock_face(now)}"
            )
        return max(moment, now)

    async def _pass(self, world: World, end: float) -> None:
        """Let time pass; what fades a little each day is told once, at the end."""
        faded: dict[str, Happening] = {}
        rhythm = STRIDE if end - world.clock.now() > EXACT else 0.0
        while end - world.clock.now() > 1e-6:
            await world.stride(end, rhythm=rhythm)
            found = await self.witness.look(world)
            for one in found:
                if is_fading(one):
                    first = faded.get(one["memory"], one)
                    faded[one["memory"]] = {**one, "before": first["before"]}
            self._tell([one for one in found if not is_fading(one)])
        now = world.clock.now()
        self._tell([{**one, "what": "dimmed", "at": now} for _, one in sorted(faded.items())])
        jobs = self.witness.worked()
        if jobs:
            self._tell([{"at": world.clock.now(), "what": "jobs", "ran": jobs}])

    async def _look(self, world: World, line: int | None) -> list[Happening]:
        found = await self.witness.look(world)
        if line is not None:
            found = [{**one, "line": line} for one in found]
        self._tell(found)
        return found

    def _tell(self, happenings: list[Happening]) -> None:
        self.timeline += happenings
        self.heard.happened += happenings

    async def _play(self, world: World, step: Step) -> None:
        if step.verb in HEARD:
            self.heard = expecting.Heard(f"line {step.line} ({step.verb})")
        self._tell([{**self._said(step), "at": world.clock.now(), "line": step.line}])
        match step.verb:
            case "sleep":
                await self._pass(world, world.clock.now() + step.value)
            case "away":
                await world.leap(world.clock.now() + step.value)
            case "until":
                now = world.clock.now()
                await self._pass(world, self._moment(step, step.value, now))
            case "expect":
                await self._axes(world)
                self._expect(step, world.clock.now(), await self.witness.counts(world))
            case "use":
                await self._use(world, step)
            case "say":
                pass
            case _ if step.asked is not None:
                await self._ask(world, step)
            case _:
                await self._report(world, step)
        self.hurried = step.hurry
        if step.hurry:
            return
        await world.settled()
        found = await self._look(world, step.line)
        self._name(step, found)

    def _said(self, step: Step) -> Happening:
        """The line itself, as the timeline has it."""
        value: Any = step.value
        if step.verb in ("until", "event", "expect"):
            value = None if step.verb == "until" else step.value
        said: Happening = {"what": step.verb, "value": value}
        if step.verb in events_of_a_session:
            said["session"], said["project"] = self._whose(step)
        said |= {name: one for name, one in step.fields.items() if name not in said}
        return said

    # -- what an agent reports

    def _whose(self, step: Step) -> tuple[str, str]:
        """The session of an event and the project it is in; the last ones, unless it says."""
        session = step.value if step.verb in ("start", "end") else step.text("session")
        self.session = session or self.session
        project = step.text("project") or self.sessions.get(self.session, self.project)
        self.sessions[self.session] = self.project = project
        return self.session, project

    async def _report(self, world: World, step: Step) -> None:
        session, project = self._whose(step)
        block = ""
        for payload in events.payloads(step, session, project, self.sent):
            self.sent += 1
            key = event_id(self.given.seed, self.sent)
            block += await world.hook(step.text("agent", "claude"), key, payload)
        if not step.hurry:
            await world.settled()
        shown = await self._ids_shown(world)
        if step.verb in HEARD:
            self.heard.text, self.heard.found = block, shown
        if block:
            self._tell(
                [{"at": world.clock.now(), "what": "injected", "line": step.line, "text": block}]
            )

    async def _ids_shown(self, world: World) -> tuple[str, ...]:
        """The memories that were shown since the last look, in their order."""
        last = self.witness.seen.latest.get("exposure", 0)
        rows = await world.store.reading.read(
            lambda sql: sql.rows("SELECT memory_id FROM exposure WHERE id > ? ORDER BY id", (last,))
        )
        return tuple(short_id(number) for (number,) in rows)

    # -- what a person asks

    async def _ask(self, world: World, step: Step) -> None:
        assert step.asked is not None  # the caller has looked
        body = cast("Mapping[str, Any]", self._named(step.asked.body))
        frame = await world.ask(step.asked.kind, body)
        reply = cast("dict[str, Any]", _timeless(frame.body, str(self.given.home.root)))
        told: Happening = {"at": world.clock.now(), "what": "answered", "line": step.line}
        if frame.kind == ERROR:
            self.heard.error = str(reply.get("message", ""))
            self._tell([{**told, "what": "refused", "reason": self.heard.error}])
            return
        self.heard.error = ""
        if step.verb in HEARD:
            self.heard.reply = reply
        if step.asked.kind == "recall":
            results = cast("list[dict[str, Any]]", reply["results"])
            self.heard.found = tuple(str(one["id"]) for one in results)
            self.heard.text = "\n".join(str(one["text"]) for one in results)
        if step.verb == "remember" and step.label is not None:
            self.labels[step.label] = str(reply["id"])
        self._tell([{**told, "request": step.asked.kind, "reply": reply}])

    async def _use(self, world: World, step: Step) -> None:
        memory = str(self._named(step.value))
        use = Use(step.text("by", Use.CITED.value))
        try:
            number = memory_number(memory)
            strengthened = await world.running.parts.mailboxes.strength.ask(
                partial(Review, number, use, world.clock.now()), within=USE_WITHIN
            )
        except (NoSuchMemory, Unwritable, Crashed, SwitchedOff) as error:
            reason = str(error) or f"there is no memory {memory}"
            self._tell([{"at": world.clock.now(), "what": "refused", "reason": reason}])
            return
        if not strengthened:
            self._tell([
                {"at": world.clock.now(), "what": "unmoved", "memory": memory, "by": use.value}
            ])  # fmt: skip

    # -- names, and what is expected

    async def _axes(self, world: World) -> None:
        """The second axis of state, which the daemon computes when memories are listed."""
        self.reach = {}
        while True:
            frame = await world.ask("list", {"limit": PAGE, "offset": len(self.reach)})
            page: list[dict[str, Any]] = []
            if frame.kind == REPLY:
                page = frame.body["memories"]
            self.reach |= {one["id"]: {name: one.get(name) for name in AXIS} for one in page}
            if len(page) < PAGE:
                return

    def table(self, now: float) -> list[dict[str, Any]]:
        """Every memory there is, as a person sees it and as ``expect`` compares it."""
        return [{**one, **self.reach.get(one["id"], {})} for one in self.witness.table(now)]

    def _name(self, step: Step, found: list[Happening]) -> None:
        if step.label is None or step.verb == "remember":
            return
        made = [one["memory"] for one in found if one["what"] == "decided" and one["memory"]]
        if not made:
            raise self.script.wrong(
                step.line, f'nothing was remembered here that "as": "{step.label}" could name'
            )
        self.labels[step.label] = str(made[0])

    def _named(self, value: object) -> object:
        """The value with ids where its labels stand."""
        return mapped(
            value,
            lambda text: self.labels.get(text[1:], text) if text.startswith("@") else text,
        )

    def _expect(self, step: Step, now: float, counts: Mapping[str, int]) -> None:
        expected = cast("Mapping[str, Any]", self._named(step.value))
        memories = {str(memory["id"]): memory for memory in self.table(now)}
        of = step.fields.get("of")
        meant = None if of is None else str(self._named(of))
        situation = expecting.Situation(self.heard, memories, meant, counts)
        for why in expecting.failures(expected, situation):
            self.failed.append(f"{self.script.name}:{step.line}: {why}")
            self._tell([{"at": now, "what": "failed", "line": step.line, "reason": why}])


events_of_a_session = frozenset(
    {"prompt", "tool", "edit", "answer", "start", "end", "compact", "event"}
)


def is_fading(one: Happening) -> bool:
    """Return whether this is an importance that changed by itself while time passed."""
    return bool(one["what"] == "changed") and one["field"] == "importance"


def _timeless(value: object, home: str) -> object:
    """A reply without what belongs to this run and not to the life."""
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return {key: _timeless(one, home) for key, one in fields.items() if key not in REAL}
    if isinstance(value, list | tuple):
        return [_timeless(one, home) for one in cast("list[object]", value)]
    if isinstance(value, str):
        return value.replace(home, "~")
    return value.hex() if isinstance(value, bytes) else value


def clock_face(at: float) -> str:
    """``2026-01-05 09:00:00``, UTC."""
    return datetime.fromtimestamp(round(at), UTC).strftime("%Y-%m-%d %H:%M:%S")


def projects_of(steps: Sequence[Step]) -> tuple[str, ...]:
    """The folders that a script calls projects."""
    named = {step.text("project") for step in every(steps)}
    return tuple(sorted(name for name in named if name.startswith("/")))


def lived(
    script: Script, given: Circumstances, begins: float, witness: Witness | None = None
) -> Life:
    """Play the script before this witness; what came of it.

    Raises ``ScriptError`` for what can only be seen to be wrong while it is played, and
    what opening the store raises.
    """
    steps = deque(unrolled(script.steps))
    player = Player(script, given, begins, steps, witness or Witness(given.settings))
    wrong: BaseException | None = None
    with repeatable(given.seed):
        try:
            trio.run(player.live, clock=MockClock(autojump_threshold=0.0))
        except* ScriptError as errors:  # nurseries put every error into a group
            wrong = first_leaf(errors)
    if wrong is not None:  # raised in the handler, Python 3.11.2 would put it into a group again
        raise wrong
    return Life(
        begins,
        player.ends,
        player.vectors,
        player.timeline,
        player.table(player.ends),
        player.failed,
    )
