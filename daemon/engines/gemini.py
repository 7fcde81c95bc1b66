"""The engine ``gemini``: the person's own Gemini CLI, asked without tools, hooks or a session kept.

Tried with 0.61.0 before a recording server: it sends the instructions, an empty folder's description
and the session, no tool, no ``GEMINI.md``. It takes no schema, so the schema stands in the
instructions. It is given a home of its own, which goes with its file of the session, and in it links
to the login, through which it writes a renewed one. Left alone it repeats a refused request for
minutes; its settings say once, and it then asks once more for another model.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from actors.policy.reader.exchange import Answer, Engine, Failed, Reason, Request
from daemon.engines.documents import answered, estimated, failed, fenced, loaded, prompt
from daemon.engines.process import Bounds, Ended, Place, beside, located, stripped

PROGRAM: Final = "gemini"
MODEL: Final = "gemini-3.1-flash-lite"
LOGINS: Final = ("oauth_creds.json", "google_accounts.json", "gemini-credentials.json", ".env")
_INSTRUCTIONS: Final = "instructions.md"
_SETTINGS: Final[Mapping[str, Any]] = {
    "hooksConfig": {"enabled": False},
    "tools": {"core": []},
    "general": {"enableAutoUpdate": False, "maxAttempts": 1, "retryFetchErrors": False},
    "privacy": {"usageStatisticsEnabled": False},
}
_BY_SCHEMA: Final = "\n\nAnswer with one JSON object and nothing else, by this JSON schema:\n"


def gemini(
    place: Place, *, program: str = PROGRAM, model: str = "", bounds: Bounds | None = None
) -> Engine:
    """The engine for asking Gemini CLI, with its small model unless another is named."""
    within = bounds or Bounds()

    async def answer(request: Request) -> Answer | Failed:
        path = located(program or PROGRAM, place.environ)
        if path is None:
            return Failed(Reason.MISSING)
        user = home(place.environ)
        own = {
            "GEMINI_CLI_HOME": str(place.files),
            "GEMINI_SYSTEM_MD": str(place.files / _INSTRUCTIONS),
        }
        ended = await place.run(
            words(path, model or MODEL),
            prompt(request).encode("utf-8", "replace"),
            environ={**stripped(beside(path, place.environ)), **own},
            bounds=within,
            files={
                _INSTRUCTIONS: request.system + _BY_SCHEMA + json.dumps(request.schema),
                ".gemini/settings.json": json.dumps({**_SETTINGS, **_login_kind(user)}),
            },
            links={f".gemini/{name}": user / name for name in LOGINS},
        )
        return read(ended, request)

    return answer


def home(environ: Mapping[str, str]) -> Path:
    """The user's own folder of Gemini CLI."""
    root = environ.get("GEMINI_CLI_HOME") or environ.get("HOME") or Path.home()
    return Path(root, ".gemini")


def words(program: Path, model: str) -> list[str]:
    """The command line; the request comes by a file and on standard input."""
    return [
        str(program),
        "-p", "Write the notes.",
        "--output-format", "json",
        "--skip-trust",
        "-m", model,
        "-e", "none",
        "--allowed-mcp-server-names", "none",
    ]  # fmt: skip


def read(ended: Ended | Failed, request: Request) -> Answer | Failed:
    """The answer in the client's output."""
    if isinstance(ended, Failed):
        spent = estimated(request) if ended.reason != Reason.MISSING else 0
        return Failed(ended.reason, ended.detail, spent)
    report = _mapping(loaded(ended.output)) or _mapping(_last_object(ended.complaints))
    tokens = _tokens(report)
    error = _mapping(report.get("error"))
    if ended.code or error:
        complaint = f"{error.get('code', '')} {error['message']}" if "message" in error else ""
        return failed(Reason.DIED, complaint or ended.complaints, request, tokens)
    text = report.get("response")
    if not isinstance(text, str):
        return Failed(Reason.FOREIGN, "no report of Gemini CLI", tokens)
    if not text.strip() or text.strip() == "null":
        return Failed(Reason.EMPTY, "", tokens)
    value = loaded(fenced(text))
    if value is None:
        return Failed(Reason.FOREIGN, "no JSON", tokens)
    return answered(value, request, tokens or estimated(request, text))


def _login_kind(user: Path) -> dict[str, Any]:
    """The setting by which kind of login the person's own client asks; no credential."""
    try:
        settings = _mapping(loaded((user / "settings.json").read_bytes()[:1_000_000]))
    except OSError:
        return {}
    kind = _mapping(_mapping(settings.get("security")).get("auth")).get("selectedType")
    return {"security": {"auth": {"selectedType": kind}}} if isinstance(kind, str) else {}


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _last_object(text: str) -> object:
    """The report of an error at the end of standard error."""
    start = text.rfind("\n{\n")
    return loaded(text[start:]) if start >= 0 else None


def _tokens(report: Mapping[str, Any]) -> int:
    """Tokens of all models asked."""
    models = _mapping(_mapping(report.get("stats")).get("models"))
    totals = [_mapping(_mapping(model).get("tokens")).get("total") for model in models.values()]
    return sum(total for total in totals if isinstance(total, int))
