"""Patience of the tests: on a busy machine nothing is late that the product would call late.

Its deadlines are for people who wait. A test of what is said, and not within which time, gives
it minutes: the daemon by its settings, the hooks by a copy whose bounds are longer.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

PATIENCE: Final = 240.0
"""Seconds until a test gives up on anything; generous, because only a hang is to be caught."""

UNHURRIED: Final = {
    "REVERIE_EMBEDDING_ENABLED": "false",
    "REVERIE_INJECTION_DEADLINE": "120",
    "REVERIE_DAEMON_STOP_WITHIN": "60",
}
"""Settings of a daemon for tests: no model, and whoever asks, or asks it to end, has time."""

ROOT: Final = Path(__file__).resolve().parents[1]
HOOKS: Final = ROOT / "hooks"

# What bounds a hook: for the daemon's answer, and for the redaction of what it spools.
BOUNDS: Final = (
    ("delivery.py", "BUDGET = 0.110 ", "BUDGET = 120.0 "),
    ("hook.c", "#define BUDGET_MS 110 ", "#define BUDGET_MS 120000 "),
    ("spool.py", "LEAST_TIME = 0.030 ", "LEAST_TIME = 120.0 "),
)


def unhurried_hooks(folder: Path) -> Path:
    """A copy of the hooks below this folder, alike but for the ``BOUNDS``; where it lies.

    What the hooks look for beside themselves they find there: the policy and the interpreter.
    """
    copy = folder / "checkout" / "hooks"
    shutil.copytree(HOOKS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for beside in ("actors", ".venv"):
        (copy.parent / beside).symlink_to(ROOT / beside)
    for name, bound, longer in BOUNDS:
        text = (copy / name).read_text(encoding="utf-8")
        assert text.count(bound) == 1
        (copy / name).write_text(text.replace(bound, longer), encoding="utf-8")
    return copy
