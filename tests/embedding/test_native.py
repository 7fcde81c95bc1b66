"""llama.cpp itself, on a tiny random encoder."""

import array
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from daemon.embedding.native import CannotLoad, DecodeFailed, Model, unit
from tests.embedding import reference
from tests.embedding.tiny import HEADS, tiny_weights

pytestmark = pytest.mark.usefixtures("llama")


def loaded(
    path: Path, pooling: str = "mean", may_go_on: Callable[[], bool] = lambda: True
) -> Model:
    return Model(str(path), pooling=pooling, may_go_on=may_go_on)


def numbers(vector: bytes) -> npt.NDArray[np.float32]:
    return np.frombuffer(vector, "<f4")


def one(model: Model, text: str) -> npt.NDArray[np.float32]:
    decoded = model.decoded([model.cut(model.tokens(text))])
    assert decoded
    return numbers(decoded[0].vector)


@pytest.fixture(scope="module")
def model(tiny_model: Path, llama: None) -> Model:
    return loaded(tiny_model)


def test_a_vector_has_length_one_and_the_models_dimensions(model: Model) -> None:
    vector = one(model, "the cache runs")

    assert vector.shape == (32,)
    assert np.linalg.norm(vector) == pytest.approx(1)


def test_texts_in_a_list_get_the_vectors_they_get_alone(model: Model) -> None:
    texts = ["deploy", "the reader runs for the writer", "queue of the token", ""]

    together = model.decoded([model.tokens(text) for text in texts])

    assert together
    for made, text in zip(together, texts, strict=True):
        assert float(numbers(made.vector) @ one(model, text)) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("text", ["deploy", "the reader runs", "cache token writer queue x y z"])
def test_llama_cpp_and_the_conversion_agree_with_the_paper(model: Model, text: str) -> None:
    tokens = model.tokens(text)

    expected = reference.vector(tiny_weights(seed=1, context=512), tokens, heads=HEADS)

    assert float(one(model, text) @ expected) == pytest.approx(1, abs=1e-4)


def test_tokens_have_the_marks_at_both_ends(model: Model) -> None:
    assert model.tokens("the cache") == [2, 12, 6, 3]


def test_each_token_is_told_with_the_word_it_is_part_of(model: Model) -> None:
    tokens = model.tokens("the caches")

    assert set(model.words(tokens)[1:-1]) <= {"the", "caches"}
    assert (model.words(tokens)[0], model.words(tokens)[-1]) == ("", "")


def test_a_vector_is_the_mean_of_its_tokens(model: Model) -> None:
    decoded = model.decoded([model.tokens("the cache runs"), model.tokens("queue")])

    assert decoded
    for one in decoded:
        mean = one.tokens.mean(axis=0)
        assert numbers(one.vector) == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)


def test_a_mark_in_a_text_is_plain_text(model: Model) -> None:
    assert model.tokens("[SEP]").count(3) == 1


def test_nul_and_half_a_surrogate_do_no_harm(model: Model) -> None:
    assert np.isfinite(one(model, "the\x00cache \ud800 runs")).all()


def test_a_long_text_is_cut_to_the_window_with_its_closing_mark(model: Model) -> None:
    tokens = model.cut(model.tokens("cache " * 2_000))

    assert (len(tokens), tokens[0], tokens[-1]) == (512, 2, 3)
    assert np.isfinite(one(model, "cache " * 2_000)).all()


def test_the_window_is_never_larger_than_the_models(make_model: Callable[..., Path]) -> None:
    small = loaded(make_model(context=64))

    assert small.window == 64
    assert np.isfinite(one(small, "cache " * 2_000)).all()


def test_pooling_decides_the_vector(tiny_model: Path, model: Model) -> None:
    first = loaded(tiny_model, "cls")

    assert not np.allclose(one(first, "the cache runs"), one(model, "the cache runs"), atol=1e-3)


def test_a_decode_that_may_not_go_on_ends_and_the_next_is_right(tiny_model: Path) -> None:
    answers = iter([True] * 5 + [False])
    model, fresh = loaded(tiny_model, may_go_on=lambda: next(answers, True)), loaded(tiny_model)

    assert model.decoded([model.tokens("the cache runs")]) is None
    assert float(one(model, "the cache") @ one(fresh, "the cache")) == pytest.approx(1)


def test_nothing_to_decode_is_an_error_that_can_be_caught(model: Model) -> None:
    with pytest.raises(DecodeFailed):
        model.decoded([[]])


def test_a_file_that_is_no_model_is_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF" + b"\x07" * 400)

    with pytest.raises(CannotLoad, match=r"\w+"):
        loaded(tmp_path / "m.gguf")


def test_a_model_cut_short_is_refused(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(tiny_model.read_bytes()[:-4_096])

    with pytest.raises(CannotLoad):
        loaded(tmp_path / "m.gguf")


def test_numbers_without_a_direction_are_refused() -> None:
    with pytest.raises(DecodeFailed):
        unit(array.array("f", [0.0, 0.0]))
