"""Messages between the daemon and the embedding worker: a length, then MessagePack.

The first order down the pipe is `Load`, answered with `Ready` or `Failed`; then each `Embed` is, with `Vectors` or
`Refused`, unless a `Cancel` came first.
"""

import struct
from typing import BinaryIO, Final, Literal, TypeAlias

import msgspec

MAX_FRAME: Final = 16 * 1024 * 1024  # bytes

_LENGTH: Final = struct.Struct(">I")


class BadFrame(Exception):
    """The other side does not speak this language; the pipe is of no more use."""


class Load(msgspec.Struct, frozen=True, tag=True):
    """Load the GGUF file at this absolute path."""

    path: str


Kept = Literal["", "signs", "numbers"]
"""What is wanted of the tokens: nothing, their signs for keeping, or their numbers for asking."""


class Embed(msgspec.Struct, frozen=True, tag=True):
    """Make a vector of each text (UTF-8); interactive ones overtake the others."""

    number: int
    interactive: bool
    texts: list[bytes]
    kept: Kept = ""


class Cancel(msgspec.Struct, frozen=True, tag=True):
    """Order to leave a job nobody waits for any more."""

    number: int


class Ready(msgspec.Struct, frozen=True, tag=True):
    """The model is loaded and tested."""

    model: str  # its identity
    dimensions: int
    query_prefix: str
    document_prefix: str


class Failed(msgspec.Struct, frozen=True, tag=True):
    """The model cannot be used; trying again would not help."""

    reason: str


class Vectors(msgspec.Struct, frozen=True, tag=True):
    """One vector a text, and, if wanted, its tokens (``late_interaction.signs`` or ``directions``).

    With the words around them when numbers were wanted.
    """

    number: int
    vectors: list[bytes]
    kept: list[bytes] = []
    words: list[list[str]] = []


class Refused(msgspec.Struct, frozen=True, tag=True):
    """These texts got no vectors; others may."""

    number: int
    reason: str


Order: TypeAlias = Load | Embed | Cancel
News: TypeAlias = Ready | Failed | Vectors | Refused

_encoder: Final = msgspec.msgpack.Encoder()
_orders: msgspec.msgpack.Decoder[Order] = msgspec.msgpack.Decoder(Order)
_news: msgspec.msgpack.Decoder[News] = msgspec.msgpack.Decoder(News)


def packed(message: Order | News) -> bytes:
    """`message` as it goes through the pipe."""
    body = _encoder.encode(message)
    return _LENGTH.pack(len(body)) + body


def taken(buffer: bytearray) -> News | None:
    """The first whole piece of news, removed from `buffer`; None when it is not all there yet."""
    if len(buffer) < _LENGTH.size:
        return None
    end = _LENGTH.size + _checked_length(buffer)
    if len(buffer) < end:
        return None
    body = bytes(buffer[_LENGTH.size : end])
    del buffer[:end]
    try:
        return _news.decode(body)
    except msgspec.MsgspecError:
        raise BadFrame("a frame that is no news") from None


def read(pipe: BinaryIO) -> Order | None:
    """The next order of a blocking pipe; None at its end."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    body = pipe.read(_checked_length(head))
    try:
        return _orders.decode(body)
    except msgspec.MsgspecError:
        raise BadFrame("a frame that is no order") from None


def _checked_length(head: bytes | bytearray) -> int:
    (length,) = _LENGTH.unpack_from(head)
    if length > MAX_FRAME:
        raise BadFrame(f"a frame of {length} bytes")
    return int(length)
