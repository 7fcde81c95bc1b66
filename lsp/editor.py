"""The editor: what the server may say to it, as far as it can listen, and its settings."""

import logging
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from typing import Annotated, Any, Literal, cast, get_args

import msgspec
from lsprotocol import types
from msgspec import Meta
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

# ---- the editor: what the server may say to it, as far as it can listen
#
# A thin layer over pygls. Messages are shown only in answer to a command of the user's;
# everything else is the notification ``reverie/status`` or a line in the log.

STATUS = "reverie/status"
ASK = "reverie/ask"
SECTION = "reverie"

logger = logging.getLogger(__name__)


class Link:
    """The way to the editor."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._capabilities = types.ClientCapabilities()

    def know(self, capabilities: types.ClientCapabilities) -> None:
        """Take note of the editor's abilities."""
        self._capabilities = capabilities

    def _can(self, capability: str) -> bool:
        return bool(get_capability(self._capabilities, capability))

    def refresh_hints(self) -> None:
        """Ask for the hints again, if the editor lets itself be told."""
        if self._can("workspace.inlay_hint.refresh_support"):
            self._server.workspace_inlay_hint_refresh(None)

    def tell_status(self, state: str, memories: int, vectors: str, detail: str) -> None:
        """``reverie/status``: the daemon's state changed; the detail says why, where known."""
        told = {"state": state, "memories": memories, "vectors": vectors, "detail": detail}
        self._server.protocol.notify(STATUS, told)

    def say(self, text: str) -> None:
        """Answer a command of the user's."""
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))

    def log(self, text: str) -> None:
        """A line where the editor keeps them."""
        self._server.window_log_message(types.LogMessageParams(types.MessageType.Warning, text))

    async def choice(self, text: str, buttons: Iterable[str]) -> str | None:
        """Show the text with buttons; returns the pressed one."""
        chosen = await self._server.window_show_message_request_async(
            types.ShowMessageRequestParams(
                types.MessageType.Info, text, actions=[*map(types.MessageActionItem, buttons)]
            )
        )
        return chosen.title if chosen is not None else None

    async def asks(self, prompt: str) -> str | None:
        """Have the user write a line; ``None`` when they would not."""
        try:
            answer = await self._server.protocol.send_request_async(ASK, {"prompt": prompt})
        except JsonRpcException as error:
            logger.info("event=not_asked reason=%s", type(error).__name__)
            return None
        return answer if isinstance(answer, str) else None

    async def shows(self, uri: str) -> bool:
        """Have the editor open an address; whether it could."""
        if not self._can("window.show_document.support"):
            return False
        result = await self._server.window_show_document_async(
            types.ShowDocumentParams(uri, take_focus=True)
        )
        return result.success

    def refresh_page(self, uri: str) -> None:
        """The text of this address is another one; editors without the page ignore it."""
        if self._can("workspace.text_document_content"):
            self._server.workspace_text_document_content_refresh(
                types.TextDocumentContentRefreshParams(uri)
            )

    async def settings(self) -> object:
        """The editor's ``reverie`` settings; ``None`` when it cannot be asked."""
        if not self._can("workspace.configuration"):
            return None
        try:
            answer = await self._server.workspace_configuration_async(
                types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
            )
        except JsonRpcException as error:
            logger.info("event=no_settings reason=%s", type(error).__name__)
            return None
        return answer[0] if answer else None

    async def register(self, scheme: str) -> None:
        """Ask to be told of new settings, and for the text of our addresses."""
        wanted: list[types.Registration] = []
        if self._can("workspace.did_change_configuration.dynamic_registration"):
            method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
            wanted.append(types.Registration("settings", method, {"section": SECTION}))
        if self._can("workspace.text_document_content.dynamic_registration"):
            method = types.WORKSPACE_TEXT_DOCUMENT_CONTENT
            wanted.append(types.Registration("content", method, {"schemes": [scheme]}))
        if not wanted:
            return
        try:
            await self._server.client_register_capability_async(types.RegistrationParams(wanted))
        except JsonRpcException as error:
            logger.info("event=not_registered reason=%s", type(error).__name__)


# ---- settings: ``reverie.*`` as the editor gives them
#
# Pure. Whatever an editor sends, the result is usable: a bad value is the default, and
# a line says so.

# The description is what a line says of a value that is not one.
Flag = Annotated[bool, Meta(description="true or false")]
HoverOn = Literal["line", "word", "off"]


class Settings(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Choices of the user. ``docs/reference/language-server.md`` explains each."""

    enable: Flag = True
    hints: Flag = True
    hover: Annotated[HoverOn, Meta(description='"line", "word" or "off"')] = "line"
    min_score: Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")] = 0.75
    # in any 50 lines, about what an editor shows at once
    max_hints: Annotated[int, Meta(ge=0, le=100, description="a whole number from 0 to 100")] = 3
    typing_quiet_ms: Annotated[
        float, Meta(ge=0, le=60_000, description="a number from 0 to 60000")
    ] = 800.0
    exclude: Annotated[tuple[str, ...], Meta(description="a list of path patterns")] = ()
    undo_prompt: Flag = False
    documents: Flag = False  # the editor opens ``reverie:`` addresses
    links: Flag = False  # the editor carries out the ``command:`` links of a hover
    asks: Flag = False  # the editor answers ``reverie/ask``

    @property
    def typing_quiet(self) -> float:
        """Seconds for which a line is left alone before it is matched."""
        return self.typing_quiet_ms / 1000

    def covers(self, path: str | None) -> bool:
        """Return whether a file at ``path`` is looked at."""
        if not self.enable:
            return False
        return path is None or not any(fnmatch(path, pattern) for pattern in self.exclude)


def parsed(raw: object, fallback: Settings) -> tuple[Settings, list[str]]:
    """The settings in ``raw``, and a line for each unusable value.

    ``raw`` is the ``reverie`` section, or an object that has one. A missing setting is as in
    ``fallback``; foreign keys are another tool's.
    """
    if not isinstance(raw, Mapping):
        return fallback, [] if raw is None else ["the settings are not an object"]
    section = cast("Mapping[str, object]", raw)
    inner = section.get("reverie")
    if isinstance(inner, Mapping):
        section = cast("Mapping[str, object]", inner)
    values: dict[str, Any] = {}
    problems: list[str] = []
    for field in msgspec.structs.fields(Settings):
        value = section.get(field.encode_name)
        if value is None:
            continue
        if isinstance(value, float) and value.is_integer():  # 3.0, as some editors write 3
            value = int(value)
        try:
            values[field.name] = msgspec.convert(value, field.type)
        except msgspec.ValidationError:
            allowed, before = get_args(field.type)[1].description, getattr(fallback, field.name)
            problems.append(f"reverie.{field.encode_name} must be {allowed}; {before!r} is used")
    return msgspec.structs.replace(fallback, **values), problems
