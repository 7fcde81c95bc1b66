"""``log --follow``: what happens, as a person and as a program reads it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from actors.memory.observatory import ObservationKind
from daemon.api.journal import Follow
from daemon.commands.local.log import WORDS
from daemon.shapes.replies import Problem
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

AT = 1_760_000_000.0


def event(number: int, type_: str, titles: dict[str, str] | None = None, **data: Any) -> Any:
    made = {"number": number, "at": AT, "type": type_, "data": data}
    return made if titles is None else made | {"titles": titles}


@pytest.fixture
def happening(daemon: FakeDaemon) -> FakeDaemon:
    """A daemon in which three things happen, after seven that came too fast; then it is gone."""

    def follow(_request: Any, say: Any) -> None:
        hostile = {"m1": "the \x1b[31mport"}
        say({"events": [event(8, "MemoryCreated", hostile, id="m1", rule=None)], "dropped": 7})
        searched = event(9, "SearchPerformed", {}, by="agent", found=0, known_in_session=2, id=None)
        say({"events": [searched, event(10, "Unheard", {}, one="m1")], "dropped": 0})

    daemon.answers[Follow] = follow
    return daemon


def test_a_person_reads_a_line_for_each_thing_and_how_many_were_left_out(
    happening: FakeDaemon, run: Run
) -> None:
    done = run("log", "--follow")

    assert done.exit_code == 1  # the daemon went away
    lines = [line.split("  ", 1)[1] for line in done.stdout.splitlines()]
    assert lines[0].split() == ["remembered", "m1", "the", "\N{REPLACEMENT CHARACTER}[31mport"]
    assert lines[1].split() == ["searched", "by", "agent", "found", "0", "known_in_session", "2"]
    assert lines[2].split() == ["Unheard", "m1"]
    assert done.stderr.startswith("7 events came too fast and were left out\n")
    assert "the daemon has stopped: nothing more happens" in done.stderr
    assert happening.asked[-1] == Follow(titles=True)


def test_a_program_reads_a_document_a_line(happening: FakeDaemon, run: Run) -> None:
    done = run("log", "--follow", "--json")

    assert [json.loads(line)["number"] for line in done.stdout.splitlines()] == [8, 9, 10]
    assert "left out" not in done.stdout
    assert happening.asked[-1] == Follow(titles=False)


@pytest.mark.parametrize(
    ("code", "said"), [("stopping", "the daemon has stopped"), ("crashed", "a part failed")]
)
def test_what_the_daemon_refuses_is_said(
    daemon: FakeDaemon, run: Run, code: str, said: str
) -> None:
    daemon.reply(Follow, Problem(code=code, message="a part failed"))

    done = run("log", "--follow")

    assert done.exit_code == 1
    assert said in done.stderr


def test_every_kind_has_its_word() -> None:
    assert set(WORDS) == {kind.value for kind in ObservationKind}
