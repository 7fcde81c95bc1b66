"""What agents made of what they were shown, asked of a real daemon."""

from __future__ import annotations

import pytest

from tests.daemon.process import Daemon, Refusal, prompt, wait_for


def test_what_a_prompt_was_given_and_nobody_used_counts_as_ignored(daemon: Daemon) -> None:
    memory = daemon.remember("the parser of the shop lives in lib/parse.c")
    given = daemon.hook(b"e" * 16, prompt("where does the parser of the shop live?"))
    assert b"lib/parse.c" in given

    wait_for(lambda: bool(daemon.ask("agents")["weeks"]), daemon.running)
    found = daemon.ask("agents")

    (week,) = found["weeks"]
    assert {name: week[name] for name in ("sessions", "shown", "cited", "used", "ignored")} == {
        "sessions": 1, "shown": 1, "cited": 0, "used": 0, "ignored": 1,
    }  # fmt: skip
    assert [(one["id"], one["sessions"]) for one in found["ignored"]] == [(memory, 1)]


@pytest.mark.parametrize("weeks", [0, 521])
def test_weeks_without_end_are_refused(shared: Daemon, weeks: int) -> None:
    with pytest.raises(Refusal, match="between 1 and 520"):
        shared.ask("agents", weeks=weeks)
