"""``about``: what bears on a file, what was changed with it, and what an edit of it ended."""

from __future__ import annotations

from typing import Any

import msgspec

from daemon.commands.terminal.output import now
from daemon.requests.about import About, Bearing, CompanionView, EndedView
from daemon.requests.recall import Recalled
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

DAY = 86_400.0


def bearing(**more: Any) -> Bearing:
    found = Recalled(
        results=[], confidence=0.0, mode="none", degraded=None, timings={}, evidence={}
    )
    nothing = Bearing(project="/p", found=found, together=[], ended=[])
    return msgspec.structs.replace(nothing, **more)


def test_what_was_changed_together_and_ended_is_printed(daemon: FakeDaemon, run: Run) -> None:
    companion = CompanionView(
        path="src/tax.go", times=3, of=5, at=now() - DAY - 60, commit="1a2b3c4d5e6f", session="s1"
    )
    end = EndedView(
        family="make lint", signature="cart.go: it \x1b[31mis unchecked", paths=["src/cart.go"],
        repairs=["go mod tidy"], at=now() - DAY - 60, commit="", session="0123456789",
    )  # fmt: skip
    daemon.reply(About, bearing(together=[companion], ended=[end]))

    printed = run("about", "cart.go").output

    assert "src/tax.go (3 of 5 times; last commit 1a2b3c4d5, session s1, 1 day ago)" in printed
    assert "  make lint: cart.go: it " in printed
    assert "by src/cart.go, `go mod tidy` (session 01234567, 1 day ago)" in printed
    assert "\x1b" not in printed
    assert "nothing" not in printed


def test_of_a_file_that_nobody_met_it_says_so(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(About, bearing())

    assert run("about", "cart.go").output == "nothing that is known bears on this file\n"
