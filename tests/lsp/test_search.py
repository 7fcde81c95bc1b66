"""Results of a search that answer it, and those that are only the rest."""

from __future__ import annotations

import msgspec

from daemon.requests.recall import Recalled
from lsp.search import SURE, fitting
from tests.lsp.test_pages import recalled


def scored(confidence: float, *scores: float) -> Recalled:
    found = recalled(*(f"title {n}" for n in range(len(scores))))
    results = [
        msgspec.structs.replace(one, score=score)
        for one, score in zip(found.results, scores, strict=True)
    ]
    return msgspec.structs.replace(found, results=results, confidence=confidence)


def ids(query: str, answer: Recalled) -> list[str]:
    return [one.id for one in fitting(query, answer)]


def test_of_a_sure_answer_the_best_and_what_is_near_it_stay() -> None:
    assert ids("redirects", scored(SURE, 0.8, 0.5, 0.39)) == ["m0", "m1"]


def test_nonsense_has_no_answer() -> None:
    assert ids("qwxzy", scored(SURE - 0.01, 0.4, 0.3)) == []


def test_what_holds_the_words_or_their_beginnings_stays_however_unsure_the_answer_is() -> None:
    assert ids("Tit 1", scored(0.1, 0.4, 0.3)) == ["m1"]
    assert ids("title", scored(SURE, 0.8, 0.1)) == ["m0", "m1"]
