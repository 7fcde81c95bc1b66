"""What a person sees in figures of the store."""

from __future__ import annotations

from daemon.api.stats import Figures, Stats
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

FIGURES = Figures(
    memories=4, kinds={"fact": 4, "rule": 0}, states={}, projects={"": 3, "/shop": 1},
    ended={}, actions={"CREATE": 3, "SUPERSEDE": 1}, bytes=2_500_000,
    days=30, exposures=7, uses=2, shown=5, cited=1,
)  # fmt: skip


def test_what_there_is_is_counted_and_what_there_is_not_left_out(
    daemon: FakeDaemon, run: Run
) -> None:
    daemon.reply(Stats, FIGURES)

    lines = [" ".join(line.split()) for line in run("stats").output.splitlines()]

    assert lines == [
        "4 memories", "kinds fact 4", "lifecycle none", "projects everywhere 3, /shop 1", "ended none",
        "gate CREATE 3, SUPERSEDE 1", "database 2.5 MB",
        "last 30 days shown 7, used 2; to agents unasked 5, cited 1",
    ]  # fmt: skip
