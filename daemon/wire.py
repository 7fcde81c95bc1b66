"""The wire: frames of MessagePack on a byte stream, without any I/O.

Bytes in, frames out: the trio daemon, the anyio client and the tests use the same
object. A frame is a 4-byte big-endian length and a MessagePack array
``[version, id, kind, body]``. The asker chooses ``id``; an answer repeats it and has
the kind ``reply``, ``error`` or ``progress``.

The three ways a peer can be wrong are three exceptions. After any of them the
position in the stream is unknown or the peer is not ours, so the decoder refuses to
go on and its connection is closed; no other connection is touched.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgpack

VERSION = 1
MAX_FRAME = 16 * 1024 * 1024  # bytes after the length prefix
_LENGTH = struct.Struct(">I")

REPLY = "reply"
ERROR = "error"
PROGRESS = "progress"


class WireError(Exception):
    """The peer sent something that is not a frame of this wire."""


class Malformed(WireError):
    """The bytes are not a frame: the peer speaks another protocol."""


class TooLarge(WireError):
    """The frame announces more than ``MAX_FRAME`` bytes."""


class WrongVersion(WireError):
    """The frame is of another version of the wire.

    ``id`` is the frame's id, so that the answer can name ours.
    """

    def __init__(self, theirs: int, id: int) -> None:  # noqa: A002 - the wire's own word
        super().__init__(f"the peer speaks wire version {theirs}, this is version {VERSION}")
        self.theirs = theirs
        self.id = id


@dataclass(frozen=True, slots=True)
class Frame:
    """One message on the wire; ``body`` is plain MessagePack data."""

    id: int
    kind: str
    body: Any  # decoded MessagePack: the edge (daemon.requests) gives it a type


def encoded(frame: Frame) -> bytes:
    """The frame as bytes.

    Raises ``TooLarge`` when it would not be accepted at the other end.
    """
    payload = msgpack.packb(
        [VERSION, frame.id, frame.kind, frame.body], use_bin_type=True, unicode_errors="replace"
    )
    if len(payload) > MAX_FRAME:
        raise TooLarge(f"a frame of {len(payload)} bytes is over the limit of {MAX_FRAME}")
    return _LENGTH.pack(len(payload)) + payload


class Decoder:
    """Collects bytes and yields the frames that are whole."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._failure: WireError | None = None

    @property
    def pending(self) -> int:
        """Bytes of a frame that has not arrived whole: 0 between frames."""
        return len(self._buffer)

    def feed(self, data: bytes) -> None:
        """Take what the stream delivered, in pieces of any size."""
        self._buffer += data

    def frames(self) -> Iterator[Frame]:
        """Every whole frame so far, in order.

        Raises ``WireError`` at the first wrong one, and again at every later call.
        """
        while True:
            if self._failure is not None:
                raise self._failure
            try:
                payload = self._next_payload()
                if payload is None:
                    return
                frame = _parsed(payload)
            except WireError as error:
                self._failure = error
                self._buffer.clear()
                raise
            yield frame

    def _next_payload(self) -> bytes | None:
        if len(self._buffer) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._buffer)
        if length > MAX_FRAME:
            raise TooLarge(f"the peer announced {length} bytes, the limit is {MAX_FRAME}")
        end = _LENGTH.size + length
        if len(self._buffer) < end:
            return None
        payload = bytes(self._buffer[_LENGTH.size : end])
        del self._buffer[:end]
        return payload


def _parsed(payload: bytes) -> Frame:
    try:
        parts = msgpack.unpackb(payload, raw=False, strict_map_key=False, unicode_errors="replace")
    except (ValueError, TypeError, RecursionError, msgpack.exceptions.UnpackException) as error:
        raise Malformed("the frame is not MessagePack") from error
    match parts:
        case [int(version), int(id), str(kind), body] if _counting(version, id):
            if version != VERSION:
                raise WrongVersion(version, id)
            return Frame(id, kind, body)
        case [int(version), int(id), *_] if _counting(version, id) and version != VERSION:
            raise WrongVersion(version, id)
        case _:
            raise Malformed("the frame is not [version, id, kind, body]")


def _counting(*numbers: int) -> bool:
    return all(number >= 0 and not isinstance(number, bool) for number in numbers)
