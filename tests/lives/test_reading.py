"""Sessions that are read: when, how often, by whom, and what is left when a reading is cut off."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, Final

import pytest
import trio
from msgspec import Struct, field

from actors.policy.reader.digest import Digest
from actors.policy.reader.exchange import Answer, Failed, Reason, Request
from actors.reader.messages import (
    Chosen,
    HowItReads,
    Look,
    ReaderState,
    ReadingEngine,
    ReadingReport,
    ReadNow,
)
from actors.reader.reading import SessionReading
from daemon.home import Home
from daemon.settings import Settings
from tests.lives.life import HOUR, Life, life_of, lived, opened

MINUTE: Final = 60.0
WISH: Final = "never push to main before the smoke test is green"
NOTES: Final = "SELECT text FROM memory WHERE source = 'reader' ORDER BY id"


def note(quote: str = WISH, **other: Any) -> dict[str, Any]:
    """A note as a model writes it."""
    return {
        "kind": "wish", "title": f"About {quote[:40]}", "text": f"The user said: {quote}.",
        "said_by": "user", "quote": quote, "scope": "when", "cue_prompts": [], "cue_files": [],
        "cue_symbols": [], "cue_commands": [], "cue_errors": [], "relation": "none",
        "relation_id": None, **other,
    }  # fmt: skip


class Model(Struct):
    """A model behind the reader: what it was asked, and what it answers by what it is shown."""

    says: Callable[[Request], Answer | Failed] | None = None
    takes: float = 1.0  # seconds
    asked: list[Request] = field(default_factory=list[Request])
    at_once: int = 0
    most_at_once: int = 0

    async def answer(self, request: Request) -> Answer | Failed:
        """One answer, after a while."""
        self.asked.append(request)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await trio.sleep(self.takes)
        finally:
            self.at_once -= 1
        return (self.says or noted)(request)

    def engine(self, **other: Any) -> ReadingEngine:
        """The engine that asks it."""
        return ReadingEngine("model", self.answer, **other)


def answer(*notes: Mapping[str, Any], tokens: int = 500) -> Answer:
    return Answer({"notes": list(notes), "stopped": ""}, tokens, 0.01)


def noted(request: Request) -> Answer:
    """One note for each sentence of a person that begins with "never"."""
    said = [line.partition("user: ")[2] for line in request.text.splitlines() if "user: " in line]
    return answer(*(note(one) for one in said if one.startswith("never")))


def failing(reason: Reason) -> Callable[[Request], Failed]:
    return lambda _: Failed(reason)


async def agree(life: Life, engine: ReadingEngine | None) -> None:
    at = life.world.clock.now()
    reader = life.world.running.parts.mailboxes.session_reader
    await reader.ask(Chosen(engine, at), within=30.0)


async def session(life: Life, name: str, prompt: str = WISH, *, ends: bool = True) -> None:
    """A session of one turn."""
    await life.report("SessionStart", name, source="startup")
    await life.report("UserPromptSubmit", name, prompt=prompt)
    await life.report("Stop", name, last_assistant_message="Understood, I will wait for it.")
    if ends:
        await life.report("SessionEnd", name, reason="exit")


async def look(life: Life, after: float = 2 * MINUTE) -> None:
    """Time passes, and the reader looks; what it reads is read to its end."""
    await life.asleep(after)
    reader = life.world.running.parts.mailboxes.session_reader
    await reader.tell(Look(life.world.clock.now()))
    await life.world.settled()
    await trio.sleep(30.0)
    await life.world.settled()


async def ordered(life: Life, *names: str, dry_run: bool = False) -> ReadingReport:
    reader = life.world.running.parts.mailboxes.session_reader
    return await reader.ask(ReadNow(names or None, dry_run, lambda _: None), within=HOUR)


async def state(life: Life, *, by_person: bool = False) -> ReaderState:
    reader = life.world.running.parts.mailboxes.session_reader
    at = life.world.clock.now()
    return await reader.ask(HowItReads(at, by_person), within=30.0)


async def notes(life: Life) -> list[str]:
    return [text for (text,) in await life.rows(NOTES)]


def alive(home: Home, live: Callable[[Life], Awaitable[None]]) -> None:
    life_of(home, live, Settings())


# ---- when


def test_a_session_that_ended_is_read_once_and_its_note_is_remembered(home: Home) -> None:
    model = Model()

    async def live(life: Life) -> None:
        await agree(life, model.engine())
        await session(life, "a")
        await look(life)
        await look(life)

        assert await notes(life) == [f"The user said: {WISH}."]
        assert [one.session for one in model.asked] == ["a"]

    alive(home, live)


def test_nothing_is_read_before_a_person_agreed_nor_what_began_before(home: Home) -> None:
    model = Model()

    async def live(life: Life) -> None:
        await session(life, "before")
        await look(life)
        await agree(life, model.engine())
        await look(life)
        assert model.asked == []

        report = await ordered(life)
        assert (report.sessions, report.notes) == (1, 1)

    alive(home, live)


def test_a_session_that_goes_on_is_read_on_from_where_it_was_read(home: Home) -> None:
    model = Model()

    async def live(life: Life) -> None:
        await agree(life, model.engine())
        await session(life, "a", ends=False)
        await look(life, 30 * MINUTE)
        assert model.asked == []
        await look(life, 20 * MINUTE)
        await session(life, "a", "never rename the tables of the billing schema")
        await look(life)

        assert len(await notes(life)) == 2
        assert WISH in model.asked[0].text
        assert WISH not in model.asked[1].text

    alive(home, live)


def test_four_sessions_that_end_at_once_are_read_one_after_the_other_three_within_an_hour(
    home: Home,
) -> None:
    model = Model(takes=20.0)

    async def live(life: Life) -> None:
        await agree(life, model.engine())
        for name in "abcd":
            await session(life, name, f"never touch the {name} table")
        for _ in range(5):
            await look(life, MINUTE + 1)
        assert (len(model.asked), model.most_at_once) == (3, 1)
        assert (await state(life)).why == "3 sessions were read within the hour"

        await look(life, HOUR)
        assert len(await notes(life)) == 4

    alive(home, live)


# ---- what the next session is told


def test_what_a_person_said_stands_on_the_next_start_and_what_a_tool_said_is_a_line(
    home: Home,
) -> None:
    tool = note(
        "Understood, I will wait for it.", kind="fact", said_by="agent",
        title="The smoke test takes a minute", text="The smoke test takes a minute on staging.",
    )  # fmt: skip
    model = Model(lambda _: answer(note(scope="always"), tool))

    async def live(life: Life) -> None:
        await agree(life, model.engine())
        await session(life, "a")
        await look(life)
        told = await life.report("SessionStart", "b", source="startup")

        assert f"- The user said: {WISH}. (m2: the user, today)" in told
        assert "- m3 The smoke test takes a minute" in told
        assert "on staging" not in told

    alive(home, live)


# ---- an engine that fails


def test_a_failed_reading_is_tried_again_and_keeps_nothing(home: Home) -> None:
    model = Model(failing(Reason.EMPTY))

    async def live(life: Life) -> None:
        await agree(life, model.engine())
        await session(life, "a")
        await look(life)
        await look(life)
        assert (len(model.asked), await notes(life)) == (1, [])

        model.says = None
        await look(life, 11 * MINUTE)
        assert len(await notes(life)) == 1

    alive(home, live)


def test_two_failures_for_one_reason_stop_an_engine_until_a_person_looks(home: Home) -> None:
    model = Model(failing(Reason.LIMIT))

    async def live(life: Life) -> None:
        await agree(life, model.engine())
        await session(life, "a")
        await session(life, "b")
        for _ in range(4):
            await look(life, 2 * HOUR)
        assert len(model.asked) == 2
        assert (await state(life)).stopped == "it failed twice in a row: its limit is reached"

        await state(life, by_person=True)
        await look(life, 2 * HOUR)
        assert len(model.asked) == 3

    alive(home, live)


# ---- an engine of this machine


def test_a_local_engine_is_stopped_when_somebody_comes_and_keeps_its_finished_chunks(
    home: Home,
) -> None:
    model = Model(takes=20.0)

    async def live(life: Life) -> None:
        await agree(life, model.engine(is_local=True, tokens=40))
        await session(life, "a", ends=False)
        await session(life, "a", "never rename the tables of the billing schema")
        await life.asleep(HOUR)
        reader = life.world.running.parts.mailboxes.session_reader
        await reader.tell(Look(life.world.clock.now()))
        await trio.sleep(25.0)  # the first chunk is read, the second is under way
        await life.report("UserPromptSubmit", "b", prompt="Good morning, where were we?")
        await trio.sleep(2.0)
        assert (len(model.asked), len(await notes(life))) == (2, 1)

        await look(life, HOUR)
        assert len(await notes(life)) == 2
        assert len(model.asked) == 3

    alive(home, live)


def test_a_person_who_orders_a_local_reading_is_not_in_its_way(home: Home) -> None:
    model = Model(takes=5.0)

    async def live(life: Life) -> None:
        await agree(life, model.engine(is_local=True))
        await session(life, "a")
        report = await ordered(life, "a")

        assert (report.sessions, report.notes) == (1, 1)

    alive(home, live)


def test_the_price_of_many_sessions_holds_no_digest_beside_the_next(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest_of, held = SessionReading.digest_of, list[int]()

    async def counted(reading: SessionReading, session: str, *, unread: bool) -> Digest:
        held.append(sum(isinstance(one, Digest) for one in gc.get_objects()))
        return await digest_of(reading, session, unread=unread)

    monkeypatch.setattr(SessionReading, "digest_of", counted)

    async def live(life: Life) -> None:
        await agree(life, Model().engine())
        for name in ("a", "b", "c"):
            await session(life, name)
        await life.asleep(MINUTE)
        report = await ordered(life, "a", "b", "c", dry_run=True)

        assert (report.sessions, len(held), max(held)) == (3, 3, held[0])

    alive(home, live)


# ---- whose sessions


def test_an_engine_of_an_agent_reads_that_agents_sessions_alone(home: Home) -> None:
    model = Model()

    async def live(life: Life) -> None:
        await agree(life, model.engine(agents=frozenset({"codex"})))
        await session(life, "a")
        await look(life)

        assert model.asked == []
        assert "reads only its own" in (await state(life)).unread[0]

    alive(home, live)


# ---- cut off


def test_a_daemon_that_dies_in_the_middle_has_spent_the_request_and_reads_the_session_again(
    home: Home,
) -> None:
    model = Model(takes=HOUR)

    async def first() -> None:
        async with opened(home, Settings()) as life:
            await agree(life, model.engine())
            await session(life, "a")
            await life.asleep(2 * MINUTE)
            reader = life.world.running.parts.mailboxes.session_reader
            await reader.tell(Look(life.world.clock.now()))
            await trio.sleep(5.0)
            life.world.kill()

    async def second() -> None:
        async with opened(home, Settings()) as life:
            model.takes = 1.0
            life.world.running.readership.engine = model.engine()
            assert (await state(life)).tokens > 0
            await look(life, 2 * HOUR)

            assert len(await notes(life)) == 1
            assert len(model.asked) == 2

    lived(first)
    lived(second)


@pytest.mark.parametrize("ends", [True, False])
def test_what_a_reader_understands_better_is_left_to_it_from_the_agreement_on(
    home: Home, ends: bool
) -> None:
    async def live(life: Life) -> None:
        if ends:
            await agree(life, Model().engine())
        await session(life, "a", "we should only have one cache for the reports")

        made = await life.rows("SELECT source FROM memory")
        assert made == ([] if ends else [("wish",)])

    alive(home, live)


# ---- a night


def twenty(request: Request) -> Answer:
    """Twenty notes a session; of a project's notes that the second says the first too."""
    if not request.session:
        ids = [line.partition(":")[0] for line in request.text.splitlines()]
        twins = [{"keep": ids[0], "ids": [ids[1]], "why": "the same"}]
        insight = {"text": "Tables are renamed by migrations alone.", "ids": ids[:2]}
        parts = {"twins": twins, "contradictions": [], "outdated": [], "insights": [insight]}
        return Answer(parts, 900)
    words = request.text.split()
    tables = [word for word in words if word.startswith("table_")][:12]
    return answer(*(note(one, kind="fact", text=f"{one} has no owner.") for one in tables))


def test_a_dream_reads_a_project_with_twenty_new_notes_once_and_changes_nothing_by_itself(
    home: Home,
) -> None:
    model = Model(twenty)

    async def live(life: Life) -> None:
        await agree(life, model.engine())
        for name in "ab":
            tables = ", ".join(f"table_{name}_{n} has no owner" for n in range(12))
            await session(life, name, f"note that {tables}")
        await look(life)
        await look(life)
        before = await notes(life)
        await life.ask("dream", now=True)
        await life.ask("dream", now=True)

        assert len(before) >= 20
        assert await notes(life) == before
        assert [one.session for one in model.asked].count("") == 1
        plans = await life.rows("SELECT act, state FROM plan WHERE reason LIKE 'a reader%'")
        assert plans == [("archive", "open")]
        insights = await life.rows("SELECT text FROM memory WHERE source = 'dream'")
        assert ("Tables are renamed by migrations alone.",) in insights

    alive(home, live)


def joined(_: str, folders: Sequence[str], seen: Collection[str]) -> str:
    """Every endpoint is another one, and so is that of the folder of an employer."""
    return " and ".join([*seen, *(one for one in folders if one == "/acme")])


def test_the_endpoints_of_hooks_and_folders_decide_whether_a_session_is_read(home: Home) -> None:
    model = Model()

    async def live(life: Life) -> None:
        await agree(life, model.engine(elsewhere=joined))
        await session(life, "a")
        await life.report("SessionStart", "b", source="startup", model_endpoint="gate.acme.com")
        await life.report("UserPromptSubmit", "b", prompt=WISH)
        await life.report("SessionEnd", "b", reason="exit")
        await life.report("SessionStart", "c", source="startup", cwd="/acme")
        await life.report("UserPromptSubmit", "c", prompt=WISH, cwd="/acme")
        await life.report("SessionEnd", "c", reason="exit", cwd="/acme")
        for _ in range(3):
            await look(life)

        assert [one.session for one in model.asked] == ["a"]
        unread = (await state(life)).unread
        assert sorted(line.rpartition("min ")[2] for line in unread) == [
            "(/acme)",
            "(gate.acme.com)",
        ]

    alive(home, live)


def test_a_night_that_fails_is_not_asked_for_again_by_each_dream(home: Home) -> None:
    model = Model(lambda request: twenty(request) if request.session else Failed(Reason.FOREIGN))

    async def live(life: Life) -> None:
        await agree(life, model.engine())
        for name in "ab":
            tables = ", ".join(f"table_{name}_{n} has no owner" for n in range(12))
            await session(life, name, f"note that {tables}")
        await look(life)
        await look(life)
        for _ in range(3):
            await life.ask("dream", now=True)

        assert [one.session for one in model.asked].count("") == 1

    alive(home, live)
