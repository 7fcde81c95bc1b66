"""What `recall --explain` says gives every score again, through the real daemon."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daemon.home import Home
from tests.daemon.process import Daemon

WORDS = (
    "harbour", "lantern", "parser", "gull", "cache", "tides", "pilot", "ferry", "anchor", "buoy",
    "what", "the", "last", "week", "yesterday", "lib/parse.c", "`net_fetch`", "red", "harvest",
)  # fmt: skip
PROJECT = "/p"


def keep(daemon: Daemon) -> None:
    """A store with something for each channel and stage."""
    for number, text in enumerate(
        (
            "the harbour pilot lights the lantern before the ferry leaves",
            "lib/parse.c holds the parser and its cache",
            "originally the cache was kept in the lantern",
            "gulls sleep on the buoy beside the anchor",
            "tides decide when the ferry may enter the harbour",
            "net_fetch asks the cache first and the harbour second",
        )
    ):
        daemon.remember(text, project=PROJECT, triggers=["red harvest"] if number == 3 else [])
    rows = [{"text": f"ferry {n} met gull {n * 7} near buoy {n % 5}"} for n in range(90)]
    daemon.ask("import", rows=rows, gate=False)
    daemon.remember("never sail in a storm", tier="constitutional")
    lowered = daemon.remember("the anchor of the ferry is red", project=PROJECT)
    daemon.ask("suppress", id=lowered)
    old = daemon.remember("the current pilot is Ada", project=PROJECT)
    daemon.remember("the current pilot is Grace", project=PROJECT, supersede=old)


@pytest.fixture(scope="module", params=["words by choice", "degraded"])
def daemon(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Daemon]:
    """A daemon with memories; without a model by choice, or because it is not there."""
    home = Home(Path(tmp_path_factory.mktemp("home")))
    home.prepare()
    environ = {"REVERIE_EMBEDDING_ENABLED": "true", "REVERIE_EMBEDDING_MODEL": "/no/such.gguf"}
    running = Daemon(home, environ if request.param == "degraded" else {}).start()
    try:
        keep(running)
        yield running
    finally:
        running.end()


def recomputed(scored: dict[str, Any]) -> float:
    """The score by the terms that are told with it."""
    score = 0.0
    for term in scored["terms"]:
        score = score * term["times"] + term["plus"]
    return min(score, 1.0)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6),
    st.sampled_from([1, 2, 10, 120]),
)
def test_the_terms_of_every_result_give_its_score_again(
    daemon: Daemon, words: list[str], k: int
) -> None:
    found = daemon.ask(
        "recall", query=" ".join(words), k=k, project=PROJECT, explain=True,
        track=False,
    )  # fmt: skip

    for scored in found["results"]:
        assert scored["terms"], scored["why"]
        assert scored["score"] == recomputed(scored), scored["why"]
    if len(found["results"]) > 1:
        assert found["results"][0]["text"] == "never sail in a storm"


def test_a_missing_model_is_said_in_every_reply_and_a_switch_is_none(daemon: Daemon) -> None:
    plain = daemon.ask("recall", query="ferry", project=PROJECT, track=False)
    explained = daemon.ask("recall", query="ferry", project=PROJECT, track=False, explain=True)
    missing = "REVERIE_EMBEDDING_MODEL" in daemon.environ

    assert plain["mode"] == "words"
    assert plain["degraded"] == explained["degraded"]
    if not missing:
        assert plain["degraded"] is None
        return
    told = plain["degraded"]
    assert told["failure_mode"] == "vectors unavailable"
    assert "/no/such.gguf" in told["line"]


def test_every_reply_carries_its_evidence(daemon: Daemon) -> None:
    something = daemon.ask("recall", query="harbour lantern", project=PROJECT, track=False)
    nothing = daemon.ask("recall", query="zyzzyva", project="/elsewhere", track=False, k=1)

    assert set(something["evidence"]) == {"gap", "reason", "z"}
    assert something["evidence"]["gap"] is False
    assert something["results"]
    assert nothing["evidence"]["gap"] is True
    assert nothing["evidence"]["reason"] == "nothing found"
    assert nothing["confidence"] == 0.0
