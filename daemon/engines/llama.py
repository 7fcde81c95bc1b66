"""The engine ``llama``: a model file on this machine, in a process of its own.

Never in the embedding worker: a grammar's fault ends the process, and a person who comes back wants
the processor now. The process is a program like any other (``daemon.engines.process``): killed whole
at its time limit, on cancellation, and when the daemon dies.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final, cast

import trio

from actors.policy.reader.exchange import Answer, Engine, Failed, Reason, Request
from daemon.engines.complaints import failed
from daemon.engines.documents import answered, bounded, estimated, loaded, prompt
from daemon.engines.model_file import NoModel, model_file
from daemon.engines.process import Bounds, Ended, Place

PATIENCE: Final = Bounds(seconds=1_800.0)  # 6,000 tokens on a processor alone take minutes
_LONGEST: Final = 320
"""Characters of a text: a note's 300, and a little. At 400 a grammar is as fast as without; at 1,200
llama-cpp-python 0.3.36 ends the process with SIGSEGV."""
_ROOT: Final = str(Path(__file__).resolve().parents[2])
_BOOT: Final = (
    "import sys; sys.path.append(sys.argv[1]); from daemon.engines.llama_child import main; main()"
)


def llama(path: Path, place: Place, *, bounds: Bounds = PATIENCE) -> Engine:
    """The engine for loading this model file for each request."""

    async def answer(request: Request) -> Answer | Failed:
        try:
            await trio.to_thread.run_sync(model_file, path)
        except NoModel as error:
            return Failed(Reason.NO_MODEL, str(error))
        order = {
            "path": str(path),
            "system": request.system,
            "text": prompt(request),
            "schema": bounded(request.schema, characters=_LONGEST),
        }
        # Without the first, a failed assertion starts a debugger to print a backtrace.
        environ = {**place.environ, "GGML_NO_BACKTRACE": "1"}
        ended = await place.run(
            [sys.executable, "-I", "-c", _BOOT, _ROOT],
            json.dumps(order).encode(),
            environ=environ,
            bounds=bounds,
        )
        return read(ended, request)

    return answer


def read(ended: Ended | Failed, request: Request) -> Answer | Failed:
    """The answer of the child."""
    if isinstance(ended, Failed):
        return Failed(ended.reason, ended.detail, estimated(request))
    said = loaded(ended.output)
    if ended.code or not isinstance(said, dict):
        line = failed(Reason.DIED, ended.complaints, request)
        return Failed(Reason.DIED, line.detail or f"exit {ended.code}", estimated(request))
    report = cast("dict[str, Any]", said)
    tokens = int(report.get("tokens") or 0)
    if reason := report.get("failure"):
        return Failed(Reason[str(reason)], str(report.get("detail", "")), tokens)
    text = str(report.get("content") or "")
    if not text.strip() or text.strip() == "null":
        return Failed(Reason.EMPTY, "", tokens)
    value = loaded(text)
    if value is None:
        return Failed(Reason.FOREIGN, "no JSON", tokens)
    return answered(value, request, tokens)
