"""A command that stands in for a Python process forked warm (``tests/warm.py``).

Whoever starts it has a process as any other: it lends that one its streams, environment and
folder, hands on signals, ends as it ends, and takes it along when it is killed. It imports little,
as its own start is most of what such a process costs.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence

HANDED_ON = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


def forked(
    address: str, words: Sequence[str], environ: Mapping[str, str], folder: str, streams: list[int]
) -> tuple[socket.socket, int]:
    """Fork a process at this address: the line on which its end is told, and its process id.

    The first of the words is its program, the others its arguments. It ends when the line is closed.
    """
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(address)
    socket.send_fds(line, [json.dumps([words, dict(environ), folder]).encode()], streams)
    return line, int(line.recv(64))


def main() -> None:
    """Be the process whose program and arguments are named, until it ends."""
    address, *words = sys.argv[1:]
    signal.pthread_sigmask(signal.SIG_BLOCK, HANDED_ON)  # until there is somebody to hand them to
    line, process = forked(address, words, os.environ, os.getcwd(), [0, 1, 2])  # noqa: PTH109 - pathlib takes 8 ms to import
    for number in HANDED_ON:
        signal.signal(number, lambda number, _: os.kill(process, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HANDED_ON)
    os.closerange(0, 3)  # whose other ends are to see when that process closes them
    code = int(line.recv(64))
    if code < 0:
        if -code != signal.SIGKILL:  # which nothing but its default can be done about
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
