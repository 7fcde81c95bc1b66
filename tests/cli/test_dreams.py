"""Print of ``dream`` when a dream went wrong; the rest is in ``transcripts/dreams.txt``."""

from __future__ import annotations

import msgspec

from daemon.requests.dreams import (
    DreamNow,
    DreamReport,
    DreamsPage,
    DreamView,
    ListDreams,
    ProposedView,
    ShowDream,
)
from daemon.requests.shapes import Problem
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
REPORT = DreamReport(
    dream=DREAM,
    insights=[],
    connections=[],
    proposed=[
        ProposedView(id=5, act="archive", reason="3 memories say much the same", state="open",
                     memories=3)
    ],
)  # fmt: skip
QUIET = msgspec.structs.replace(
    REPORT,
    dream=msgspec.structs.replace(DREAM, figures={**DREAM.figures, "transfer": {"insights": 0}}),
    proposed=[],
)  # fmt: skip


def test_a_plan_that_was_done_is_told_as_done(daemon: FakeDaemon, run: Run) -> None:
    applied = msgspec.structs.replace(REPORT.proposed[0], state="applied")
    daemon.reply(ShowDream, msgspec.structs.replace(REPORT, proposed=[applied]))
    output = run("dream", "--past", "last").output

    assert "\nProposed\n  5  put away 3 memories (done): 3 memories say much the same" in output


def test_a_dream_that_found_nothing_says_no_headings(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ShowDream, QUIET)
    done = run("dream", "--past", "3")

    assert not {"Noticed", "Connected", "Proposed"} & set(done.output.split())


def test_a_dream_that_somebody_else_dreams_is_a_failure_of_one_line(
    daemon: FakeDaemon, run: Run
) -> None:
    daemon.reply(DreamNow, Problem(code="conflict", message="see reverie dream --cancel"))
    done = run("dream", "--now")

    assert done.exit_code == 1
    assert done.output.count("\n") == 1
    assert "reverie dream --cancel" in done.output


def test_what_a_dream_left_out_is_told_in_words_that_say_where_the_fault_stands(
    daemon: FakeDaemon, run: Run
) -> None:
    figures = {name: value for name, value in DREAM.figures.items() if name != "cross_reference"}
    figures |= {
        "tried": {"cross_reference": 2, "prune": 3, "strengthen": 4},
        "faults": {"cross_reference": 2, "prune": 1},
        "fault": {"cross_reference": "ZeroDivisionError", "prune": "ValueError"},
        "left_out": {"cross_reference": 1, "prune": 1, "strengthen": 1},
    }
    broken = msgspec.structs.replace(DREAM, figures=figures)
    daemon.reply(ShowDream, msgspec.structs.replace(REPORT, dream=broken))
    daemon.reply(ListDreams, DreamsPage(dreams=[broken]))

    shown = run("dream", "--past", "last").output
    listed = run("dream", "--past").output

    assert (
        "  connecting failed twice and was left out; the log names the fault (ZeroDivisionError)\n"
    ) in shown
    assert (
        "  letting go failed once and was cut off twice and was left out;"
        " the log names the fault (ValueError)\n"
    ) in shown
    assert (
        "  strengthening was cut off 4 times and was left out; each time the daemon ended in it\n"
    ) in shown
    assert "finished in part" in listed


def test_a_dream_whose_memories_could_not_be_read_says_that_nothing_was_dreamt(
    daemon: FakeDaemon, run: Run
) -> None:
    figures: dict[str, dict[str, object]] = {
        "tried": {"gather": 2}, "faults": {"gather": 2}, "fault": {"gather": "KeyError"},
    }  # fmt: skip
    failed = msgspec.structs.replace(DREAM, outcome="failed", stage="", figures=figures)
    daemon.reply(ShowDream, DreamReport(dream=failed, insights=[], connections=[], proposed=[]))

    output = run("dream", "--past", "last").output

    assert (
        "reading the memories failed twice, so nothing was dreamt;"
        " the log names the fault (KeyError)"
    ) in output
