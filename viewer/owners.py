"""Owner of the other end of a connection on this machine, as the kernel knows it.

Every user of a machine can connect to a port of the loopback. On Linux the kernel tells the user of a
socket by its two addresses (sock_diag(7), ``NETLINK_SOCK_DIAG``): one question, 0.2 ms, where reading
``/proc/net/tcp`` takes 18. Elsewhere nobody is asked, and the cookie alone decides.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
from contextlib import suppress
from typing import Final

Address = tuple[str, int]

SOCK_DIAG: Final = 4  # protocol of netlink
BY_FAMILY: Final = 20  # a question, and its answer, about a socket of a family
REQUEST: Final = 1  # flag
HEADER: Final = struct.Struct("=IHHII")  # struct nlmsghdr: length, type, flags, sequence, process
ASKED: Final = struct.Struct("=BBBBI")  # of inet_diag_req_v2: family, protocol, more, pad, states
ANY_STATE: Final = 0xFFFFFFFF
NO_COOKIE: Final = b"\xff" * 8  # INET_DIAG_NOCOOKIE, twice
FACTS: Final = struct.Struct("=IIIII")  # of inet_diag_msg: expires, two queues, user, inode
FACTS_AT: Final = HEADER.size + 4 + 48  # behind family, state, timer, retransmits, and the identity
WITHIN: Final = 1.0  # seconds: the kernel answers at once


def owner(local: Address, peer: Address) -> int | None:
    """User of the socket with these two addresses, IPv4; ``None`` where nobody says."""
    if sys.platform != "linux":
        return None
    ends = struct.pack("!HH", local[1], peer[1])
    places = b"".join(socket.inet_aton(one[0]) + bytes(12) for one in (local, peer))
    asked = ASKED.pack(socket.AF_INET, socket.IPPROTO_TCP, 0, 0, ANY_STATE)
    asked += ends + places + bytes(4) + NO_COOKIE
    head = HEADER.pack(HEADER.size + len(asked), BY_FAMILY, REQUEST, 1, 0)
    with suppress(OSError), socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, SOCK_DIAG) as kernel:
        kernel.settimeout(WITHIN)
        kernel.send(head + asked)
        told = kernel.recv(1024)
        if HEADER.unpack_from(told)[1] == BY_FAMILY:
            return int(FACTS.unpack_from(told, FACTS_AT)[3])
    return None


def are_told(listening: socket.socket) -> bool:
    """Tell whether the kernel names the owners of connections to this socket: it is tried with our own."""
    address: Address = listening.getsockname()
    with socket.create_connection(address) as ours:
        told = owner(ours.getsockname(), address)
        taken, _ = listening.accept()
        taken.close()
    return told == os.getuid()
