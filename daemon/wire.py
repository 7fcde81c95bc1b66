"""The wire: frames of MessagePack on a byte stream, without any I/O.

A frame is a 4-byte big-endian length and a MessagePack array ``[version, id, kind, body]``. The asker chooses ``id``;
an answer repeats it and has the kind ``reply``, ``error`` or ``progress``. After any ``WireError`` the position in the
stream is unknown or the peer is not ours, so the decoder refuses to go on. A frame's values are counted before they
are made: 15 MB of empty maps would take 1 GB.
"""

import struct
from collections.abc import Iterator
from typing import Any

import msgpack
from msgspec import Struct

VERSION = 1
MAX_FRAME = 16 * 1024 * 1024  # bytes after the length prefix
# Values of one request, keys included: 9 ms to count, 25 MB at most when made. An import asks for
# 500 rows at a time, of some fifty values each.
MOST_VALUES = 100_000
_LENGTH = struct.Struct(">I")

# MessagePack by its first bytes: how many bytes then say a count, and the values that each entry
# is; how many say a size, and the bytes beside it; the size of what has a fixed one.
_COUNTED = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}
_SIZED = {
    0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0), 0xC7: (1, 1), 0xC8: (2, 1), 0xC9: (4, 1),
    0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0),
}  # fmt: skip
_FIXED = {
    0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8,
    0xD4: 2, 0xD5: 3, 0xD6: 5, 0xD7: 9, 0xD8: 17,
}  # fmt: skip

REPLY = "reply"
ERROR = "error"
PROGRESS = "progress"


class WireError(Exception):
    """The peer sent something other than a frame of this wire."""


class Malformed(WireError):
    """The bytes are not a frame: the peer speaks another protocol."""


class TooLarge(WireError):
    """The frame announces more than ``MAX_FRAME`` bytes."""

    line = "the text is too large to be sent (16 MiB)"


class TooMany(WireError):
    """The frame announces more values than its reader takes; ``id`` is the frame's."""

    def __init__(self, most: int, id: int) -> None:  # noqa: A002 - the wire's own word
        super().__init__(f"the request holds more than {most:,} values: ask for less at once")
        self.id = id


class WrongVersion(WireError):
    """The frame is of another version of the wire; ``id`` is the frame's, for the answer with ours."""

    def __init__(self, theirs: int, id: int) -> None:  # noqa: A002 - the wire's own word
        super().__init__(f"the peer speaks wire version {theirs}, this is version {VERSION}")
        self.id = id


class Frame(Struct, frozen=True):
    """One message on the wire; ``body`` is plain MessagePack data."""

    id: int
    kind: str
    body: Any  # decoded MessagePack: the edge (daemon.shapes) gives it a type


def encoded(frame: Frame) -> bytes:
    """The frame as bytes. Raises ``TooLarge`` when it would not be accepted at the other end."""
    payload = msgpack.packb(
        [VERSION, frame.id, frame.kind, frame.body], use_bin_type=True, unicode_errors="replace"
    )
    if len(payload) > MAX_FRAME:
        raise TooLarge(f"a frame of {len(payload)} bytes is over the limit of {MAX_FRAME}")
    return _LENGTH.pack(len(payload)) + payload


class Decoder:
    """Collects bytes and yields whole frames.

    ``most`` bounds the values of one frame; without it only the size does, as is right for answers
    of the user's own daemon.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._buffer = bytearray()
        self._failure: WireError | None = None

    @property
    def pending(self) -> int:
        """Bytes of a frame not yet whole: 0 between frames."""
        return len(self._buffer)

    def feed(self, data: bytes) -> None:
        """Take the stream's bytes, in pieces of any size."""
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
                if self._most is not None and not _fits(payload, self._most):
                    raise TooMany(self._most, _id_of(payload))
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


def _fits(payload: bytes, most: int) -> bool:
    """Return whether these bytes announce at most so many values; each value is passed once."""
    at, passed, owed = 0, 0, 1
    while owed and passed + owed <= most and at < len(payload):
        first = payload[at]
        at += 1
        passed += 1
        owed -= 1
        if first < 0x80:
            continue  # a small number
        if first < 0xA0:
            owed += (first & 0x0F) * (1 if first >= 0x90 else 2)
        elif first in _COUNTED:
            width, factor = _COUNTED[first]
            owed += factor * int.from_bytes(payload[at : at + width], "big")
            at += width
        elif first in _SIZED:
            width, more = _SIZED[first]
            at += width + more + int.from_bytes(payload[at : at + width], "big")
        else:
            at += first & 0x1F if first < 0xC0 else _FIXED.get(first, 0)
    return passed + owed <= most


def _id_of(payload: bytes) -> int:
    """The frame's id, for telling its asker why; 0 where it has none."""
    parts = msgpack.Unpacker(max_buffer_size=32)  # nothing in it can be longer
    parts.feed(payload[:32])
    try:
        parts.read_array_header()
        _, found = parts.unpack(), parts.unpack()
    except (ValueError, TypeError, msgpack.exceptions.UnpackException):
        return 0
    return found if isinstance(found, int) else 0


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
