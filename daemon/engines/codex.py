"""The engine ``codex``: the person's own Codex, asked without tools, hooks or a session.

Tried with 0.171.0 before a recording server: it sends the instructions, the session and the schema,
and one tool for asking the user, which a run without a terminal refuses. ``AGENTS.md`` and skills of
the user's own Codex folder are sent whatever the flags, so it is given another one, where nothing
but a link to the login is. A link is no copy: Codex writes a renewed login through it, locks the
file it leads to, and a second login would have ended the first.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

from actors.policy.reader.exchange import Answer, Engine, Failed, Reason, Request
from daemon.engines.documents import answered, estimated, failed, loaded, prompt
from daemon.engines.process import Bounds, Ended, Place, beside, located, stripped

PROGRAM: Final = "codex"
MODEL: Final = "gpt-5.4-mini"
LOGIN: Final = "auth.json"
_OFF: Final = (
    "hooks", "shell_tool", "unified_exec", "multi_agent", "apps", "plugins", "goals", "memories",
    "image_generation", "view_image",
)  # fmt: skip
_INSTRUCTIONS, _SCHEMA, _RESULT = "instructions.md", "schema.json", "result.json"


def codex(
    place: Place, *, program: str = PROGRAM, model: str = "", bounds: Bounds | None = None
) -> Engine:
    """The engine for asking Codex, with its small model unless another is named."""
    within = bounds or Bounds()

    async def answer(request: Request) -> Answer | Failed:
        path = located(program or PROGRAM, place.environ)
        if path is None:
            return Failed(Reason.MISSING)
        ended = await place.run(
            words(path, model or MODEL, place.files),
            prompt(request).encode("utf-8", "replace"),
            environ={**stripped(beside(path, place.environ)), "CODEX_HOME": str(place.files)},
            bounds=within,
            files={_INSTRUCTIONS: request.system, _SCHEMA: json.dumps(request.schema)},
            links={LOGIN: home(place.environ) / LOGIN},
            result=_RESULT,
        )
        return read(ended, request)

    return answer


def home(environ: Mapping[str, str]) -> Path:
    """The user's own folder of Codex."""
    return Path(environ.get("CODEX_HOME") or Path(environ.get("HOME") or Path.home(), ".codex"))


def words(program: Path, model: str, files: Path) -> list[str]:
    """The command line; the request comes by files and on standard input."""
    settings = {
        "web_search": "disabled",
        "model_reasoning_effort": "low",
        "model_instructions_file": str(files / _INSTRUCTIONS),
        "project_doc_max_bytes": 0,
        "include_permissions_instructions": False,
        "include_environment_context": False,
        "skills.include_instructions": False,
        "skills.bundled.enabled": False,
    }
    return [
        str(program),
        "exec",
        "-m", model,
        "--skip-git-repo-check",
        "--ephemeral",
        "-s", "read-only",
        "--ignore-user-config",
        "--ignore-rules",
        *(word for feature in _OFF for word in ("--disable", feature)),
        # JSON of these values is TOML as well.
        *(word for name, value in settings.items() for word in ("-c", f"{name}={json.dumps(value)}")),
        "--output-schema", str(files / _SCHEMA),
        "-o", str(files / _RESULT),
        "--json",
        "-",
    ]  # fmt: skip


def read(ended: Ended | Failed, request: Request) -> Answer | Failed:
    """The answer in the file of the last message, with the tokens of the events."""
    if isinstance(ended, Failed):
        spent = estimated(request) if ended.reason != Reason.MISSING else 0
        return Failed(ended.reason, ended.detail, spent)
    events = list(_events(ended.output))
    tokens = _tokens(events)
    errors = [str(message) for event in events if (message := _error(event))]
    if ended.code or errors:
        complaint = errors[-1] if errors else ended.complaints or f"exit {ended.code}"
        return failed(Reason.DIED, complaint, request, tokens)
    text = ended.result.decode("utf-8", "replace")
    if not text.strip() or text.strip() == "null":
        return Failed(Reason.EMPTY, "", tokens)
    value = loaded(text)
    if value is None:
        return Failed(Reason.FOREIGN, "no JSON", tokens)
    return answered(value, request, tokens or estimated(request, text))


def _events(output: bytes) -> Iterator[Mapping[str, Any]]:
    for line in output.splitlines():
        event = loaded(line)
        if isinstance(event, dict):
            yield cast("Mapping[str, Any]", event)


def _tokens(events: list[Mapping[str, Any]]) -> int:
    """Tokens of input and output over all turns; cached ones are among the input's."""
    usages = [event.get("usage") for event in events if event.get("type") == "turn.completed"]
    return sum(
        count
        for usage in usages
        if isinstance(usage, dict)
        for name in ("input_tokens", "output_tokens")
        if isinstance(count := cast("dict[str, Any]", usage).get(name), int)
    )


def _error(event: Mapping[str, Any]) -> object:
    """Reason of a failed turn; errors before it are attempts repeated by Codex itself."""
    error = event.get("error") if event.get("type") == "turn.failed" else None
    return cast("dict[str, Any]", error).get("message") if isinstance(error, dict) else None
