"""Endpoints: the one a session's client asks by its settings, and the one its engine would ask.

An engine is started with no settings of a user or a project, so it may send to another endpoint than the
client of the session did: a gateway of an employer stands in a user's or a project's settings, and the
model behind it is not the engine's. Such a session is not read, nor is one whose settings cannot be read.
"""

import sys
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit

from actors.policy.events.events import mapping
from daemon.engines.clients import CLIENTS, codex_home, gemini_home
from daemon.engines.documents import loaded
from daemon.engines.process import user_folder

CLOUDS: Final[Mapping[str, str]] = {
    "bedrock": "Amazon Bedrock",
    "vertex": "Google Vertex AI",
    "foundry": "Microsoft Foundry",
}
# Settings of Claude Code made by an administrator; they hold for the engine too.
MANAGED: Final = Path(
    "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code",
    "managed-settings.json",
)
_NO: Final = frozenset({"", "0", "false", "no", "off"})
_LONGEST: Final = 1_000_000  # characters of a file of settings


class Untold(Exception):
    """A file of settings that is there and cannot be read."""


def endpoint(agent: str, environ: Mapping[str, str]) -> str:
    """Tell where the engine of this agent asks, started in this environment."""
    try:
        return _of_engine(agent, environ)
    except Untold:
        return CLIENTS[agent].endpoint


def elsewhere(
    agent: str, environ: Mapping[str, str], folders: Sequence[str] = (), seen: Collection[str] = ()
) -> str:
    """Tell how the client of an agent's session asks another endpoint than its engine; else empty.

    ``seen``: endpoints seen by the session's hooks; without any the settings of the person and of the
    session's folders tell.
    """
    try:
        ours = _of_engine(agent, environ)
        theirs = [CLOUDS.get(one) or _host(f"//{one}") or one for one in seen]
        theirs = theirs or [_of_client(agent, environ, Path(one)) for one in folders or [""]]
    except Untold as error:
        return f"where its client asks cannot be told: {error} cannot be read"
    other = next((one for one in theirs if one != ours), "")
    return f"its client asks {other}, the reader would ask {ours}" if other else ""


def _of_engine(agent: str, environ: Mapping[str, str]) -> str:
    match agent:
        case "claude":
            return _of_claude({**environ, **_variables(MANAGED)})
        case "gemini":  # it is given these two of the person's files
            user = gemini_home(environ)
            variables = {**_dotenv(user / ".env"), **environ}
            return _of_gemini(variables, user / "settings.json")
        case _:
            return CLIENTS[agent].endpoint


def _of_client(agent: str, environ: Mapping[str, str], folder: Path) -> str:
    """Endpoint of the client of a session in this folder; one that is not absolute has no settings."""
    own = [folder] if folder.is_absolute() else []
    match agent:
        case "claude":
            user = Path(environ.get("CLAUDE_CONFIG_DIR") or user_folder(environ) / ".claude")
            names = ("settings.json", "settings.local.json")
            files = [user / names[0], *(one / ".claude" / name for one in own for name in names)]
            return _of_claude({
                name: value for file in (*files, MANAGED) for name, value in _variables(file).items()
            })  # fmt: skip
        case "codex":
            folders = [codex_home(environ), *(one / ".codex" for one in own)]
            hosts = [_of_codex(_read(one / "config.toml", tomllib.loads)) for one in folders]
            return next((one for one in hosts if one), CLIENTS[agent].endpoint)
        case _:
            user = gemini_home(environ).parent
            above = [place for one in own for place in (one, *one.parents)]
            # The first file that is there counts, from the folder up.
            files = [place / name for place in (*above, user) for name in (".gemini/.env", ".env")]
            variables = _dotenv(next(filter(_is_there, files), files[-1]))
            places = (place / ".gemini" / "settings.json" for place in (user, *own))
            return _of_gemini(variables, *places)


def _of_claude(variables: Mapping[str, str]) -> str:
    for name, cloud in CLOUDS.items():
        if variables.get(f"CLAUDE_CODE_USE_{name.upper()}", "").lower() not in _NO:
            return cloud
    return _host(variables.get("ANTHROPIC_BASE_URL", "")) or CLIENTS["claude"].endpoint


def _of_codex(config: Mapping[str, Any]) -> str:
    """The provider of a configuration, or a host in place of the usual one; else empty."""
    provider = str(config.get("model_provider", "openai"))
    own = mapping(mapping(config.get("model_providers")).get(provider))
    if own or provider != "openai":
        return _host(str(own.get("base_url", ""))) or provider
    bases = (config.get("openai_base_url"), config.get("chatgpt_base_url"))
    return next((host for base in bases if (host := _host(str(base or "")))), "")


def _of_gemini(variables: Mapping[str, str], *settings: Path) -> str:
    security = (mapping(_read(file, loaded).get("security")) for file in settings)
    kinds = [mapping(one.get("auth")).get("selectedType") for one in security]
    if "vertex-ai" in kinds or variables.get("GOOGLE_GENAI_USE_VERTEXAI", "").lower() not in _NO:
        return _host(variables.get("GOOGLE_VERTEX_BASE_URL", "")) or CLOUDS["vertex"]
    return _host(variables.get("GOOGLE_GEMINI_BASE_URL", "")) or CLIENTS["gemini"].endpoint


# ---- files of settings


def _variables(file: Path) -> dict[str, str]:
    return {name: str(value) for name, value in mapping(_read(file, loaded).get("env")).items()}


def _dotenv(file: Path) -> dict[str, str]:
    pairs = (line.removeprefix("export ").partition("=") for line in _text(file).splitlines())
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs if value}


def _read(file: Path, parsed: Callable[[str], Any]) -> Mapping[str, Any]:
    """The settings in a file, none without it; raises ``Untold``."""
    text = _text(file)
    try:
        settings: object = parsed(text) if text.strip() else {}
    except (ValueError, RecursionError):
        settings = None
    if not isinstance(settings, dict):
        raise Untold(str(file))
    return mapping(cast("object", settings))


def _is_there(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError:
        raise Untold(str(file)) from None


def _text(file: Path) -> str:
    """Text of a file; empty where there is none. Raises ``Untold``."""
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(_LONGEST)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError):  # or no path at all
        raise Untold(str(file)) from None


def _host(url: str) -> str:
    """Host and port of an address, without a credential in it."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    return f"{parts.hostname}{port}" if parts.hostname else ""
