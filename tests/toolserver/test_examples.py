"""The examples of docs/reference/tools.md, run in their order; and its tables held to what the server offers."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from typing import Any

import pytest
from mcp.client.client import Client

from tests.daemon.process import Daemon, running
from tests.patience import ROOT
from tests.toolserver.conftest import Agent
from toolserver.tools import TOOLS

PAGE = (ROOT / "docs" / "reference" / "tools.md").read_text(encoding="utf-8")
DOCUMENT = (
    "# Cache\n\n## Decisions\n\n- We decided that the cache holds 500 entries, because more did not"
    " help.\n"
)
ROW = re.compile(r"^\| `(\w+)` \| `(\{.*\})` \| `(\{.*\})` \|$", re.MULTILINE)


@pytest.fixture
def daemon() -> Generator[Daemon]:
    """A daemon that knows nothing yet: ids begin with m1."""
    with running() as one:
        yield one


def section(title: str) -> str:
    """The page from one heading to the next."""
    return PAGE.partition(f" {title}\n")[2].partition("\n#")[0]


def examples(title: str) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    return [
        (tool, json.loads(call), json.loads(said))
        for tool, call, said in ROW.findall(section(title))
    ]


def holds(said: Any, found: Any) -> bool:
    """Tell whether an answer has what the page says: of a list each item once, of ``…`` any text."""
    kind: object = said.__class__
    if kind is not found.__class__:
        return False
    if kind is dict:
        return all(holds(said[name], found.get(name)) for name in said)
    if kind is list:
        return all(any(holds(one, it) for it in found) for one in said)
    if kind is str and "…" in said:
        pattern = ".*".join(map(re.escape, said.split("…")))
        return re.fullmatch(pattern, found, re.DOTALL) is not None
    return bool(said == found)


async def answered(client: Client, title: str) -> list[tuple[str, Any, Any]]:
    """Tool, what the page says and what came, of each example that was answered otherwise."""
    wrong: list[tuple[str, Any, Any]] = []
    for tool, call, said in examples(title):
        result = await client.call_tool(tool, call)
        found = result.content if result.is_error else result.structured_content
        if not holds(said, found):
            wrong.append((tool, said, found))
    return wrong


@pytest.mark.parametrize(
    ("profile", "title"), [("default", "Examples"), ("full", "Examples of the catalogue")]
)
def test_each_example_of_the_page_is_answered_as_it_says(
    agent: Agent, profile: str, title: str
) -> None:
    agent.words += ["--profile", profile]
    (agent.folder / "docs").mkdir()
    (agent.folder / "docs" / "cache.md").write_text(DOCUMENT)

    async def talk(client: Client) -> tuple[list[tuple[str, Any, Any]], set[str]]:
        names = {tool.name for tool in (await client.list_tools()).tools}
        return await answered(client, title), names

    wrong, names = agent.run(talk)

    assert wrong == []
    offered = names - ({tool.NAME for tool in TOOLS} if profile == "full" else set())
    assert {tool for tool, _, _ in examples(title)} == offered


def test_the_page_names_what_each_tool_takes_and_gives(agent: Agent) -> None:
    async def talk(client: Client) -> list[Any]:
        return list((await client.list_tools()).tools)

    rows = re.findall(
        r"^\| `(\w+)` \| (.+?) \| (.+) \|$", PAGE.partition("### Examples")[0], re.MULTILINE
    )
    told = {name: (words(takes), words(gives)) for name, takes, gives in rows}

    for tool in agent.run(talk):
        takes, gives = told.pop(tool.name)
        assert set(tool.input_schema["properties"]) <= takes, tool.name
        assert set(tool.output_schema["properties"]) - {"shortened"} <= gives, tool.name
    assert not told


def words(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", cell))
