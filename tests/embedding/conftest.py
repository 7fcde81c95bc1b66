"""A tiny random BERT, written by our own converter, so that the real llama.cpp runs offline."""

import importlib.util
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.embedding.tiny import WORDS, write_tiny_model


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that makes 32 numbers of a text."""
    return write_tiny_model(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture(scope="session")
def make_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes further tiny models: `make_model(seed=2, context=64, name=…)`."""

    def make(*, seed: int = 1, context: int = 512, name: str = "tiny") -> Path:
        folder = tmp_path_factory.mktemp("models")
        return write_tiny_model(folder / "tiny.gguf", seed=seed, context=context, name=name)

    return make


@pytest.fixture(scope="session")
def llama() -> None:
    """Skips what needs llama.cpp where it is not installed."""
    if importlib.util.find_spec("llama_cpp") is None:
        pytest.skip("llama-cpp-python is not installed: pip install 'reverie[llama]'")


@pytest.fixture
def chosen_words() -> Callable[[int], str]:
    """Makes a text of so many words of the tiny vocabulary, always the same."""

    def text(count: int) -> str:
        source = random.Random(count)
        return " ".join(source.choice(WORDS) for _ in range(count))

    return text
