"""The engine ``claude``: the person's own Claude Code, asked without tools, hooks or a session.

Flags and their reasons were tried with 2.1.330 and 2.1.332 before recording servers: no hook runs, no
session file is written, no CLAUDE.md is sent, an API key and a login both work (``--bare`` does not
read the login, ``disableAllHooks`` still sends CLAUDE.md). The answer is in ``structured_output``,
which can be null with exit 0; a limit's text comes in ``result`` with exit 1.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from actors.policy.reader.exchange import Answer, Engine, Failed, Reason, Request
from daemon.engines.documents import answered, estimated, failed, loaded, prompt
from daemon.engines.process import Bounds, Ended, Place, beside, located, stripped

PROGRAM: Final = "claude"
MODEL: Final = "haiku"
DOLLARS: Final = 0.05
DOLLARS_A_TOKEN: Final = 1e-5
"""Limit of what one request may cost by the client's own count: this at least, and so much a token. It is there
for a request that runs away, far above what one costs, because the client throws away an answer that
cost more."""
LARGER: Final = 10  # times that for a model that a person names
ENVIRON: Final = {
    "CLAUDE_CODE_DISABLE_THINKING": "1",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "8000",  # twelve notes with all their cues have 5,000
    "CLAUDE_CODE_MAX_RETRIES": "0",  # tries again are the reader's to count
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
}
_COUNTED: Final = (
    "input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens",
)  # fmt: skip


def claude(
    place: Place, *, program: str = PROGRAM, model: str = "", bounds: Bounds | None = None
) -> Engine:
    """The engine for asking Claude Code, with its small model unless another is named."""
    within = bounds or Bounds()

    async def answer(request: Request) -> Answer | Failed:
        path = located(program or PROGRAM, place.environ)
        if path is None:
            return Failed(Reason.MISSING)
        ended = await place.run(
            words(path, model or MODEL, request),
            prompt(request).encode("utf-8", "replace"),
            environ={**stripped(beside(path, place.environ)), **ENVIRON},
            bounds=within,
        )
        return read(ended, request)

    return answer


def words(program: Path, model: str, request: Request) -> list[str]:
    """The command line. Nothing of the session is on it, where other users could read it."""
    dollars = max(DOLLARS, estimated(request) * DOLLARS_A_TOKEN)
    dollars *= 1 if model == MODEL else LARGER
    return [
        str(program),
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


def read(ended: Ended | Failed, request: Request) -> Answer | Failed:
    """The answer in the client's output."""
    if isinstance(ended, Failed):
        spent = estimated(request) if ended.reason != Reason.MISSING else 0
        return Failed(ended.reason, ended.detail, spent)
    report = loaded(ended.output)
    if not isinstance(report, dict):
        reason = Reason.DIED if ended.code else Reason.FOREIGN
        return failed(reason, ended.complaints or _end(ended), request)
    result = cast("dict[str, Any]", report)
    tokens, dollars = _tokens(result.get("usage")), _dollars(result.get("total_cost_usd"))
    if ended.code or result.get("is_error"):
        subtype = str(result.get("subtype") or "")
        if subtype.startswith("error_"):  # the model answered, and the client threw it away
            tokens = tokens or estimated(request)
        complaint = str(result.get("result") or subtype or ended.complaints)
        return failed(Reason.DIED, complaint, request, tokens)
    value = result.get("structured_output")
    return answered(value, request, tokens or estimated(request, json.dumps(value)), dollars)


def _end(ended: Ended) -> str:
    return f"exit {ended.code}"


def _tokens(usage: object) -> int:
    """Tokens of input and output as the client counted them."""
    if not isinstance(usage, Mapping):
        return 0
    counts = [cast("Mapping[str, object]", usage).get(name) for name in _COUNTED]
    return sum(count for count in counts if isinstance(count, int))


def _dollars(figure: object) -> float | None:
    return float(figure) if isinstance(figure, int | float) else None
