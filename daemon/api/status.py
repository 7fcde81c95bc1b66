"""The daemon itself: who it is, how it is, when it changes, and waiting for its vectors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec import field

from daemon.api.operation import Alarm, Line, Operation, Title
from daemon.commands.terminal.words import age, counted, duration, megabytes, now, one_line
from daemon.shapes.replies import Done, Reply

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

POLL: Final = 0.2  # seconds between two looks at how many vectors are missing
WATCH_PAUSE: Final = 0.1  # seconds between two reports of changes
WATCH_LOOK: Final = 5.0  # seconds between two looks at the vectors' state


class Greeting(Reply, frozen=True, kw_only=True):
    """Greeting of whoever answers."""

    version: str
    pid: int
    ready: bool
    lacks_model: bool = False  # vectors are wanted and no model is there


class Greet(Operation[Greeting], frozen=True, kw_only=True):
    """First words of a client: a question for the version."""

    NAME = "greet"
    ASKED_BY = "onlooker"
    version: str

    async def answer(self, parts: Parts, _: Progress) -> Greeting:
        import os

        from daemon import own_version
        from daemon.embedding.models import model_file

        wanted = parts.settings.embedding
        lacks_model = wanted.enabled and model_file(parts.home, wanted.model) is None
        return Greeting(version=own_version(), pid=os.getpid(), ready=True, lacks_model=lacks_model)


class Stop(Operation[Done], frozen=True, kw_only=True):
    """Drain and leave; answered before it happens."""

    NAME = "stop"
    ASKED_BY = "onlooker"

    async def answer(self, parts: Parts, _: Progress) -> Done:
        parts.stop.set()
        return Done(note="the daemon finishes what it has and leaves")


# ---- how it is


class StatusReply(Reply, frozen=True, kw_only=True):
    """The daemon's state, as ``reverie status --json`` prints it; by itself, that there is none."""

    ready: bool = False
    pid: int | None = None
    version: str
    home: str
    uptime: float = 0.0  # seconds
    memories: int | None = None  # None: the database cannot be read, and ``degraded`` says why
    vectors: Literal["ready", "building", "off"] = "off"
    vectors_detail: str
    spooled: int | None = None
    undone: int | None = None  # journaled events whose derivation is not finished
    degraded: list[str]
    actors: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    schedule: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    plans: int = 0  # that wait for a person
    passages: int = 0
    passages_bytes: int = 0  # of their titles and texts
    inbox: int = 0  # notes of the reader that nobody has seen
    backup: float | None = None  # seconds UTC of the newest backup, if there is one
    # Both are filled in by the command that asks.
    recording_off: str = ""  # where it runs, the folder that does it; "/": a pause of everything
    recording: list[str] = field(
        default_factory=list[str]
    )  # lines that say what is off; none where everything is on


class Status(Operation[StatusReply], frozen=True, kw_only=True):
    """Request for everything a person may want to know of the daemon."""

    NAME = "status"
    FOR_AGENTS = True
    ASKED_BY = "onlooker"

    async def answer(self, parts: Parts, _: Progress) -> StatusReply:
        import os

        import trio

        from daemon import files, own_version
        from daemon.answers.status import counts_if_sound, degraded, read_if_sound, vectors_state
        from daemon.durability.copies import newest

        # First: what leaves the spool while the store answers stands among what is undone.
        spooled = len(await trio.to_thread.run_sync(files.waiting, parts.home.spool))
        counts, stored, waiting, kept = await counts_if_sound(parts)
        unseen, unread = await read_if_sound(parts)
        figures = {name: child.statistics() for name, child in parts.supervisor.children.items()}
        for actor, totals in stored.items():
            figures[actor] = {**totals, **figures.get(actor, {})}
        vectors, detail = vectors_state(parts, counts.unvectored if counts is not None else 0)
        return StatusReply(
            ready=True,
            pid=os.getpid(),
            version=own_version(),
            home=str(parts.home.root),
            uptime=trio.current_time() - parts.started,
            memories=counts.memories if counts is not None else None,
            vectors=vectors,  # type: ignore[arg-type]  # one of the three states
            vectors_detail=detail,
            spooled=spooled,
            undone=counts.undone if counts is not None else None,
            degraded=[*degraded(parts, vectors, detail, figures), *unread],
            actors={
                **figures,
                "gateway": parts.gateway(),
                "loop": parts.loop(),
                "answers": parts.late.statistics(),
                "observatory": parts.observatory.statistics(),
            },
            schedule=dict(parts.schedule.entries()),
            plans=waiting,
            inbox=unseen,
            passages=kept.passages,
            passages_bytes=kept.bytes,
            backup=copy.at if (copy := newest(parts.home)) is not None else None,
        )

    def lines(self, found: StatusReply) -> Iterator[Line]:
        state = "ready" if found.ready else "starting"
        running = f"process {found.pid}, running for {duration(found.uptime)}"
        yield Title(f"reverie {found.version} is {state} ({running})")
        yield from _facts(found)
        yield from (f"recording is {one_line(off)}" for off in found.recording)
        yield from (Alarm(f"degraded: {one_line(problem)}") for problem in found.degraded)
        moment = now()
        jobs = [["", *_job(entry, moment)] for entry in found.schedule.values()]
        yield from ["\nschedule", *jobs] if jobs else []


def _facts(found: StatusReply) -> list[list[str]]:
    detail = f" ({found.vectors_detail})" if found.vectors_detail else ""
    facts = [
        ["home", found.home],
        ["memories", "unknown" if found.memories is None else f"{found.memories:,}"],
        ["vectors", f"{found.vectors}{detail}"],
        ["passages", f"{found.passages:,}, {megabytes(found.passages_bytes)} of text"],
        ["backup", "none yet" if found.backup is None else f"{age(now() - found.backup)}"],
    ]
    reminders = found.actors.get("prospective", {})
    away = found.actors.get("archivist", {}).get("put_away_in_30_days")
    if reminders.get("open"):
        said = f"{reminders['due']} told and not done, {reminders['open']} open (reverie intend --list)"
        facts.append(["reminders", said])
    if found.plans:
        facts.append(["plans", f"{found.plans} to decide on (reverie plans)"])
    if away:
        said = f"{counted(away, 'memory', 'memories')} by itself in 30 days (reverie plans --all)"
        facts.append(["put away", said])
    if found.inbox:
        facts.append(["inbox", f"{counted(found.inbox, 'note')} of the reader (reverie inbox)"])
    if found.undone:
        facts.append(["journal", f"{counted(found.undone, 'event')} not worked through yet"])
    if found.spooled:
        facts.append(["spool", f"{counted(found.spooled, 'event')} waiting"])
    return facts


def _job(entry: dict[str, Any], moment: float) -> list[str]:
    left = float(entry["due"]) - moment
    last = entry["last_ran"]
    ran = f"ran {age(moment - float(last))}" if last is not None else "has not run yet"
    return [str(entry["job"]), _coming(entry, left), ran]


def _coming(entry: dict[str, Any], left: float) -> str:
    if entry["running"]:
        return "running now"
    if left > 0:
        return f"due in {duration(left)}"
    return f"due, waits: {entry['waits_for']}" if entry["waits_for"] else "due now"


# ---- when it changes


class WatchReply(Reply, frozen=True, kw_only=True):
    """The watch ended because the daemon stops."""

    revision: int


class Watch(Operation[WatchReply], frozen=True, kw_only=True):
    """Tell me when the store or the daemon's state changes.

    Each change is a progress frame ``{"revision", "memories", "vectors"}``, at most ten
    a second; the first comes at once.
    """

    NAME = "watch"
    ASKED_BY = "onlooker"
    SLOW = True

    async def answer(self, parts: Parts, progress: Progress) -> WatchReply:
        import trio

        from daemon.answers.status import vectors_state

        told: tuple[int, str] | None = None
        while True:
            revision = parts.changes.revision
            counts = await parts.reader.counts()
            vectors, _detail = vectors_state(parts, counts.unvectored)
            if told != (revision, vectors):
                told = (revision, vectors)
                await progress(
                    {"revision": revision, "memories": counts.memories, "vectors": vectors}
                )
            await trio.sleep(WATCH_PAUSE)
            # Nobody announces that a worker came up or a model went: it is looked at now and then.
            with trio.move_on_after(WATCH_LOOK):
                await parts.changes.after(revision)


class Embedded(Reply, frozen=True, kw_only=True):
    """Progress of the vectors."""

    pending: int
    state: Literal["ready", "building", "off"]
    detail: str


class AwaitEmbedded(Operation[Embedded], frozen=True, kw_only=True):
    """Answer when every living memory has its vectors, or when that cannot be.

    Progress frames ``{"pending": n}`` come meanwhile.
    """

    NAME = "await-embedded"
    ASKED_BY = "onlooker"
    SLOW = True

    async def answer(self, parts: Parts, progress: Progress) -> Embedded:
        import trio

        from daemon.answers.status import given_up, vectors_state

        last = -1
        while True:
            counts = await parts.reader.counts()
            missing = counts.unvectored - given_up(parts)
            vectors, detail = vectors_state(parts, max(missing, 0))
            embedder = parts.supervisor.children["embedder"]
            if missing <= 0 or vectors == "off" or embedder.state == "off":
                return Embedded(pending=counts.unvectored, state=vectors, detail=detail)  # type: ignore[arg-type]
            if missing != last:
                await progress({"pending": missing})
                last = missing
            await trio.sleep(POLL)
