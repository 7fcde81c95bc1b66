"""Requests that tools of agents make and nobody else does, asked of a real daemon."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from daemon.api.backup import BackupNow
from daemon.asking import Refused
from daemon.client import open_client
from tests.daemon.process import Daemon, Refusal, prompt
from tests.patience import PATIENCE


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
        ("health", {}),
        ("pin", {"ids": ["m1"]}),
        ("erase", {"ids": ["m1"]}),
        ("purge", {"everything": True}),
        ("unforget", {"ids": ["m1"]}),
        ("take-back", {"folder": "/tea"}),
        ("share-trust", {"yes": True}),
        ("reader-use", {"engine": "claude"}),
    ):
        with pytest.raises(Refusal, match=f"a person does that, not an agent: {kind}"):
            shared.ask(kind, **given, agent_in="/tea")


def test_an_agent_takes_no_change_back_and_sets_no_tier(shared: Daemon) -> None:
    note = shared.remember("The samovar holds five litres.", project="/tea", source="agent")
    for given in ({"undo": True}, {"tier": "constitutional"}, {"text": "Six.", "tier": "critical"}):
        with pytest.raises(Refusal, match="an agent corrects a text alone"):
            shared.ask("edit", id=note, **given, agent_in="/tea")


def test_an_agent_keeps_ten_backups_of_its_own_and_deletes_no_other(daemon: Daemon) -> None:
    daemon.remember("The kettle boils at ninety.", project="/tea")
    kept(daemon, "mine")
    kept(daemon, "one", agent_in="/tea")

    told = daemon.ask("backups", agent_in="/tea")
    with pytest.raises(Refusal, match="there is no backup 'agent-mine'"):
        daemon.ask("delete-backup", name="mine", agent_in="/tea")
    with pytest.raises(Refused, match="there is a backup 'agent-one'"):
        kept(daemon, "one", agent_in="/tea")
    with pytest.raises(Refused, match="the name of a backup"):
        kept(daemon, "../one", agent_in="/tea")
    for number in range(9):
        (daemon.home.backups / f"backup-20250101T000000Z-agent-{number}.db").touch()
    full = daemon.ask("backups", limit=1)
    with pytest.raises(Refused, match="10 backups at most"):
        kept(daemon, "two", agent_in="/tea")
    gone = daemon.ask("delete-backup", name="one", agent_in="/tea")

    assert {one["name"]: one["restore"] for one in told["backups"]} == {
        "mine": "reverie backup restore mine",
        "agent-one": "reverie backup restore agent-one",
    }
    assert (len(full["backups"]), full["total"]) == (1, 11)
    assert gone["count"] == 1


def kept(daemon: Daemon, name: str, **more: Any) -> None:
    """Make a backup, and wait for it."""

    async def made() -> None:
        async with open_client(daemon.home) as client:
            await client.ask(BackupNow(name=name, **more), within=PATIENCE)

    anyio.run(made)
