"""When a memory is worth an agent's attention, and that silence is what happens otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import evidence as rules
from actors.policy.recall.candidates import QueryFacts
from actors.policy.recall.evidence import (
    MOST_AGAINST,
    NEAR,
    NEAR_ASKED,
    SESSIONS,
    THRESHOLD,
    Asked,
    Reason,
    Verdicts,
    answered,
    asked,
    evidence_gap,
    experience_shift,
    surest,
    unseen,
    upheld,
    with_successors,
)
from actors.policy.text.words import informative, stems

_MEMORIES = 1_000


class Candidate(NamedTuple):
    """A memory to judge: its cosine if there is one, the stems of its text."""

    identity: int
    cosine: float | None
    found: frozenset[str]
    trigger: bool = False
    called: int = 0
    literal: bool = False
    made_of: str = ""


def weighed(question: Asked, judged: Sequence[Candidate]) -> Verdicts:
    """The verdicts on these."""
    known = QueryFacts(
        cosines={one.identity: one.cosine for one in judged if one.cosine is not None},
        with_vector=True,
        given={one.identity for one in judged if one.trigger},
        phrases={one.identity: one.called for one in judged if one.called},
        literal={one.identity for one in judged if one.literal},
        made_of={one.identity: one.made_of for one in judged},
    )
    said = {one.identity: one.found for one in judged}
    return rules.weighed(question, known, said, [*said])


def relevant_in(judged: Verdicts) -> tuple[int, ...]:
    return tuple(one.identity for one in judged if one.relevant)


def _asked(prompt: str, **frequencies: int) -> Asked:
    """The prompt's words in a store of a thousand memories, rare unless said otherwise."""
    return asked({word: frequencies.get(word, 3) for word in informative(prompt)}, _MEMORIES)


def _candidate(text: str, cosine: float | None, **more: int) -> Candidate:
    called = more.get("called", 0)
    return Candidate(1, cosine, stems(text), bool(more.get("trigger")), called)


_NOTE = "acme_api uses PostgreSQL 15 as its primary database"


@pytest.mark.parametrize(
    ("prompt", "cosine", "relevant"),
    [
        ("What is the primary database of the Acme API?", 0.62, True),
        ("What is the primary database of the Acme API?", None, True),
        ("where does acme keep its relational data", 0.55, True),
        ("where does acme keep its relational data", None, False),
        ("give me a recipe for lentil soup", 0.08, False),
        ("give me a recipe for lentil soup", None, False),
        ("write a regex that matches phone numbers", 0.21, False),
        ("fix the failing test please", 0.30, False),
    ],
)
def test_a_note_about_the_prompt_is_shown_and_another_is_not(
    prompt: str, cosine: float | None, relevant: bool
) -> None:
    evidence = weighed(_asked(prompt), [_candidate(_NOTE, cosine)])

    assert evidence[0].relevant is relevant
    assert relevant_in(evidence) == ((1,) if relevant else ())


def test_a_trigger_a_person_set_is_enough_alone() -> None:
    evidence = weighed(_asked("ok"), [_candidate("anything", -0.2, trigger=1)])

    assert (evidence[0].relevant, evidence[0].confidence) == (True, 1.0)
    assert evidence[0].reason is Reason.TRIGGER


def test_what_holds_the_one_thing_that_is_asked_for_is_enough_alone() -> None:
    """An error code has no meaning that a vector could be near to."""
    judged = weighed(
        asked({"e1043": 1}, 10), [Candidate(1, 0.1, frozenset({"e1043"}), literal=True)]
    )
    assert relevant_in(judged) == (1,)
    assert judged[0].reason is Reason.LITERAL


def test_what_took_the_place_of_a_relevant_memory_is_as_relevant() -> None:
    """The outdated fact never comes alone."""
    judged = weighed(
        asked({"gateway": 1, "owner": 1}, 10),
        [
            Candidate(1, 0.8, frozenset({"gatewai", "owner"})),
            Candidate(2, 0.1, frozenset({"gatewai"})),
            Candidate(3, 0.1, frozenset({"lentil"})),
        ],
    )
    assert relevant_in(judged) == (1,)

    told = with_successors(judged, {1: 2, 3: 1})

    assert relevant_in(told) == (1, 2)
    assert told[1].reason is Reason.SUCCESSOR
    assert told[1].confidence == told[0].confidence
    assert with_successors(judged, {3: 2}) == judged


def test_a_prompt_without_telling_words_shows_nothing() -> None:
    evidence = weighed(_asked("what is it"), [_candidate("what is it", 0.99)])

    assert not evidence[0].relevant
    assert evidence[0].reason is Reason.UNTELLING


def test_a_word_of_every_prompt_counts_less_than_a_rare_one() -> None:
    question = _asked("test postgres")

    assert question.weights["test"] == pytest.approx(0.3 * question.weights["postgr"], rel=0.01)


def test_a_word_that_every_memory_has_counts_next_to_nothing() -> None:
    # A store is counted as if it had 100 memories more without the word.
    assert asked({"acme": 990}, 1000).weights["acm"] == pytest.approx(0.016, abs=0.001)


def test_a_pair_of_cjk_characters_counts_half_a_word() -> None:
    assert _asked("记忆").mass == pytest.approx(0.5 * _asked("postgres").mass)


def test_sharing_a_few_words_by_chance_is_discounted_in_a_long_prompt() -> None:
    note = _candidate("redis wombat", 0.42)
    filler = " ".join(f"term{letter}" for letter in "abcdefghijklmnopqrstuvwx")

    short = weighed(_asked("redis wombat"), [note])[0].confidence
    long = weighed(_asked(f"redis wombat {filler}"), [note])[0].confidence

    assert long < short


def test_a_phrase_of_the_memory_in_the_prompt_adds_to_its_evidence() -> None:
    question = _asked("run make lint")

    without = weighed(question, [_candidate("lint before pushing", 0.4)])[0].confidence
    called = weighed(question, [_candidate("lint before pushing", 0.4, called=1)])[0].confidence

    assert called > without


@given(st.floats(-1, 1), st.floats(0, 1), st.sampled_from(["", "postgres", "postgres redis"]))
def test_a_closer_vector_never_lowers_the_confidence(cosine: float, more: float, text: str) -> None:
    question = _asked("postgres redis wombat")
    lower = weighed(question, [_candidate(text, min(cosine, more))])[0].confidence
    higher = weighed(question, [_candidate(text, max(cosine, more))])[0].confidence

    assert 0.0 <= lower <= higher <= 1.0


@given(st.sets(st.sampled_from(["postgres", "redis", "wombat", "kafka"])), st.none() | st.just(0.4))
def test_one_more_shared_word_never_lowers_the_confidence(
    shared: set[str], cosine: float | None
) -> None:
    question = _asked("postgres redis wombat kafka")
    fewer = weighed(question, [_candidate(" ".join(sorted(shared)), cosine)])[0].confidence

    for word in ("postgres", "redis", "wombat", "kafka"):
        more = _candidate(" ".join(sorted(shared | {word})), cosine)
        assert weighed(question, [more])[0].confidence >= fewer


def test_shared_words_alone_do_not_make_a_distant_note_relevant() -> None:
    prompt = "acme postgresql primary database 15"

    near = weighed(_asked(prompt), [_candidate(_NOTE, NEAR)])
    far = weighed(_asked(prompt), [_candidate(_NOTE, NEAR - 0.01)])

    assert near[0].relevant
    assert not far[0].relevant
    assert far[0].reason is Reason.UNLIKE


def test_what_is_asked_outright_may_be_further_away() -> None:
    question = asked(dict.fromkeys(informative("acme postgresql primary"), 1), 100, outright=True)

    near = weighed(question, [_candidate(_NOTE, NEAR_ASKED)])
    far = weighed(question, [_candidate(_NOTE, NEAR_ASKED - 0.01)])

    assert near[0].relevant
    assert not far[0].relevant


def test_a_commit_needs_more_evidence_than_what_a_person_wrote() -> None:
    question = _asked("where does acme keep its relational data")
    note = _candidate(_NOTE, 0.55)

    (written,) = weighed(question, [note])
    (commit,) = weighed(question, [note._replace(made_of="commit")])

    assert written.confidence > commit.confidence


@pytest.mark.parametrize(
    ("confidences", "told"),
    [
        ([], set[int]()),
        ([0.7], {0}),
        ([0.7, 0.9, 0.8], {1, 2}),
        ([0.9, 0.9, 0.9, 0.9], {0, 1, 2}),
        ([1.0, 0.9, 0.9], {0, 1}),
    ],
)
def test_the_two_surest_are_told_and_a_third_that_is_as_sure_as_the_first(
    confidences: list[float], told: set[int]
) -> None:
    assert surest(confidences) == told


def test_what_is_held_is_relevant_and_no_surer_for_it_unless_it_was_of_no_use() -> None:
    far = weighed(_asked("give me a recipe for lentil soup"), [_candidate(_NOTE, 0.08)])
    held, other = upheld(far, {1}), upheld(far, {2})
    (verdict,) = held

    assert (relevant_in(held), relevant_in(other)) == ((1,), ())
    assert (verdict.reason, verdict.confidence) == (Reason.HELD, far[0].confidence)
    wasted = (far[0]._replace(reason=Reason.WASTED),)
    assert relevant_in(upheld(wasted, {1})) == ()


# ---- whether there is an answer

shares = st.floats(0, 1)


def test_a_close_result_with_every_word_is_an_answer_and_a_far_one_is_none() -> None:
    """3.7 x .7 + 1.2 - 2.1 = 1.69, and 3.7 x .1 - 2.1 = -1.73 in log-odds."""
    assert answered(0.7, 1.0, 0.0) == pytest.approx(0.844, abs=0.001)
    assert answered(0.1, 0.0, 0.0) == pytest.approx(0.151, abs=0.001)


def test_without_a_vector_the_words_decide() -> None:
    assert answered(None, 1.0, 0.0) == pytest.approx(0.802, abs=0.001)
    assert answered(None, 0.0, 2.0) < 0.25


def test_what_stands_in_no_memory_is_weighed_by_how_telling_it_is() -> None:
    counts = {"graphql": 0, "schema": 0, "expose": 3}
    question = asked(counts, 1_000)

    assert unseen(question, counts) == pytest.approx(
        question.weights["graphql"] + question.weights["schema"]
    )
    assert unseen(question, {"graphql": 2, "schema": 1, "expose": 3}) == 0.0


@given(shares, shares, st.none() | shares, st.floats(0, 9), st.floats(0, 9))
def test_more_words_never_lower_it_and_more_that_is_unseen_never_raises_it(
    one: float, other: float, cosine: float | None, few: float, many: float
) -> None:
    fewer, more = sorted((one, other))
    less, much = sorted((few, many))

    assert answered(cosine, fewer, few) <= answered(cosine, more, few)
    assert answered(cosine, one, much) <= answered(cosine, one, less)
    assert 0 < answered(cosine, one, few) < 1


# ---- whether the scores stand on anything


def test_a_result_that_stands_out_of_five_is_no_gap() -> None:
    """Mean .28, deviation .31; Z is 2."""
    told = evidence_gap([0.9, 0.125, 0.125, 0.125, 0.125])

    assert (told["gap"], told["reason"]) == (False, "none")
    assert told["z"] == pytest.approx(2.0)


def test_of_three_scores_z_says_nothing() -> None:
    """The highest Z of three is 1.414, which would always be a gap."""
    assert evidence_gap([0.9, 0.2, 0.1]) == {"gap": False, "reason": "none", "z": None}
    assert evidence_gap([0.9, 0.85, 0.1])["reason"] == "no score stands out"


def test_nothing_found_is_a_gap() -> None:
    assert evidence_gap([])["reason"] == "nothing found"
    assert evidence_gap([math.nan])["reason"] == "nothing found"


# ---- experience with a memory in prompts


QUESTION = Asked({"port": 1.0, "stage": 1.0, "database": 0.5})
TIMES = st.integers(0, 50)


def confidence(cosine: float, experience: float = 0.0) -> float:
    known = QueryFacts(cosines={1: cosine}, with_vector=True, experience={1: experience})
    return rules.weighed(QUESTION, known, {1: frozenset({"port"})}, [1])[0].confidence


@pytest.mark.parametrize(
    ("useful", "useless", "unused", "expected"),
    [(0, 0, 0, 0.0), (0, 2, 0, -2.0), (1, 1, 0, -0.5), (0, 0, 1, 0.0), (0, 0, 2, -3.0), (0, 0, 9, -9.0), (9, 0, 0, 3.0), (1, 0, 9, 0.5)],
)  # fmt: skip
def test_each_judgement_and_neglect_has_its_weight(
    useful: int, useless: int, unused: int, expected: float
) -> None:
    assert experience_shift(useful, useless, unused) == expected


def test_what_was_judged_useless_for_two_prompts_needs_more_evidence() -> None:
    barely = next(one / 100 for one in range(100) if confidence(one / 100) >= THRESHOLD)
    judged = experience_shift(0, 2, 0)

    assert confidence(barely, judged) < THRESHOLD
    assert confidence(barely + 0.12, judged) >= THRESHOLD


def test_what_came_to_nothing_before_is_told_apart_from_what_is_not_close() -> None:
    found = frozenset({"port", "stage"})
    known = QueryFacts(cosines={1: 0.5, 2: 0.1}, with_vector=True)
    known.experience = dict.fromkeys((1, 2), experience_shift(0, 0, 9))
    judged = rules.weighed(QUESTION, known, dict.fromkeys((1, 2), found), [1, 2])

    assert [one.reason for one in judged] == [Reason.WASTED, Reason.DISTANT]


@given(TIMES, TIMES, st.integers(0, SESSIONS))
def test_a_further_useless_never_makes_it_easier_and_a_further_useful_never_harder(
    useful: int, useless: int, unused: int
) -> None:
    now = experience_shift(useful, useless, unused)

    assert (
        MOST_AGAINST
        <= experience_shift(useful, useless + 1, unused)
        <= now
        <= experience_shift(useful + 1, useless, unused)
    )
    assert experience_shift(useful, useless, SESSIONS) <= now
