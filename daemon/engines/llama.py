"""The engine ``llama``: a model file on this machine, in a process of its own."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import trio
from msgspec import Struct

from actors.policy.events.events import mapping
from actors.policy.reader.exchange import Answer, Engine, Failed, Reason, Request
from daemon.embedding.build_llama import bindings
from daemon.embedding.gguf import NotGguf, read_header
from daemon.engines.documents import answer_in, bounded, failed, loaded, prompt
from daemon.engines.process import Ended, Errand, Place
from hooks import ownership

ENOUGH: Final = 1_500_000_000
"""Parameters below which no published figure shows a model that reads sessions well; one of 135
million (SmolLM2-135M-Instruct) wrote nothing of use over six projects."""


class NoModel(Exception):
    """The file is no model fit to read sessions; the text says why."""


class ModelFile(Struct, frozen=True):
    """Header of a model file, as far as it is of use."""

    name: str
    parameters: int

    @property
    def warning(self) -> str:
        """Warning for a person before its use; empty when there is none."""
        if self.parameters >= ENOUGH:
            return ""
        return (
            f"{self.parameters / 1e6:,.0f} million parameters are too few to read sessions: "
            "expect nothing of use below 1.5 billion"
        )


def model_file(path: Path) -> ModelFile:
    """The model of this file. Raises ``NoModel``; reads the header alone."""
    if reason := ownership.reason_against(os.fsencode(path.absolute())):
        raise NoModel(reason)
    try:
        metadata, parameters = read_header(path)
    except NotGguf as error:
        raise NoModel(f"no GGUF model: {error}") from None
    except OSError as error:
        raise NoModel(error.strerror or "it cannot be read") from None
    kind = str(metadata.get("general.architecture", ""))
    if f"{kind}.pooling_type" in metadata or kind.endswith("bert"):
        raise NoModel(f"a model of the kind {kind} makes vectors and writes nothing")
    if kind in {"", "clip"} or "tokenizer.ggml.model" not in metadata:
        raise NoModel("it holds no model that writes text")
    return ModelFile(str(metadata.get("general.name") or path.stem), parameters)


# ---- the engine
#
# Never in the embedding worker: a grammar's fault ends the process, and a person who comes back wants
# the processor now. The process is a program like any other (``daemon.engines.process``): killed whole
# at its time limit, on cancellation, and when the daemon dies.


PATIENCE: Final = 1_800.0  # seconds: 6,000 tokens on a processor alone take minutes
_LONGEST: Final = 320
"""Characters of a text: a note's 300, and a little. At 400 a grammar is as fast as without; at 1,200
llama-cpp-python 0.3.36 ends the process with SIGSEGV."""
_ROOT: Final = str(Path(__file__).resolve().parents[2])
_BOOT: Final = (
    "import sys; sys.path.append(sys.argv[1]); from daemon.engines.llama import main; main()"
)


def llama(path: Path, place: Place, *, seconds: float = PATIENCE) -> Engine:
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
        # Without this, a failed assertion starts a debugger to print a backtrace.
        environ = {"GGML_NO_BACKTRACE": "1"}
        errand = Errand(["-I", "-c", _BOOT, _ROOT], json.dumps(order), environ)
        ended = await place.run(Path(sys.executable), errand, seconds)
        return read(ended, request)

    return answer


def read(ended: Ended | Failed, request: Request) -> Answer | Failed:
    """The answer of the child."""
    if isinstance(ended, Failed):
        return Failed(ended.reason, ended.detail, request.tokens_with())
    report: Mapping[str, Any] = mapping(loaded(ended.output))
    if ended.code or not report:
        line = failed(Reason.DIED, ended.complaints, request)
        return Failed(Reason.DIED, line.detail or f"exit {ended.code}", request.tokens_with())
    if reason := report.get("failure"):
        return Failed(Reason[reason], report["detail"], report["tokens"])
    return answer_in(report["content"] or "", request, report["tokens"])


# ---- its process
#
# One request on standard input, one report on standard output.
#
# llama-cpp-python 0.3.36 takes a schema as ``{"type": "json_object", "schema": …}`` and makes a
# grammar of it; ``json_schema``, which servers take, it ignores in silence. Its context is 512 tokens
# unless another size is named, so the request is counted first.


ANSWER: Final = 2_500  # tokens; six notes with all their cues
TEMPLATE: Final = 256  # tokens that a chat's template adds at most
_NICE: Final = 10  # whoever works on this machine goes first


def main() -> None:
    """Answer the request on standard input."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what llama.cpp prints is no report
    os.nice(_NICE)
    with own:
        json.dump(report(json.load(sys.stdin)), own)


def report(order: dict[str, Any]) -> dict[str, Any]:
    """Result of one request: ``content`` and ``tokens``, or ``failure`` with its ``detail``."""
    try:
        llama = bindings().Llama
    except (ImportError, OSError, RuntimeError) as error:
        return _failure("MISSING", f"llama-cpp-python: {type(error).__name__}")
    try:
        counter = llama(model_path=order["path"], vocab_only=True, verbose=False)
        asked = sum(len(counter.tokenize(order[part].encode())) for part in ("system", "text"))
        room = asked + TEMPLATE + ANSWER
        architecture = counter.metadata.get("general.architecture")
        window = int(counter.metadata.get(f"{architecture}.context_length", room))
        if asked + TEMPLATE + ANSWER // 2 > window:
            return _failure("UNREADABLE", f"{asked:,} tokens do not fit its {window:,}")
        model = llama(
            model_path=order["path"],
            n_ctx=min(room, window),
            n_gpu_layers=-1,  # all, where there is a graphics card
            n_threads=max(1, (os.cpu_count() or 2) // 2),
            verbose=False,
        )
    except (ValueError, RuntimeError) as error:
        return _failure("NO_MODEL", type(error).__name__)
    completion = model.create_chat_completion(
        messages=[
            {"role": "system", "content": order["system"]},
            {"role": "user", "content": order["text"]},
        ],
        response_format={"type": "json_object", "schema": order["schema"]},
        temperature=0.0,
        max_tokens=ANSWER,
    )
    choice, tokens = completion["choices"][0], completion["usage"]["total_tokens"]
    if choice["finish_reason"] == "length":
        return _failure("TOO_LONG", f"more than {ANSWER:,} tokens", tokens)
    return {"content": choice["message"]["content"], "tokens": tokens}


def _failure(reason: str, detail: str, tokens: int = 0) -> dict[str, Any]:
    return {"failure": reason, "detail": detail, "tokens": tokens}
