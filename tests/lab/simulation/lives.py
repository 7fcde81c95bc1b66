"""Lives for tests: a script as Python objects, played in a home of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from daemon.home import Home
from daemon.settings import Settings, environment_name, load
from lab.simulation.clock import FollowingClock
from lab.simulation.player import Life, lived, projects_of
from lab.simulation.script import Script, read
from lab.simulation.world import Circumstances

BEGINS = 1_767_603_600.0  # 2026-01-05 09:00 UTC
DAY = 86_400.0


def played(folder: Path, *lines: dict[str, Any], seed: int = 0) -> Life:
    """What comes of these lines, by words alone."""
    script = read("life.jsonl", "\n".join(map(json.dumps, lines)))
    home = Home(folder / "home")
    home.prepare()
    given = Circumstances(
        home,
        chosen(home, script),
        FollowingClock(BEGINS),
        None,
        True,
        seed,
        projects_of(script.steps),
    )
    return lived(script, given, BEGINS)


def chosen(home: Home, script: Script) -> Settings:
    """The script's settings, the defaults for the rest."""
    return load(
        home, {environment_name(key): str(value) for key, value in script.settings.items()}
    ).settings


def whats(life: Life, what: str) -> list[dict[str, Any]]:
    """Everything of this kind that happened."""
    return [one for one in life.timeline if one["what"] == what]
