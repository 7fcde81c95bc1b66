"""Novelty against a predictor of words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.capture import novelty
from actors.policy.capture.novelty import Predictor


def heard(*texts: str, most: int = novelty.RUNS) -> Predictor:
    predictor = Predictor()
    for text in texts:
        predictor = novelty.learnt(predictor, text, most)
    return predictor


def error(predictor: Predictor, text: str) -> float:
    return novelty.prediction_error(predictor, text)


def test_weights_of_novelty() -> None:
    shares = (novelty.UNSEEN, novelty.SURPRISE, novelty.ERROR, novelty.CONTEXT)

    assert shares == (0.6, 0.4, 0.7, 0.3)
    assert (novelty.DECAY, novelty.DULL, novelty.HALVED) == (0.99, 0.3, 0.5)


def test_new_words_are_a_full_error_and_known_ones_none() -> None:
    known = heard("the queue is drained in order")

    assert error(known, "the queue is drained in order") == 0
    assert error(known, "every port has one owner") == pytest.approx(1)
    assert error(Predictor(), "anything at all") == pytest.approx(1)
    assert error(known, "") == error(known, "...") == 0


def test_half_known_is_half_an_error() -> None:
    known = heard("the queue is drained")

    # Runs: "the queue is" and "queue is drained" are known, "is drained by", "drained by hand" not.
    found = error(known, "the queue is drained by hand")

    assert found == pytest.approx(0.6 * 2 / 4 + 0.4 * 2 / 4)


def test_a_run_that_often_went_on_otherwise_surprises() -> None:
    known = heard("deploy on friday", "deploy on monday", "deploy on monday", "deploy on monday")

    mondays = 1 + 0.99 + 0.99**2
    friday = 0.99**3
    chance = friday / (mondays + friday)
    assert error(known, "deploy on friday") == pytest.approx(0.4 * (1 - chance**0.5))
    assert error(known, "deploy on monday") < error(known, "deploy on friday")


def test_what_was_heard_fades_and_is_forgotten() -> None:
    known = heard("deploy on friday", *(f"filler number {n}" for n in range(298)))
    later = novelty.learnt(known, "one filler more")

    assert error(known, "deploy on friday") == 0  # .99^298 is .05
    assert error(later, "deploy on friday") == pytest.approx(1)


def test_learning_makes_a_new_predictor_and_leaves_the_old() -> None:
    before = heard("one two three")
    after = novelty.learnt(before, "four five six")

    assert (before.texts, before.runs) == (1, 1)
    assert (after.texts, after.runs) == (2, 2)
    assert error(before, "four five six") == pytest.approx(1)


def test_a_full_predictor_drops_the_faintest_quarter() -> None:
    texts = [f"word{n} goes here" for n in range(9)]

    full = heard(*texts[:8], most=8)
    thinned = heard(*texts, most=8)

    assert (full.runs, thinned.runs) == (8, 6)
    assert error(thinned, texts[0]) == pytest.approx(1)
    assert error(thinned, texts[8]) == 0


def test_words_of_scripts_without_spaces_are_characters() -> None:
    known = heard("数据库端口")

    assert error(known, "数据库端口") == 0
    assert 0 < error(known, "数据库地址") < 1


def test_a_very_short_text_is_one_run() -> None:
    assert error(heard("redis"), "Redis") == 0
    assert error(heard("redis"), "kafka") == pytest.approx(1)


@pytest.mark.parametrize(
    ("pe", "context", "expected"),
    [
        (1.0, 1.0, 1.0),
        (0.5, 0.5, 0.5),
        (1.0, 0.0, 0.7),
        (0.0, 1.0, 0.3),
        (0.4, 0.0, 0.14),  # .28 is dull: halved
        (0.0, 0.0, 0.0),
    ],
)
def test_novelty_of_error_and_context(pe: float, context: float, expected: float) -> None:
    assert novelty.novelty(pe, context) == pytest.approx(expected)


def test_a_context_is_new_by_its_unknown_share() -> None:
    assert novelty.context_novelty(["api", "auth.py"], {"api"}) == 0.5
    assert novelty.context_novelty(["api"], set()) == 1
    assert novelty.context_novelty([], {"api"}) == 0.5


TEXTS = st.lists(st.sampled_from("ant bee cat dog emu".split(" ")), max_size=8).map(" ".join)


@given(st.lists(TEXTS, max_size=6), TEXTS)
def test_an_error_is_a_fraction_and_what_was_learnt_is_not_unseen(
    texts: list[str], text: str
) -> None:
    before = heard(*texts)

    after = novelty.learnt(before, text)

    assert 0 <= error(before, text) <= 1.000001
    assert error(after, text) <= 0.4
    assert novelty.learnt(before, text) == after


@given(st.text(max_size=60), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_novelty_rises_with_the_error(text: str, one: float, other: float, ctx: float) -> None:
    less, more = sorted((one, other))

    assert 0 <= novelty.novelty(less, ctx) <= novelty.novelty(more, ctx) <= 1
    assert 0 <= error(Predictor(), text) <= 1.000001
