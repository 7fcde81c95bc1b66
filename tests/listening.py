"""The socket of a small daemon: the real wire, read in threads, so that a synchronous test can hold it up and end it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from daemon.home import Home
from daemon.wire import Decoder, Frame
from tests.patience import PATIENCE


class Listening:
    """Listens in ``home`` from ``start`` to ``stop``, and again after another ``start``."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._streams: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Listen, and say where."""
        self.home.prepare()
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.home.socket))
        listener.listen()
        self._streams.append(listener)
        self.home.address.write_text(f"{self.home.socket}\n", encoding="utf-8")
        self._spawn(self._accept, listener)

    def stop(self) -> None:
        """Go away as a killed daemon does: every connection ends, nobody is told."""
        self.home.address.unlink(missing_ok=True)
        self.home.socket.unlink(missing_ok=True)
        for stream in self._streams:
            with suppress(OSError):  # the other end was faster
                stream.shutdown(socket.SHUT_RDWR)
            stream.close()
        for thread in self._threads:
            thread.join(PATIENCE)
        self._streams, self._threads = [], []

    def handle(self, stream: socket.socket, frame: Frame) -> None:
        """Answer a frame, in the thread of its connection."""
        raise NotImplementedError

    def _spawn(self, run: Callable[[socket.socket], None], stream: socket.socket) -> None:
        thread = threading.Thread(target=run, args=(stream,), name="fake-daemon", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):  # it was closed
            while True:
                stream, _ = listener.accept()
                self._streams.append(stream)
                self._spawn(self._serve, stream)

    def _serve(self, stream: socket.socket) -> None:
        decoder = Decoder()
        with suppress(OSError):  # either end closed it
            while data := stream.recv(65536):
                decoder.feed(data)
                for frame in decoder.frames():
                    self.handle(stream, frame)
