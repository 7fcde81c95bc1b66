"""Print of ``dream`` when a dream went wrong; the rest is in ``transcripts/dreams.txt``."""

from __future__ import annotations

import msgspec

from daemon.api.dreams import (
    DreamNow,
    DreamReport,
    DreamView,
    ProposedView,
    ShowDream,
)
from daemon.shapes.replies import Problem
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

    assert "\nProposed\n  5  archive 3 memories (done): 3 memories say much the same" in output


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
