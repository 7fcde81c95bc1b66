"""Notes of the reader beside a prompt: by their cues and their text, and by what stands out."""

from __future__ import annotations

import pytest

from actors.policy.recall import evidence
from actors.policy.recall.candidates import QueryFacts
from actors.policy.recall.evidence import Asked, Reason, Verdicts

SHARED = frozenset({"branch"})  # of the prompt's words


def judged(known: QueryFacts, *, outright: bool = False, words: int = 2) -> Verdicts:
    """The verdicts on notes that share a word with a prompt of so many telling ones."""
    known.with_vector, known.by_cues = True, True
    known.made_of = known.made_of or dict.fromkeys(known.cosines, "reader")
    said = dict.fromkeys(known.cosines, SHARED)
    asked: list[str] = ["branch", "push", "force"][:words]
    weights = dict.fromkeys(asked, 1.0)
    return evidence.weighed(Asked(weights, outright), known, said, [*said])


def relevant_in(judged: Verdicts) -> tuple[int, ...]:
    return tuple(one.identity for one in judged if one.relevant)


@pytest.mark.parametrize(
    ("cue", "text", "told"),
    [(0.8, 0.45, True), (1.0, 0.15, False), (0.6, 0.59, False), (0.0, 0.61, True)],
)
def test_the_text_decides_or_its_mean_with_the_nearest_cue(
    cue: float, text: float, told: bool
) -> None:
    evidence_ = judged(QueryFacts(cues={1: cue}, cosines={1: text}))

    assert evidence_[0].relevant is told


def test_a_note_that_is_like_its_cues_says_so() -> None:
    verdict = judged(QueryFacts(cues={1: 0.8}, cosines={1: 0.5}))[0]

    assert verdict.reason is Reason.CUED
    assert verdict.confidence >= evidence.THRESHOLD


def test_what_no_person_said_is_told_to_no_order_however_near_its_text() -> None:
    evidence_ = judged(QueryFacts(cosines={1: 0.9}))

    assert evidence_[0].reason is Reason.UNASKED
    assert not evidence_[0].relevant


def test_a_question_is_told_the_note_that_stands_out() -> None:
    alone = judged(QueryFacts(cosines={1: 0.6, 2: 0.45}), outright=True, words=3)
    among = judged(QueryFacts(cosines={1: 0.6, 2: 0.55}), outright=True, words=3)

    assert relevant_in(alone) == (1,)
    assert relevant_in(among) == ()
    assert among[0].reason is Reason.AMONG


@pytest.mark.parametrize(("cosine", "told"), [(0.55, True), (0.5, False)])
def test_a_question_is_told_a_note_that_has_half_its_words_where_it_is_near_enough(
    cosine: float, told: bool
) -> None:
    evidence_ = judged(QueryFacts(cosines={1: cosine, 2: cosine}), outright=True)

    assert evidence_[0].relevant is told


def test_a_note_that_is_like_its_cues_and_answers_a_question_is_as_sure_as_the_surer_says() -> None:
    known = QueryFacts(cues={1: 0.62}, cosines={1: 0.6})
    order, question = judged(known), judged(known, outright=True)

    assert order[0].reason is Reason.CUED
    assert question[0].reason is Reason.MEANING
    assert question[0].confidence > order[0].confidence


def test_other_memories_are_judged_as_without_a_reader() -> None:
    told = judged(QueryFacts(cosines={1: 0.6, 2: 0.6}, made_of={1: "hand", 2: "reader"}))

    assert relevant_in(told) == (1,)


def test_a_note_that_was_called_useless_needs_to_be_nearer() -> None:
    like = QueryFacts(cues={1: 0.7}, cosines={1: 0.52})
    wanted = judged(like)
    like.experience = {1: -1.0}

    assert wanted[0].relevant
    assert not judged(like)[0].relevant


def test_what_a_person_gave_a_phrase_needs_no_cue() -> None:
    assert relevant_in(judged(QueryFacts(cosines={1: 0.1}, given={1}))) == (1,)


def test_likeness_needs_both_cosines() -> None:
    known = QueryFacts(with_vector=True, cues={2: 0.9}, cosines={1: 0.9})

    assert (known.likeness(1), known.likeness(2)) == (None, None)
