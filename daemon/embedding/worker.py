"""The embedding worker: a process that turns texts into vectors, one decode at a time.

It is a process because llama.cpp ends it on a bad batch and nothing can catch that. The main thread
decodes; a second one reads the pipe, so an interactive request is known of while a background list
is decoded. The decode is then ended and the list put back; its results so far are kept. After
`PATIENCE` decodes ended in a row one text is decoded whatever comes, so a list gets done also
between requests that follow each other closely.
"""

import array
import hashlib
import math
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final, assert_never

from msgspec import Struct, field

from actors.policy.index import sign_bits
from daemon.embedding import frames
from daemon.embedding.gguf import NotGguf, read_header
from daemon.embedding.models import MINILM, Profile, Unsuitable, identity, profile
from daemon.embedding.native import SEQUENCES, CannotLoad, DecodeFailed, Floats, Model
from hooks import ownership

DECODE: Final = 128
"""Tokens of one decode: 36 ms. A larger one is no cheaper a token, takes longer to end (512 tokens:
6 instead of 2 ms) and keeps 47 MB more of output buffer."""

PATIENCE: Final = 3

_SIMILAR: Final = 0.999


class Job(Struct):
    """Texts of one request, and how far they got."""

    number: int
    interactive: bool
    texts: list[str]
    tokens: list[list[int]] = field(default_factory=list[list[int]])
    vectors: list[bytes] = field(default_factory=list[bytes])
    wanted: frames.Kept = ""  # of the tokens
    kept: list[bytes] = field(default_factory=list[bytes])
    words: list[list[str]] = field(default_factory=list[list[str]])
    ended: int = 0  # decodes given up since the last that was not
    cancelled: bool = False

    @property
    def patient(self) -> bool:
        """Return whether its decode may be ended for an interactive request."""
        return not self.interactive and self.ended < PATIENCE

    def next_group(self) -> list[list[int]]:
        """Texts to decode next: as many of the rest as fit, or one."""
        left = self.tokens[len(self.vectors) :]
        if self.ended >= PATIENCE:
            return left[:1]
        group, size = left[:1], len(left[0])
        for tokens in left[1:SEQUENCES]:
            size += len(tokens)
            if size > DECODE:
                break
            group.append(tokens)
        return group


class Desk:
    """Place where the reading thread puts jobs and the decoding thread takes them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._interactive: deque[Job] = deque()
        self._background: deque[Job] = deque()
        self.running: Job | None = None

    def put(self, job: Job) -> None:
        with self._changed:
            (self._interactive if job.interactive else self._background).append(job)
            self._changed.notify()

    def cancel(self, number: int) -> None:
        with self._changed:
            for job in (*self._interactive, *self._background):
                job.cancelled = job.cancelled or job.number == number

    def current(self) -> Job:
        """The job to work on now; it stays first in its lane until `finish`."""
        with self._changed:
            self._changed.wait_for(lambda: self._interactive or self._background)
            self.running = (self._interactive or self._background)[0]
            return self.running

    def finish(self, job: Job) -> None:
        with self._changed:
            (self._interactive if job.interactive else self._background).remove(job)
            self.running = None

    def may_go_on(self) -> bool:
        """Return whether the running decode is still the best to do. Called 150 times a decode."""
        job = self.running
        if job is None:
            return True
        return not job.cancelled and not (self._interactive and job.patient)


def main() -> None:
    """Serve the requests on standard input until it closes."""
    pipe, answers = sys.stdin.buffer, _own_output()
    order = frames.read(pipe)
    if not isinstance(order, frames.Load):
        return
    desk = Desk()
    if reason := ownership.reason_against(os.fsencode(order.path)):
        _send(answers, frames.Failed(reason))
        return
    try:
        model, kind, ready = opened(Path(order.path), desk.may_go_on)
    except (CannotLoad, NotGguf, Unsuitable, DecodeFailed) as error:
        _send(answers, frames.Failed(str(error)))
        return
    except OSError as error:
        _send(answers, frames.Failed(error.strerror or "the file cannot be read"))
        return
    _send(answers, ready)
    threading.Thread(target=_listen, args=(pipe, desk), name="pipe", daemon=True).start()
    while True:
        work(desk, model, kind, lambda answer: _send(answers, answer))


def opened(path: Path, may_go_on: Callable[[], bool]) -> tuple[Model, Profile, frames.Ready]:
    """The model at `path`, tested; its profile; and the daemon's facts about it."""
    metadata, _ = read_header(path)
    kind = profile(metadata, path.name)
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    model = Model(str(path), pooling=kind.pooling, may_go_on=may_go_on)
    _test(model, kind, sha256)
    ready = frames.Ready(
        model=identity(sha256, kind.pooling, model.dims),
        dimensions=model.dims,
        query_prefix=kind.query_prefix,
        document_prefix=kind.document_prefix,
    )
    return model, kind, ready


def work(desk: Desk, model: Model, kind: Profile, send: Callable[[frames.News], None]) -> None:
    """One decode of the most urgent job; its answer after the last one."""
    job = desk.current()
    try:
        if not job.cancelled:
            _advance(job, model, kind)
    except DecodeFailed as error:
        desk.finish(job)
        send(frames.Refused(job.number, str(error)))
        return
    if job.cancelled:
        desk.finish(job)
    elif len(job.vectors) == len(job.texts):
        desk.finish(job)
        send(frames.Vectors(job.number, job.vectors, job.kept, job.words))


def _advance(job: Job, model: Model, kind: Profile) -> None:
    if not job.tokens:
        job.tokens = [model.cut(model.tokens(kind.prepared(text))) for text in job.texts]
    group = job.next_group()
    decoded = model.decoded(group)
    if decoded is None:
        job.ended += 1
        return
    job.ended = 0
    for tokens, one in zip(group, decoded, strict=True):
        job.vectors.append(one.vector)
        if job.wanted:
            _keep_tokens(job, model.words(tokens), one.tokens)


def _keep_tokens(job: Job, words: list[str], vectors: Floats) -> None:
    """Keep the wanted form of a text's tokens, without the special ones at its ends."""
    told = [place for place, word in enumerate(words) if word]
    units = sign_bits.directions(vectors[told])
    if job.wanted == "signs":
        job.kept.append(sign_bits.signs(units))
    else:
        job.kept.append(units.astype("<f4").tobytes())
        job.words.append([words[place] for place in told])


def _listen(pipe: BinaryIO, desk: Desk) -> None:
    """Take requests off the pipe. Its end, or nonsense in it, ends the process at once."""
    try:
        while (order := frames.read(pipe)) is not None:
            match order:
                case frames.Embed(number, interactive, texts, kept):
                    job = Job(number, interactive, [text.decode() for text in texts], wanted=kept)
                    desk.put(job)
                case frames.Cancel(number):
                    desk.cancel(number)
                case frames.Load():  # only ever the first
                    break
                case _:
                    assert_never(order)
    finally:
        os._exit(0)  # the main thread may be inside llama.cpp


def _test(model: Model, kind: Profile, sha256: str) -> None:
    """Refuse a model with wrong vectors: better none than wrong ones."""
    vector = _one(model, kind, MINILM.self_test)
    if sha256 == MINILM.sha256:
        expected = array.array("b", bytes.fromhex(MINILM.expected))
        if _cosine(vector, array.array("f", expected)) < _SIMILAR:
            raise CannotLoad("the model's vectors are wrong on this machine (self-test)")
    elif _cosine(vector, _one(model, kind, "unrelated words entirely")) > 0.99999:
        raise CannotLoad("the model gives every text the same vector (self-test)")


def _one(model: Model, kind: Profile, text: str) -> "array.array[float]":
    decoded = model.decoded([model.cut(model.tokens(kind.prepared(text)))])
    if decoded is None:
        raise DecodeFailed("the self-test was ended")
    return array.array("f", decoded[0].vector)


def _cosine(one: "array.array[float]", other: "array.array[float]") -> float:
    product: float = sum(a * b for a, b in zip(one, other, strict=True))
    lengths: float = sum(a * a for a in one) * sum(b * b for b in other)
    return product / math.sqrt(lengths)


def _own_output() -> BinaryIO:
    """The pipe to the daemon; whatever else is printed goes to standard error instead."""
    own = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return own


def _send(answers: BinaryIO, news: frames.News) -> None:
    try:
        answers.write(frames.packed(news))
        answers.flush()
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()
