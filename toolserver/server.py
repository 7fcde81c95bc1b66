"""The server: the tools over standard input and output, for as long as the agent is there.

Calls run side by side. A mistake in a call is an answer that the model reads and mends; only a tool
that there is not is an error of the protocol.
"""

import os
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import msgspec
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as Offered

from daemon.home import chosen_home, current_home
from daemon.projects import project_root
from daemon.recording import Recording, line
from daemon.version import own_version
from toolserver.asking import Asking, NotDone
from toolserver.schemas import checked, schema_of
from toolserver.tools import INSTRUCTIONS, TOOLS, Place, Tool

Context = ServerRequestContext[object]

ID = 64  # characters of a session's id
BY_NAME = {tool.name: tool for tool in TOOLS}


def serve() -> None:
    """Serve until the agent closes our input."""
    # An agent that does not name its session has one for each server that it starts.
    session = os.environ.get("CLAUDE_CODE_SESSION_ID", "")[:ID] or uuid.uuid4().hex
    folder = _folder(os.environ)
    place = Place(Asking(current_home()), str(folder), str(project_root(folder)), session)
    anyio.run(_served, place)


def _folder(environ: Mapping[str, str]) -> Path:
    """Folder that the agent works in: a plugin's server may be started elsewhere."""
    named = environ.get("CLAUDE_PROJECT_DIR", "")
    return Path(named) if Path(named).is_absolute() else Path.cwd()


async def _served(place: Place) -> None:
    server = server_of(place)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def server_of(place: Place) -> Server[object]:
    """The SDK's server with our tools."""

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_offered(tool) for tool in TOOLS])

    async def call_tool(_: Context, params: CallToolRequestParams) -> CallToolResult:
        return await called(place, params)

    return Server(
        "reverie",
        version=own_version(),
        title="reverie",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def called(place: Place, params: CallToolRequestParams) -> CallToolResult:
    """The result of one call, or the line that says why there is none."""
    tool = BY_NAME.get(params.name)
    if tool is None:
        raise MCPError(INVALID_PARAMS, f"there is no tool called {params.name[:40]!r}")
    try:
        result = await _done(place, tool, params.arguments)
    except NotDone as problem:
        return CallToolResult(content=[_text(" ".join(str(problem).split()))], is_error=True)
    written = msgspec.json.encode(result).decode()
    return CallToolResult(content=[_text(written)], structured_content=result)


async def _done(place: Place, tool: Tool[Any], arguments: dict[str, Any] | None) -> Any:
    """Whatever a tool gives back, as JSON has it. Raises ``NotDone``."""
    now = datetime.now(UTC).timestamp()
    off = Recording(chosen_home()).off([place.folder], place.session, now, now)
    if off is not None and off.pause is not None:
        raise NotDone(f"recording is {line(off, now)}: go on without the memory")
    if off is not None:
        raise NotDone(f"the user keeps {off.folder} out of the memory: go on without it")
    return msgspec.to_builtins(await tool.call(place, checked(tool.takes, arguments)))


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _offered(tool: Tool[Any]) -> Offered:
    return Offered(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=schema_of(tool.takes),
        output_schema=schema_of(tool.gives),
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads_only,
            destructive_hint=False,
            idempotent_hint=tool.idempotent or tool.reads_only,
            open_world_hint=False,
        ),
    )
