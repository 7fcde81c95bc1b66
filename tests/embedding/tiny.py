"""A tiny random BERT, written by our own converter, so that the real llama.cpp runs offline."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from daemon.embedding import gguf

DIMS, FEED_FORWARD, BLOCKS, HEADS = 32, 64, 2, 4
WORDS = ["deploy", "cache", "token", "reader", "writer", "migration", "queue", "the", "of", "runs"]
VOCABULARY = [
    *["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"],
    *WORDS,
    *(f"##{word}" for word in WORDS),
    *(chr(code) for code in range(33, 127) if not chr(code).isupper()),
    *(f"##{chr(code)}" for code in range(97, 123)),
]


def write_safetensors(path: Path, tensors: dict[str, np.ndarray[Any, Any]]) -> None:
    directory: dict[str, object] = {"__metadata__": {"format": "pt"}}
    offset = 0
    for name, tensor in tensors.items():
        end = offset + tensor.nbytes
        directory[name] = {
            "dtype": "F32",
            "shape": list(tensor.shape),
            "data_offsets": [offset, end],
        }
        offset = end
    header = json.dumps(directory).encode()
    body = b"".join(tensor.tobytes() for tensor in tensors.values())
    path.write_bytes(struct.pack("<Q", len(header)) + header + body)


def tiny_weights(seed: int, context: int) -> dict[str, np.ndarray[Any, Any]]:
    source = np.random.default_rng(seed)

    def made(*shape: int) -> np.ndarray[Any, Any]:
        return source.normal(0, 0.3, shape).astype(np.float32)

    tensors = {
        "embeddings.word_embeddings.weight": made(len(VOCABULARY), DIMS),
        "embeddings.position_embeddings.weight": made(context, DIMS),
        "embeddings.token_type_embeddings.weight": made(2, DIMS),
        "embeddings.LayerNorm.weight": made(DIMS) + 1,
        "embeddings.LayerNorm.bias": made(DIMS),
    }
    shapes = {
        "attention.self.query": (DIMS, DIMS),
        "attention.self.key": (DIMS, DIMS),
        "attention.self.value": (DIMS, DIMS),
        "attention.output.dense": (DIMS, DIMS),
        "attention.output.LayerNorm": (DIMS,),
        "intermediate.dense": (FEED_FORWARD, DIMS),
        "output.dense": (DIMS, FEED_FORWARD),
        "output.LayerNorm": (DIMS,),
    }
    for block in range(BLOCKS):
        for name, shape in shapes.items():
            tensors[f"encoder.layer.{block}.{name}.weight"] = made(*shape)
            tensors[f"encoder.layer.{block}.{name}.bias"] = made(shape[0])
    return tensors


def write_tiny_model(path: Path, *, seed: int = 1, context: int = 512, name: str = "tiny") -> Path:
    """A whole GGUF of a random encoder at `path`."""
    source = path.with_suffix(".safetensors")
    write_safetensors(source, tiny_weights(seed, context))
    encoder = gguf.Encoder(name, context, DIMS, FEED_FORWARD, BLOCKS, HEADS)
    with path.open("wb") as file:
        gguf.convert(file, encoder, VOCABULARY, gguf.safetensors(source))
    return path
