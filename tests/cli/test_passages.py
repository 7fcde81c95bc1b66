"""Passages on the command line: searched, and one shown whole."""

import json

import msgspec

from daemon.commands.terminal.scope import current_project
from daemon.requests.passages import (
    FindPassages,
    PassagesFound,
    PassageShown,
    PassageView,
    ShowPassage,
)
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

LINES = [f"line {number}" for number in range(9)]
PASSAGE = PassageView(
    id="p1a",
    kind="document",
    project="/p",
    place="docs/cache.md",
    session="s1",
    title="Cache › Why",
    text="\n".join(LINES),
    at=1_700_000_000.0,
    score=0.8,
)


def test_recall_passages_says_where_each_is_from(daemon: FakeDaemon, run: Run) -> None:
    of_a_turn = msgspec.structs.replace(PASSAGE, kind="turn", place="s1/4", text="one line")
    daemon.reply(FindPassages, PassagesFound(passages=[PASSAGE, of_a_turn], degraded=None))

    done = run("recall", "--passages", "why", "cache", "-k", "2")

    assert daemon.asked[-1] == FindPassages(query="why cache", k=2, project=current_project())
    assert "0.80  p1a  Cache › Why" in done.output
    assert "document, 2023-11-1" in done.output
    assert "docs/cache.md" in done.output
    assert "turn, 2023-11-1" in done.output
    assert "session s1" in done.output
    assert "(3 more lines: reverie show p1a)" in done.output


def test_recall_passages_prints_one_document(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(FindPassages, PassagesFound(passages=[PASSAGE], degraded="there is no model"))

    found = json.loads(run("recall", "--passages", "cache", "--all", "--json").output)

    assert found["degraded"] == "there is no model"
    assert found["passages"][0]["title"] == "Cache › Why"


def test_nothing_found_is_said(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(FindPassages, PassagesFound(passages=[], degraded=None))

    assert run("recall", "--passages", "cache").output == "no passage is about this\n"


def test_show_prints_a_passage_whole(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ShowPassage, PassageShown(passage=PASSAGE))

    done = run("show", "p1a")

    assert daemon.asked[-1] == ShowPassage(id="p1a")
    assert "\n".join(LINES) in done.output
    assert "docs/cache.md" in done.output
