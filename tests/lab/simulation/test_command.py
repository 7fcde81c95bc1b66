"""The command: what it prints, its exit codes, that it repeats itself and touches nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from click.testing import CliRunner

from daemon import cli
from daemon.launch import own_command
from lab.simulation.expecting import CHECKS
from lab.simulation.script import FORMS

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"
LIFE = (EXAMPLES / "correction.jsonl").read_text(encoding="utf-8")


Done = subprocess.CompletedProcess[str]
Ran = Callable[..., Done]


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Ran]:
    """Run ``reverie simulate`` in this process; the home of one's own must stay empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REVERIE_HOME", str(tmp_path / "own"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TZ", "UTC")  # the command sets it

    def simulate(script: str, *options: str) -> Done:
        Path("life.jsonl").write_text(script, encoding="utf-8")
        with CliRunner().isolation() as (out, err, _):
            code = cli.run(["simulate", "life.jsonl", *options])
            sys.stderr.flush()
        return Done(options, code, out.getvalue().decode(), err.getvalue().decode())

    yield simulate
    monkeypatch.undo()
    time.tzset()


def in_a_process(folder: Path, seed: str, zone: str) -> Done:
    (folder / "life.jsonl").write_text(LIFE, encoding="utf-8")
    return subprocess.run(
        [*own_command(), "simulate", "life.jsonl", "--json"],
        cwd=folder,
        env=os.environ | {"REVERIE_HOME": str(folder / "own"), "PYTHONHASHSEED": seed, "TZ": zone},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_same_script_gives_the_same_bytes(tmp_path: Path) -> None:
    """Whatever order a process gives its sets, whatever zone the machine is in."""
    first = in_a_process(tmp_path, "1", "Asia/Tokyo")
    second = in_a_process(tmp_path, "2", "America/Lima")

    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert not (tmp_path / "own").exists()


def test_json_is_one_document_and_nothing_else(ran: Ran) -> None:
    done = ran(LIFE, "--json", "--words")
    life = json.loads(done.stdout)

    assert done.stderr == ""
    assert set(life) == {"begins", "ends", "vectors", "timeline", "memories", "failed"}
    assert all({"at", "what", "time"} <= set(one) for one in life["timeline"])
    times = [one["at"] for one in life["timeline"] if one["what"] != "state"]
    assert times == sorted(times)


def test_the_moment_it_begins_is_an_option(ran: Ran) -> None:
    done = ran('{"say": "hello"}', "--words", "--begins", "2030-05-01T12:00")

    assert done.stdout.startswith("begins 2030-05-01 12:00:00 UTC")


def test_what_was_not_as_expected_is_said_and_the_exit_code_is_one(ran: Ran) -> None:
    done = ran('{"remember": "a fact"}\n{"expect": {"memories": 2}}', "--quiet")

    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == "life.jsonl:2: 1 memories live, not 2\n"


def test_a_wrong_line_is_one_line_on_standard_error_and_the_exit_code_is_two(ran: Ran) -> None:
    done = ran('{"say": "a"}\n\n{"promt": "hello"}')

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("reverie: life.jsonl:3: 'promt' is nothing that happens")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("begins", ["soon", "2026-13-01"])
def test_a_beginning_that_is_no_date_is_refused(ran: Ran, begins: str) -> None:
    done = ran('{"say": "a"}', "--begins", begins)

    assert done.returncode == 2
    assert "is no date" in done.stderr


def test_a_kept_home_goes_on_where_it_ended(ran: Ran) -> None:
    first = ran('{"remember": "The key lies in the vault"}\n{"sleep": "2d"}',
                "--home", "kept", "--words")  # fmt: skip
    second = ran('{"recall": "key vault"}\n{"expect": {"contains": "vault"}}',
                 "--home", "kept", "--words")  # fmt: skip
    past = ran('{"say": "a"}', "--home", "kept", "--begins", "2026-01-05T10:00")

    assert (first.returncode, second.returncode) == (0, 0), second.stderr
    assert second.stdout.startswith("begins 2026-01-07 09:00:0")
    assert past.returncode == 2
    assert "has lived until" in past.stderr


def test_a_home_that_no_simulation_made_is_left_alone(ran: Ran, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "reverie.db").write_text("precious", encoding="utf-8")
    other = ran('{"say": "a"}', "--home", "mine")
    own = ran('{"say": "a"}', "--home", "own")

    assert (other.returncode, own.returncode) == (2, 2)
    assert "holds something that no simulation put there" in other.stderr
    assert "your own memories" in own.stderr
    assert (tmp_path / "mine" / "reverie.db").read_text(encoding="utf-8") == "precious"


@pytest.mark.slow
@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_example_is_as_it_expects(ran: Ran, example: Path) -> None:
    done = ran(example.read_text(encoding="utf-8"), "--words", "--quiet")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_documentation_shows_every_example_as_it_is(example: Path) -> None:
    page = (EXAMPLES.parent / "simulate.md").read_text(encoding="utf-8")

    assert example.read_text(encoding="utf-8") in page


def test_the_documentation_shows_what_is_printed(ran: Ran) -> None:
    """The shortest example; when this fails, its block in docs/simulate.md is to be renewed."""
    page = (EXAMPLES.parent / "simulate.md").read_text(encoding="utf-8")
    done = ran((EXAMPLES / "killed.jsonl").read_text(encoding="utf-8"), "--words")

    assert done.stdout in page


def test_the_documentation_names_every_verb_and_every_expectation() -> None:
    page = (EXAMPLES.parent / "simulate.md").read_text(encoding="utf-8")

    assert [verb for verb in FORMS if f'{{"{verb}"' not in page] == []
    assert [name for name in CHECKS if f"`{name}`" not in page] == []
