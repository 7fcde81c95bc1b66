"""The page of a project of which a reader wrote notes."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from actors.memory.use import FoundUseful, Injected, Reviewed, Suppressed
from actors.memory.writes import Origin, Pinned
from actors.policy.events.events import Event, EventKind
from actors.policy.gate.gate_features import content_hash
from actors.policy.recall.notes import (
    KEPT_DECIDED,
    KEPT_WISHES,
    LOST_HEADING,
    NAMED_HEADING,
    Considered,
    Fate,
)
from actors.policy.recall.page import START, Part
from actors.policy.session.ledger import WHOLE
from actors.policy.session.pressure import Level
from actors.reader.messages import Cue
from actors.recall.shapes import Answer
from actors.session.shapes import Delivered, SessionSeen
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.post import mail
from tests.actors.recall.bench import Bench, instructions, open_bench, texts
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock

pytestmark = VIRTUAL_TIME

DAY = 86_400.0
SHOP = "/shop"
WISH = "The user wants to see a plan before a file of the payments is edited."
ALWAYS = "Every answer ends with the command that proves it."
POOL = "The pool of connections hangs when a fork closes it."
OWN = "We decided to close the pool before a fork."
RULE = "Never push to main."
PORT = "The database of the staging machine listens on port 5432."


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """A recall of a shop of which a reader wrote a wish of the user, and what a tool printed."""
    async with open_bench(store, TableEmbedding(), clock) as made:
        await made.read(WISH)
        await made.read(PORT, kind="fact", said_by="tool")
        yield made


async def test_a_users_wish_stands_whole_and_what_a_tool_said_is_a_line(bench: Bench) -> None:
    found = await bench.start("startup", project=SHOP)

    assert texts(found) == [WISH]
    assert "- m2 The database" in found.block
    assert [one.part for one in found.places] == [Part.WISHES, Part.LINES]


async def test_what_a_rule_made_of_a_prompt_is_left_out_where_the_reader_says_it_too(
    bench: Bench,
) -> None:
    await bench.read(f"{OWN} The other ways lost connections.", kind="decision")
    for text, source in ((OWN, "decision"), (PORT, "hand"), (RULE, "decision")):
        await bench.house.keep(text, origin=Origin(source), project=SHOP, judged=False)
    found = await bench.start("startup", project=SHOP)

    assert found.block.count(OWN) == found.block.count(RULE) == 1
    assert PORT in found.block


async def test_what_a_person_said_stands_whole_where_an_agent_said_it_too(bench: Bench) -> None:
    longer = f"{OWN} The other ways lost connections."
    await bench.read(longer, kind="decision", said_by="agent")
    await bench.house.keep(
        OWN, kind="decision", origin=Origin("decision"), project=SHOP, judged=False
    )
    found = await bench.start("startup", project=SHOP)

    assert OWN in texts(found)


async def test_what_a_person_said_stands_where_the_note_that_says_it_too_is_suppressed(
    bench: Bench,
) -> None:
    await bench.read(f"{OWN} The other ways lost connections.", kind="decision")
    await bench.house.keep(OWN, origin=Origin("decision"), project=SHOP, judged=False)
    await bench.house.commit(Suppressed(3, BEGINNING))
    found = await bench.start("startup", project=SHOP)

    assert found.block.count(OWN) == 1


async def test_another_project_has_no_lines(bench: Bench) -> None:
    found = await bench.start("startup", project="/other")

    assert (found.block, found.places) == ("", ())


async def test_a_context_that_fills_up_halves_the_page(bench: Bench) -> None:
    for number in range(40):
        await bench.read(f"Table number {number} of the shop has no owner.", kind="fact")
    roomy = await bench.start("startup", project=SHOP)
    bench.pressure = Level.FOCUSED
    full = await bench.start("startup", "s2", SHOP)

    assert len(full.block) <= START / 2 < len(roomy.block) <= START
    assert len(full.notes) < len(roomy.notes)


async def listed(bench: Bench, starts: int, days: float) -> None:
    """Starts of other sessions at which the second note was a line."""
    line = Considered(2, 0.1, "", Fate.LISTED)
    for number in range(starts):
        at = BEGINNING - days * DAY * (1 - number / (starts - 1))
        made = Injected(f"old{number}", SHOP, "session_start", at, 900, "none", (line,))
        await bench.house.commit(made)


async def test_a_line_of_thirty_starts_that_nobody_needs_leaves_the_page(bench: Bench) -> None:
    await listed(bench, 29, 30)
    before = await bench.start("startup", project=SHOP)
    mail(bench.house.strength)
    await bench.house.commit(
        Injected("s1", SHOP, "session_start", BEGINNING, 900, "none", before.considered)
    )
    after = await bench.start("startup", "s2", SHOP)

    assert [one.part for one in before.places] == [Part.WISHES, Part.LINES]
    assert after.places[-1].part is Part.LEFT
    assert after.places[-1].reason == "a line at 30 starts over 30 days, never used"


async def test_one_that_was_opened_stays(bench: Bench) -> None:
    await listed(bench, 30, 30)
    await bench.house.commit(Reviewed(2, 2.0, 5.0, 0, 3, "opened", True, BEGINNING))
    found = await bench.start("startup", project=SHOP)

    assert [one.part for one in found.places] == [Part.WISHES, Part.DECISIONS]


async def test_what_a_person_suppressed_is_off_the_page_for_a_day_even_pinned(bench: Bench) -> None:
    await bench.house.commit(Suppressed(1, BEGINNING), Pinned(1, True, BEGINNING))
    hidden = await bench.start("startup", project=SHOP)
    await bench.house.commit(Suppressed(1, BEGINNING - DAY))
    back = await bench.start("startup", "s2", SHOP)

    assert texts(hidden) == []
    assert [one.reason for one in hidden.places if one.identity == 1] == ["the user suppressed it"]
    assert texts(back) == [WISH]


async def test_what_the_instructions_say_is_neither_whole_nor_a_line(
    bench: Bench, tmp_path: Path
) -> None:
    await bench.instructed(instructions(tmp_path, WISH, PORT), "s1", SHOP)
    found = await bench.start("startup", project=SHOP)

    assert (found.block, found.places) == ("", ())


async def test_the_page_is_shown_to_a_person_and_nobody_is_told(bench: Bench) -> None:
    shown = await bench.rehearsed_start(SHOP)

    assert texts(shown) == texts(await bench.start("startup", project=SHOP)) == [WISH]


@pytest.mark.parametrize(
    ("entrypoint", "told"), [("sdk-py", [RULE]), ("claude-vscode", [RULE, WISH])]
)
async def test_a_scripts_session_gets_the_constitutional_part_alone(
    bench: Bench, entrypoint: str, told: list[str]
) -> None:
    await bench.house.keep(RULE, tier="constitutional", project=SHOP)
    event = Event("claude", EventKind.SESSION_START, "s1", source="startup", entrypoint=entrypoint)
    found = await bench.bring(event, SHOP)

    assert texts(found) == told
    assert ("m2 " in found.block) is (WISH in told)


@pytest.mark.parametrize(
    ("entrypoint", "begins", "tasks", "told"),
    [
        ("", "again", ("again", "again"), [RULE]),
        ("", "again", ("again",), [RULE, WISH]),
        ("sdk-cli", "", ("again", "again"), [RULE]),
        ("sdk-cli", "", ("again", "again", "other"), [RULE, WISH]),
        ("sdk-cli", "", ("again",), [RULE, WISH]),
        ("cli", "", ("again", "again"), [RULE, WISH]),
    ],
)
async def test_so_does_one_that_begins_as_two_before_it_or_one_that_prints_where_the_last_ones_did(
    bench: Bench, entrypoint: str, begins: str, tasks: tuple[str, ...], told: list[str]
) -> None:
    def task(word: str) -> str:
        return f"Judge the difference between these two files and go by the {word} list. " * 2

    agent = "opencode" if begins else "claude"  # the one tells first words as a session starts
    await bench.house.keep(RULE, tier="constitutional", project=SHOP)
    for number, word in enumerate(tasks):
        at, said = BEGINNING + number, task(word)
        seen = SessionSeen(f"j{number}", agent, SHOP, at, "ended", said, None, None)
        await bench.house.commit(seen)
    event = Event(
        agent, EventKind.SESSION_START, "s1", source="startup", entrypoint=entrypoint,
        task=task(begins) if begins else "",
    )  # fmt: skip
    found = await bench.bring(event, SHOP)

    assert texts(found) == told


async def test_after_a_compaction_a_scripts_session_gets_back_what_was_its_own(
    bench: Bench,
) -> None:
    await bench.working_memory.mailbox.tell(
        Delivered("s1", (content_hash(PORT),), BEGINNING, WHOLE)
    )
    event = Event("claude", EventKind.SESSION_START, "s1", source="compact", entrypoint="sdk-py")
    found = await bench.bring(event, SHOP)

    assert texts(found) == [PORT]


async def delegated(bench: Bench, task: str, **more: str) -> Answer:
    """A subagent of a session of the shop starts."""
    given = Event("claude", EventKind.SUBAGENT_TASK, "s1", task=task)
    await bench.bring(given, SHOP)
    start = Event("claude", EventKind.SUBAGENT_START, "s1", agent_id="a1", **more)  # type: ignore[arg-type]
    return await bench.bring(start, SHOP)


async def test_a_subagent_is_told_what_holds_for_all_work_and_no_wish_for_a_moment(
    bench: Bench,
) -> None:
    await bench.house.keep(RULE, tier="constitutional", project=SHOP)
    await bench.read(ALWAYS, kind="rule", scope="always")
    found = await delegated(bench, "Write a haiku about rain.")

    assert texts(found) == [RULE, ALWAYS]


async def test_of_each_note_that_a_subagent_was_told_it_is_kept_once_why(bench: Bench) -> None:
    await bench.read(ALWAYS, kind="rule", scope="always")
    found = await delegated(bench, ALWAYS)
    weighed = [one.identity for one in found.considered]

    assert texts(found) == [ALWAYS]
    assert len(set(weighed)) == len(weighed)


@pytest.mark.parametrize(
    ("task", "told"),
    [
        ("Read src/staging.py and report what it exports.", True),
        ("Read staging.py and report what it exports.", True),
        ("Tell who calls `StagingPool` and how often.", True),
        ("Tell what stagings there are.", False),
    ],
)
async def test_a_subagent_is_told_notes_about_the_files_and_symbols_of_its_task(
    bench: Bench, task: str, told: bool
) -> None:
    cues = (Cue("file", "src/staging.py"), Cue("symbol", "StagingPool"))
    await bench.read(POOL, *cues, kind="trap", said_by="agent")
    found = await delegated(bench, task)

    assert texts(found) == ([POOL] if told else [])
    assert (NAMED_HEADING in found.block) is told


async def test_a_subagent_of_a_script_is_told_no_wishes(bench: Bench) -> None:
    await bench.house.keep(RULE, tier="constitutional", project=SHOP)
    await bench.read(ALWAYS, kind="rule", scope="always")

    assert texts(await delegated(bench, "Write a haiku.", entrypoint="sdk-py")) == [RULE]


@pytest.mark.parametrize("said", [FoundUseful(3, SHOP, False), Suppressed(3, BEGINNING)])
async def test_what_was_called_useless_or_suppressed_is_told_to_no_subagent_that_names_its_file(
    bench: Bench, said: Any
) -> None:
    await bench.read(POOL, Cue("file", "src/staging.py"), kind="trap", said_by="agent")
    await bench.house.commit(said)

    assert texts(await delegated(bench, "Read src/staging.py.")) == []


@pytest.mark.parametrize("kind", [EventKind.SUBAGENT_START, EventKind.PRE_COMPACT])
async def test_a_session_that_began_as_two_before_it_is_a_scripts_for_subagents_and_summaries_too(
    bench: Bench, kind: EventKind
) -> None:
    await bench.read(ALWAYS, kind="rule", scope="always")
    task = "Judge the difference between these two files by the list of rules below. " * 2
    for session in ("j0", "j1", "s1"):
        seen = SessionSeen(session, "claude", SHOP, BEGINNING, "open", task, None, None)
        await bench.house.commit(seen)
    event = Event("claude", kind, "s1", entrypoint="sdk-cli", agent_id="a1")

    assert ALWAYS not in (await bench.bring(event, SHOP)).block


async def test_a_subagent_is_not_told_what_its_instructions_say(
    bench: Bench, tmp_path: Path
) -> None:
    await bench.read(ALWAYS, kind="rule", scope="always")
    await bench.instructed(instructions(tmp_path, ALWAYS), "s1", SHOP)

    assert (await delegated(bench, "Write a haiku about rain.")).block == ""


async def test_after_a_compaction_what_the_session_was_told_and_decided_comes_first(
    bench: Bench,
) -> None:
    await started(bench)
    await bench.house.keep(OWN, origin=Origin("reader", "s1"), project=SHOP, judged=False)
    delivered = Delivered("s1", (content_hash(PORT),), BEGINNING, WHOLE)
    await bench.working_memory.mailbox.tell(delivered)
    found = await bench.start("compact", project=SHOP)

    assert texts(found) == [OWN, PORT, WISH]
    assert found.block.index(LOST_HEADING) < found.block.index(WISH)


async def test_a_summary_is_to_keep_what_holds_for_all_work_and_what_the_session_decided(
    bench: Bench,
) -> None:
    await started(bench)
    await bench.read(ALWAYS, kind="rule", scope="always")
    await bench.house.keep(OWN, origin=Origin("reader", "s1"), project=SHOP, judged=False)
    kept = (await bench.bring(Event("claude", EventKind.PRE_COMPACT, "s1"), SHOP)).block

    assert kept == f"{KEPT_WISHES}\n- {ALWAYS}\n{KEPT_DECIDED}\n- {OWN}"


@pytest.mark.parametrize(
    ("said", "told"), [(FoundUseful(3, SHOP, False), True), (Suppressed(3, BEGINNING), False)]
)
async def test_what_a_person_decided_goes_by_their_word_alone_from_summaries_and_what_was_lost(
    bench: Bench, said: Any, told: bool
) -> None:
    await started(bench)
    origin = Origin("reader", "s1")
    await bench.house.keep(OWN, kind="decision", origin=origin, project=SHOP, judged=False)
    await bench.house.commit(said)
    kept = await bench.bring(Event("claude", EventKind.PRE_COMPACT, "s1"), SHOP)
    back = await bench.start("compact", project=SHOP)

    assert (OWN in kept.block, OWN in texts(back)) == (told, told)


async def test_what_an_agent_noted_in_its_session_and_called_useless_is_not_lost_by_a_compaction(
    bench: Bench,
) -> None:
    await started(bench)
    origin = Origin("agent", "s1")
    await bench.house.keep(OWN, kind="decision", origin=origin, project=SHOP, judged=False)
    await bench.house.commit(FoundUseful(3, SHOP, False))

    assert OWN not in (await bench.bring(Event("claude", EventKind.PRE_COMPACT, "s1"), SHOP)).block
    assert OWN not in texts(await bench.start("compact", project=SHOP))


async def test_where_nothing_is_known_a_summary_is_to_keep_nothing(bench: Bench) -> None:
    assert (await bench.bring(Event("claude", EventKind.PRE_COMPACT, "s1"), "/other")).block == ""


async def started(bench: Bench) -> None:
    """A session of the shop."""
    seen = SessionSeen("s1", "claude", SHOP, BEGINNING, "open", "Mend the pool", None, None)
    await bench.house.commit(seen)
