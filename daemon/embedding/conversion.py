"""A BERT sentence encoder as published (safetensors, vocab.txt) into one f16 GGUF file.

Deterministic: the same source gives the same bytes, so the result can be pinned by its digest.
Matrices become f16; vectors, positions and token types stay f32, because llama.cpp adds them
in f32. The tokenizer is written as llama.cpp's WordPiece wants it: `##x` loses its marks and
every other token gets U+2581 in front.
"""

import json
import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from daemon.embedding.gguf import Planned, Tensor, Value, write

CONVERTER = 1  # raised when the bytes written change

_FILE_TYPE_F16 = 1
_POOLING_CODES = {"mean": 1, "cls": 2}
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


class NotConvertible(Exception):
    """The source is not a BERT encoder in the shape this converter knows."""


@dataclass(frozen=True, slots=True)
class Encoder:
    """Parts of `config.json` for the conversion."""

    name: str
    context: int  # tokens
    dims: int
    feed_forward: int
    blocks: int
    heads: int
    epsilon: float
    pooling: str  # "mean" or "cls"


@dataclass(frozen=True, slots=True)
class SafeTensors:
    """A safetensors file mapped into memory: 8 bytes of length, a JSON directory, the numbers."""

    data: memoryview
    directory: dict[str, tuple[tuple[int, ...], int, int]]  # shape, first byte, last byte + 1

    def tensor(self, name: str) -> Tensor:
        """The float32 tensor `name`, read in place."""
        shape, start, end = self.directory[name]
        return np.frombuffer(self.data[start:end], np.float32).reshape(shape)


def opened(path: Path) -> SafeTensors:
    """The safetensors file at `path`; only float32 tensors are listed."""
    with path.open("rb") as file:
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    try:
        (length,) = struct.unpack_from("<Q", data)
        listed: dict[str, Any] = json.loads(bytes(data[8 : 8 + length]))
    except (struct.error, ValueError):
        raise NotConvertible("the weights are not a safetensors file") from None
    start = 8 + length
    return SafeTensors(
        data,
        {
            name: (tuple(entry["shape"]), *(start + offset for offset in entry["data_offsets"]))
            for name, entry in listed.items()
            if name != "__metadata__" and entry["dtype"] == "F32"
        },
    )


def encoder(config: bytes, *, name: str, pooling: str) -> Encoder:
    """Encoder as a `config.json` describes it."""
    try:
        read: dict[str, Any] = json.loads(config)
        return Encoder(
            name=name,
            context=int(read["max_position_embeddings"]),
            dims=int(read["hidden_size"]),
            feed_forward=int(read["intermediate_size"]),
            blocks=int(read["num_hidden_layers"]),
            heads=int(read["num_attention_heads"]),
            epsilon=float(read["layer_norm_eps"]),
            pooling=pooling,
        )
    except (KeyError, TypeError, ValueError):
        raise NotConvertible("its config.json is not that of a BERT encoder") from None


def converted(
    file: BinaryIO, model: Encoder, vocabulary: list[str], weights: SafeTensors
) -> Iterator[int]:
    """Write `model` to `file` as f16 GGUF, yielding the bytes written after each tensor."""
    wanted = dict(_names(model.blocks))
    missing = sorted(wanted.keys() - weights.directory.keys())
    if missing:
        raise NotConvertible(f"the weights have no {missing[0]}")
    # In the source's own order, which is also what the gguf package's writer was given.
    names = [(source, wanted[source]) for source in weights.directory if source in wanted]
    plan = [_planned(target, weights.directory[source][0]) for source, target in names]
    tensors = (
        weights.tensor(source).astype(planned.dtype)
        for (source, _), planned in zip(names, plan, strict=True)
    )
    yield from write(file, _metadata(model, vocabulary), plan, tensors)


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


def _planned(name: str, shape: tuple[int, ...]) -> Planned:
    stays = len(shape) == 1 or name in _KEPT_F32
    return Planned(name, shape, "float32" if stays else "float16")


def _metadata(model: Encoder, vocabulary: list[str]) -> dict[str, Value]:
    special = {token: number for number, token in enumerate(vocabulary) if _is_special(token)}
    for needed in ("[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]"):
        if needed not in special:
            raise NotConvertible(f"its vocabulary has no {needed}")
    return {
        "general.architecture": "bert",
        "general.name": model.name,
        "general.file_type": _FILE_TYPE_F16,
        "bert.context_length": model.context,
        "bert.embedding_length": model.dims,
        "bert.feed_forward_length": model.feed_forward,
        "bert.block_count": model.blocks,
        "bert.attention.head_count": model.heads,
        "bert.attention.layer_norm_epsilon": model.epsilon,
        "bert.attention.causal": False,
        "bert.pooling_type": _POOLING_CODES[model.pooling],
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
