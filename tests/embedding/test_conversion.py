"""From safetensors to GGUF."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from daemon.embedding import gguf
from daemon.embedding.gguf import read_header


def test_the_same_source_gives_the_same_bytes(make_model: Callable[..., Path]) -> None:
    assert make_model(seed=3).read_bytes() == make_model(seed=3).read_bytes()


def test_the_header_says_what_the_configuration_said(tiny_model: Path) -> None:
    metadata = read_header(tiny_model)[0]

    assert metadata["bert.embedding_length"] == 32
    assert metadata["bert.pooling_type"] == 1
    assert metadata["tokenizer.ggml.bos_token_id"] == 2


def test_matrices_are_halved_and_vectors_are_not(tiny_model: Path) -> None:
    source = gguf.opened(tiny_model.with_suffix(".safetensors"))
    matrix = source.tensor("encoder.layer.1.output.dense.weight")
    bias = source.tensor("encoder.layer.1.output.LayerNorm.bias")
    data = tiny_model.read_bytes()

    assert matrix.astype(np.float16).tobytes() in data
    assert bias.tobytes() in data


def test_a_missing_tensor_is_named(tiny_model: Path, tmp_path: Path) -> None:
    weights = gguf.opened(tiny_model.with_suffix(".safetensors"))
    three_blocks = gguf.Encoder("tiny", 512, 32, 64, 3, 4, 1e-12, "mean")

    with (
        (tmp_path / "m.gguf").open("wb") as file,
        pytest.raises(gguf.NotConvertible, match=r"encoder\.layer\.2\."),
    ):
        list(gguf.converted(file, three_blocks, ["[CLS]"], weights))


def test_a_vocabulary_without_its_marks_is_refused(tiny_model: Path, tmp_path: Path) -> None:
    weights = gguf.opened(tiny_model.with_suffix(".safetensors"))
    encoder = gguf.Encoder("tiny", 512, 32, 64, 2, 4, 1e-12, "mean")

    with (
        (tmp_path / "m.gguf").open("wb") as file,
        pytest.raises(gguf.NotConvertible, match=r"no \[CLS\]"),
    ):
        list(gguf.converted(file, encoder, ["a", "b"], weights))


def test_weights_that_are_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "w.safetensors").write_bytes(b"\xff" * 40)

    with pytest.raises(gguf.NotConvertible, match="not a safetensors file"):
        gguf.opened(tmp_path / "w.safetensors")


def test_a_configuration_of_something_else_is_refused() -> None:
    with pytest.raises(gguf.NotConvertible, match=r"config\.json"):
        gguf.encoder(b'{"model_type": "vit"}', name="vit", pooling="mean")
