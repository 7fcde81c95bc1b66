"""The fake embedding keeps the promises of the real one: each test runs on both."""

from __future__ import annotations

import importlib.util
from collections.abc import AsyncGenerator
from pathlib import Path

import numpy as np
import pytest

from actors.memory.rows import Embedding, EmbeddingState, EmbeddingUnavailable
from daemon.embedding.process import open_worker
from tests.actors.fakes import TableEmbedding, at
from tests.embedding.tiny import write_tiny_model

pytestmark = pytest.mark.trio


@pytest.fixture(params=["table", "worker"])
async def embedding(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Embedding]:
    """The fake, then the worker process with a tiny model."""
    if request.param == "table":
        yield TableEmbedding()
    elif importlib.util.find_spec("llama_cpp") is None:
        pytest.skip("llama-cpp-python is not installed")
    else:
        async with open_worker(write_tiny_model(tmp_path / "tiny.gguf")) as worker:
            await worker.settled()
            yield worker


@pytest.mark.parametrize("interactive", [True, False])
async def test_each_text_has_a_float32_vector_of_length_one(
    embedding: Embedding, interactive: bool
) -> None:
    texts = ["the cache", "", "字体", "the cache"]
    made = await embedding.embed(texts, role="document", interactive=interactive)
    vectors = [one.vector for one in made]
    rows = [np.frombuffer(vector, "<f4") for vector in vectors]

    assert [len(row) for row in rows] == [embedding.state.dimensions] * 4
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1, 1], abs=1e-3)
    assert vectors[0] == vectors[3]


async def test_no_texts_are_no_vectors(embedding: Embedding) -> None:
    assert await embedding.embed([], role="query", interactive=True) == []


async def test_a_ready_one_names_its_model(embedding: Embedding) -> None:
    assert embedding.state.state == "ready"
    assert embedding.state.model


@pytest.fixture(params=["table", "worker"])
async def absent(request: pytest.FixtureRequest) -> AsyncGenerator[Embedding]:
    """An embedding without a model."""
    if request.param == "table":
        fake = TableEmbedding()
        fake.state = EmbeddingState("off", "no embedding model", "", 0)
        yield fake
    else:
        async with open_worker(None) as worker:
            await worker.settled()
            yield worker


@pytest.mark.parametrize("interactive", [True, False])
async def test_without_a_model_it_says_so(absent: Embedding, interactive: bool) -> None:
    with pytest.raises(EmbeddingUnavailable, match="no embedding model"):
        await absent.embed(["x"], role="query", interactive=interactive)

    assert absent.state.state == "off"


async def test_the_table_holds_the_cosines_it_says() -> None:
    fake = TableEmbedding({"a": at(1), "b": at(0.9)})
    a, b, c, d = (np.frombuffer(fake.vector(text), "<f4") for text in "abcd")

    assert a @ b == pytest.approx(0.9)
    assert (a @ c, c @ d) == (0, 0)
