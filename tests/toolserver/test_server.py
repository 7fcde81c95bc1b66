"""The tool server as an agent has it: a process, the SDK's own client, and a real daemon."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from daemon.home import Home
from daemon.launch import own_command, stop_daemon
from tests.daemon.process import Daemon
from tests.holders import holders
from tests.patience import PATIENCE
from tests.toolserver.conftest import Agent, done, refused

QUEUE = "The order events go through Redis Streams, because Kafka was too heavy for three services."
LATER = "The order events go through NATS, because Redis lost messages on failover."


def test_a_note_is_kept_found_opened_replaced_and_corrected(agent: Agent) -> None:
    """By the program, as an agent starts it: the other tests fork a warm one."""
    agent.words = [*own_command(), "mcp"]

    async def talk(client: Client) -> tuple[dict[str, Any], ...]:
        first = await done(client, "remember", kind="decision", text=QUEUE)
        again = await done(client, "remember", kind="decision", text=QUEUE)
        found = await done(client, "search", query="where do the order events go")
        then = await done(client, "remember", kind="decision", text=LATER, replaces=first["id"])
        await done(client, "correct", id=then["id"], text=LATER.replace("NATS", "NATS JetStream"))
        before = await done(client, "open", id=first["id"])
        return first, again, found, before, await done(client, "open", id=then["id"])

    first, again, found, before, after = agent.run(talk)

    assert (first["done"], again["done"], again["id"]) == ("new", "known", first["id"])
    (note,) = found["notes"]
    assert (note["text"], note["origin"], note["sure"]) == (QUEUE, "noted by an agent", "noticed")
    assert (before["note"]["holds"], before["replaced_by"]) == ("deprecated", after["note"]["id"])
    assert "NATS JetStream" in after["note"]["text"]
    assert after["versions"] == 2


def effects(tool: Any) -> str:
    """Annotations of a tool in words."""
    said = tool.annotations
    assert said.open_world_hint is False
    if said.read_only_hint:
        return "reads"
    told = {"destroys": said.destructive_hint, "repeats": said.idempotent_hint}
    return ", ".join(word for word, holds in told.items() if holds)


def test_each_tool_says_what_it_takes_gives_and_does(agent: Agent) -> None:
    async def talk(client: Client) -> list[Any]:
        return list((await client.list_tools()).tools)

    tools = {tool.name: tool for tool in agent.run(talk)}

    assert {name: effects(tool) for name, tool in tools.items()} == {
        "search": "reads", "open": "reads", "session": "reads",
        "remember": "repeats", "link": "repeats", "intend": "",
        "correct": "destroys", "forget": "destroys, repeats",
    }  # fmt: skip
    assert len(tools) <= 8
    for tool in tools.values():
        assert (tool.input_schema["type"], tool.output_schema["type"]) == ("object", "object")
        # A client that turns words of a command line into values reads the type of each where it is.
        assert "$ref" not in str(tool.input_schema)
        assert len(tool.description) < 400
        assert not {"always", "must", "every"} & set(tool.description.lower().split())


def test_who_reads_the_instructions_knows_when_to_write_and_when_not(agent: Agent) -> None:
    async def talk(client: Client) -> str:
        return client.instructions or ""

    said = agent.run(talk)

    assert "at most five" in said
    assert "none when nothing was settled" in said
    assert len(said) < 400


@pytest.mark.slow
def test_a_search_in_few_tokens_names_what_did_not_fit(agent: Agent) -> None:
    async def talk(client: Client) -> tuple[list[str], dict[str, Any]]:
        for number in range(4):
            text = (
                f"Drain {number} of the harbour is cleaned on day {number}, because "
                + "it silts up, and " * 40
            )
            await done(client, "remember", kind="fact", text=text)
        asked = {"query": "which drain of the harbour is cleaned", "limit": 4}
        whole = await done(client, "search", **asked, max_tokens=5_000)
        return [one["id"] for one in whole["notes"]], await done(
            client, "search", **asked, max_tokens=300
        )

    ids, found = agent.run(talk)

    assert len(ids) == 4
    assert [*(one["id"] for one in found["notes"]), *found["more"]] == ids
    assert found["more"]


@pytest.mark.slow
def test_four_agents_at_once_keep_one_memory_of_what_all_say_and_each_its_own(
    agent: Agent, daemon: Daemon
) -> None:
    def note(number: int) -> str:
        return f"Worker {number} of the mailer starts last, because it warms the template cache."

    async def one(number: int) -> None:
        async def talk(client: Client) -> None:
            async with anyio.create_task_group() as calls:
                for text in (QUEUE, note(number)):
                    calls.start_soon(partial(done, client, "remember", kind="cause", text=text))

        await agent.talking(talk)

    async def all_four() -> None:
        async with anyio.create_task_group() as agents:
            for number in range(4):
                agents.start_soon(one, number)

    anyio.run(all_four)

    kept = [one["text"] for one in daemon.ask("list", project=str(agent.folder))["memories"]]
    assert sorted(kept) == sorted([QUEUE, *map(note, range(4))])


def test_a_call_that_is_cancelled_holds_up_no_other(agent: Agent, daemon: Daemon) -> None:
    agent.words += ["--profile", "full"]

    async def talk(client: Client) -> dict[str, Any]:
        daemon.running.send_signal(signal.SIGSTOP)
        try:
            with anyio.move_on_after(0.5) as waited:
                async with anyio.create_task_group() as calls:  # a short one, and a long one
                    calls.start_soon(partial(done, client, "search", query="what nobody awaits"))
                    calls.start_soon(done, client, "dream")
            assert waited.cancelled_caught
            assert len((await client.list_tools()).tools) > 8
        finally:
            daemon.running.send_signal(signal.SIGCONT)
        return await done(client, "search", query="what somebody waits for")

    assert agent.run(talk)["notes"] == []


MALFORMED: list[tuple[str, dict[str, Any], str]] = [
    ("remember", {"text": QUEUE}, "missing required field `kind`"),
    ("remember", {"kind": "song", "text": QUEUE}, "Invalid enum value 'song'"),
    ("remember", {"kind": "fact", "text": "x" * 1_001}, "length <= 1000"),
    ("remember", {"kind": "fact", "text": QUEUE, "tier": "critical"}, "unknown field `tier`"),
    ("search", {"query": ["x"]}, "got `array`"),
    ("open", {"id": "../m1"}, "matching regex"),
    ("open", {"id": "mzzzz"}, "no memory with this id"),
    ("correct", {"id": "mzzzz", "text": QUEUE}, "no memory with this id"),
    ("forget", {"id": "mzzzz"}, "no memory with this id"),
    ("link", {"source": "m1", "relation": "likes", "target": "m2"}, "Invalid enum value 'likes'"),
    ("intend", {"text": "Rotate the key"}, "say what (text) and when"),
    ("intend", {"text": "Rotate the key", "at": "soon"}, "at: 'soon' is no ISO date"),
    ("intend", {"id": "i999"}, "no open intention of this project"),
    ("session", {"max_tokens": 1}, ">= 100"),
    ("remember", {"kind": "fact", "text": "ghp_" + "a1B2c3D4e5" * 4}, "nothing but a secret"),
]


def test_a_malformed_call_is_told_what_to_mend(agent: Agent) -> None:
    async def talk(client: Client) -> list[str]:
        said = [await refused(client, tool, **given) for tool, given, _ in MALFORMED]
        with pytest.raises(MCPError, match="no tool called 'forgot': did you mean forget"):
            await client.call_tool("forgot", {"id": "m1"})
        return said

    said = agent.run(talk)

    assert [why in line for line, (_, _, why) in zip(said, MALFORMED, strict=True)] == [True] * len(
        MALFORMED
    )


def test_an_agent_sees_its_own_project_and_changes_nothing_of_a_persons(
    agent: Agent, daemon: Daemon
) -> None:
    text = "Releases go out on Tuesdays, because the support team is complete then."
    mine = str(daemon.ask("remember", text=text, project=str(agent.folder))["id"])
    elsewhere = str(daemon.ask("remember", text=f"Elsewhere: {text}", project="elsewhere")["id"])

    async def talk(client: Client) -> tuple[str, ...]:
        return (
            await refused(client, "open", id=elsewhere),
            await refused(client, "correct", id=mine, text="Releases go out daily."),
            await refused(
                client, "remember", kind="wish", text="Releases go out daily.", replaces=mine
            ),
        )

    other, corrected, replaced = agent.run(talk)

    assert "not of this project" in other
    assert "what the user said" in corrected
    assert "what the user said" in replaced
    assert daemon.ask("show", id=mine)["memory"]["ended"] is None


def test_without_a_daemon_each_call_says_so_and_the_server_stays(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        home = Home(Path(folder))
        home.prepare()
        home.config.write_text("[daemon]\nno_such_setting = 1\n")

        async def talk(client: Client) -> list[str]:
            return [await refused(client, "search", query="x") for _ in range(2)]

        said = Agent(home, tmp_path).run(talk)

    assert all(line.startswith("the memory is away (") for line in said)
    assert all(line.endswith("tell the user to run reverie doctor") for line in said)


def test_a_daemon_that_is_not_there_or_left_is_started_by_the_next_call(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        home = Home(Path(folder))
        home.prepare()

        async def talk(client: Client) -> tuple[dict[str, Any], dict[str, Any]]:
            try:
                first = await done(client, "remember", kind="cause", text=QUEUE)
                await anyio.to_thread.run_sync(stop_daemon, home)
                return first, await done(client, "remember", kind="cause", text=QUEUE)
            finally:
                await anyio.to_thread.run_sync(stop_daemon, home)

        first, again = Agent(home, tmp_path).run(talk)

    assert (first["done"], again["done"], again["id"]) == ("new", "known", first["id"])


def test_a_line_that_is_no_message_ends_nothing(agent: Agent) -> None:
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                   "clientInfo": {"name": "by hand", "version": "1"}},
    }  # fmt: skip
    lines = "\n".join(["no json", "[]", '{"jsonrpc": "2.0"}', json.dumps(hello), ""])

    done = subprocess.run(
        agent.words, input=lines, env=agent.environ, cwd=agent.folder, capture_output=True,
        text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [one["result"]["serverInfo"]["name"] for one in answers if one.get("id") == 1] == [
        "reverie"
    ]


def test_where_recording_is_off_nothing_is_kept_or_told(agent: Agent, daemon: Daemon) -> None:
    kept = daemon.remember("The vault opens with marzipan.")
    inner = agent.folder / "inner"
    inner.mkdir()
    (agent.folder / ".nomemory").touch()
    there = Agent(daemon.home, inner)

    async def talk(client: Client) -> list[str]:
        return [
            await refused(client, "remember", kind="fact", text="The code word is quetzalcoatl."),
            await refused(client, "search", query="what opens the vault?"),
            await refused(client, "open", id=kept),
            await refused(client, "correct", id=kept, text="The vault opens with quetzalcoatl."),
        ]

    line = f"the user keeps {agent.folder} out of the memory: go on without it"
    assert there.run(talk) == [line] * 4
    assert holders(daemon.home.root, "quetzalcoatl") == []
