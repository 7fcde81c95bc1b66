"""A daemon for the tests of one module, and agents that use the tool server as a process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import TextContent

from daemon.home import Home
from tests.daemon.process import PROGRAM, Daemon, running
from tests.patience import PATIENCE, UNHURRIED
from tests.warm import python

T = TypeVar("T")


class Agent:
    """The SDK's own client, over the streams of ``reverie mcp``, in a project's folder."""

    def __init__(self, home: Home, folder: Path) -> None:
        self.words = [
            *python("daemon.commands.group", "toolserver.catalogue", "toolserver.server"),
            PROGRAM,
            "mcp",
        ]
        self.environ = {
            "PATH": "/usr/bin:/bin", "HOME": str(home.root), "REVERIE_HOME": str(home.root),
            "PYTHONWARNINGS": "error", **UNHURRIED,
        }  # fmt: skip
        self.folder = folder

    def run(self, talk: Callable[[Client], Awaitable[T]]) -> T:
        """What comes of a talk with a server that ends with it."""
        return anyio.run(self.talking, talk)

    async def talking(self, talk: Callable[[Client], Awaitable[T]]) -> T:
        """The same, beside others."""
        server = StdioServerParameters(
            command=self.words[0], args=self.words[1:], env=self.environ, cwd=self.folder
        )
        with anyio.fail_after(PATIENCE):
            async with Client(stdio_client(server)) as client:
                return await talk(client)


async def done(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The result of a call that went well; its text says the same."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    found: dict[str, Any] = result.structured_content
    return found


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """The line by which a call was refused."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert "\n" not in content.text
    return content.text


@pytest.fixture(scope="module")
def daemon() -> Generator[Daemon]:
    """A daemon that answers, for the tests of one module."""
    with running() as one:
        yield one


@pytest.fixture
def agent(daemon: Daemon, tmp_path: Path) -> Agent:
    """An agent in a project of its own."""
    return Agent(daemon.home, tmp_path)
