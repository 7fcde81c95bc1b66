"""Recall: the right few memories, once a session, within the budget, or silence."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Sequence
from typing import Any

import pytest
import trio

from actors.core.equipment import Receipt
from actors.core.failures import Unreadable
from actors.core.mailbox import Crashed
from actors.intake.messages import Happened
from actors.memory.observatory import Observatory
from actors.memory.rows import Memory, Scope
from actors.memory.use import Exposed, FoundUseful
from actors.memory.writes import Ended, Origin, Pinned
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.recall.evidence import LONG, THRESHOLD
from actors.policy.recall.notes import Fate
from actors.policy.session.pressure import Level
from actors.recall import recall
from actors.recall.archive import Archive
from actors.recall.channels import Channels, Inquiry, Pacing
from actors.recall.ordering import Settings
from actors.recall.recall import assembled
from actors.recall.shapes import Bring, Choosing, Counted, Search
from actors.recall.triggers import Triggers
from actors.session.shapes import Delivered
from daemon.storage.reader import ReadingSide
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at, without_model
from tests.actors.post import mail, queue
from tests.actors.recall.bench import (
    ASKED,
    SQUID,
    TELLING,
    UNRELATED,
    WHALE,
    Bench,
    Troubled,
    missing,
    open_bench,
    texts,
)
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import written

pytestmark = VIRTUAL_TIME


@pytest.fixture
async def unfilled(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """Recall over nothing yet."""
    table = {WHALE: at(1.0), ASKED: at(0.8)}
    async with open_bench(store, TableEmbedding(table), clock) as opened:
        mail(opened.house.strength)
        yield opened


@pytest.fixture
async def wordy(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """The same without a model."""
    async with open_bench(store, without_model(), clock) as opened:
        await opened.house.keep(WHALE)
        await opened.house.keep(SQUID, triggers=("red harvest",))
        mail(opened.house.strength)
        yield opened


# -- a prompt


async def test_a_code_that_is_all_of_a_prompt_brings_what_holds_it(bench: Bench) -> None:
    await bench.house.keep("E1043 means that the bilge pump has no power.")
    await bench.house.vectored()

    assert texts(await bench.prompt("E1043")) == ["E1043 means that the bilge pump has no power."]
    assert texts(await bench.prompt("E1044", session="s2")) == []


RULE = "Never edit files under vendor/legacy by hand, they are generated."
EDIT = "edit vendor/legacy/parser.py"


async def test_a_rule_that_a_person_kept_is_told_at_its_own_path_however_far_it_is(
    bench: Bench,
) -> None:
    await bench.house.keep(RULE)
    await bench.house.vectored()
    told = await bench.prompt(EDIT)
    again = await bench.prompt(f"{EDIT} now")
    long = await bench.prompt("Please do as I say. " * (LONG // 20) + EDIT, session="s2")
    beside = await bench.prompt("edit vendor/other/parser.py", session="s3")
    why = await bench.rehearsed(EDIT)

    assert (texts(told), texts(again), texts(long), texts(beside)) == ([RULE], [], [RULE], [])
    assert why.considered[0].reason == "a person kept it, and the prompt names what it is about"


async def test_what_was_noticed_is_told_at_its_path_only_where_it_is_near(bench: Bench) -> None:
    await bench.house.keep(RULE, origin=Origin("conclusion"))
    await bench.house.vectored()

    assert texts(await bench.prompt(EDIT)) == []


async def test_a_rule_that_was_pinned_is_told_at_its_path_and_one_that_was_replaced_is_not(
    bench: Bench,
) -> None:
    kept = await bench.house.keep(RULE, origin=Origin("conclusion"))
    await bench.house.vectored()
    await bench.house.commit(Pinned(kept.memory_id, True, BEGINNING))
    pinned = await bench.prompt(EDIT)
    await bench.house.commit(Ended(kept.memory_id, "forgotten", BEGINNING))

    assert (texts(pinned), texts(await bench.prompt(EDIT, session="s2"))) == ([RULE], [])


async def test_a_prompt_gets_what_is_relevant_fenced_and_attributed(bench: Bench) -> None:
    found = await bench.prompt(ASKED)

    assert texts(found) == [WHALE]
    assert found.block.startswith("<")
    assert WHALE in found.block
    assert "the user, today)" in found.block
    assert (found.mode, found.missing) == ("both", ())


@pytest.mark.parametrize("text", [UNRELATED, "", "   ", "ok", "thanks!", "да", "🎉" * 50])
async def test_a_prompt_that_nothing_is_relevant_to_gets_silence(bench: Bench, text: str) -> None:
    found = await bench.prompt(text)

    assert (found.notes, found.block) == ((), "")


async def test_a_prompt_that_no_person_typed_gets_silence(bench: Bench) -> None:
    found = await bench.prompt(f"<task-notification>{ASKED}</task-notification>")

    assert found.block == ""


async def test_words_alone_are_enough_and_the_answer_says_so(wordy: Bench) -> None:
    found = await wordy.prompt(ASKED)

    assert texts(found) == [WHALE]
    assert (found.mode, missing(found)) == ("words", {"vectors": "no model"})
    assert wordy.actor.briefing.by_words_alone == 1


async def test_what_a_dream_noticed_is_found_by_a_search_and_told_to_no_prompt(
    wordy: Bench,
) -> None:
    noticed = f"Two memories contradict each other. {WHALE}"
    await wordy.house.keep(noticed, origin=Origin("dream"), kind="insight")

    assert texts(await wordy.prompt(ASKED)) == [WHALE]
    assert noticed in texts(await wordy.search(ASKED))


async def test_a_prompt_is_not_told_what_it_corrects_itself(wordy: Bench) -> None:
    corrected = "No, the blue whale database listens on port 5433 in staging"

    assert texts(await wordy.prompt(ASKED)) == [WHALE]
    assert texts(await wordy.prompt(corrected, session="s2")) == []


async def test_of_two_notes_that_disagree_both_say_so(wordy: Bench) -> None:
    older = "The owner of the payments gateway is team Falcon."
    newer = "The owner of the payments gateway is team Heron."
    await wordy.house.keep(older, at=BEGINNING - 60, judged=False)
    await wordy.house.keep(newer, at=BEGINNING, judged=False)
    found = await wordy.prompt("who is the owner of the payments gateway?")

    told = {line for line in found.block.splitlines() if "otherwise" in line}
    assert {older in line and "a newer note here says otherwise" in line for line in told} == {
        True, False,
    }  # fmt: skip
    assert [line for line in told if newer in line and "an older note here says" in line]


async def test_a_vector_that_is_late_is_left_out_and_the_answer_says_so(bench: Bench) -> None:
    bench.house.embedding.takes = 3.0
    found = await bench.prompt(ASKED)

    assert texts(found) == [WHALE]
    assert found.mode == "words"
    assert missing(found) == {"vectors": "the query's vector was not ready in time"}


async def test_what_a_session_has_is_not_brought_again(bench: Bench) -> None:
    first = await bench.prompt(ASKED)
    again = await bench.prompt(ASKED)
    other = await bench.prompt(ASKED, session="s2")

    assert texts(first) == [WHALE]
    assert again.block == ""
    assert texts(other) == [WHALE]


async def test_a_prompt_right_after_an_answer_was_taken_is_not_told_it_again(bench: Bench) -> None:
    for number in range(20):
        event = Event("claude", EventKind.PROMPT, f"quick{number}", prompt=ASKED)
        receipt, now = Receipt(), BEGINNING + trio.current_time()
        taken = Bring(event, None, now, 10.0, receipt=receipt)
        first = await bench.recall.mailbox.ask(taken, within=60)
        receipt(taken=True)
        again = await bench.recall.mailbox.ask(Bring(event, None, now, 10.0), within=60)

        assert (texts(first), again.block) == ([WHALE], "")


@pytest.mark.parametrize(
    ("session", "source", "told"),
    [("s1", "", False), ("s1", "resume", False), ("s1", "compact", True), ("s2", "", True)],
)
async def test_a_session_is_not_told_what_it_made_while_that_is_in_its_context(
    unfilled: Bench, session: str, source: str, told: bool
) -> None:
    await unfilled.house.keep(WHALE, origin=Origin("commit", "s1"), at=BEGINNING)
    await unfilled.house.vectored()
    if source:
        await unfilled.start(source, session)

    assert texts(await unfilled.prompt(ASKED, session)) == ([WHALE] if told else [])
    assert texts(await unfilled.search(ASKED)) == [WHALE]


async def test_a_session_is_not_told_what_a_document_says_that_it_read(unfilled: Bench) -> None:
    key = "document:docs/design.md:3:0123456789ab#Ports"
    await unfilled.house.keep(WHALE, origin=Origin("document", "s0"), key=key)
    await unfilled.house.vectored()
    file = {"file": {"content": "x", "numLines": 9, "totalLines": 9}}
    read = Tool("Read", {"file_path": "/p/docs/design.md"}, file)
    event = Event("claude", EventKind.TOOL, "s1", tool=read)
    await unfilled.working_memory.mailbox.tell(Happened(1, BEGINNING + 1, event, "/p"))

    assert texts(await unfilled.prompt(ASKED, "s1")) == []
    assert texts(await unfilled.prompt(ASKED, "s2")) == [WHALE]


@pytest.mark.parametrize(
    ("source", "again"), [("compact", True), ("clear", True), ("resume", False)]
)
async def test_after_a_compaction_it_comes_again(bench: Bench, source: str, again: bool) -> None:
    await bench.prompt(ASKED)
    page = await bench.start(source)
    told = await bench.prompt(ASKED)

    assert bool(page.block or told.block) is again
    assert (WHALE in page.block) is (source == "compact")  # the session attended to it


@pytest.mark.parametrize(
    ("level", "most"), [(Level.NONE, 2000), (Level.FOCUSED, 1000), (Level.QUICK, 500)]
)
async def test_a_full_context_gets_less(wordy: Bench, level: Level, most: int) -> None:
    padding = "Every note about the blue whale database port says something else. "
    for number in range(12):
        await wordy.house.keep(f"Blue whale database note {number}, port {number}: {padding * 4}")
    wordy.pressure = level
    found = await wordy.prompt("blue whale database port notes")

    assert most / 2 < len(found.block) <= most


async def test_projects_do_not_see_each_other_and_both_see_the_users(bench: Bench) -> None:
    await bench.house.keep(WHALE, project="/a", intent="new")
    await bench.house.vectored()
    in_a = await bench.prompt(ASKED, "s2", "/a")
    in_b = await bench.prompt(ASKED, "s3", "/b")

    assert {note.memory.project for note in in_a.notes} <= {"/a", None}
    assert {note.memory.project for note in in_b.notes} == {None}


async def test_being_shown_is_recorded_and_strengthens_nothing(bench: Bench) -> None:
    found = await bench.prompt(ASKED)
    (answered,) = mail(bench.house.strength)
    shown = answered.shown

    assert isinstance(shown, Exposed)
    assert shown.memory_ids == tuple(note.memory.id for note in found.notes)
    assert (shown.session, shown.where) == ("s1", "prompt")


async def test_an_answer_says_of_what_it_was_made_and_what_it_cost(bench: Bench) -> None:
    found = await bench.prompt(ASKED)
    (answered,) = mail(bench.house.strength)
    made, told = answered.injected, answered.injected.considered[0]

    assert (made.session, made.where, made.characters) == ("s1", "prompt", len(found.block))
    assert told.fate is Fate.TOLD
    assert told.identity == found.notes[0].memory.id
    assert told.confidence >= THRESHOLD


async def test_what_was_called_useless_in_a_project_needs_more_evidence_there_and_nowhere_else(
    bench: Bench,
) -> None:
    asked = "is the whale near the harbour?"
    bench.house.embedding.table[asked] = at(0.5)
    before = await bench.prompt(asked, "s1", "/a")
    (whale,) = [note.memory.id for note in before.notes]
    verdict = FoundUseful(whale, "/a", useful=False)
    await written(bench.house.store, verdict, verdict)
    here = await bench.prompt(asked, "s2", "/a")
    there = await bench.prompt(asked, "s3", "/b")
    closer = await bench.prompt(ASKED, "s4", "/a")

    assert here.notes == ()
    assert [(one.identity, one.fate) for one in here.considered][:1] == [(whale, Fate.WASTED)]
    assert here.considered[0].confidence < before.considered[0].confidence
    assert texts(there) == texts(closer) == [WHALE]


async def test_a_long_prompt_is_told_only_what_a_person_gave_a_phrase(bench: Bench) -> None:
    pasted = ASKED + " please" * (LONG // 7)
    bench.house.embedding.table[TELLING] = at(1.0)
    bench.house.embedding.asked.clear()
    untold = await bench.prompt(pasted)
    called = await bench.prompt(f"red harvest {pasted}", "s2")

    assert untold.notes == ()
    assert texts(called) == [SQUID]
    assert (untold.mode, called.mode, bench.house.embedding.asked) == ("phrases", "phrases", [])


async def test_a_person_is_told_what_a_long_prompt_is_not(bench: Bench) -> None:
    pasted = ASKED + " please" * (LONG // 7)
    bench.house.embedding.table[TELLING] = at(1.0)
    why = await bench.rehearsed(pasted)

    assert (why.notes, why.mode) == ((), "both")
    assert Fate.LONG in {one.fate for one in why.considered}


async def test_silence_shows_nothing_and_says_what_came_closest_and_why_it_was_not_told(
    bench: Bench,
) -> None:
    await bench.prompt(UNRELATED)
    await bench.prompt(ASKED)
    mail(bench.house.strength)
    await bench.prompt(ASKED)
    (known,) = mail(bench.house.strength)

    assert known.shown is None
    assert [one.fate for one in known.injected.considered] == [Fate.KNOWN]
    assert known.injected.characters == 0


async def test_what_comes_too_late_for_a_prompt_counts_as_not_delivered(bench: Bench) -> None:
    # Nobody knows in time whether the session wants notes.
    bench.actor.briefing.session.working_memory = queue("busy").mailbox
    with pytest.raises(trio.TooSlowError):
        await bench.prompt(ASKED, within=0.01)
    await trio.sleep(10)
    bench.actor.briefing.session.working_memory = bench.working_memory.mailbox

    assert texts(await bench.prompt(ASKED)) == [WHALE]


# -- a session that starts


async def test_a_session_starts_with_the_constitutional_memories(bench: Bench) -> None:
    await bench.house.keep("never push to main", tier="constitutional", project="/a")
    await bench.house.keep("never force push", tier="constitutional", project="/b")
    found = await bench.start("startup", project="/a")

    assert texts(found) == ["never push to main"]
    assert "never push to main" in found.block


@pytest.mark.parametrize(
    ("source", "told"), [("startup", True), ("compact", True), ("clear", True), ("resume", False)]
)
async def test_a_resumed_session_has_them_already(bench: Bench, source: str, told: bool) -> None:
    await bench.house.keep("never push to main", tier="constitutional")

    assert bool((await bench.start(source)).block) is told


async def test_a_setting_silences_the_start(store: OpenStore, clock: FollowingClock) -> None:
    async with open_bench(store, TableEmbedding(), clock, at_start=False) as bench:
        await bench.house.keep("never push to main", tier="constitutional")

        assert (await bench.start("startup")).block == ""


# -- a person's search


async def test_a_search_returns_the_best_first_whether_relevant_or_not(bench: Bench) -> None:
    found = await bench.search("whale port")
    scores = [note.score for note in found.notes]

    assert texts(found)[0] == WHALE
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


async def test_a_search_puts_last_what_is_not_true_now(bench: Bench) -> None:
    over = "The blue whale port listens in staging until the week is over."
    await bench.house.keep(over, intent="new", valid_until=BEGINNING - 1)
    found = await bench.search("whale port")

    assert texts(found)[-1] == over
    assert found.notes[-1].score > min(note.score for note in found.notes)


@pytest.mark.parametrize(("k", "leading"), [(1, 0), (2, 1), (3, 1), (6, 2), (9, 3)])
async def test_constitutional_memories_lead_and_leave_room_for_the_answer(
    bench: Bench, k: int, leading: int
) -> None:
    for number in range(4):
        await bench.house.keep(f"rule {number} holds", tier="constitutional", intent="new")
    found = await bench.search("whale port", k=k)
    tiers = [note.memory.tier for note in found.notes]

    assert tiers[:leading] == ["constitutional"] * leading
    assert texts(found)[leading] == WHALE


async def test_constitutional_memories_that_cannot_be_read_cost_themselves_alone(
    bench: Bench,
) -> None:
    lawless = Troubled(bench.house.store.reading, constitutional=Unreadable("check the disk"))
    bench.actor.searching.channels.reader = lawless
    found = await bench.search(ASKED)

    assert missing(found) == {"constitutional": "check the disk"}
    assert texts(found)[0] == WHALE


async def test_a_search_that_is_not_tracked_leaves_no_trace(bench: Bench) -> None:
    await bench.search("whale port", track=False)
    untracked = mail(bench.house.strength)
    await bench.search("whale port")

    assert untracked == []
    assert [shown.where for shown in mail(bench.house.strength)] == ["recall"]


async def test_a_rehearsed_prompt_gets_what_a_prompt_would_and_nobody_hears_of_it(
    bench: Bench,
) -> None:
    relevant = await bench.rehearsed(ASKED)
    unrelated = await bench.rehearsed(UNRELATED)
    heard, told = mail(bench.house.strength), list(bench.told)
    prompted = await bench.prompt(ASKED)

    assert WHALE in relevant.block
    assert unrelated.block == ""
    assert heard == []
    assert not [one for one in told if isinstance(one, Delivered)]
    assert (prompted.block, prompted.considered) == (relevant.block, relevant.considered)


async def test_a_search_that_nobody_waits_for_any_more_ends(bench: Bench) -> None:
    bench.house.embedding.takes = 4.0
    with pytest.raises(trio.TooSlowError):
        await bench.search(ASKED, within=1.0)

    assert trio.current_time() < 10


async def test_a_question_whose_asker_gave_up_is_skipped_once_it_has_its_place(
    bench: Bench,
) -> None:
    bench.house.embedding.takes = 4.0

    async def give_up() -> None:
        with pytest.raises(trio.TooSlowError):
            await bench.recall.mailbox.ask(Search(ASKED, 5, Scope(), False, 30.0), within=1)

    async with trio.open_nursery() as nursery:
        for _ in range(recall.SEARCHES + 4):
            nursery.start_soon(give_up)
    await trio.sleep(60)

    assert bench.actor.searches == recall.SEARCHES


async def test_what_has_no_room_beside_the_questions_taken_stays_in_the_mailbox(
    store: OpenStore, clock: FollowingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recall, "ROOM", 1)
    async with open_bench(store, TableEmbedding({}), clock) as bench:
        await bench.house.keep(WHALE)
        await bench.house.vectored()
        mail(bench.house.strength)
        bench.house.embedding.takes = 4.0
        async with trio.open_nursery() as nursery:
            for _ in range(4):
                nursery.start_soon(bench.search, ASKED)
            await trio.sleep(0.5)
            waiting = bench.recall.waiting

    assert waiting == 2  # one is under way, and one is taken and waits
    assert bench.actor.searches == 4


# -- neighbours that fail


async def test_recall_goes_on_without_the_embedder(bench: Bench) -> None:
    bench.house.embedder.switch_off("embedder is off")

    assert texts(await bench.prompt(ASKED)) == [WHALE]


async def test_without_the_ledger_a_prompt_is_told_nothing_twice(bench: Bench) -> None:
    bench.working_memory.switch_off("working_memory is off")

    assert (await bench.prompt(ASKED)).block == ""


async def test_a_bug_fails_every_question_under_way_and_none_waits_in_vain(
    store: OpenStore, clock: FollowingClock
) -> None:
    names = ("embedder", "wm", "p", "strength")
    boxes = [queue(name) for name in names]
    failing = Troubled(store.reading, counted=ZeroDivisionError())
    archive = Archive(store.reading, clock, queue("long_term").mailbox, boxes[0].mailbox)
    actor = assembled(
        Settings(), failing, clock,
        Channels(
            failing, Pacing(boxes[0].mailbox), Triggers(failing),
        ),
        boxes[1].mailbox, boxes[2].mailbox, boxes[3].mailbox,
        queue("long_term").mailbox, archive, Observatory(),
    )  # fmt: skip
    box = queue("recall")
    ends: list[str] = []

    async def ask() -> None:
        try:
            await box.mailbox.ask(Search("port", 5, Scope(), False, 30.0), within=60)
        except Crashed as error:
            ends.append(str(error))

    async def run() -> None:
        with pytest.raises(ExceptionGroup):
            await actor.run(box.inbox)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        nursery.start_soon(ask)
        await trio.sleep(0.1)
        nursery.start_soon(run)
        await trio.sleep(1)
        nursery.cancel_scope.cancel()

    assert "recall" in ends


class Looking(ReadingSide):
    """A reading side that tells how often it was asked, and what was read in full."""

    def __init__(self, side: ReadingSide) -> None:
        vars(self).update(vars(side))
        self.looks: list[str] = []
        self.whole: set[int] = set()

    async def counted(
        self, telling: Sequence[str], terms: Sequence[str], scope: Scope, limit: int
    ) -> Counted:
        self.looks.append("words")
        return await super().counted(telling, terms, scope, limit)

    async def chosen(
        self,
        ids: Sequence[int],
        scope: Scope,
        vector: bytes | None,
        known: Collection[int],
        choose: Choosing,
    ) -> dict[int, Memory]:
        self.looks.append("chosen")
        found = await super().chosen(ids, scope, vector, known, choose)
        self.whole |= found.keys()
        return found

    async def memories(self, ids: Sequence[int]) -> dict[int, Memory]:
        self.looks.append("memories")
        return await super().memories(ids)

    async def opinions(self, ids: Sequence[int], project: str | None = None) -> Any:
        self.looks.append("opinions")
        return await super().opinions(ids, project)


async def test_a_prompt_reads_in_full_only_what_it_judges_and_gets_the_same(bench: Bench) -> None:
    for number in range(40):
        await bench.house.keep(f"Blue whale database note {number} of the staging port")
    channels = bench.actor.briefing.channels
    channels.reader = looking = Looking(bench.house.store.reading)
    found = await bench.prompt(ASKED, "s1")
    read_in_full = len(looking.whole)
    wanted, read = bench.actor.briefing.settings.candidates, bench.actor.briefing.settings.read
    inquiry = Inquiry(ASKED, wanted=wanted, read=read, by_cues=True, embedding_wait=10.0)
    await channels.look(inquiry)
    await channels.meet(inquiry)
    notes = bench.actor.briefing.ordering.ranked(inquiry).candidates

    assert looking.looks == ["words", "chosen"] * 2
    assert read_in_full == read < len(inquiry.memories)
    scores = {note.memory: note.score for note in notes}
    assert found.notes
    assert all(note.score == scores[note.memory.id] for note in found.notes)
