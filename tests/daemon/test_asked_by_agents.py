"""Requests that tools of agents make and nobody else does, asked of a real daemon."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.daemon.process import Daemon, Refusal, prompt


def test_an_agent_hears_in_one_answer_where_the_work_stands(shared: Daemon, tmp_path: Path) -> None:
    project = str(tmp_path)
    shared.hook(b"b" * 16, prompt("Please repair the importer of the depot", "s1", project))
    shared.hook(b"e" * 16, {"hook_event_name": "SessionEnd", "session_id": "s1", "cwd": project})
    shared.hook(b"c" * 16, prompt("Please go on with the importer", "s2", project))
    shared.settled()
    shared.ask("intend", text="Tell Ada", trigger={"file": "*.go"}, project=project)

    told = shared.ask("brief", session="s2", project=project, agent_in=project)

    assert told["this"]["session"]["task"] == "Please go on with the importer"
    assert told["before"]["session"]["task"] == "Please repair the importer of the depot"
    assert [one["text"] for one in told["intentions"]] == ["Tell Ada"]
    assert told["health"]["memories"] is not None


def test_phrases_are_matched_in_the_project_that_is_named(shared: Daemon) -> None:
    note = shared.remember(
        "The glass furnace needs six hours.", project="kiln", triggers=["glass furnace"]
    )

    def found(project: str) -> list[str]:
        text = "who heats the glass furnace?"
        return [one["id"] for one in shared.ask("match", text=text, project=project)["matches"]]

    assert set(found("kiln")) == {note}
    assert found("elsewhere") == []


def test_what_no_tool_asks_is_a_persons_to_ask(shared: Daemon) -> None:
    for kind, given in (
        ("stats", {}),
        ("unlink", {"link": "m1:caused:m2"}),
        ("erase", {"ids": ["m1"]}),
    ):
        with pytest.raises(Refusal, match=f"a person does that, not an agent: {kind}"):
            shared.ask(kind, **given, agent_in="/tea")
