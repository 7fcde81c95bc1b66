"""What ``dream``, ``dreams`` and ``insights`` print, as text and as JSON (section I, I17)."""

from __future__ import annotations

import json

import msgspec
import pytest

from daemon.requests.dreams import (
    CancelDreaming,
    ConnectionView,
    DreamNow,
    DreamReport,
    DreamsPage,
    Dreamt,
    DreamView,
    InsightsPage,
    InsightView,
    ListDreams,
    ListInsights,
    ProposedView,
    ShowDream,
)
from daemon.requests.shapes import Done, Problem
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

DREAM = DreamView(
    id=3, why="a person", began_at=1_700_000_000.0, ended_at=1_700_000_004.0, outcome="finished",
    stage="transfer", memories=120,
    figures={
        "replay": {"replayed": 100, "patterns": 7, "by": "words"},
        "cross_reference": {"connections": 12, "semantic": 9, "causal_chain": 3},
        "strengthen": {"strengthened": 4},
        "prune": {"fade": 0.95},
        "transfer": {"insights": 1, "episodes": 2, "proposed": 1},
    },
)  # fmt: skip
INSIGHT = InsightView(
    id="m9", kind="contradiction", text="Two memories contradict each other.",
    sources=["m1", "m2"], titles=["one", "other"], confidence=0.8, novelty=0.6,
    evidence=["another amount"], ended=None, accepted=2, rejected=0, applied=0,
)  # fmt: skip
REPORT = DreamReport(
    dream=DREAM,
    insights=[INSIGHT],
    connections=[
        ConnectionView(
            one="m1", other="m2", one_title="the disk is full", other_title="the deploy fails",
            kind="causal_chain", strength=0.9, evidence="change then failure, 2.0 h apart",
        )
    ],
    proposed=[
        ProposedView(id=5, act="summarise", reason="3 memories say much the same", state="open",
                     memories=3)
    ],
)  # fmt: skip
QUIET = msgspec.structs.replace(
    REPORT,
    dream=msgspec.structs.replace(DREAM, figures={**DREAM.figures, "transfer": {"insights": 0}}),
    insights=[], connections=[], proposed=[],
)  # fmt: skip


def test_a_dream_is_told_with_what_was_replayed_connected_noticed_and_proposed(
    daemon: FakeDaemon, run: Run
) -> None:
    daemon.reply(DreamNow, Dreamt(dream=DREAM, outcome="finished"))
    daemon.reply(ShowDream, REPORT)
    done = run("dream", "--now")

    assert done.exit_code == 0
    assert "Dream 3 (finished, 4 s), for a person: 120 memories" in done.output
    assert "replayed 100, 7 things that several are about (by words" in done.output
    assert "connected 12 pairs: 9 semantic, 3 causal chain" in done.output
    assert "contradiction: Two memories contradict each other." in done.output
    assert "change then failure, 2.0 h apart" in done.output
    assert "5  sum up 3 memories (open): 3 memories say much the same" in done.output
    assert any(isinstance(one, DreamNow) and one.now for one in daemon.asked)


def test_a_dream_that_found_nothing_says_no_headings(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ShowDream, QUIET)
    done = run("dreams", "show", "3")

    assert not {"Noticed", "Connected", "Proposed"} & set(done.output.split())


@pytest.mark.parametrize(
    ("outcome", "note", "hint"),
    [("not_due", "too little is new", True), ("nothing", "there are too few memories", False)],
)
def test_no_dream_is_no_failure_and_says_why(
    daemon: FakeDaemon, run: Run, outcome: str, note: str, hint: bool
) -> None:
    daemon.reply(DreamNow, Dreamt(dream=None, outcome=outcome, note=note))
    done = run("dream")

    assert done.exit_code == 0
    assert done.output.startswith(f"no dream: {note}")
    assert ("reverie dream --now" in done.output) is hint


def test_cancelling_says_whether_there_was_anything_to_stop(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(CancelDreaming, Done(count=1))
    stopped = run("dream", "--cancel")
    daemon.reply(CancelDreaming, Done(count=0, note="nothing was being dreamt"))
    idle = run("dream", "--cancel")

    assert (stopped.exit_code, stopped.output) == (0, "the dream stops\n")
    assert (idle.exit_code, idle.output) == (0, "nothing was being dreamt\n")


def test_a_dream_that_somebody_else_dreams_is_a_failure_of_one_line(
    daemon: FakeDaemon, run: Run
) -> None:
    daemon.reply(DreamNow, Problem(code="conflict", message="see reverie dream --cancel"))
    done = run("dream", "--now")

    assert done.exit_code == 1
    assert done.output.count("\n") == 1
    assert "reverie dream --cancel" in done.output


@pytest.mark.parametrize(
    "words", [("dream", "--json"), ("dreams", "--json"), ("dreams", "show", "--json"),
              ("insights", "--json"), ("dream", "--cancel", "--json")],
)  # fmt: skip
def test_with_json_one_document_is_printed_and_nothing_else(
    daemon: FakeDaemon, run: Run, words: tuple[str, ...]
) -> None:
    daemon.reply(DreamNow, Dreamt(dream=DREAM, outcome="finished"))
    daemon.reply(ShowDream, REPORT)
    daemon.reply(ListDreams, DreamsPage(dreams=[DREAM]))
    daemon.reply(ListInsights, InsightsPage(insights=[INSIGHT]))
    daemon.reply(CancelDreaming, Done(count=1))
    done = run(*words)

    assert done.exit_code == 0
    assert isinstance(json.loads(done.output), dict)


def test_dreams_and_insights_are_listed(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ListDreams, DreamsPage(dreams=[DREAM]))
    daemon.reply(ListInsights, InsightsPage(insights=[INSIGHT]))
    listed, noticed = run("dreams"), run("insights")

    assert "120 memories" in listed.output
    assert "1 noticed" in listed.output
    assert "from m1, m2; confidence 0.8, found useful 2 times" in noticed.output


def test_an_empty_history_says_how_to_begin(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ListDreams, DreamsPage(dreams=[]))
    daemon.reply(ListInsights, InsightsPage(insights=[]))

    assert "reverie dream --now" in run("dreams").output
    assert run("insights").output == "nothing was noticed yet\n"


def test_of_what_was_noticed_again_the_report_says_that_it_is_nothing_new(
    daemon: FakeDaemon, run: Run
) -> None:
    figures = {**DREAM.figures, "transfer": {"insights": 3, "episodes": 0, "proposed": 0}}
    again = msgspec.structs.replace(DREAM, figures=figures)
    daemon.reply(ShowDream, msgspec.structs.replace(REPORT, dream=again))

    output = run("dreams", "show").output

    assert "Noticed (2 more are nothing new: 'reverie insights' shows what stands)" in output
