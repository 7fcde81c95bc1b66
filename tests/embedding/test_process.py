"""The embedding process as the daemon sees it: real processes, a tiny real model."""

import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import trio
import trio.testing

from actors.memory.rows import EmbeddingUnavailable
from daemon.embedding.process import EmbeddingProcess, Settings, open_worker
from tests.patience import PATIENCE
from tests.strangers import MALLORY, folder, given, link, only_root, open_ground

pytestmark = [pytest.mark.trio, pytest.mark.usefixtures("llama")]

EAGER = Settings(backoff=0.01, crashes=3)


def numbers(vectors: list[bytes]) -> npt.NDArray[np.float32]:
    return np.array([np.frombuffer(vector, "<f4") for vector in vectors])


async def ask(worker: EmbeddingProcess, *texts: str) -> list[bytes]:
    made = await worker.embed(texts, role="query", interactive=True)
    return [one.vector for one in made]


async def fill(worker: EmbeddingProcess, *texts: str) -> list[bytes]:
    made = await worker.embed(texts, role="document", interactive=False)
    return [one.vector for one in made]


@pytest.fixture
async def worker(tiny_model: Path) -> AsyncGenerator[EmbeddingProcess]:
    """A worker that is ready."""
    async with open_worker(tiny_model) as opened:
        await opened.settled()
        yield opened


async def test_vectors_have_length_one_and_are_the_same_in_either_lane(tiny_model: Path) -> None:
    async with open_worker(tiny_model) as worker:
        state = await worker.settled()
        asked, filled = await ask(worker, "the cache"), await fill(worker, "the cache")

        assert (state.state, state.dimensions, state.model[12:]) == ("ready", 32, "-mean-32")
        assert asked == filled
        assert np.linalg.norm(numbers(asked)[0]) == pytest.approx(1)


async def test_a_background_request_waits_for_the_model_and_an_interactive_one_does_not(
    tiny_model: Path,
) -> None:
    async with open_worker(tiny_model) as worker:
        with pytest.raises(EmbeddingUnavailable, match="being loaded"):
            await ask(worker, "the cache")

        assert len(await fill(worker, "the cache")) == 1


async def test_texts_of_every_kind_get_a_vector_each(worker: EmbeddingProcess) -> None:
    texts = ["", " ", "a\x00b", "half \ud83d", "👍", "字体", "x" * 20_000, "cache " * 170_000]
    vectors = await ask(worker, *texts)

    assert numbers(vectors).shape == (len(texts), 32)
    assert np.isfinite(numbers(vectors)).all()


async def test_no_texts_are_no_vectors(worker: EmbeddingProcess) -> None:
    assert await ask(worker) == []


async def test_a_long_list_comes_back_in_order(tiny_model: Path) -> None:
    texts = [f"cache {number}" for number in range(37)]
    async with open_worker(tiny_model) as worker:
        listed = numbers(await fill(worker, *texts))
        alone = numbers([(await ask(worker, text))[0] for text in texts])

        assert np.allclose(listed, alone, atol=1e-3)


async def test_queries_and_documents_get_the_models_prefixes(
    make_model: Callable[..., Path],
) -> None:
    async with open_worker(make_model(name="multilingual-e5-small")) as worker:
        await worker.settled()
        query, document = await ask(worker, "cache"), await fill(worker, "cache")

        assert not np.allclose(numbers(query), numbers(document), atol=1e-3)


async def test_a_killed_worker_is_started_again_and_waiters_are_told(
    tiny_model: Path, chosen_words: Callable[[int], str]
) -> None:
    async with open_worker(tiny_model, EAGER) as worker:
        before = await fill(worker, "the cache")
        assert worker.pid
        os.kill(worker.pid, signal.SIGSTOP)

        async def kill() -> None:
            await trio.testing.wait_all_tasks_blocked(0.05)
            assert worker.pid
            os.kill(worker.pid, signal.SIGKILL)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(kill)
            with pytest.raises(EmbeddingUnavailable):
                await fill(worker, chosen_words(100))

        assert await fill(worker, "the cache") == before
        assert worker.starts == 2


async def test_a_worker_that_hangs_is_started_again(tiny_model: Path) -> None:
    impatient = Settings(backoff=0.01, answer_within=2.0)
    async with open_worker(tiny_model, impatient) as worker:
        await worker.settled()
        assert worker.pid
        os.kill(worker.pid, signal.SIGSTOP)

        with pytest.raises(EmbeddingUnavailable, match="hangs"):
            await ask(worker, "the cache")
        made: list[bytes] = []
        with trio.fail_after(PATIENCE):
            while not made:
                with suppress(EmbeddingUnavailable):  # on a busy machine one that works is as late
                    made = await fill(worker, "the cache")
        assert len(made) == 1
        assert worker.starts > 1


@pytest.fixture
def deadly_model(tiny_model: Path, tmp_path: Path) -> Path:
    """A vocabulary that holds a token twice makes llama.cpp end the process while it loads."""
    data = tiny_model.read_bytes().replace("\u2581reader".encode(), "\u2581writer".encode())
    (tmp_path / "deadly.gguf").write_bytes(data)
    return tmp_path / "deadly.gguf"


async def test_a_worker_that_keeps_dying_is_switched_off_with_the_reason(
    deadly_model: Path,
) -> None:
    async with open_worker(deadly_model, EAGER) as worker:
        with pytest.raises(EmbeddingUnavailable, match="keeps failing"):
            await fill(worker, "the cache")

        assert worker.state.state == "off"
        assert "SIGABRT" in worker.state.reason
        assert "\n" not in worker.state.reason
        assert worker.starts == EAGER.crashes


async def test_switched_off_it_is_tried_again_after_each_pause(tmp_path: Path) -> None:
    failing = tmp_path / "python"
    failing.write_text("#!/bin/sh\nexit 7\n")
    failing.chmod(0o700)
    settings = Settings(python=str(failing), backoff=0.001, crashes=3, rest=0.01)
    async with open_worker(tmp_path / "m.gguf", settings) as worker:
        while worker.starts < 5:
            await worker.settled()
            await trio.sleep(0.01)

        assert "exit status 7" in (await worker.settled()).reason


async def test_it_is_still_tried_after_more_than_a_thousand_crashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def none_started(_: str) -> trio.Process:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("daemon.embedding.process._started", none_started)
    async with open_worker(tmp_path / "m.gguf", Settings(rest=0.0)) as worker:
        with trio.fail_after(PATIENCE):
            while worker.starts < 1_100:
                await worker.settled()
                await trio.lowlevel.checkpoint()

        assert "it cannot be started" in worker.state.reason


async def test_a_file_that_is_no_model_switches_it_off_in_one_line_and_is_not_tried_again(
    tmp_path: Path,
) -> None:
    (tmp_path / "m.gguf").write_bytes(b"PK\x03\x04 this is a zip")
    async with open_worker(tmp_path / "m.gguf", EAGER) as worker:
        state = await worker.settled()
        with pytest.raises(EmbeddingUnavailable, match="GGUF"):
            await fill(worker, "the cache")

        assert state.state == "off"
        assert state.reason == ("the embedding model cannot be used: it does not begin with GGUF")
        assert worker.starts == 1


async def test_a_missing_file_and_a_missing_interpreter_are_said(tmp_path: Path) -> None:
    async with open_worker(tmp_path / "none.gguf", EAGER) as worker:
        assert "No such file" in (await worker.settled()).reason
    nobody = Settings(python=str(tmp_path / "python"), crashes=1)
    async with open_worker(tmp_path / "none.gguf", nobody) as worker:
        assert "cannot be started" in (await worker.settled()).reason


async def test_without_a_model_it_says_why() -> None:
    async with open_worker(None, absent="none is here") as worker:
        assert (await worker.settled()).reason == "none is here"


async def test_another_model_has_another_identity(
    tiny_model: Path, make_model: Callable[..., Path]
) -> None:
    known: list[str] = []
    for model in (tiny_model, make_model(seed=9)):
        async with open_worker(model) as worker:
            known.append((await worker.settled()).model)

    assert len(set(known)) == 2


async def test_a_cancelled_request_leaves_the_worker_as_it_was(
    worker: EmbeddingProcess, chosen_words: Callable[[int], str]
) -> None:
    for _ in range(20):
        with trio.move_on_after(0.001):
            await fill(worker, *[chosen_words(120)] * 8)

    assert len(await ask(worker, "the cache")) == 1
    assert worker.starts == 1


async def test_an_interactive_request_is_answered_while_a_list_waits(
    worker: EmbeddingProcess, chosen_words: Callable[[int], str]
) -> None:
    order: list[str] = []

    async def background(worker: EmbeddingProcess) -> None:
        await fill(worker, *[chosen_words(120)] * 64)
        order.append("list")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(background, worker)
        await trio.testing.wait_all_tasks_blocked()
        await ask(worker, "the cache")
        order.append("question")

    assert order == ["question", "list"]


async def test_another_background_request_comes_in_between_the_lists_of_a_long_one(
    worker: EmbeddingProcess,
) -> None:
    order: list[int] = []

    async def background(worker: EmbeddingProcess, count: int) -> None:
        await fill(worker, *["the cache"] * count)
        order.append(count)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(background, worker, 320)  # ten lists: one may be done meanwhile
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(background, worker, 1)

    assert order == [1, 320]


async def test_the_worker_leaves_with_its_owner(tiny_model: Path) -> None:
    async with open_worker(tiny_model) as worker:
        await worker.settled()
        pid = worker.pid

    assert pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for a stranger's process")
async def test_the_worker_leaves_when_the_daemon_is_killed(tiny_model: Path) -> None:
    program = (
        "import sys, trio, pathlib\n"
        "from daemon.embedding.process import open_worker\n"
        "async def main():\n"
        "    async with open_worker(pathlib.Path(sys.argv[1])) as worker:\n"
        "        await worker.settled()\n"
        "        print(worker.pid, flush=True)\n"
        "        await trio.sleep_forever()\n"
        "trio.run(main)\n"
    )
    daemon = await trio.lowlevel.open_process(
        [sys.executable, "-c", program, str(tiny_model)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert daemon.stdout
    worker = os.pidfd_open(int(await daemon.stdout.receive_some()))

    daemon.kill()

    await daemon.wait()
    await daemon.stdout.aclose()
    with trio.fail_after(PATIENCE):
        await trio.lowlevel.wait_readable(worker)
    os.close(worker)


async def test_a_users_folder_cannot_stand_in_for_our_modules(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "daemon").mkdir()
    (tmp_path / "daemon" / "__init__.py").write_text("raise SystemExit(9)")
    (tmp_path / "msgspec.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    async with open_worker(tiny_model) as worker:
        assert (await worker.settled()).state == "ready"


@only_root
@pytest.mark.parametrize("how", ["of another", "for all", "for a group", "laid", "in their folder"])
async def test_a_model_that_another_user_could_have_put_there_is_not_loaded(
    make_model: Callable[..., Path], how: str
) -> None:
    with open_ground() as ground:
        model = make_model().rename(ground / "model.gguf")
        if how == "of another":
            given(model, MALLORY, 0o644)
        if how == "for all":
            given(model, 0, 0o666)
        if how == "for a group":
            given(model, 0, 0o664, MALLORY)
        if how == "laid":
            model = link(folder(ground / "tmp", 0, 0o1777) / "m.gguf", model, MALLORY)
        if how == "in their folder":
            model = model.rename(folder(ground / "theirs", MALLORY, 0o755) / "m.gguf")
        async with open_worker(model) as worker:
            state = await worker.settled()

    assert state.state == "off"
    assert state.reason.startswith("the embedding model cannot be used: ")
    assert str(ground) in state.reason
