"""What a dream noticed, as a person reads it."""

from __future__ import annotations

from daemon.api.dreams import Dreams, DreamsPage, DreamView, InsightsPage, InsightView, ListInsights
from daemon.commands.terminal.words import now
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

NOTICED = InsightView(
    id="m7", kind="contradiction", text="Two memories \x1b[31mcontradict", sources=["m5", "m6"],
    confidence=0.7, evidence=["changed value", "10 days apart"], ended=None, accepted=2,
    rejected=0, applied=0,
)  # fmt: skip
LINES = (
    "  m7  contradiction: Two memories \N{REPLACEMENT CHARACTER}[31mcontradict\n"
    "      from m5, m6; changed value; 10 days apart; found useful 2 times\n"
)


def test_a_dream_is_a_line_with_what_it_noticed_below(daemon: FakeDaemon, run: Run) -> None:
    figures = {
        "cross_reference": {"connections": 7}, "transfer": {"insights": 1, "proposed": 2},
    }  # fmt: skip
    dream = DreamView(
        id=3, why="a person", began_at=now(), ended_at=now(), outcome="finished",
        stage="transfer", memories=6, figures=figures, insights=[NOTICED],
    )  # fmt: skip
    daemon.reply(Dreams, DreamsPage(dreams=[dream]))

    done = run("dream", "--past")

    first, rest = done.stdout.split("\n", 1)
    assert first.split("  ")[2:] == [
        "finished", "6 memories", "7 connections", "1 noticed", "2 plans: reverie plans", "a person",
    ]  # fmt: skip
    assert rest == LINES
    assert daemon.asked[-1] == Dreams()


def test_insights_are_told_with_what_they_rest_on(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ListInsights, InsightsPage(insights=[NOTICED]))

    assert run("insights").stdout == LINES
