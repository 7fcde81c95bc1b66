"""Claims and time on the command line, with the real daemon."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.conftest import Program, document

DAY = 86_400.0


def kept(program: Program, *arguments: str) -> str:
    return str(document(program("remember", *arguments, "--json"))["id"])


def found(program: Program, *arguments: str) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = document(program("recall", *arguments, "--json"))["results"]
    return results


def shown(program: Program, memory: str) -> dict[str, Any]:
    view: dict[str, Any] = document(program("show", memory, "--json"))["memory"]
    return view


def test_the_current_value_comes_first_and_as_of_gives_the_former(
    program: Program, tmp_path: Path
) -> None:
    rows = [
        {"text": "The current database is MySQL 8.", "created_at": "2026-01-05"},
        {"text": "The current database is Postgres 16.", "created_at": "2026-03-05"},
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows))
    assert program("import", str(file), "--replace").returncode == 0
    now = found(program, "what is the current database")
    then = found(program, "what is the current database", "--as-of", "2026-02-01")
    said = found(program, "what was the current database as of 2026-02-01")
    told = program("recall", "the current database", "--as-of", "2026-02-01").stdout
    why = program("why", then[0]["id"]).stdout

    assert [one["text"] for one in now] == [rows[1]["text"]]
    assert [one["text"] for one in then] == [row["text"] for row in rows]
    assert [one["id"] for one in said] == [one["id"] for one in then]
    assert [(one["valid"], one["ended"]) for one in then] == [(True, "deprecated"), (False, None)]
    assert "replaced since, true until 2026-03-05" in told
    assert f"{now[0]['id']} took its place as the current “database”" in why


def test_a_hypothesis_is_shown_as_one_until_it_is_decided(program: Program) -> None:
    guess = kept(program, "the deploy hangs because of nginx", "--hypothesis")
    listed = program("list", "--status", "hypothesis").stdout
    told = program("recall", "why does the deploy hang").stdout
    prompt = program("recall", "why does the deploy hang with nginx", "--as-prompt").stdout
    refuted = program("refute", guess, "--because", "nginx was innocent: key AKIAIOSFODNN7EXAMPLE")
    gone = found(program, "why does the deploy hang")
    over = document(program("list", "--status", "refuted", "--json"))["memories"]
    why = program("why", guess).stdout

    assert "unconfirmed" in listed
    assert "unconfirmed" in told
    assert "unconfirmed" in prompt
    assert refuted.stdout == "refuted 1 memory (undo with reverie confirm)\n"
    assert gone == []
    assert [one["id"] for one in over] == [guess]
    assert "It was refuted today: nginx was innocent" in why
    assert "AKIAIOSFODNN7EXAMPLE" not in why


def test_a_refuted_one_comes_back_when_it_is_confirmed(program: Program) -> None:
    guess = kept(program, "the deploy hangs because of nginx", "--hypothesis")
    program("refute", guess)
    not_this_way = program("unforget", guess).stdout
    confirmed = program("confirm", guess).stdout
    again = program("confirm", guess).stdout
    view = shown(program, guess)

    assert "reverie confirm brings it back" in not_this_way
    assert confirmed == "confirmed 1 memory\n"
    assert "is confirmed already" in again
    assert (view["status"], view["ended"]) == ("confirmed", None)
    assert [one["id"] for one in found(program, "why does the deploy hang")] == [guess]


def test_what_ended_otherwise_is_neither_confirmed_nor_refuted(program: Program) -> None:
    plain = kept(program, "the parser lives in lib/parse.c")
    program("forget", plain)

    assert "reverie unforget brings it back" in program("confirm", plain).stdout
    assert "reverie unforget brings it back" in program("refute", plain).stdout
    assert program("confirm", "mzzzz").returncode == 1


def test_what_is_over_is_ranked_last_marked_and_in_no_prompt(program: Program) -> None:
    over = kept(program, "the coffee machine is broken", "--valid-until", "2026-01-01")
    kept(program, "the coffee is on the second floor")
    results = found(program, "is the coffee machine broken")

    assert results[-1]["id"] == over
    assert not results[-1]["valid"]
    assert "true only until 2026-01-01" in program("recall", "coffee machine").stdout
    assert "broken" not in program("recall", "coffee machine broken", "--as-prompt").stdout
    assert "until 2026-01-01: over" in program("show", over).stdout


def test_what_ends_soon_is_listed_the_soonest_first(program: Program) -> None:
    state = kept(program, "the release branch is frozen", "--type", "state")
    temporary = kept(program, "lunch is at noon this week", "--tier", "temporary")
    kept(program, "the parser lives in lib/parse.c")
    soon = document(program("list", "--expiring", "--json"))
    later = document(program("list", "--expiring", "40", "--json"))

    assert [one["id"] for one in soon["memories"]] == [temporary]
    assert [one["id"] for one in later["memories"]] == [temporary, state]
    assert later["total"] == 2
    assert program("list", "--expiring", "0").returncode == 1


def test_a_time_that_is_none_is_refused_in_one_line(program: Program) -> None:
    wrong = program("remember", "the port is 80", "--valid-until", "soon")
    never = program(
        "remember", "the port is 80", "--valid-from", "2026-03-01", "--valid-until", "2026-01-01"
    )
    asked = program("recall", "the port", "--as-of", "then")

    assert "valid_until 'soon' is no ISO 8601 date" in wrong.stderr
    assert "never be true" in never.stderr
    assert "as_of 'then' is no ISO 8601 date" in asked.stderr
    assert {wrong.returncode, never.returncode, asked.returncode} == {1}


def test_claims_survive_an_export_and_an_import(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    kept(program, "perhaps the deploy hangs because of nginx", "--hypothesis")
    kept(program, "the coffee is free", "--valid-from", "2026-01-01", "--valid-until", "2027-01-01")
    kept(program, "the parser lives in lib/parse.c")
    assert program("export", str(file)).returncode == 0
    before = [json.loads(line) for line in file.read_text().splitlines()]
    assert program("purge", "--everything", "--yes").returncode == 0
    assert program("import", str(file), "--replace").returncode == 0
    assert program("export", str(file)).returncode == 0
    after = [json.loads(line) for line in file.read_text().splitlines()]

    assert before == after
    assert before[0]["status"] == "hypothesis"
    assert before[1]["valid_until"] - before[1]["valid_from"] == 365 * DAY
    assert {"status", "valid_from", "valid_until"}.isdisjoint(before[2])
