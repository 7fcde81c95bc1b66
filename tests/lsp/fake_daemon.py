"""A small daemon for tests of its clients: a real socket, the real wire, fixed answers.

``tests/lsp/test_with_the_daemon.py`` does the same with the daemon.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from daemon import own_version
from daemon.api.about import (
    About,
    Anchored,
    Anchors,
    Bearing,
    Match,
    Matched,
    MuteHint,
    Open,
    SourceView,
)
from daemon.api.forget import Forget, Unforget
from daemon.api.operation import Operation
from daemon.api.opinions import Feedback, Pin
from daemon.api.recall import Recall
from daemon.api.remember import Remember
from daemon.api.show import Show, Shown
from daemon.api.status import Greet, Greeting, Watch, WatchReply
from daemon.dispatch import parsed
from daemon.home import Home
from daemon.shapes.memory import MatchView
from daemon.shapes.replies import Done, Reply
from daemon.shapes.results import Recalled
from daemon.shapes.rows import Decided
from daemon.wire import Frame, encoded
from tests.listening import Listening
from tests.patience import PATIENCE
from tests.shapes import match_view, memory_view, scored


class Kept(Struct, frozen=True):
    """One memory of the fake daemon, and the phrase that leads to it."""

    id: str
    phrase: str
    title: str = ""
    text: str = "Retries have a budget."
    score: float = 0.9
    created_at: float = 0.0
    symbol: str = ""  # that it is about
    sure: bool = False  # it is about the file
    stale: str = ""


class FakeDaemon(Listening):
    """Knows these memories; ``start`` lets it listen."""

    def __init__(self, home: Home, memories: Sequence[Kept] = ()) -> None:
        super().__init__(home)
        self.memories = list(memories)
        self.asked: list[Operation[Any]] = []
        self.refuses: dict[str, str] = {}  # request → message
        self.revision = 1
        self.may_answer = threading.Event()  # cleared: matches wait
        self.may_answer.set()
        self.match_arrived = threading.Semaphore(0)
        self.open_arrived = threading.Semaphore(0)
        self._watchers: list[tuple[socket.socket, int]] = []
        self._sending = threading.Lock()

    def stop(self) -> None:
        """Go away as a killed daemon does, in the middle of an answer too."""
        self.may_answer.set()
        super().stop()
        self._watchers = []

    def change(self, *memories: Kept) -> None:
        """Have these memories from now on, and tell those who watch."""
        self.memories = list(memories)
        self.revision += 1
        self.tell({"revision": self.revision, "memories": len(memories), "vectors": "ready"})

    def tell(self, news: Any) -> None:
        """A progress frame to all who watch."""
        for stream, id_ in list(self._watchers):
            self._send(stream, Frame(id_, "progress", news))

    def count(self, kind: type[Operation[Any]]) -> int:
        """How often this was asked."""
        return sum(isinstance(request, kind) for request in self.asked)

    def handle(self, stream: socket.socket, frame: Frame) -> None:
        """Answer with what it knows."""
        request = parsed(frame.kind, frame.body)
        self.asked.append(request)
        if isinstance(request, Watch):
            self._watchers.append((stream, frame.id))
            news = {"revision": self.revision, "memories": len(self.memories), "vectors": "ready"}
            self._send(stream, Frame(frame.id, "progress", news))
            return
        if isinstance(request, Open):
            self.open_arrived.release()
        if isinstance(request, Match):
            self.match_arrived.release()
            self.may_answer.wait(PATIENCE)
        if request.NAME in self.refuses:
            problem = {"code": "refused", "message": self.refuses[request.NAME]}
            self._send(stream, Frame(frame.id, "error", problem))
            return
        body = msgspec.to_builtins(self._reply(request))
        self._send(stream, Frame(frame.id, "reply", body))

    def _send(self, stream: socket.socket, frame: Frame) -> None:
        with self._sending, contextlib.suppress(OSError):
            stream.sendall(encoded(frame))

    def _reply(self, request: Operation[Any]) -> Reply:
        match request:
            case Greet():
                return Greeting(version=own_version(), pid=os.getpid(), ready=True)
            case Match():
                return Matched(matches=self._matches(request), revision=self.revision)
            case Anchors():
                known = sum(bool(kept.symbol) for kept in self.memories)
                return Anchored(matches=self._anchors(request.text), known=known)
            case Recall():
                words = request.query.casefold()
                found = [kept for kept in self.memories if words in kept.text.casefold()]
                return self._recalled(found[: request.k])
            case About(sure=sure):
                found = [kept for kept in self.memories if kept.sure or not sure]
                return Bearing(
                    project=None, found=self._recalled(found), ended=[],
                    sources={one.id: SourceView(session="s1", commit="") for one in found},
                )  # fmt: skip
            case Show(id=id_):
                kept = next(kept for kept in self.memories if kept.id == id_)
                memory = memory_view(**_facts(kept), project="/src/shop", triggers=[kept.phrase])
                return Shown(memory=memory, decisions=[], history=[])
            case Remember():
                return Decided(id="m-new", action="CREATE", reason="new", similarity=None)
            case (
                Feedback() | Forget() | Unforget() | Open()
                | MuteHint() | Pin()
            ):  # fmt: skip
                return Done()
            case _:
                return WatchReply(revision=self.revision)

    def _recalled(self, found: Sequence[Kept]) -> Recalled:
        return Recalled(
            results=[
                scored(
                    **_facts(kept),
                    score=kept.score,
                    project="/src/shop",
                    why="words",
                    stale=kept.stale,
                )
                for kept in found
            ],
            confidence=1.0,
            mode="words",
            degraded=None,
            evidence={},
        )

    def _matches(self, request: Match) -> list[MatchView]:
        found: list[MatchView] = []
        for kept in self.memories:
            start = request.text.find(kept.phrase)
            while start >= 0:
                found.append(matched(kept, start))
                start = request.text.find(kept.phrase, start + 1)
        return sorted(found, key=lambda match: match.start)[: request.limit]

    def _anchors(self, text: str) -> list[MatchView]:
        return [
            msgspec.structs.replace(matched(kept, start, 2), score=0.85, anchored=True)
            for kept in self.memories
            if kept.symbol and (start := text.find(f"def {kept.symbol}")) >= 0
        ]


def matched(kept: Kept, start: int = 0, lines: int = 1) -> MatchView:
    """A memory at a place of a text."""
    end = start + len(kept.phrase)
    return match_view(
        **_facts(kept), start=start, end=end, phrase=kept.phrase, score=kept.score, lines=lines
    )


def _facts(kept: Kept) -> dict[str, Any]:
    """Facts in every shape of it."""
    names = ("id", "title", "text", "created_at")
    return {"kind": "decision", **{name: getattr(kept, name) for name in names}}
