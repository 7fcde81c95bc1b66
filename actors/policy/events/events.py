"""Hook events in one normal form, by the fields of Claude Code (Codex and VS Code use the same names).

A field missing or of the wrong type reads as absent; nothing raises.
"""

from collections.abc import Mapping
from enum import Enum
from hashlib import blake2b
from typing import Final, cast

from msgspec import Struct, field
from msgspec.structs import force_setattr

from actors.policy.events.agents import ENDPOINT, ENTRYPOINT
from actors.policy.patterns import pattern
from actors.policy.text.turn import Turn


class EventKind(Enum):
    """Kind of an agent's event."""

    SESSION_START = "session_start"
    INSTRUCTIONS = "instructions"
    PROMPT = "prompt"
    TOOL = "tool"
    TOOL_ERROR = "tool_error"
    REFUSED = "refused"
    PRE_COMPACT = "pre_compact"
    POST_COMPACT = "post_compact"
    TURN_END = "turn_end"
    SUBAGENT_TASK = "subagent_task"
    SUBAGENT_START = "subagent_start"
    SUBAGENT_END = "subagent_end"
    SESSION_END = "session_end"


_NOTHING: Final[Mapping[str, object]] = {}
# What no person gave, though it came as a prompt.
_MACHINE_SOURCES: Final = frozenset({"system", "loop_wakeup", "schedule_wakeup", "poll_event"})


class Tool(Struct, frozen=True):
    """A tool's call and its result."""

    name: str
    input: Mapping[str, object] = field(default_factory=dict[str, object])
    response: object = None  # as the agent sent it
    output: str = ""  # the response as a person would have seen it
    error: str = ""
    interrupted: bool = False
    use_id: str = ""

    @property
    def command(self) -> str:
        """The command line of a shell tool, else empty."""
        return text_of(self.input, "command")

    @property
    def path(self) -> str:
        """The file given to the tool, else empty."""
        return text_of(self.input, "file_path", "path", "notebook_path")


class Event(Struct, frozen=True):
    """One hook event; fields foreign to its kind are empty."""

    agent: str
    kind: EventKind
    session: str = ""
    cwd: str = ""
    prompt: str = ""
    tool: Tool | None = None
    transcript: str = ""  # path
    source: str = ""  # session start: startup, resume, ...; prompt: user, system, ...
    instructions: str = ""  # path of a file of instructions that the client loaded
    reason: str = ""  # why a session ended, or why instructions were loaded
    message: str = ""  # the agent's last words of a turn
    summary: str = ""  # of a compaction
    agent_id: str = ""  # set inside a subagent
    agent_type: str = ""  # of a subagent: as it starts, or as it is given its task
    task: str = ""  # of a subagent, or of a session with a late answer to its start
    refusal: str = ""  # a person's words who refused a tool's call
    refused: Tool | None = None  # the refused call, where the client tells it
    context_tokens: int | None = None  # session start, on resume
    answered_ago: int | None = None  # seconds since the last answer, where a session goes on
    endpoint: str = ""  # where the client's model is asked, if its hook saw another than the usual
    entrypoint: str = ""  # the client's runner, if its hook saw no person at a terminal
    turn: Turn = field(default_factory=lambda: Turn(""))  # its words, by speaker

    def __post_init__(self) -> None:
        """Make the turn, of which nothing is read yet."""
        force_setattr(self, "turn", Turn((self.prompt or self.refusal or self.message).strip()))

    @property
    def is_typed_prompt(self) -> bool:
        """Return whether a person typed this prompt: not a subagent's, and not made by the client."""
        by_person = not self.agent_id and self.source not in _MACHINE_SOURCES
        return self.kind is EventKind.PROMPT and by_person and not self.turn.is_machine_made


class Upcoming(Struct, frozen=True):
    """A tool's call about to be made: nothing has happened yet."""

    agent: str
    session: str
    cwd: str
    agent_id: str  # set inside a subagent
    tool: Tool


class Unknown(Struct, frozen=True):
    """An event without meaning to a memory, or with an unknown name."""

    agent: str
    name: str
    session: str = ""
    cwd: str = ""


UPCOMING: Final = "PreToolUse"
ASKING: Final = "AskUserQuestion"  # the tool by which an agent asks the person
# No client's event: what intake makes of a refusal in a transcript.
TOOL_REFUSED: Final = "ToolRefused"
KINDS: Final[Mapping[str, EventKind]] = {
    "SessionStart": EventKind.SESSION_START,
    "InstructionsLoaded": EventKind.INSTRUCTIONS,
    "UserPromptSubmit": EventKind.PROMPT,
    "PostToolUse": EventKind.TOOL,
    "PostToolUseFailure": EventKind.TOOL_ERROR,
    TOOL_REFUSED: EventKind.REFUSED,
    "PreCompact": EventKind.PRE_COMPACT,
    "PostCompact": EventKind.POST_COMPACT,
    "Stop": EventKind.TURN_END,
    "SubagentStart": EventKind.SUBAGENT_START,
    "SubagentStop": EventKind.SUBAGENT_END,
    "SessionEnd": EventKind.SESSION_END,
}
_OUR_SERVERS: Final = frozenset({"reverie", "plugin_reverie_reverie"})
DELEGATING: Final = frozenset({"Agent", "Task"})  # tools that start a subagent: now, and formerly
# A person refuses a call: the words by which Claude Code tells it as a failure.
_REFUSED: Final = "The user doesn't want to proceed with this tool use."
_REFUSED_SAYING: Final = "the user said:\n"
_SERVED: Final = "mcp__"  # how the name of a server's tool begins
# A shell that failed without a failure event: other hosts and older versions say so here.
_EXIT_CODE: Final = pattern(r"\AExit code (\d+)")


def agent_name(agent: str) -> str:
    """An agent's one name: `claude-code` is `claude`."""
    plain = agent.strip().casefold()
    return "claude" if plain == "claude-code" else plain


def parsed(agent: str, raw: Mapping[str, object]) -> Event | Upcoming | Unknown:
    """The normal form of a hook's JSON; ``Unknown`` for events with nothing to keep."""
    agent, name = agent_name(agent), text_of(raw, "hook_event_name")
    session, cwd = text_of(raw, "session_id"), text_of(raw, "cwd")
    kind = KINDS.get(name)
    given = mapping(raw.get("tool_input"))
    delegates = name == UPCOMING and text_of(raw, "tool_name") in DELEGATING
    if delegates:
        kind = EventKind.SUBAGENT_TASK
    elif name == UPCOMING:
        return Upcoming(agent, session, cwd, text_of(raw, "agent_id"), _tool(raw))
    if kind is None:
        return Unknown(agent, name, session, cwd)
    tool = _tool(raw) if kind in (EventKind.TOOL, EventKind.TOOL_ERROR) else None
    if kind is EventKind.TOOL and tool is not None and tool.error:
        kind = EventKind.TOOL_ERROR
    refusal = text_of(raw, "user_feedback") if kind is EventKind.REFUSED else None
    if kind is EventKind.TOOL_ERROR and tool is not None:
        refusal = refused(tool.name, tool.error)
    denied: Tool | None = None
    if refusal is not None:  # it never ran, so that it did not fail either
        kind, tool, denied = EventKind.REFUSED, None, tool
    return Event(
        agent=agent,
        kind=kind,
        session=session,
        cwd=cwd,
        prompt=text_of(raw, "prompt"),
        tool=tool,
        transcript=text_of(raw, "transcript_path", "agent_transcript_path"),
        source=text_of(raw, "source"),
        endpoint=text_of(raw, ENDPOINT),
        entrypoint=text_of(raw, ENTRYPOINT),
        instructions=text_of(raw, "file_path"),
        reason=text_of(raw, "reason", "load_reason"),
        message=text_of(raw, "last_assistant_message"),
        summary=text_of(raw, "compact_summary"),
        agent_id=text_of(raw, "agent_id"),
        refusal=refusal or "",
        refused=denied,
        agent_type=text_of(given, "subagent_type") if delegates else text_of(raw, "agent_type"),
        task=text_of(given, "prompt") if delegates else "",
        context_tokens=_count(raw.get("context_tokens")),
        answered_ago=_count(raw.get("seconds_since_last_response")),
    )


def refused(tool: str, error: str) -> str | None:
    """Return a person's words in the error of a call, empty without any; ``None`` for another error."""
    if not error.startswith(_REFUSED) or tool.startswith(_SERVED):
        return None
    return error.partition(_REFUSED_SAYING)[2].strip()


def is_our_tool(name: str) -> bool:
    """Return whether a tool is one of this memory's own: ``mcp__SERVER__TOOL``, as clients name it."""
    return not _OUR_SERVERS.isdisjoint(name.casefold().split("__"))


def _tool(raw: Mapping[str, object]) -> Tool:
    response = raw.get("tool_response")
    output = _output(response)
    error = text_of(raw, "error") or _failure(response, output)
    return Tool(
        name=text_of(raw, "tool_name"),
        input=mapping(raw.get("tool_input")),
        response=response,
        output=output,
        error=error,
        interrupted=raw.get("is_interrupt") is True or mapping(response).get("interrupted") is True,
        use_id=text_of(raw, "tool_use_id"),
    )


def _output(response: object) -> str:
    """Output as a person would have seen it: standard output and error, a file's content, or the text."""
    if not isinstance(response, list):
        return _said(response)
    # A list of content blocks, as tool servers answer.
    blocks = cast("list[object]", response)
    return "\n".join(filter(None, (_said(block) for block in blocks)))


def _said(response: object) -> str:
    if isinstance(response, str):
        return response
    fields = mapping(response)
    parts = [text_of(fields, "stdout"), text_of(fields, "stderr")]
    if any(parts):
        return "\n".join(part.rstrip("\n") for part in parts if part)
    within = text_of(mapping(fields.get("file")), "content")
    return within or text_of(fields, "content", "text", "output", "llmContent")


def _failure(response: object, output: str) -> str:
    """The error of a call reported as done: a code other than 0 in the answer."""
    fields = mapping(response)
    code = _count(fields.get("exit_code")) or _count(fields.get("exitCode"))
    if code:
        return f"Exit code {code}\n{output}"
    said = _EXIT_CODE.match(output)
    return output if said and said[1].strip("0") else ""


def mapping(value: object) -> Mapping[str, object]:
    """An object of foreign JSON: its keys are strings by the grammar. Empty for another value."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else _NOTHING


def listing(value: object) -> list[object]:
    """An array of foreign JSON. Empty for another value."""
    return cast("list[object]", value) if isinstance(value, list) else []


def text_of(fields: Mapping[str, object], *names: str) -> str:
    """The first text among these fields of foreign JSON; empty without one."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


# ---- copies of one event: hooks installed twice, in the settings and by a plugin, report it twice
#
# Each copy comes with an id of its own. They are recognized by common fields: an agent runs a tool once
# under a tool-use id, and takes one prompt under a prompt id and its words. Some agents have no such ids
# and give the moment instead. Without any of these a tool call and a prompt are never copies: the same may
# be run, or said, twice. All other events are one when everything in them is the same and they happened
# within seconds.


TOGETHER: Final = 10.0  # seconds between two processes that an agent started side by side
_BYTES: Final = 16  # of an event's id
_PROMPT: Final = "UserPromptSubmit"


def named(body: Mapping[str, object]) -> bytes | None:
    """Return the 16-byte id shared by every copy of an event, from its names; ``None`` without them."""
    event, session = text_of(body, "hook_event_name"), text_of(body, "session_id")
    use, prompt = text_of(body, "tool_use_id"), text_of(body, "prompt_id")
    if not session:
        return None
    if use:
        return _digest(repr(("tool", session, event, use)))
    moment = prompt or text_of(body, "timestamp")
    if event == _PROMPT and moment:
        return _digest(repr(("prompt", session, moment, text_of(body, "prompt"))))
    if moment and not prompt and "tool_name" in body:
        call = (text_of(body, "tool_name"), body.get("tool_input"))
        return _digest(repr(("call", session, event, moment, call)))
    return None


def alike(body: Mapping[str, object], content: bytes) -> bytes | None:
    """Return the key for recognizing copies without names, by all content; ``None`` for repeatable events."""
    event = text_of(body, "hook_event_name")
    may_be_repeated = event == _PROMPT or "tool_name" in body
    if may_be_repeated or not event or not text_of(body, "session_id"):
        return None
    return blake2b(content, digest_size=_BYTES).digest()


def _digest(names: str) -> bytes:
    return blake2b(names.encode("utf-8", "replace"), digest_size=_BYTES).digest()
