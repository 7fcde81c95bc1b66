"""The engine ``command``: a program of the person's own.

Contract, version 1: one JSON object on standard input (``Request.document``), one on standard
output, exit 0. Anything else is a failed reading.
"""

import json
from collections.abc import Sequence

from actors.policy.reader.exchange import Answer, Engine, Failed, Reason, Request
from daemon.engines.documents import answered, estimated, failed, loaded
from daemon.engines.process import Bounds, Ended, Place, beside, located, stripped


def command(words: Sequence[str], place: Place, bounds: Bounds | None = None) -> Engine:
    """The engine for running these words, the program first."""
    within = bounds or Bounds()

    async def answer(request: Request) -> Answer | Failed:
        program = located(words[0], place.environ) if words else None
        if program is None:
            return Failed(Reason.MISSING)
        given = json.dumps(request.document(), ensure_ascii=False).encode("utf-8", "replace")
        environ = stripped(beside(program, place.environ))
        argv = [str(program), *words[1:]]
        ended = await place.run(argv, given, environ=environ, bounds=within)
        return read(ended, request)

    return answer


def read(ended: Ended | Failed, request: Request) -> Answer | Failed:
    """The answer of the program."""
    tokens = estimated(request)
    if isinstance(ended, Failed):
        return Failed(ended.reason, ended.detail, tokens if ended.reason != Reason.MISSING else 0)
    if ended.code:
        said = failed(Reason.DIED, ended.complaints, request, tokens)
        return Failed(said.reason, said.detail or f"exit {ended.code}", tokens)
    text = ended.output.decode("utf-8", "replace")
    if not text.strip():
        return Failed(Reason.EMPTY, "", tokens)
    if text.strip() == "null":
        return Failed(Reason.EMPTY, "null", tokens)
    value = loaded(text)
    if value is None:
        return Failed(Reason.FOREIGN, "no JSON", tokens)
    return answered(value, request, estimated(request, text))
