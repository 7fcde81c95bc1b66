"""Other ways to put a query, switched on in the settings file of a real daemon.

By words alone: no test needs a model.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.daemon.conftest import Make
from tests.daemon.process import Daemon

NOTES = (
    "Login needs a second factor from the hardware key.",
    "The bakery oven is preheated at dawn.",
)


def started(make: Make, config: str) -> Daemon:
    """A daemon with this settings file that knows the notes."""
    one = make()
    one.home.config.write_text(config, encoding="utf-8")
    one.start()
    rows = [{"key": f"n{place}", "text": text} for place, text in enumerate(NOTES)]
    one.ask("import", rows=rows, gate=False)
    return one


def ask(daemon: Daemon, query: str, **more: Any) -> Any:
    return daemon.ask("recall", query=query, track=False, **more)


def keys(found: Any) -> list[str]:
    return [one["key"] for one in found["results"]]


def test_expansion_is_on_when_the_settings_file_says_so(make: Make) -> None:
    daemon = started(make, "[recall]\nwith = ['expansion']\n")

    found = ask(daemon, "authentication", explain=True)

    assert keys(found)[0] == "n0"
    assert found["said"] == ["searched also for login (for authentication)"]
    assert "expansion" in found["timings"]
    assert keys(ask(daemon, "authentication", without=["expansion"])) == []


def test_as_it_comes_a_query_is_asked_in_its_own_words(make: Make) -> None:
    found = ask(started(make, ""), "authentication", explain=True)

    assert (keys(found), found["said"]) == ([], [])


def test_a_short_question_is_routed_and_vectors_that_are_off_are_no_failure(make: Make) -> None:
    """A daemon of the tests has no model, because its settings say so."""
    daemon = started(make, "[recall]\nwith = ['routing', 'hyde']\n")

    found = ask(daemon, "hardware key")

    assert keys(found)[0] == "n0"
    assert found["said"] == ["a simple question: graph not asked"]
    assert found["degraded"] is None
    assert {one["channel"] for one in found["channels"]}.isdisjoint({"graph", "hyde", "vectors"})


@pytest.mark.parametrize("fusion", ["ranks", "relative", "by_intent"])
def test_another_way_of_fusing_answers_and_its_terms_give_the_score(
    make: Make, fusion: str
) -> None:
    daemon = started(make, f"[recall]\nwith = ['{fusion}']\n")

    found = ask(daemon, "login with the hardware key", explain=True)

    assert keys(found)[0] == "n0"
    assert bool(found["said"]) == (fusion == "by_intent")
    for one in found["results"]:
        score = 0.0
        for term in one["terms"]:
            score = score * term["times"] + term["plus"]
        assert min(score, 1.0) == one["score"]
