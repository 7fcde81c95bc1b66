"""Which of two memories kept side by side is the successor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.candidates import QueryFacts
from actors.policy.recall.stages import (
    LOOKED_AT,
    Kept,
    Trace,
    same_beginning,
    succeed,
    succeeds,
    successors,
)
from actors.policy.text.words import stems


def kept(identity: int, text: str, at: float, **more: str) -> Kept:
    return Kept(identity, text, at, stems(text), **more)


OLD = kept(1, "The current retention of raw files is 90 days.", 10.0)
NEW = kept(2, "The current retention of raw files is 400 days, as the auditors want.", 20.0)


def test_the_newer_of_two_sentences_with_another_end_is_the_successor() -> None:
    assert successors([OLD, NEW]) == successors([NEW, OLD]) == {1: 2}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The dashboard polls for positions.", "The dashboard no longer polls for positions."),
        ("The timeout is 5 seconds.", "The timeout is 2 seconds."),
        (
            "The front end state is kept in Redux.",
            "We replaced Redux: the front end state is kept in Zustand.",
        ),
        (
            "The team lead of payments is Maria.",
            "The team lead of payments is Jonas, since Maria left.",
        ),
        (
            "shop uses queue: RabbitMQ 3 with mirrored queues. It originally ran on one host.",
            "shop uses queue: RabbitMQ 4 with quorum queues. We upgraded in May.",
        ),
        ("The gateway is owned by Marta's team.", "Marta left, the gateway is owned by Ivo now."),
        ("The CTO is Alice Novak.", "Bob Hruska is the CTO since November."),
        ("Our CI runs on GitHub Actions.", "We moved CI from GitHub Actions to Buildkite."),
        ("We use black for formatting.", "We don't use black any more."),
    ],
)
def test_what_tells_of_a_change_succeeds(older: str, newer: str) -> None:
    assert succeeds(kept(2, newer, 2.0), kept(1, older, 1.0))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The team lead of payments is Maria.", "The payments team has a lead in Lisbon."),
        ("Component 12 is in the shop.", "Component 13 is in the shop."),
        ("Redis caches sessions.", "Postgres keeps orders."),
        ("Tests are run in CI.", "Tests are run in CI."),
        (
            "shop uses queue: RabbitMQ 3 for mails. It originally ran on one host.",
            "shop uses queue: Redis streams. The workers read them.",
        ),
        (
            "shop uses queue: RabbitMQ 3 for mails. One host runs it.",
            "shop uses queue: RabbitMQ 4 for orders. Two hosts run it.",
        ),
        ("Ann: the gateway is ours.", "Ben: the gateway is ours now."),
        ("The gateway has a health check.", "Is the gateway checked now?"),
    ],
)
def test_what_stands_beside_it_does_not_succeed(older: str, newer: str) -> None:
    assert not succeeds(kept(2, newer, 2.0), kept(1, older, 1.0))


def test_of_the_same_subject_the_newer_one_succeeds_whatever_it_says() -> None:
    older = kept(1, "The port was chosen by Ada.", 1.0, subject="port")
    newer = kept(2, "Nobody listens on 80.", 2.0, subject="port")

    assert succeeds(newer, older)


def test_another_projects_memory_succeeds_nothing() -> None:
    assert not succeeds(kept(2, NEW.text, 2.0, project="b"), kept(1, OLD.text, 1.0, project="a"))


def test_long_texts_are_not_compared() -> None:
    long = kept(2, NEW.text + " And more of it." * 40, 20.0)

    assert successors([OLD, long]) == {}


def test_the_newest_of_several_successors_counts() -> None:
    newest = kept(3, "The current retention of raw files is 30 days.", 30.0)

    assert successors([OLD, NEW, newest]) == {1: 3, 2: 3}


def test_two_clauses_part_after_an_is() -> None:
    assert same_beginning("the owner of it is Ada", "the owner of it is Bo")
    assert not same_beginning("the owner of it likes Ada", "the owner of it likes Bo")
    assert same_beginning("the owner here is Ada", "the owner here is Bo")
    assert not same_beginning("the owner is Ada", "the owner is Bo")


def test_the_successor_rises_to_just_over_what_it_succeeds() -> None:
    now = Trace((1, 3, 2), scores={1: 0.8, 3: 0.6, 2: 0.5})

    terms = succeed(now, QueryFacts(successors={1: 2}))

    (term,) = terms[2]
    assert terms.keys() == {2}
    assert 0.8 < 0.5 + term.plus < 0.802


TEXTS = st.sampled_from(
    (OLD.text, NEW.text, "The timeout is 5 seconds.", "The timeout is 2 seconds.", "Tabs.", "")
)
SOME = st.lists(
    st.builds(kept, st.integers(1, 30), TEXTS, st.floats(0, 9)),
    max_size=14,
    unique_by=lambda one: one.identity,
)


@given(SOME)
def test_a_successor_is_newer_and_among_the_first_ten(some: list[Kept]) -> None:
    by_id = {one.identity: one for one in some[:LOOKED_AT]}

    for older, newer in successors(some).items():
        one, other = by_id[newer], by_id[older]
        assert (one.at, one.identity) > (other.at, other.identity)
