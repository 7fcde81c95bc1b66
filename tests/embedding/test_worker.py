"""The worker's order of work, on the real llama.cpp and without its process."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from msgspec import Struct, field

from daemon.embedding import frames
from daemon.embedding.models import Profile
from daemon.embedding.native import CannotLoad, DecodeFailed, Model
from daemon.embedding.worker import PATIENCE, Desk, Job, opened, work

pytestmark = pytest.mark.usefixtures("llama")

KIND = Profile("tiny", "mean")


class Scene(Struct, dict=True):
    """A desk and a model whose decodes can be interrupted at a known point."""

    path: Path
    desk: Desk = field(default_factory=Desk)
    sent: list[frames.News] = field(default_factory=list[frames.News])
    interruptions: "list[Interruption]" = field(default_factory=list["Interruption"])

    def __post_init__(self) -> None:
        self.model = Model(str(self.path), pooling="mean", may_go_on=self.asked)

    def asked(self) -> bool:
        """Between two nodes of a background decode, let one of the interruptions happen."""
        running = self.desk.running
        if self.interruptions and running and not running.interactive:
            self.interruptions.pop(0)(self)
        return self.desk.may_go_on()

    def put(self, number: int, *texts: str, interactive: bool) -> Job:
        job = Job(number, interactive, list(texts))
        self.desk.put(job)
        return job

    def work(self, decodes: int) -> list[int]:
        """So many decodes, and the numbers of the requests answered by then."""
        for _ in range(decodes):
            work(self.desk, self.model, KIND, self.sent.append)
        return [news.number for news in self.sent if isinstance(news, frames.Vectors)]


Interruption = Callable[[Scene], object]


def asking(number: int) -> Interruption:
    """An interactive request that comes in the middle of a decode."""
    return lambda scene: scene.put(number, "token", interactive=True)


@pytest.fixture
def scene(tiny_model: Path, llama: None) -> Scene:
    return Scene(tiny_model)


def test_an_interactive_request_overtakes_a_list_that_waits(scene: Scene) -> None:
    scene.put(1, "deploy", "cache", interactive=False)
    scene.put(2, "token", interactive=True)

    assert scene.work(decodes=2) == [2, 1]


def test_an_interactive_request_ends_the_decode_of_a_list(scene: Scene) -> None:
    listed = scene.put(1, "deploy", "cache", interactive=False)
    scene.interruptions.append(asking(2))

    assert scene.work(decodes=1) == []
    assert listed.ended == 1
    assert scene.work(decodes=2) == [2, 1]


def test_a_list_put_back_gets_the_vectors_it_would_have_got(scene: Scene) -> None:
    scene.put(1, "deploy", "cache", interactive=False)
    scene.work(decodes=1)
    scene.put(2, "deploy", "cache", interactive=False)
    scene.interruptions.append(asking(3))
    scene.work(decodes=3)

    first, _, last = (news.vectors for news in scene.sent if isinstance(news, frames.Vectors))
    assert first == last


def test_a_list_ended_three_times_goes_on_text_by_text_whoever_waits(scene: Scene) -> None:
    listed = scene.put(1, "deploy", "cache", interactive=False)
    scene.interruptions += [asking(number) for number in range(10, 11 + PATIENCE)]

    scene.work(decodes=2 * PATIENCE)
    assert (listed.ended, len(listed.vectors)) == (PATIENCE, 0)

    scene.work(decodes=1)
    assert (listed.ended, len(listed.vectors)) == (0, 1)


def test_a_list_is_decoded_in_groups_of_bounded_size(
    scene: Scene, chosen_words: Callable[[int], str]
) -> None:
    job = scene.put(1, *(chosen_words(50) for _ in range(4)), interactive=False)

    scene.work(decodes=1)
    assert len(job.vectors) == 2
    assert scene.work(decodes=1) == [1]


def test_a_cancelled_request_is_dropped_without_an_answer(scene: Scene) -> None:
    scene.put(1, "deploy", interactive=False)
    scene.interruptions.append(lambda scene: scene.desk.cancel(1))
    scene.work(decodes=1)
    scene.put(2, "cache", interactive=False)

    assert scene.work(decodes=1) == [2]


def test_of_a_document_the_signs_of_its_tokens_come_with_the_vectors(scene: Scene) -> None:
    job = scene.put(1, "the cache", "", interactive=False)
    job.wanted = "signs"
    scene.put(2, "the cache", interactive=True)
    scene.work(decodes=2)

    plain, kept = (news for news in scene.sent if isinstance(news, frames.Vectors))
    assert [len(signs) for signs in kept.kept] == [2 * 4, 0]  # 32 numbers a token, no marks
    assert kept.words == []
    assert (plain.kept, plain.vectors) == ([], kept.vectors[:1])


def test_of_a_query_the_directions_of_its_tokens_come_with_their_words(scene: Scene) -> None:
    job = scene.put(1, "the cache", interactive=True)
    job.wanted = "numbers"
    scene.work(decodes=1)

    news = scene.sent[0]
    assert isinstance(news, frames.Vectors)
    rows = np.frombuffer(news.kept[0], "<f4").reshape(-1, 32)
    assert news.words == [["the", "cache"]]
    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1, 1], abs=1e-5)


def test_a_model_says_who_it_is(make_model: Callable[..., Path]) -> None:
    path = make_model(name="multilingual-e5-small")

    _, kind, ready = opened(path, lambda: True)

    assert kind.document_prefix == ready.document_prefix == "passage: "
    assert ready.model.endswith("-mean-32")


def test_a_model_whose_vectors_are_all_the_same_fails_its_test(
    tmp_path: Path, tiny_model: Path
) -> None:
    damaged = bytearray(tiny_model.read_bytes())
    damaged[-90_000:] = bytes(90_000)
    (tmp_path / "zero.gguf").write_bytes(damaged)

    with pytest.raises((CannotLoad, DecodeFailed), match=r"self-test|no direction"):
        opened(tmp_path / "zero.gguf", lambda: True)
