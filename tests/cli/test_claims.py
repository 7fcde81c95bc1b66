"""Claims and time on the command line, with the real daemon."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Program, document

DAY = 86_400.0


def kept(command: Program, *arguments: str) -> str:
    return str(document(command("remember", *arguments, "--json"))["id"])


def test_claims_survive_an_export_and_an_import(command: Program, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    kept(command, "perhaps the deploy hangs because of nginx", "--hypothesis")
    kept(command, "the coffee is free", "--valid-from", "2026-01-01", "--valid-until", "2027-01-01")
    kept(command, "the parser lives in lib/parse.c")
    assert command("export", str(file)).returncode == 0
    before = [json.loads(line) for line in file.read_text().splitlines()]
    assert command("purge", "--everything", "--yes").returncode == 0
    assert command("import", str(file), "--replace").returncode == 0
    assert command("export", str(file)).returncode == 0
    after = [json.loads(line) for line in file.read_text().splitlines()]

    assert before == after
    assert before[0]["status"] == "hypothesis"
    assert before[1]["valid_until"] - before[1]["valid_from"] == 365 * DAY
    assert {"status", "valid_from", "valid_until"}.isdisjoint(before[2])
