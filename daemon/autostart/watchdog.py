"""The daemon's word to systemd: being ready, and again and again the turning of its loop.

By the protocol of ``sd_notify``: one datagram a word to the socket of ``NOTIFY_SOCKET``. Whoever started
the daemon by hand or by a hook set none, and hears nothing.
"""

import socket
from collections.abc import Mapping
from contextlib import suppress

import trio

A_WATCH = 3  # words in the time after which systemd would begin the daemon anew


async def report(environ: Mapping[str, str]) -> None:
    """Report the daemon as ready, then as alive, until cancelled."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    if address.startswith("@"):  # Linux's names that are no files
        address = "\0" + address[1:]
    every = float(environ.get("WATCHDOG_USEC") or 0) / 1e6 / A_WATCH
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.setblocking(False)
        _say(channel, address, b"READY=1")
        while every > 0:
            await trio.sleep(every)
            _say(channel, address, b"WATCHDOG=1")


def _say(channel: socket.socket, address: str, word: bytes) -> None:
    with suppress(OSError):  # nobody listens any more: that is not the daemon's business
        channel.sendto(word, address)
