"""Account and endpoint of a client's requests, as its files tell without a network, and no token of it."""

import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from daemon.engines.clients import CODEX_LOGIN, codex_home, gemini_home
from daemon.engines.documents import loaded, mapping, plain
from daemon.engines.process import Bounds, Ended, Errand, Place

_SOON = Bounds(seconds=30.0, output=65_536)  # Gemini CLI takes 2 s of a processor to start
_LONGEST = 16_000_000  # bytes; Claude Code keeps a history in its file


async def version(program: Path, place: Place) -> str:
    """The version printed by a client; empty when it prints none."""
    ended = await place.run(program, Errand(["--version"]), _SOON)
    if not isinstance(ended, Ended) or ended.code:
        return ""
    lines = ended.output.decode("utf-8", "replace").splitlines()
    return plain(lines[0])[:60] if lines else ""


def of_claude(environ: Mapping[str, str], endpoint: str) -> str:
    """The account of Claude Code, as its own file names it; empty when none can be seen."""
    if endpoint in CLOUDS.values():
        return f"this machine's login of {endpoint}"
    if environ.get("CLAUDE_CODE_OAUTH_TOKEN"):
        return "the token in the daemon's environment"
    if environ.get("ANTHROPIC_API_KEY") or environ.get("ANTHROPIC_AUTH_TOKEN"):
        return "the API key in the daemon's environment"
    folder = environ.get("CLAUDE_CONFIG_DIR") or environ.get("HOME") or Path.home()
    account = mapping(_json(Path(folder, ".claude.json")).get("oauthAccount"))
    names = [str(account.get(name) or "") for name in ("emailAddress", "organizationName")]
    return plain(", ".join(filter(None, names)))


def of_codex(environ: Mapping[str, str]) -> str:
    """The login of Codex; empty when none can be seen."""
    if environ.get("CODEX_API_KEY"):
        return "the API key in the daemon's environment"
    login = codex_home(environ) / CODEX_LOGIN
    return f"the login of {login.parent}" if login.exists() else ""


def of_gemini(environ: Mapping[str, str]) -> str:
    """The account of Gemini CLI, as its own file names it; empty when none can be seen."""
    user = gemini_home(environ)
    if environ.get("GEMINI_API_KEY") or environ.get("GOOGLE_API_KEY"):
        return "the API key in the daemon's environment"
    if (user / "oauth_creds.json").exists():
        return plain(str(_json(user / "google_accounts.json").get("active") or "a Google account"))
    return "the API key of its own .env file" if (user / ".env").exists() else ""


# ---- endpoint: by the client's settings, without asking anybody
#
# An engine is started with no settings of a user or a project, so it may send to another endpoint than
# the client of the session did: a gateway of an employer stands in a user's settings, and the model
# behind it is not the engine's. Such a session is not read.


ANTHROPIC: Final = "api.anthropic.com"
OPENAI: Final = "OpenAI"
GOOGLE: Final = "generativelanguage.googleapis.com"

CLOUDS: Final[Mapping[str, str]] = {
    "CLAUDE_CODE_USE_BEDROCK": "Amazon Bedrock",
    "CLAUDE_CODE_USE_VERTEX": "Google Vertex AI",
    "CLAUDE_CODE_USE_FOUNDRY": "Microsoft Foundry",
}
_SEEN: Final[Mapping[str, str]] = dict(
    zip(("bedrock", "vertex", "foundry"), CLOUDS.values(), strict=True)
)
_NO: Final = frozenset({"", "0", "false", "no", "off"})
_VERTEX: Final = "Google Vertex AI"


def of_engine(agent: str, environ: Mapping[str, str]) -> str:
    """Tell where the engine of this agent sends, started with this environment."""
    match agent:
        case "claude":
            return _of_claude({**environ, **_variables(_managed())})
        case "codex":
            return OPENAI
        case _:
            user = _user(environ) / ".gemini"  # the engine is given these two of it
            return _of_gemini({**_dotenv(user / ".env"), **environ}, _json(user / "settings.json"))


def named(seen: str) -> str:
    """The endpoint seen by a hook, by its name here."""
    return _SEEN.get(seen) or _host(f"//{seen}") or seen


def of_client(agent: str, environ: Mapping[str, str], cwd: str) -> str:
    """Tell where the client of a session in this folder sends, as far as its settings tell."""
    user = _user(environ)
    match agent:
        case "claude":
            return _of_claude(_claude_variables(user, environ, Path(cwd)))
        case "codex":
            folder = Path(environ.get("CODEX_HOME") or user / ".codex")
            return _of_codex(_toml(folder / "config.toml"))
        case _:
            return _gemini_client(user, Path(cwd))


def _of_claude(variables: Mapping[str, str]) -> str:
    for name, cloud in CLOUDS.items():
        if variables.get(name, "").lower() not in _NO:
            return cloud
    return _host(variables.get("ANTHROPIC_BASE_URL", "")) or ANTHROPIC


def _claude_variables(user: Path, environ: Mapping[str, str], cwd: Path) -> dict[str, str]:
    """Variables set by the settings of Claude Code, the stronger ones last."""
    folder = Path(environ.get("CLAUDE_CONFIG_DIR") or user / ".claude")
    files = [folder / "settings.json"]
    if cwd.is_absolute():
        files += [cwd / ".claude" / "settings.json", cwd / ".claude" / "settings.local.json"]
    variables: dict[str, str] = {}
    for settings in (*map(_json, files), _managed()):
        variables.update(_variables(settings))
    return variables


def _managed() -> Mapping[str, Any]:
    """Settings of Claude Code made by an administrator; they hold for the engine too."""
    places = {"darwin": "/Library/Application Support/ClaudeCode"}
    return _json(Path(places.get(sys.platform, "/etc/claude-code"), "managed-settings.json"))


def _variables(settings: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in mapping(settings.get("env")).items()}


def _of_codex(config: Mapping[str, Any]) -> str:
    provider = str(config.get("model_provider", "openai"))
    own = mapping(mapping(config.get("model_providers")).get(provider))
    if own or provider != "openai":
        return _host(str(own.get("base_url", ""))) or provider
    bases = (config.get("openai_base_url"), config.get("chatgpt_base_url"))
    return next((host for base in bases if (host := _host(str(base or "")))), OPENAI)


def _of_gemini(variables: Mapping[str, str], *settings: Mapping[str, Any]) -> str:
    logins = (mapping(mapping(one.get("security")).get("auth")) for one in settings)
    kinds = [one.get("selectedType") for one in logins]
    if "vertex-ai" in kinds or variables.get("GOOGLE_GENAI_USE_VERTEXAI", "").lower() not in _NO:
        return _host(variables.get("GOOGLE_VERTEX_BASE_URL", "")) or _VERTEX
    return _host(variables.get("GOOGLE_GEMINI_BASE_URL", "")) or GOOGLE


def _gemini_client(user: Path, cwd: Path) -> str:
    """Endpoint of Gemini CLI: the first existing file of variables counts, from the folder up."""
    folders: Iterable[Path] = (cwd, *cwd.parents, user) if cwd.is_absolute() else (user,)
    files = (folder / name for folder in folders for name in (".gemini/.env", ".env"))
    variables = next((_dotenv(file) for file in files if file.is_file()), dict[str, str]())
    places = (user, cwd) if cwd.is_absolute() else (user,)
    return _of_gemini(variables, *(_json(place / ".gemini" / "settings.json") for place in places))


def _user(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("HOME") or Path.home())


def _dotenv(path: Path) -> dict[str, str]:
    pairs = (line.removeprefix("export ").partition("=") for line in _text(path).splitlines())
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs if value}


def _json(path: Path) -> Mapping[str, Any]:
    return mapping(loaded(_text(path)))


def _toml(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def _host(url: str) -> str:
    """Host and port of an address, without a credential in it."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    return f"{parts.hostname}{port}" if parts.hostname else ""
