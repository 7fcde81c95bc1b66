"""The server: tools over standard input and output, for as long as the agent is there.

Calls run side by side. A mistake in a call is an answer for the model to read and mend; only an
unknown tool is an error of the protocol.
"""

import difflib
import os
import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_type_hints

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

from daemon import own_version
from daemon.home import chosen_home, current_home
from daemon.projects import project_root
from daemon.recording import Recording, line
from toolserver.tool import CUT, TOKENS, Asking, NotDone, Place, Tool, checked, fitted, schema_of
from toolserver.tools import INSTRUCTIONS, TOOLS

Context = ServerRequestContext[object]

ID = 64  # characters of a session's id


class Serving:
    """Tools by their names, and the daemon behind them."""

    def __init__(self, ask: Asking, place: Place, tools: Iterable[type[Tool[Any]]]) -> None:
        self._ask = ask
        self._place = place
        self._tools = {tool.NAME: tool for tool in tools}

    def offered(self) -> list[Offered]:
        """All tools, as the protocol has them."""
        return [_offered(tool) for tool in self._tools.values()]

    async def called(self, params: CallToolRequestParams) -> CallToolResult:
        """The result of one call, or the line with the reason for none."""
        tool = self._tools.get(params.name)
        if tool is None:
            name = params.name[:40]
            near = difflib.get_close_matches(name, self._tools, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(self._tools)}"
            raise MCPError(INVALID_PARAMS, f"there is no tool called {name!r}: {hint}")
        try:
            result = await self._done(tool, params.arguments or {})
        except NotDone as problem:
            return CallToolResult(content=[_text(" ".join(str(problem).split()))], is_error=True)
        written = msgspec.json.encode(result).decode()
        return CallToolResult(content=[_text(written)], structured_content=result)

    async def _done(self, tool: type[Tool[Any]], arguments: dict[str, Any]) -> dict[str, Any]:
        """Whatever a tool gives back, as JSON has it, cut to its tokens. Raises ``NotDone``."""
        now = datetime.now(UTC).timestamp()
        off = Recording(chosen_home()).off([self._place.folder], self._place.session, now, now)
        if off is not None and off.pause is not None:
            raise NotDone(f"recording is {line(off, now)}: go on without the memory")
        if off is not None:
            raise NotDone(f"the user keeps {off.folder} out of the memory: go on without it")
        call = checked(tool, arguments)
        request = msgspec.structs.replace(call.asks(self._place), agent_in=self._place.project)
        told = msgspec.to_builtins(call.tells(await self._ask(request)))
        return fitted(told, getattr(call, "max_tokens", TOKENS))


def server_of(serving: Serving) -> Server[object]:
    """The SDK's server with our tools."""

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=serving.offered())

    async def call_tool(_: Context, params: CallToolRequestParams) -> CallToolResult:
        return await serving.called(params)

    return Server(
        "reverie",
        version=own_version(),
        title="reverie",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve(profile: str) -> None:
    """Serve the tools of a profile, ``default`` or ``full``, until the agent closes our input."""
    tools: tuple[type[Tool[Any]], ...] = TOOLS
    if profile == "full":
        from toolserver.catalogue import CATALOGUE

        tools = (*TOOLS, *CATALOGUE)
    # An agent that does not name its session has one for each server that it starts.
    session = os.environ.get("CLAUDE_CODE_SESSION_ID", "")[:ID] or uuid.uuid4().hex
    folder = _folder(os.environ)
    place = Place(str(folder), str(project_root(folder)), session)
    anyio.run(_served, Serving(Asking(current_home()), place, tools))


def _folder(environ: Mapping[str, str]) -> Path:
    """Working folder of the agent: a plugin's server may be started elsewhere."""
    named = environ.get("CLAUDE_PROJECT_DIR", "")
    return Path(named) if Path(named).is_absolute() else Path.cwd()


async def _served(serving: Serving) -> None:
    server = server_of(serving)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _offered(tool: type[Tool[Any]]) -> Offered:
    takes, gives = schema_of(tool), schema_of(get_type_hints(tool.tells)["return"])
    return Offered(
        name=tool.NAME,
        title=tool.TITLE,
        description=" ".join(takes.pop("description").split()),
        input_schema=takes,
        output_schema={**gives, "properties": {**gives.get("properties", {}), "shortened": CUT}},
        annotations=ToolAnnotations(
            title=tool.TITLE,
            read_only_hint=tool.HINTS.reads_only,
            destructive_hint=tool.HINTS.destructive,
            idempotent_hint=tool.HINTS.idempotent,
            open_world_hint=False,
        ),
    )
