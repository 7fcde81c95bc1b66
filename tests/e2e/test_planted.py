"""Planted structure among two hundred unrelated notes, dreamt of by the real daemon with the model.

The three rounds of ``tests.policy.dreams.planted_cases``. A dream tells three insights, the next one three
others.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from actors.policy.text.short_ids import short_id
from daemon.home import Home
from daemon.launch import own_command
from tests.patience import PATIENCE
from tests.policy.dreams.dream_cases import DAY, NOW, Case, filler
from tests.policy.dreams.planted_cases import ROUNDS

pytestmark = pytest.mark.real_model

DREAMS = 3  # of three insights: more than a round's structures


def insights(home: Home, cases: Sequence[Case]) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """What a dream notices, and of which case each memory is ("" for the filler)."""
    notes = [("", note) for note in filler()]
    notes += [(case.name, note) for case in cases for note in case.notes]
    rows = home.root / "rows.jsonl"
    rows.write_text(
        "\n".join(
            json.dumps(
                {
                    "key": str(number), "text": note.text, "type": note.kind,
                    "created_at": NOW - note.days * DAY, "project": note.project,
                }
            )
            for number, (_, note) in enumerate(notes)
        ),
        encoding="utf-8",
    )  # fmt: skip

    def run(*words: str) -> Any:
        done = subprocess.run(
            [*own_command(), *words], env={**os.environ, "REVERIE_HOME": str(home.root)},
            capture_output=True, text=True, check=True, timeout=PATIENCE,
        )  # fmt: skip
        return json.loads(done.stdout) if "--json" in words else None

    try:
        imported = run("import", str(rows), "--no-gate", "--json")
        assert imported["embedded"]["state"] == "ready"
        for _ in range(DREAMS):
            assert run("dream", "--now", "--json")["outcome"] == "finished"
        found: list[dict[str, Any]] = run("insights", "--json")["insights"]
    finally:
        run("down")
    return found, {short_id(n): name for n, (name, _) in enumerate(notes, start=1)}


@pytest.mark.slow
@pytest.mark.parametrize("cases", ROUNDS, ids=("first", "second", "third"))
def test_planted_structure_is_found_and_named_among_unrelated_notes(
    models: Path, home: Home, cases: Sequence[Case]
) -> None:
    home.models.parent.mkdir(parents=True, exist_ok=True)
    if home.models.exists():
        home.models.rmdir()
    home.models.symlink_to(models)
    found, case_of = insights(home, cases)
    told = {
        (name, insight["kind"])
        for insight in found
        for name in {case_of.get(source, "") for source in insight["sources"]} - {""}
    }
    filler_alone = [
        insight["text"] for insight in found if {case_of[one] for one in insight["sources"]} == {""}
    ]

    assert {(case.name, case.kind) for case in cases} - told == set()
    assert filler_alone == []
