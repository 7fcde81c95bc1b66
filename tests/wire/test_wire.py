"""The codec: what goes in comes out, in pieces of any size, and nothing else gets through."""

from __future__ import annotations

import struct
import tracemalloc
from contextlib import suppress
from typing import Any, cast

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.wire import (
    MAX_FRAME,
    MOST_VALUES,
    VERSION,
    Decoder,
    Frame,
    Malformed,
    TooLarge,
    TooMany,
    WireError,
    WrongVersion,
    encoded,
)

_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
_PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | _TEXT
    | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)
_FRAMES = st.builds(Frame, st.integers(0, 2**64 - 1), _TEXT, _PLAIN)


def decoded(data: bytes) -> list[Frame]:
    decoder = Decoder()
    decoder.feed(data)
    return list(decoder.frames())


def framed(payload: bytes) -> bytes:
    return struct.pack(">I", len(payload)) + payload


@given(st.lists(_FRAMES, max_size=4))
def test_what_is_encoded_is_decoded(frames: list[Frame]) -> None:
    assert decoded(b"".join(map(encoded, frames))) == frames


def test_a_frame_has_the_bytes_that_the_design_says() -> None:
    assert encoded(Frame(7, "hook", [b"x"])) == b"\0\0\0\x0c\x94\x01\x07\xa4hook\x91\xc4\x01x"


@given(st.lists(_FRAMES, min_size=1, max_size=3), st.data())
def test_the_pieces_in_which_a_stream_comes_do_not_matter(
    frames: list[Frame], data: st.DataObject
) -> None:
    stream = b"".join(map(encoded, frames))
    cut = data.draw(st.lists(st.integers(0, len(stream)), max_size=6).map(sorted))
    decoder = Decoder()
    found: list[Frame] = []
    for start, end in zip([0, *cut], [*cut, len(stream)], strict=True):
        decoder.feed(stream[start:end])
        found += decoder.frames()

    assert found == frames
    assert decoder.pending == 0


def test_a_frame_may_be_split_at_every_place() -> None:
    frame = Frame(3, "remember", {"text": "naïve", "n": 2})
    stream = encoded(frame)
    for place in range(1, len(stream)):
        decoder = Decoder()
        decoder.feed(stream[:place])
        early = list(decoder.frames())
        pending = decoder.pending
        decoder.feed(stream[place:])

        assert (early, pending) == ([], place)
        assert list(decoder.frames()) == [frame]


@given(st.binary(max_size=200))
def test_garbage_is_a_wire_error_and_nothing_worse(data: bytes) -> None:
    decoder = Decoder()
    decoder.feed(data)
    try:
        for frame in decoder.frames():
            assert isinstance(frame, Frame)
    except WireError:
        with pytest.raises(WireError):
            list(decoder.frames())


@given(st.binary(max_size=200))
def test_a_garbage_payload_is_a_wire_error_and_nothing_worse(payload: bytes) -> None:
    try:
        found = decoded(framed(payload))
    except WireError:
        return
    assert len(found) == 1


@given(_FRAMES, st.data())
def test_a_flipped_byte_is_a_wire_error_and_nothing_worse(
    frame: Frame, data: st.DataObject
) -> None:
    stream = bytearray(encoded(frame))
    place = data.draw(st.integers(0, len(stream) - 1))
    stream[place] ^= data.draw(st.integers(1, 255))
    with suppress(WireError):
        assert len(decoded(bytes(stream))) <= 1


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [VERSION],
        [VERSION, 1, "greet"],
        [VERSION, 1, b"greet", None],
        [VERSION, "1", "greet", None],
        [VERSION, -1, "greet", None],
        [VERSION, True, "greet", None],
        [VERSION, 1.0, "greet", None],
        [VERSION, 1, "greet", None, None],
        [True, 1, "greet", None],
        {"version": 1},
        None,
    ],
)
def test_what_is_no_frame_is_malformed(parts: Any) -> None:
    with pytest.raises(Malformed):
        decoded(framed(msgpack.packb(parts)))


def test_bytes_after_the_array_are_malformed() -> None:
    with pytest.raises(Malformed):
        decoded(framed(msgpack.packb([VERSION, 1, "greet", None]) + b"\x00"))


def test_nesting_without_end_is_malformed() -> None:
    with pytest.raises(Malformed):
        decoded(framed(b"\x94\x01\x01\xa1k" + b"\x91" * 100_000))


@pytest.mark.parametrize("parts", [[2, 9, "greet", None], [2, 9, "greet"], [0, 9, "x", 1, 2, 3]])
def test_another_version_is_named_with_the_id_of_its_frame(parts: list[Any]) -> None:
    with pytest.raises(WrongVersion) as caught:
        decoded(framed(msgpack.packb(parts)))

    assert f"speaks wire version {parts[0]}," in str(caught.value)
    assert caught.value.id == 9


def test_the_length_alone_tells_that_a_frame_is_too_large() -> None:
    decoder = Decoder()
    decoder.feed(struct.pack(">I", MAX_FRAME + 1))
    with pytest.raises(TooLarge):
        list(decoder.frames())

    assert decoder.pending == 0


def test_the_largest_frame_goes_through_and_one_byte_more_does_not() -> None:
    room = MAX_FRAME - len(msgpack.packb([VERSION, 1, "k", b"x" * 65_536])) + 65_536
    largest = Frame(1, "k", b"x" * room)

    assert len(encoded(largest)) == 4 + MAX_FRAME
    assert decoded(encoded(largest)) == [largest]
    with pytest.raises(TooLarge):
        encoded(Frame(1, "k", b"x" * (room + 1)))


def test_frames_before_a_wrong_one_are_delivered() -> None:
    decoder = Decoder()
    decoder.feed(encoded(Frame(1, "greet", None)) + framed(b"\xc1"))
    frames = decoder.frames()

    assert next(frames) == Frame(1, "greet", None)
    with pytest.raises(Malformed):
        next(frames)


def test_nothing_is_decoded_after_a_wrong_frame() -> None:
    decoder = Decoder()
    decoder.feed(framed(b"\xc1"))
    with pytest.raises(Malformed):
        list(decoder.frames())
    decoder.feed(encoded(Frame(1, "greet", None)))
    with pytest.raises(Malformed):
        list(decoder.frames())


def test_half_a_surrogate_does_not_stop_a_frame() -> None:
    assert decoded(encoded(Frame(1, "k", "a\ud83db"))) == [Frame(1, "k", "a?b")]


def counted(value: object) -> int:
    """How many values this is, keys included."""
    match value:
        case dict():
            entries = cast("dict[object, object]", value)
            return 1 + len(entries) + sum(map(counted, entries.values()))
        case list():
            return 1 + sum(map(counted, cast("list[object]", value)))
        case _:
            return 1


_LEAVES = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False)
    | st.text(max_size=40) | st.binary(max_size=300)
    | st.builds(msgpack.ExtType, st.integers(0, 127), st.binary(max_size=20))
)  # fmt: skip
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(), inner, max_size=20),
    max_leaves=40,
)


@given(_VALUES)
def test_a_frame_may_hold_so_many_values_and_not_one_more(body: Any) -> None:
    most = counted([1, 7, "k", body])
    whole = encoded(Frame(7, "k", body))
    just, too_few = Decoder(most), Decoder(most - 1)
    just.feed(whole)
    too_few.feed(whole)

    assert [frame.id for frame in just.frames()] == [7]
    with pytest.raises(TooMany) as refused:
        list(too_few.frames())
    assert refused.value.id == 7


HOSTILE = {
    "empty maps": b"\xdd" + struct.pack(">I", 1_000_000) + b"\x80" * 1_000_000,
    "empty maps in maps": b"\xdf" + struct.pack(">I", 500_000) + b"\x80" * 1_000_000,
    "lists within lists": (b"\xdd" + struct.pack(">I", 200_000)) * 200 + b"\x90" * 900_000,
    "announced and never sent": b"\xdd\xff\xff\xff\xff" + b"\0" * 1_000_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_values_without_end_are_refused_before_any_is_made(body: bytes) -> None:
    data = framed(b"\x94\x01\x09\xa1k" + body)
    decoder = Decoder(MOST_VALUES)
    tracemalloc.start()
    try:
        decoder.feed(data)
        with pytest.raises(TooMany) as refused:
            list(decoder.frames())
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert most < 4 * len(data)  # three copies of the bytes; made, they are 72 times as large
    assert (refused.value.id, "100,000 values" in str(refused.value)) == (9, True)
