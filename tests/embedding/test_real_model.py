"""The model users get, when it is provisioned in the data home."""

import importlib.util
import unicodedata
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from actors.policy.text.chunking import chunks
from daemon.embedding import models, provision
from daemon.embedding.models import MINILM
from daemon.embedding.native import Model
from daemon.embedding.process import Settings, open_worker
from tests.own_models import MODELS

pytestmark = pytest.mark.real_model


@pytest.fixture(scope="module")
def minilm() -> Path:
    path = next(filter(None, (models.located(folder, "") for folder in MODELS)), None)
    if path is None:
        pytest.skip("the model is not provisioned: run `reverie model setup`")
    if importlib.util.find_spec("llama_cpp") is None:
        pytest.skip("llama-cpp-python is not installed: pip install 'reverie[llama]'")
    return path


@pytest.fixture(scope="module")
def model(minilm: Path) -> Model:
    return Model(str(minilm), pooling="mean", may_go_on=lambda: True)


def embedded(model: Model, text: str) -> npt.NDArray[np.float32]:
    tokens = model.tokens(unicodedata.normalize("NFD", text))
    decoded = model.decoded([model.cut(tokens)])
    assert decoded
    return np.frombuffer(decoded[0].vector, "<f4")


def test_fetching_what_is_there_needs_no_installer(
    minilm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")

    assert provision.fetch(minilm.parent, python="/nonexistent/python") == minilm


def test_a_sentence_gets_the_vector_of_the_published_weights(model: Model) -> None:
    vector = embedded(model, "This is an example sentence")

    # Computed by tests/embedding/reference.py from the float32 weights.
    assert vector[:4] == pytest.approx([0.06766, 0.06350, 0.04871, 0.07930], abs=2e-4)


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("A feline rested on a rug", "The cat sat on the mat", "Deploy with make ship"),
        ("How do we release the software?", "Ship a new version with make", "The cat sat"),
        ("which database do we use", "We chose PostgreSQL for storage", "Indent by two spaces"),
    ],
)
def test_what_means_the_same_is_nearer(model: Model, query: str, near: str, far: str) -> None:
    asked = embedded(model, query)

    assert asked @ embedded(model, near) > asked @ embedded(model, far) + 0.1


def test_chunks_of_prose_code_and_noise_never_exceed_the_window(model: Model) -> None:
    sources = [
        (Path(__file__).parents[2] / "README.md").read_text("utf-8"),
        Path(__file__).read_text("utf-8"),
        "qxzjkvw" * 1_000,
        "deadbeef0123 " * 500,
        "한국어 문장은 이렇게 생겼습니다. " * 50,
        "缓存在部署后失效。" * 100,
    ]

    for source in sources:
        for chunk in chunks(source):
            assert len(model.tokens(unicodedata.normalize("NFD", chunk))) <= model.window


@pytest.fixture
def damaged(minilm: Path, tmp_path: Path) -> Path:
    """A copy whose weights were overwritten with nothing."""
    data = bytearray(minilm.read_bytes())
    data[-40_000_000:] = bytes(40_000_000)
    (tmp_path / MINILM.file).write_bytes(data)
    return tmp_path / MINILM.file


@pytest.mark.trio
async def test_a_damaged_copy_fails_its_self_test(damaged: Path) -> None:
    async with open_worker(damaged, Settings(crashes=1)) as worker:
        state = await worker.settled()

        assert state.state == "off"
        assert "cannot be used" in state.reason
