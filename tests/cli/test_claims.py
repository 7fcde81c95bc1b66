"""Claims and time on the command line, with the real daemon."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.conftest import Program, document

DAY = 86_400.0


def kept(command: Program, *arguments: str) -> str:
    return str(document(command("remember", *arguments, "--json"))["id"])


def found(command: Program, *arguments: str) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = document(command("recall", *arguments, "--json"))["results"]
    return results


def shown(command: Program, memory: str) -> dict[str, Any]:
    view: dict[str, Any] = document(command("show", memory, "--json"))["memory"]
    return view


def test_the_current_value_comes_first_and_as_of_gives_the_former(
    command: Program, tmp_path: Path
) -> None:
    rows = [
        {"text": "The current database is MySQL 8.", "created_at": "2026-01-05"},
        {"text": "The current database is Postgres 16.", "created_at": "2026-03-05"},
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows))
    assert command("import", str(file), "--replace").returncode == 0
    now = found(command, "what is the current database")
    then = found(command, "what is the current database", "--as-of", "2026-02-01")
    said = found(command, "what was the current database as of 2026-02-01")
    told = command("recall", "the current database", "--as-of", "2026-02-01").stdout
    why = command("why", then[0]["id"]).stdout

    assert [one["text"] for one in now] == [rows[1]["text"]]
    assert [one["text"] for one in then] == [row["text"] for row in rows]
    assert [one["id"] for one in said] == [one["id"] for one in then]
    assert [(one["valid"], one["ended"]) for one in then] == [(True, "deprecated"), (False, None)]
    assert "replaced since, true until 2026-03-05" in told
    assert f"{now[0]['id']} took its place as the current “database”" in why


def test_a_hypothesis_is_shown_as_one_until_it_is_decided(command: Program) -> None:
    guess = kept(command, "the deploy hangs because of nginx", "--hypothesis")
    listed = command("list", "--status", "hypothesis").stdout
    told = command("recall", "why does the deploy hang").stdout
    prompt = command("recall", "why does the deploy hang with nginx", "--as-prompt").stdout
    refuted = command("refute", guess, "--because", "nginx was innocent: key AKIAIOSFODNN7EXAMPLE")
    gone = found(command, "why does the deploy hang")
    over = document(command("list", "--status", "refuted", "--json"))["memories"]
    why = command("why", guess).stdout

    assert "unconfirmed" in listed
    assert "unconfirmed" in told
    assert "unconfirmed" in prompt
    assert refuted.stdout == "refuted 1 memory (undo with reverie confirm)\n"
    assert gone == []
    assert [one["id"] for one in over] == [guess]
    assert "It was refuted today: nginx was innocent" in why
    assert "AKIAIOSFODNN7EXAMPLE" not in why


def test_a_refuted_one_comes_back_when_it_is_confirmed(command: Program) -> None:
    guess = kept(command, "the deploy hangs because of nginx", "--hypothesis")
    command("refute", guess)
    not_this_way = command("unforget", guess).stdout
    confirmed = command("confirm", guess).stdout
    again = command("confirm", guess).stdout
    view = shown(command, guess)

    assert "reverie confirm brings it back" in not_this_way
    assert confirmed == "confirmed 1 memory\n"
    assert "is confirmed already" in again
    assert (view["status"], view["ended"]) == ("confirmed", None)
    assert [one["id"] for one in found(command, "why does the deploy hang")] == [guess]


def test_what_ended_otherwise_is_neither_confirmed_nor_refuted(command: Program) -> None:
    plain = kept(command, "the parser lives in lib/parse.c")
    command("forget", plain)

    assert "reverie unforget brings it back" in command("confirm", plain).stdout
    assert "reverie unforget brings it back" in command("refute", plain).stdout
    assert command("confirm", "mzzzz").returncode == 1


def test_what_is_over_is_ranked_last_marked_and_in_no_prompt(command: Program) -> None:
    over = kept(command, "the coffee machine is broken", "--valid-until", "2026-01-01")
    kept(command, "the coffee is on the second floor")
    results = found(command, "is the coffee machine broken")

    assert results[-1]["id"] == over
    assert not results[-1]["valid"]
    assert "true only until 2026-01-01" in command("recall", "coffee machine").stdout
    prompt = command("recall", "coffee machine broken", "--as-prompt").stdout.splitlines()
    assert prompt[0] == "an agent would be told nothing"
    assert "not true at this time" in prompt[1]
    assert "until 2026-01-01: over" in command("show", over).stdout


def test_what_ends_soon_is_listed_the_soonest_first(command: Program) -> None:
    state = kept(command, "the release branch is frozen", "--type", "state")
    temporary = kept(command, "lunch is at noon this week", "--tier", "temporary")
    kept(command, "the parser lives in lib/parse.c")
    soon = document(command("list", "--expiring", "--json"))
    later = document(command("list", "--expiring", "40", "--json"))

    assert [one["id"] for one in soon["memories"]] == [temporary]
    assert [one["id"] for one in later["memories"]] == [temporary, state]
    assert later["total"] == 2
    assert command("list", "--expiring", "0").returncode == 1


def test_a_time_that_is_none_is_refused_in_one_line(command: Program) -> None:
    wrong = command("remember", "the port is 80", "--valid-until", "soon")
    never = command(
        "remember", "the port is 80", "--valid-from", "2026-03-01", "--valid-until", "2026-01-01"
    )
    asked = command("recall", "the port", "--as-of", "then")

    assert "valid_until 'soon' is no ISO 8601 date" in wrong.stderr
    assert "never be true" in never.stderr
    assert "as_of 'then' is no ISO 8601 date" in asked.stderr
    assert {wrong.returncode, never.returncode, asked.returncode} == {1}


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
