"""What a session was shown, what it has heard, and which uses follow."""

from __future__ import annotations

from time import process_time

import pytest
from msgspec.structs import replace

from actors.policy.decay.curve import Use
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.session import sitting
from actors.policy.session.sitting import Sitting, Used

NOW = 1_800_000_000.0
DAY = 86_400.0
PORT = "The staging database listens on port 5433."
LEDGER = "Refunds are booked in billing/ledger.py by post_refund."
TURN = Event("claude", EventKind.TURN_END, "s")


def prompt(text: str) -> Event:
    return Event("claude", EventKind.PROMPT, "s", prompt=text)


def answer(text: str) -> Event:
    return replace(TURN, message=text)


def tool(name: str, output: str = "", **given: object) -> Event:
    return Event("claude", EventKind.TOOL, "s", tool=Tool(name, given, output=output))


def after(*events: Event, begin: Sitting | None = None) -> tuple[Sitting, list[Used]]:
    known, found = begin or sitting.shown(Sitting(), {1: PORT}, NOW), list[Used]()
    for place, event in enumerate(events, start=1):
        known, new = sitting.happened(known, event, NOW + place)
        found += new
    return known, found


def test_what_the_memory_answers_itself_is_no_use_and_does_not_spoil_one() -> None:
    asking = (
        tool("Bash", PORT, command="cd api && reverie recall 'port 5433 of staging'"),
        tool("mcp__reverie__search", PORT, query="port 5433 of staging"),
        tool("mcp__plugin_reverie_reverie__search", PORT, query="port 5433 of staging"),
    )

    assert after(*asking)[1] == []
    assert after(*asking, answer("On 5433."))[1] == [Used(1, Use.CITED)]


def test_an_answer_cites_once_a_session() -> None:
    assert after(answer("On 5433."), answer("5433!"))[1] == [Used(1, Use.CITED)]


def test_the_order_of_showing_and_prompt_does_not_matter() -> None:
    """Recall tells of the showing, intake of the prompt: either may come first."""
    heard, _ = after(prompt("is it 5433?"), begin=Sitting())
    first = sitting.shown(heard, {1: PORT}, NOW)

    assert after(answer("5433"), begin=first)[1] == []
    assert after(prompt("is it 5433?"), answer("5433"))[1] == []


def test_an_event_from_before_the_showing_shows_nothing() -> None:
    known = sitting.shown(Sitting(), {1: PORT}, NOW)

    assert sitting.happened(known, answer("5433"), NOW - 1)[1] == []
    assert sitting.happened(known, answer("5433"), NOW + DAY + 1)[1] == []
    assert sitting.happened(known, answer("5433"), NOW + DAY)[1] == [Used(1, Use.CITED)]


def test_a_memory_told_again_is_held_since_its_first_time_and_for_a_day_after_its_last() -> None:
    known = sitting.shown(sitting.shown(Sitting(), {1: PORT}, NOW), {1: PORT}, NOW + DAY)

    assert known.held[1].at == NOW
    assert sitting.happened(known, answer("5433"), NOW + 1)[1] == [Used(1, Use.CITED)]
    assert sitting.happened(known, answer("5433"), NOW + 2 * DAY)[1] == [Used(1, Use.CITED)]
    assert sitting.happened(known, answer("5433"), NOW + 2 * DAY + 1)[1] == []


def test_what_a_tool_answers_is_known_from_then_on() -> None:
    assert after(tool("Read", "port: 5433"), answer("5433"))[1] == []


def test_a_command_does_what_was_told_and_an_edit_touches() -> None:
    ledger = sitting.shown(Sitting(), {2: LEDGER}, NOW)

    assert after(tool("Bash", command="psql -p 5433"))[1] == [Used(1, Use.DONE)]
    edits = [
        tool("Edit", file_path="/p/billing/ledger.py", old_string="x"),
        tool("Edit", file_path="/p/other.py", old_string="def post_refund():"),
        tool("Write", file_path="/p/billing/ledger.py", content="x"),
    ]
    for edit in edits:
        assert after(edit, begin=ledger)[1] == [Used(2, Use.EDITED_AFTER)]
    assert after(
        tool("Edit", file_path="/p/a.py", new_string="post_refund()"), begin=ledger
    )[1] == [Used(2, Use.DONE)]  # fmt: skip


@pytest.mark.parametrize(
    "call",
    [
        tool("Agent", prompt="Ask the staging database on 5433 how many orders it has."),
        tool("Task", prompt="Ask the staging database on 5433."),
        tool("Grep", pattern="5433"),
        tool("Read", file_path="/p/5433.md"),
        tool("WebFetch", url="http://localhost:5433"),
        tool("AskUserQuestion", question="Is it 5433?"),
        tool("TaskCreate", subject="Query port 5433"),
    ],
    ids=lambda call: call.tool.name,
)
def test_a_call_that_delegates_reads_plans_or_asks_does_nothing(call: Event) -> None:
    assert after(call)[1] == []
    assert after(call, tool("Bash", command="psql -p 5433"))[1] == [Used(1, Use.DONE)]


def test_what_a_session_looked_for_before_is_known_to_what_is_shown_later() -> None:
    heard, _ = after(tool("Grep", pattern="5433"), begin=Sitting())
    known = sitting.shown(heard, {1: PORT}, NOW)

    assert after(answer("5433"), begin=known)[1] == []


def test_the_edit_that_a_memory_is_told_before_is_no_use_of_it() -> None:
    """It was written before the note was read: the memory may be about what it does wrong."""
    edit = tool("Write", file_path="/p/billing/ledger.py", content="post_refund()")
    told = sitting.shown(Sitting(), {2: LEDGER}, NOW, edit=edit.tool)
    elsewhere = tool("Edit", file_path="/p/a.py", old_string="x", new_string="billing/ledger.py")

    assert after(edit, edit, elsewhere, begin=told)[1] == []
    assert after(answer("Refunds are booked there now."), begin=told)[1] == []


def test_an_edit_of_another_place_that_it_is_about_and_what_an_edit_says_anew_are_uses() -> None:
    edit = tool("Write", file_path="/p/billing/ledger.py", content="x")
    told = sitting.shown(Sitting(), {2: LEDGER}, NOW, edit=edit.tool)
    symbol = tool("Edit", file_path="/p/other.py", old_string="def post_refund():")
    said = tool("Edit", file_path="/p/billing/ledger.py", old_string="x", new_string="post_refund")

    assert after(edit, symbol, begin=told)[1] == [Used(2, Use.EDITED_AFTER)]
    assert after(edit, said, begin=told)[1] == [Used(2, Use.DONE)]


@pytest.mark.parametrize(("before", "uses"), [(19, [Used(1, Use.DONE)]), (20, [])])
def test_a_call_does_what_was_told_within_twenty_events(before: int, uses: list[Used]) -> None:
    others = [tool("Read", "x") for _ in range(before)]

    assert after(*others, tool("Bash", command="psql -p 5433"))[1] == uses


def test_what_is_told_again_may_be_done_for_twenty_events_more() -> None:
    known, _ = after(*[tool("Read", "x") for _ in range(20)])
    known = sitting.shown(known, {1: PORT}, NOW + 20)

    assert after(tool("Bash", command="psql -p 5433"), begin=known)[1] == [Used(1, Use.DONE)]


@pytest.mark.parametrize(
    "call",
    [
        tool("mcp__reverie__open", PORT, id="m1k"),
        tool("mcp__plugin_reverie_reverie__open", PORT, id="m1k"),
        tool("mcp__reverie__memory", PORT, action="get", id="m1k"),
        tool("Bash", PORT, command="cd api && reverie show m1k --json"),
        tool("Bash", PORT, command="/opt/bin/reverie why m1k"),
        tool("Bash", PORT, command="git status && reverie show m1k | head"),
        tool("Bash", PORT, command="reverie list; reverie show m1k"),
        tool("Bash", PORT, command="reverie --json show 'm1k'"),
        tool("Bash", PORT, command="timeout 9 reverie show m1k; reverie why m1k"),
    ],
)
def test_opening_a_memory_by_its_id_is_a_use_whether_it_was_told_or_not(call: Event) -> None:
    assert after(call, call)[1] == [Used(56, Use.OPENED)]


@pytest.mark.parametrize(
    "call",
    [
        tool("mcp__reverie__search", PORT, query="m1k"),
        tool("mcp__reverie__memory", PORT, action="forget", id="m1k"),
        tool("Bash", PORT, command="reverie forget m1k"),
        tool("Bash", PORT, command="reverie"),
        tool("Bash", PORT, command="echo 'reverie show m1k'; git log show m1k"),
        Event("claude", EventKind.TOOL_ERROR, "s", tool=Tool("mcp__reverie__open", {"id": "m1k"})),
    ],
)
def test_asking_for_anything_else_opens_nothing(call: Event) -> None:
    assert after(call)[1] == []


@pytest.mark.parametrize("words", ["env ", "a;", "reverie 'm1' "])
def test_a_line_of_any_length_is_looked_through_for_openings_at_the_cost_of_a_bounded_one(
    words: str,
) -> None:
    def seconds(count: int) -> float:
        call = Tool("Bash", {"command": words * count})
        before = process_time()
        for _ in range(20):
            sitting.is_own(call)
        return process_time() - before

    assert seconds(10_000) < 3 * seconds(2_000) + 0.05


def test_an_error_and_a_start_show_nothing() -> None:
    failed = Event("claude", EventKind.TOOL_ERROR, "s", tool=Tool("Bash", {"command": "p 5433"}))

    assert after(failed, Event("claude", EventKind.SESSION_START, "s"))[1] == []
    assert after(Event("claude", EventKind.TOOL, "s"))[1] == []


def test_agreement_confirms_once_what_was_cited_since_the_last_prompt() -> None:
    cited = Used(1, Use.CITED)
    confirmed = Used(1, Use.CONFIRMED)

    assert after(answer("5433"), prompt("yes exactly"))[1] == [cited, confirmed]
    assert after(answer("5433"), prompt("go on"), prompt("yes exactly"))[1] == [cited]
    known = replace(after(answer("5433"), prompt("exactly"))[0], cited=frozenset({1}))
    assert after(prompt("exactly"), begin=known)[1] == []


def test_a_session_that_is_taken_up_again_has_heard_what_it_had_heard() -> None:
    heard = [prompt("5433?"), tool("Read", "x")]
    known = sitting.resumed(Sitting(), [(event, NOW - 1) for event in heard])
    known = sitting.shown(known, {1: PORT}, NOW)

    assert after(answer("5433"), begin=known)[1] == []


def test_only_so_much_is_held() -> None:
    known = Sitting()
    for number in range(100):
        known = sitting.shown(known, {number: f"Port {5000 + number} it is"}, NOW)
        known, _ = sitting.happened(known, prompt(f"hello {number}"), NOW)

    assert (len(known.held), len(known.heard)) == (sitting.HELD, sitting.TEXTS)
    assert min(known.held) == 100 - sitting.HELD
