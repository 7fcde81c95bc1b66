"""GGUF files, version 3: a writer, a reader of the header, and a BERT encoder made into one."""

from __future__ import annotations

import json
import math
import mmap
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Tensor: TypeAlias = npt.NDArray[np.floating[Any]]

# ---- the GGUF container, version 3: a writer for the conversion, a reader of its header
#
# A GGUF file is a magic number, counts, typed key-value pairs, a directory of tensors, and the
# tensors' bytes at multiples of 32. Format: docs/gguf.md of the ggml repository. Written here so a
# fresh machine needs no further package; byte for byte the same as by `gguf` 0.19.0.


Value: TypeAlias = bool | int | float | str | bytes | list[bytes] | list[int]

MAGIC = b"GGUF"
VERSION = 3
ALIGNMENT = 32  # bytes; the format's default

_U32, _I32, _F32, _BOOL, _STRING, _ARRAY = 4, 5, 6, 7, 8, 9
_SCALARS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_TENSOR_TYPES = {"float32": 0, "float16": 1}

# A header may not ask for more than this: a damaged length must not become an allocation.
_MAX_STRING = 16 * 1024 * 1024  # bytes
_MAX_PAIRS = 65_536
_MAX_DIMENSIONS = 8
_LEAST_BITS = 1.5  # of one parameter in the tightest quantisation there is


class NotGguf(Exception):
    """The file is no readable GGUF file: damaged, cut short or something else."""


def write(file: BinaryIO, metadata: dict[str, Value], tensors: Mapping[str, Tensor]) -> None:
    """Write a whole GGUF, of float16 and float32 tensors."""
    header = bytearray(MAGIC + struct.pack("<IQQ", VERSION, len(tensors), len(metadata)))
    for key, value in metadata.items():
        header += _packed_string(key.encode()) + _packed(value)
    offset = 0
    for name, tensor in tensors.items():
        header += _packed_string(name.encode()) + struct.pack("<I", tensor.ndim)
        header += struct.pack(f"<{tensor.ndim}Q", *reversed(tensor.shape))  # outermost last
        header += struct.pack("<IQ", _TENSOR_TYPES[tensor.dtype.name], offset)
        offset += _padded(tensor.nbytes)
    file.write(header.ljust(_padded(len(header)), b"\0"))
    for tensor in tensors.values():
        file.write(tensor.tobytes().ljust(_padded(tensor.nbytes), b"\0"))


def read_header(path: Path) -> tuple[dict[str, Value], int]:
    """The key-value pairs of a GGUF file and the count of its parameters.

    Long arrays (the vocabulary) come as empty lists. Raises ``NotGguf`` for anything else and for a file
    too short for its tensors, ``OSError`` for an unreadable one.
    """
    with path.open("rb") as file:
        metadata, tensors = _read_header(file)
        parameters, end = 0, 0.0
        try:
            for _ in range(tensors):
                _read_string(file)
                (dimensions,) = struct.unpack("<I", file.read(4))
                if dimensions > _MAX_DIMENSIONS:
                    raise NotGguf(f"its header claims a tensor of {dimensions} dimensions")
                shape = struct.unpack(f"<{dimensions}Q", file.read(8 * dimensions))
                _, offset = struct.unpack("<IQ", file.read(12))
                parameters += math.prod(shape)
                end = max(end, offset + math.prod(shape) * _LEAST_BITS / 8)
        except struct.error:
            raise NotGguf("its header is cut short or damaged") from None
        if file.tell() + end > path.stat().st_size:
            raise NotGguf("it is cut short: copy or download it again")
        return metadata, parameters


def _read_header(file: BinaryIO) -> tuple[dict[str, Value], int]:
    """The key-value pairs, and how many tensors the directory behind them names."""
    if file.read(4) != MAGIC:
        raise NotGguf("it does not begin with GGUF")
    try:
        version, tensors, pairs = struct.unpack("<IQQ", file.read(20))
        if version not in {2, 3}:
            raise NotGguf(f"its version is {version}, not 2 or 3")
        if pairs > _MAX_PAIRS:
            raise NotGguf(f"its header claims {pairs} keys")
        if tensors > _MAX_PAIRS:
            raise NotGguf(f"its header claims {tensors} tensors")
        metadata: dict[str, Value] = {}
        for _ in range(pairs):
            key = _read_string(file).decode()
            metadata[key] = _read_value(file)
    except (struct.error, UnicodeDecodeError, KeyError):
        raise NotGguf("its header is cut short or damaged") from None
    return metadata, tensors


def _padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _packed_string(text: bytes) -> bytes:
    return struct.pack("<Q", len(text)) + text


def _packed(value: Value) -> bytes:
    match value:
        case bool():
            return struct.pack("<I?", _BOOL, value)
        case int():
            return struct.pack("<II", _U32, value)
        case float():
            return struct.pack("<If", _F32, value)
        case str():
            return struct.pack("<I", _STRING) + _packed_string(value.encode())
        case bytes():
            return struct.pack("<I", _STRING) + _packed_string(value)
        case list():
            return struct.pack("<I", _ARRAY) + _packed_array(value)


def _packed_array(items: list[bytes] | list[int]) -> bytes:
    strings = [item for item in items if isinstance(item, bytes)]
    if strings:
        return struct.pack("<IQ", _STRING, len(items)) + b"".join(map(_packed_string, strings))
    return struct.pack(f"<IQ{len(items)}i", _I32, len(items), *items)


def _read_value(file: BinaryIO) -> Value:
    (kind,) = struct.unpack("<I", file.read(4))
    if kind == _STRING:
        return _read_string(file).decode("utf-8", "replace")
    if kind == _ARRAY:
        _skip_array(file)
        return list[int]()
    code = "<" + _SCALARS[kind]
    value: bool | int | float = struct.unpack(code, file.read(struct.calcsize(code)))[0]
    return value


def _skip_array(file: BinaryIO) -> None:
    kind, count = struct.unpack("<IQ", file.read(12))
    if kind == _STRING:
        for _ in range(count):
            _read_string(file)
    else:
        file.seek(count * struct.calcsize("<" + _SCALARS[kind]), 1)


def _read_string(file: BinaryIO) -> bytes:
    (length,) = struct.unpack("<Q", file.read(8))
    if length > _MAX_STRING:
        raise NotGguf(f"its header claims a string of {length} bytes")
    text = file.read(length)
    if len(text) < length:
        raise NotGguf("its header is cut short or damaged")
    return text


# ---- a BERT sentence encoder as published (safetensors, vocab.txt) into one f16 GGUF file
#
# Deterministic: the same source gives the same bytes, so the result can be pinned by its digest. The source is
# pinned as well, so nothing in it is checked.
# Matrices become f16; vectors, positions and token types stay f32, because llama.cpp adds them
# in f32. The tokenizer is written as llama.cpp's WordPiece wants it: `##x` loses its marks and
# every other token gets U+2581 in front.


_FILE_TYPE_F16 = 1
_MEAN = 1  # pooling
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3  # llama.cpp's token types
_WORD_START = "\u2581".encode()

_EMBEDDINGS = (
    ("embeddings.word_embeddings.weight", "token_embd.weight"),
    ("embeddings.position_embeddings.weight", "position_embd.weight"),
    ("embeddings.token_type_embeddings.weight", "token_types.weight"),
    ("embeddings.LayerNorm.weight", "token_embd_norm.weight"),
    ("embeddings.LayerNorm.bias", "token_embd_norm.bias"),
)
_LAYER = (
    ("attention.self.query", "attn_q"),
    ("attention.self.key", "attn_k"),
    ("attention.self.value", "attn_v"),
    ("attention.output.dense", "attn_output"),
    ("attention.output.LayerNorm", "attn_output_norm"),
    ("intermediate.dense", "ffn_up"),
    ("output.dense", "ffn_down"),
    ("output.LayerNorm", "layer_output_norm"),
)
_KEPT_F32 = {"position_embd.weight", "token_types.weight"}


class Encoder(Struct, frozen=True):
    """Shape of an encoder, by its ``config.json``."""

    name: str
    context: int  # tokens
    dims: int
    feed_forward: int
    blocks: int
    heads: int


def safetensors(path: Path) -> dict[str, Tensor]:
    """The float32 tensors of a file, read in place: 8 bytes of length, a JSON directory, the numbers."""
    import numpy as np  # for a conversion alone: who looks at a model's header waits for none of it

    with path.open("rb") as file:
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    (length,) = struct.unpack_from("<Q", data)
    listed: dict[str, Any] = json.loads(bytes(data[8 : 8 + length]))
    numbers = data[8 + length :]
    return {
        name: np.frombuffer(numbers[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
        for name, entry in listed.items()
        if entry.get("dtype") == "F32"
    }


def convert(
    file: BinaryIO, model: Encoder, vocabulary: list[str], weights: Mapping[str, Tensor]
) -> None:
    """Write `model`, whose pooling is the mean, to `file` as f16 GGUF."""
    names = dict(_names(model.blocks))
    tensors: dict[str, Tensor] = {}
    # In the source's own order, which is also what the gguf package's writer was given.
    for source, tensor in weights.items():
        if name := names.get(source):
            stays = tensor.ndim == 1 or name in _KEPT_F32
            tensors[name] = tensor if stays else tensor.astype("float16")
    write(file, _metadata(model, vocabulary), tensors)


def _names(blocks: int) -> list[tuple[str, str]]:
    return [
        *_EMBEDDINGS,
        *(
            (f"encoder.layer.{block}.{source}.{part}", f"blk.{block}.{target}.{part}")
            for block in range(blocks)
            for source, target in _LAYER
            for part in ("weight", "bias")
        ),
    ]


def _metadata(model: Encoder, vocabulary: list[str]) -> dict[str, Value]:
    special = {token: number for number, token in enumerate(vocabulary) if _is_special(token)}
    return {
        "general.architecture": "bert",
        "general.name": model.name,
        "general.file_type": _FILE_TYPE_F16,
        "bert.context_length": model.context,
        "bert.embedding_length": model.dims,
        "bert.feed_forward_length": model.feed_forward,
        "bert.block_count": model.blocks,
        "bert.attention.head_count": model.heads,
        "bert.attention.layer_norm_epsilon": 1e-12,
        "bert.attention.causal": False,
        "bert.pooling_type": _MEAN,
        "tokenizer.ggml.model": "bert",
        "tokenizer.ggml.pre": "default",
        "tokenizer.ggml.token_type_count": 2,
        "tokenizer.ggml.tokens": [_token_text(token) for token in vocabulary],
        "tokenizer.ggml.token_type": [_token_type(token) for token in vocabulary],
        "tokenizer.ggml.bos_token_id": special["[CLS]"],
        "tokenizer.ggml.eos_token_id": special["[SEP]"],
        "tokenizer.ggml.seperator_token_id": special["[SEP]"],  # the format's own spelling
        "tokenizer.ggml.unknown_token_id": special["[UNK]"],
        "tokenizer.ggml.padding_token_id": special["[PAD]"],
        "tokenizer.ggml.mask_token_id": special["[MASK]"],
    }


def _is_special(token: str) -> bool:
    return token.startswith("[") and token.endswith("]") and len(token) > 2


def _token_text(token: str) -> bytes:
    if _is_special(token):
        return token.encode()
    if token.startswith("##"):
        return token[2:].encode()
    return _WORD_START + token.encode()


def _token_type(token: str) -> int:
    if token == "[UNK]":
        return _UNKNOWN
    return _CONTROL if _is_special(token) else _NORMAL
