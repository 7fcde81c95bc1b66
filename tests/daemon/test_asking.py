"""Other ways to put a query, switched on in the settings file of a real daemon.

By words alone: no test needs a model.
"""

from __future__ import annotations

from typing import Any

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
    assert found["said"] == ["searched also for auth, login, signin"]
    assert keys(ask(daemon, "authentication", without=["expansion"])) == []
