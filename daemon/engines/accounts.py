"""Account of a client's requests, as it tells without a network, and no token of it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from daemon.engines import codex, endpoints, gemini
from daemon.engines.complaints import plain
from daemon.engines.process import Bounds, Ended, Place, stripped
from daemon.engines.programs import beside

_SOON = Bounds(seconds=30.0, output=65_536)  # Gemini CLI takes 2 s of a processor to start
_LONGEST = 16_000_000  # bytes; Claude Code keeps a history in its file


async def version(program: Path, place: Place) -> str:
    """The version printed by a client; empty when it prints none."""
    ended = await place.run(
        [str(program), "--version"],
        b"",
        environ=stripped(beside(program, place.environ)),
        bounds=_SOON,
    )
    if not isinstance(ended, Ended) or ended.code:
        return ""
    lines = ended.output.decode("utf-8", "replace").splitlines()
    return plain(lines[0])[:60] if lines else ""


async def lacks(program: Path, helps: Sequence[str], flags: Sequence[str], place: Place) -> str:
    """The first of these flags missing from the client's help; empty when it has all."""
    ended = await place.run(
        [str(program), *helps],
        b"",
        environ=stripped(beside(program, place.environ)),
        bounds=_SOON,
    )
    if not isinstance(ended, Ended) or ended.code:
        return ""  # it says nothing of itself: the first request will tell
    text = ended.output.decode("utf-8", "replace") + ended.complaints
    return next((flag for flag in flags if flag not in text), "")


def of_claude(environ: Mapping[str, str], endpoint: str) -> str:
    """The account of Claude Code, as its own file names it; empty when none can be seen."""
    if endpoint in endpoints.CLOUDS.values():
        return f"this machine's login of {endpoint}"
    if environ.get("CLAUDE_CODE_OAUTH_TOKEN"):
        return "the token in the daemon's environment"
    if environ.get("ANTHROPIC_API_KEY") or environ.get("ANTHROPIC_AUTH_TOKEN"):
        return "the API key in the daemon's environment"
    folder = environ.get("CLAUDE_CONFIG_DIR") or environ.get("HOME") or Path.home()
    account = _json(Path(folder, ".claude.json")).get("oauthAccount")
    if not isinstance(account, dict):
        return ""
    known = cast("Mapping[str, object]", account)
    names = [str(known.get(name) or "") for name in ("emailAddress", "organizationName")]
    return plain(", ".join(filter(None, names)))


async def of_codex(program: Path, place: Place) -> str:
    """Login of Codex, in its own words; empty when there is none."""
    if place.environ.get("CODEX_API_KEY"):
        return "the API key in the daemon's environment"
    user = codex.home(place.environ)
    if not (user / codex.LOGIN).exists():
        return ""
    ended = await place.run(
        [str(program), "login", "status"],
        b"",
        environ={**stripped(beside(program, place.environ)), "CODEX_HOME": str(place.files)},
        bounds=_SOON,
        links={codex.LOGIN: user / codex.LOGIN},
    )
    if not isinstance(ended, Ended) or ended.code:
        return ""
    said = f"{ended.output.decode('utf-8', 'replace')}\n{ended.complaints}"
    lines = [plain(line) for line in said.splitlines()]
    return next((line for line in lines if "WARNING" not in line and line), "")[:120]


def of_gemini(environ: Mapping[str, str]) -> str:
    """The account of Gemini CLI, as its own file names it; empty when none can be seen."""
    user = gemini.home(environ)
    if environ.get("GEMINI_API_KEY") or environ.get("GOOGLE_API_KEY"):
        return "the API key in the daemon's environment"
    if (user / "oauth_creds.json").exists():
        return plain(str(_json(user / "google_accounts.json").get("active") or "a Google account"))
    return "the API key of its own .env file" if (user / ".env").exists() else ""


def _json(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            value = json.loads(file.read(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}
