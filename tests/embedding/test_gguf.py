"""The GGUF container."""

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.embedding import gguf
from daemon.embedding.gguf import NotGguf, Value, read_header, write

METADATA: dict[str, Value] = {
    "general.architecture": "bert",
    "bert.block_count": 2,
    "bert.attention.causal": False,
    "bert.attention.layer_norm_epsilon": 0.5,
    "tokenizer.ggml.tokens": [b"[CLS]", b"a"],
    "tokenizer.ggml.token_type": [3, 1],
}


def written(path: Path, metadata: dict[str, Value]) -> bytes:
    with path.open("wb") as file:
        write(
            file,
            metadata,
            {"first": np.ones((2, 3), np.float16), "second": np.arange(3, dtype=np.float32)},
        )
    return path.read_bytes()


def test_what_was_written_is_read(tmp_path: Path) -> None:
    written(tmp_path / "m.gguf", METADATA)

    assert read_header(tmp_path / "m.gguf")[0] == METADATA | {
        "tokenizer.ggml.tokens": [],
        "tokenizer.ggml.token_type": [],
    }


def test_tensors_begin_at_multiples_of_32_in_their_order(tmp_path: Path) -> None:
    data = written(tmp_path / "m.gguf", METADATA)

    assert len(data) % 32 == 0
    assert data[-64:-52] == np.ones(6, np.float16).tobytes()
    assert data[-32:-20] == np.arange(3, dtype=np.float32).tobytes()


def test_a_file_cut_short_behind_its_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(written(path, METADATA)[:-64])

    with pytest.raises(NotGguf, match="cut short"):
        read_header(path)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "does not begin with GGUF"),
        (b"PK\x03\x04 a zip", "does not begin with GGUF"),
        (b"GGUF", "cut short"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "version is 1"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 40), "claims"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 60), "claims a string"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 4) + b"name" + struct.pack("<I", 99), "damaged"),
    ],
)
def test_what_is_not_gguf_is_said_to_be_none(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "m.gguf").write_bytes(data)

    with pytest.raises(NotGguf, match=reason):
        read_header(tmp_path / "m.gguf")


@given(data=st.data())
def test_a_header_cut_anywhere_is_refused_and_not_misread(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("cut") / "m.gguf"
    whole = written(path, {"general.architecture": "bert", "tokenizer.ggml.pre": "default"})
    end = whole.index(b"default") + len(b"default")
    path.write_bytes(whole[: data.draw(st.integers(0, end - 1))])

    with pytest.raises(NotGguf):
        read_header(path)


# ---- from safetensors to GGUF


def test_the_same_source_gives_the_same_bytes(make_model: Callable[..., Path]) -> None:
    assert make_model(seed=3).read_bytes() == make_model(seed=3).read_bytes()


def test_the_header_says_what_the_configuration_said(tiny_model: Path) -> None:
    metadata, _ = read_header(tiny_model)

    assert metadata["bert.embedding_length"] == 32
    assert metadata["bert.pooling_type"] == 1
    assert metadata["tokenizer.ggml.bos_token_id"] == 2


def test_matrices_are_halved_and_vectors_are_not(tiny_model: Path) -> None:
    source = gguf.safetensors(tiny_model.with_suffix(".safetensors"))
    matrix = source["encoder.layer.1.output.dense.weight"]
    bias = source["encoder.layer.1.output.LayerNorm.bias"]
    data = tiny_model.read_bytes()

    assert matrix.astype(np.float16).tobytes() in data
    assert bias.tobytes() in data
