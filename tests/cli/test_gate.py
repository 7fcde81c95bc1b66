"""What a person sees in figures of the gate, its decisions, and of pages."""

from __future__ import annotations

import msgspec

from daemon.api.stats import Figures, Stats
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

FIGURES = Figures(
    memories=4, kinds={}, tiers={}, states={}, projects={}, ended={},
    actions={"CREATE": 3, "SUPERSEDE": 1}, contradictions=1, similarity=0.826,
    journal={}, vectors={}, bytes=0, days=30, exposures=0, uses=0,
)  # fmt: skip


def test_decisions_are_counted_with_their_shares(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Stats, FIGURES)
    said = run("stats").output

    assert "CREATE 3 (75 %), SUPERSEDE 1 (25 %)" in said
    assert "4 decisions, 1 contradiction, similarity 0.83 on the average" in said


def test_pages_are_told_with_their_characters_and_the_share_of_lines_that_was_opened(
    daemon: FakeDaemon, run: Run
) -> None:
    pages = {"starts": 12, "characters": 3100, "longest": 4088, "lines": 400, "opened": 8}
    daemon.reply(Stats, msgspec.structs.replace(FIGURES, pages=pages))
    said = " ".join(run("stats").output.split())

    assert "pages 12 starts, 3,100 characters on the average, 4,088 at most" in said
    assert "400 lines, 8 opened (2%)" in said
