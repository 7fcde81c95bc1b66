"""The process of the engine ``llama``: one request on standard input, one report on standard output.

llama-cpp-python 0.3.36 takes a schema as ``{"type": "json_object", "schema": …}`` and makes a
grammar of it; ``json_schema``, which servers take, it ignores in silence. Its context is 512 tokens
unless another size is named, so the request is counted first.
"""

import json
import os
import sys
from typing import Any, Final

from daemon.embedding.llama_site import bindings

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
        window = int(counter.metadata.get(_context_key(counter), room))
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


def _context_key(model: Any) -> str:
    return f"{model.metadata.get('general.architecture')}.context_length"


def _failure(reason: str, detail: str, tokens: int = 0) -> dict[str, Any]:
    return {"failure": reason, "detail": detail, "tokens": tokens}
