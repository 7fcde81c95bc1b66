"""How much an answer holds, over the socket of a real daemon."""

from __future__ import annotations

from typing import Any

import pytest

from tests.daemon.process import Daemon

LONG = "The blue whale database listens on port 5432. " + "It has a replica that lags. " * 40


@pytest.fixture
def known(shared: Daemon) -> Daemon:
    """The shared daemon with a long memory and a short one."""
    shared.ask("purge", everything=True, yes=True)
    shared.remember(LONG, title="Whale")
    shared.remember("The blue whale database is backed up at night.")
    return shared


def asked(daemon: Daemon, **more: Any) -> Any:
    return daemon.ask("recall", query="blue whale database", track=False, **more)


def test_what_does_not_fit_into_the_tokens_is_left_out_and_named(known: Daemon) -> None:
    whole, cut = asked(known), asked(known, tokens=100)
    (long,) = (one["id"] for one in whole["results"] if len(one["text"]) > 400)
    best, *others = whole["results"]

    assert whole["expandable"] == []
    assert cut["results"][0] == best  # never nothing
    assert [one["id"] for one in others] == cut["expandable"] == [long]
    assert asked(known, tokens=5_000)["results"] == whole["results"]
