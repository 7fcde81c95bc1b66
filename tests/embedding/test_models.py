"""What is known of embedding models."""

import pytest

from daemon.embedding.gguf import Value
from daemon.embedding.models import MINILM, Unsuitable, identity, profile

BERT: dict[str, Value] = {"general.architecture": "bert", "tokenizer.ggml.model": "bert"}


@pytest.mark.parametrize(
    ("name", "file", "known", "pooling"),
    [
        ("minilm", "x.gguf", "all-MiniLM-L6-v2", "mean"),
        ("Bge Small En v1.5", "x.gguf", "bge-small-en-v1.5", "cls"),
        ("", "bge-small-en-v1.5-q8_0.gguf", "bge-small-en-v1.5", "cls"),
        ("multilingual_e5_small", "x.gguf", "multilingual-e5-small", "mean"),
        ("x", "nomic-embed-text-v1.5.f16.gguf", "nomic-embed-text-v1.5", "mean"),
    ],
)
def test_a_model_is_known_by_its_name_or_its_files(
    name: str, file: str, known: str, pooling: str
) -> None:
    found = profile(BERT | {"general.name": name}, file)

    assert (found.name, found.pooling) == (known, pooling)


def test_the_default_is_known_by_its_file() -> None:
    assert profile(BERT, MINILM.file).name == MINILM.name


def test_an_unknown_encoder_is_taken_at_its_own_word() -> None:
    found = profile(BERT | {"bert.pooling_type": 2, "general.name": "mine"}, "m.gguf")

    assert (found.name, found.pooling, found.query_prefix) == ("mine", "cls", "")


def test_a_model_that_generates_text_is_refused() -> None:
    with pytest.raises(Unsuitable, match="llama"):
        profile({"general.architecture": "llama", "general.name": "chat"}, "chat.gguf")


def test_word_piece_models_get_decomposed_text_and_others_composed() -> None:
    pieces = profile(BERT | {"general.name": "mine"}, "m.gguf")
    other = profile(BERT | {"general.name": "mine", "tokenizer.ggml.model": "t5"}, "m.gguf")

    assert pieces.prepared("é") == "e\u0301"
    assert other.prepared("e\u0301") == "é"


def test_the_identity_names_the_file_the_pooling_and_the_size() -> None:
    assert identity("c2235b482f836fbd", "mean", 384) == "c2235b482f83-mean-384"
