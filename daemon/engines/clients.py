"""Engines that are programs: the person's own client of an agent, or any command.

Each client was tried before a recording server: it is asked without tools, hooks, instructions of
the person or a session that it keeps, and none of a session is on its command line, where other users
could read it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from actors.policy.events.events import mapping
from actors.policy.reader.exchange import Answer, Engine, Failed, Reason, Request
from daemon.engines.documents import answer_in, answered, failed, loaded, prompt
from daemon.engines.process import PATIENCE, Ended, Errand, Place, located, user_folder


class Client(NamedTuple):
    """A client of an agent as an engine: what it is given, and how its output is read."""

    model: str  # asked unless a person names another
    endpoint: str  # where it asks as it comes
    cost: str  # of a session
    errand: Callable[[str, Place, Request], Errand]
    answer: Callable[[Ended, Request], Answer | Failed]


def client(
    agent: str, place: Place, *, program: str = "", model: str = "", seconds: float = PATIENCE
) -> Engine:
    """The engine for asking the client of this agent, with its small model unless another is named."""
    one = CLIENTS[agent]

    def errand(request: Request) -> Errand:
        return one.errand(model or one.model, place, request)

    return _engine(program or agent, place, errand, one.answer, seconds)


def command(words: Sequence[str], place: Place, seconds: float = PATIENCE) -> Engine:
    """The engine for running these words, the program first.

    Contract, version 1: one JSON object on standard input (``Request.document``), one on standard
    output, exit 0. Anything else is a failed reading.
    """

    def errand(request: Request) -> Errand:
        return Errand(words[1:], json.dumps(request.document(), ensure_ascii=False))

    def read(ended: Ended, request: Request) -> Answer | Failed:
        if ended.code:
            return _died(ended, request, tokens=request.tokens_with())
        return answer_in(ended.output.decode("utf-8", "replace"), request)

    return _engine(words[0], place, errand, read, seconds)


def _engine(
    program: str,
    place: Place,
    errand: Callable[[Request], Errand],
    read: Callable[[Ended, Request], Answer | Failed],
    seconds: float,
) -> Engine:
    async def answer(request: Request) -> Answer | Failed:
        path = located(program, place.environ)
        if path is None:
            return Failed(Reason.MISSING)
        ended = await place.run(path, errand(request), seconds)
        if isinstance(ended, Ended):
            return read(ended, request)
        spent = request.tokens_with() if ended.reason != Reason.MISSING else 0
        return Failed(ended.reason, ended.detail, spent)

    return answer


def _died(ended: Ended, request: Request, complaint: str = "", tokens: int = 0) -> Failed:
    """A failure for the complaint's own reason; the exit status where it says nothing to be shown."""
    said = failed(Reason.DIED, complaint or ended.complaints, request, tokens)
    return Failed(said.reason, said.detail or f"exit {ended.code}", tokens)


# ---- Claude Code, tried with 2.1.330 and 2.1.332
#
# An API key and a login both work (``--bare`` does not read the login, ``disableAllHooks`` still sends
# CLAUDE.md). The answer is in ``structured_output``, which can be null with exit 0; a limit's text
# comes in ``result`` with exit 1.

DOLLARS: Final = 0.05
DOLLARS_A_TOKEN: Final = 1e-5
"""Limit of what one request may cost by the client's own count: this at least, and so much a token. It is there
for a request that runs away, far above what one costs, because the client throws away an answer that
cost more."""
LARGER: Final = 10  # times that for a model that a person names
HAIKU: Final = "haiku"
_CLAUDE_ENVIRON: Final = {
    "CLAUDE_CODE_DISABLE_THINKING": "1",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "8000",  # twelve notes with all their cues have 5,000
    "CLAUDE_CODE_MAX_RETRIES": "0",  # tries again are the reader's to count
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
}
_COUNTED: Final = (
    "input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens",
)  # fmt: skip


def claude_errand(model: str, _: Place, request: Request) -> Errand:
    """The command line of Claude Code."""
    dollars = max(DOLLARS, request.tokens_with() * DOLLARS_A_TOKEN)
    dollars *= 1 if model == HAIKU else LARGER
    words = [
        "-p",
        "--safe-mode",
        "--setting-sources", "",
        "--strict-mcp-config",
        "--tools", "",
        "--no-session-persistence",
        "--model", model,
        "--effort", "low",
        "--max-turns", "3",
        "--max-budget-usd", f"{dollars:.2f}",
        "--output-format", "json",
        "--json-schema", json.dumps(request.schema),
        "--system-prompt", request.system,
    ]  # fmt: skip
    return Errand(words, prompt(request), _CLAUDE_ENVIRON)


def claude_answer(ended: Ended, request: Request) -> Answer | Failed:
    """The answer in the report of Claude Code."""
    report = loaded(ended.output)
    if not isinstance(report, dict):
        reason = Reason.DIED if ended.code else Reason.FOREIGN
        return failed(reason, ended.complaints or f"exit {ended.code}", request)
    result = cast("Mapping[str, Any]", report)
    usage = mapping(result.get("usage"))
    tokens = sum(count for name in _COUNTED if isinstance(count := usage.get(name), int))
    if ended.code or result.get("is_error"):
        subtype = str(result.get("subtype") or "")
        if subtype.startswith("error_"):  # the model answered, and the client threw it away
            tokens = tokens or request.tokens_with()
        complaint = str(result.get("result") or subtype or ended.complaints)
        return failed(Reason.DIED, complaint, request, tokens)
    value, price = result.get("structured_output"), result.get("total_cost_usd")
    dollars = float(price) if isinstance(price, int | float) else None
    return answered(value, request, tokens or request.tokens_with(json.dumps(value)), dollars)


# ---- Codex, tried with 0.171.0
#
# It sends one tool for asking the user, which a run without a terminal refuses. ``AGENTS.md`` and skills
# of the user's own Codex folder are sent whatever the flags, so it is given another one, where nothing
# but a link to the login is. A link is no copy: Codex writes a renewed login through it, locks the
# file it leads to, and a second login would have ended the first.

CODEX_LOGIN: Final = "auth.json"
_OFF: Final = (
    "hooks", "shell_tool", "unified_exec", "multi_agent", "apps", "plugins", "goals", "memories",
    "image_generation", "view_image",
)  # fmt: skip
_INSTRUCTIONS, _SCHEMA, _RESULT = "instructions.md", "schema.json", "result.json"


def codex_home(environ: Mapping[str, str]) -> Path:
    """The user's own folder of Codex."""
    return Path(environ.get("CODEX_HOME") or user_folder(environ) / ".codex")


def codex_errand(model: str, place: Place, request: Request) -> Errand:
    """The command line of Codex; the request comes by files and on standard input."""
    files = place.files
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
    words = [
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
    return Errand(
        words,
        prompt(request),
        {"CODEX_HOME": str(files)},
        {_INSTRUCTIONS: request.system, _SCHEMA: json.dumps(request.schema)},
        {CODEX_LOGIN: codex_home(place.environ) / CODEX_LOGIN},
        _RESULT,
    )


def codex_answer(ended: Ended, request: Request) -> Answer | Failed:
    """The answer in the file of the last message, with the tokens of the events.

    Errors before a failed turn are attempts repeated by Codex itself.
    """
    events = [mapping(loaded(line)) for line in ended.output.splitlines()]
    usages = [mapping(one.get("usage")) for one in events if one.get("type") == "turn.completed"]
    counts = [one.get(name) for one in usages for name in ("input_tokens", "output_tokens")]
    tokens = sum(count for count in counts if isinstance(count, int))
    turns = [mapping(one.get("error")) for one in events if one.get("type") == "turn.failed"]
    errors = [str(message) for one in turns if (message := one.get("message"))]
    if ended.code or errors:
        return _died(ended, request, errors[-1] if errors else "", tokens)
    return answer_in(ended.result.decode("utf-8", "replace"), request, tokens)


# ---- Gemini CLI, tried with 0.61.0
#
# It takes no schema, so the schema stands in the instructions. It is given a home of its own, which goes
# with its file of the session, and in it links to the login, through which it writes a renewed one.
# Left alone it repeats a refused request for minutes; its settings say once, and it then asks once more
# for another model.

_LOGINS: Final = ("oauth_creds.json", "google_accounts.json", "gemini-credentials.json", ".env")
_SETTINGS: Final[Mapping[str, Any]] = {
    "hooksConfig": {"enabled": False},
    "tools": {"core": []},
    "general": {"enableAutoUpdate": False, "maxAttempts": 1, "retryFetchErrors": False},
    "privacy": {"usageStatisticsEnabled": False},
}
_BY_SCHEMA: Final = "\n\nAnswer with one JSON object and nothing else, by this JSON schema:\n"


def gemini_home(environ: Mapping[str, str]) -> Path:
    """The user's own folder of Gemini CLI."""
    return Path(environ.get("GEMINI_CLI_HOME") or user_folder(environ), ".gemini")


def gemini_errand(model: str, place: Place, request: Request) -> Errand:
    """The command line of Gemini CLI; the request comes by a file and on standard input."""
    user = gemini_home(place.environ)
    words = [
        "-p", "Write the notes.",
        "--output-format", "json",
        "--skip-trust",
        "-m", model,
        "-e", "none",
        "--allowed-mcp-server-names", "none",
    ]  # fmt: skip
    return Errand(
        words,
        prompt(request),
        {"GEMINI_CLI_HOME": str(place.files), "GEMINI_SYSTEM_MD": str(place.files / _INSTRUCTIONS)},
        {
            _INSTRUCTIONS: request.system + _BY_SCHEMA + json.dumps(request.schema),
            ".gemini/settings.json": json.dumps({**_SETTINGS, **_login_kind(user)}),
        },
        {f".gemini/{name}": user / name for name in _LOGINS},
    )


def gemini_answer(ended: Ended, request: Request) -> Answer | Failed:
    """The answer in the report of Gemini CLI; an error's report ends standard error."""
    start = ended.complaints.rfind("\n{\n")
    report = mapping(loaded(ended.output)) or mapping(loaded(ended.complaints[start:]))
    models = mapping(mapping(report.get("stats")).get("models"))
    totals = [mapping(mapping(one).get("tokens")).get("total") for one in models.values()]
    tokens = sum(total for total in totals if isinstance(total, int))
    error = mapping(report.get("error"))
    if ended.code or error:
        complaint = f"{error.get('code', '')} {error['message']}" if "message" in error else ""
        return _died(ended, request, complaint, tokens)
    text = report.get("response")
    if not isinstance(text, str):
        return Failed(Reason.FOREIGN, "no report of Gemini CLI", tokens)
    return answer_in(text, request, tokens)


def _login_kind(user: Path) -> dict[str, Any]:
    """The setting by which kind of login the person's own client asks; no credential."""
    try:
        settings = loaded((user / "settings.json").read_bytes())
    except OSError:
        settings = None
    security = mapping(mapping(settings).get("security"))
    kind = mapping(security.get("auth")).get("selectedType")
    return {"security": {"auth": {"selectedType": kind}}} if isinstance(kind, str) else {}


_UNKNOWN: Final = "what it costs is not known yet, and counts against the account's limits"
CLIENTS: Final[Mapping[str, Client]] = {
    "claude": Client(
        HAIKU,
        "api.anthropic.com",
        "about $.002 to $.005 a session at the client's own price of its small model, "
        "or a part of a subscription's limits",
        claude_errand,
        claude_answer,
    ),
    "codex": Client("gpt-5.4-mini", "OpenAI", _UNKNOWN, codex_errand, codex_answer),
    "gemini": Client("gemini-3.1-flash-lite", "Google", _UNKNOWN, gemini_errand, gemini_answer),
}
"""Engines that are an agent's client."""
