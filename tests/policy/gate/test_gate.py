"""The prediction-error gate."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate import gate
from actors.policy.gate.contradiction import Contradiction
from actors.policy.gate.gate import Candidate, Create, CreateLinked, Reinforce, Supersede, Update
from actors.policy.gate.gate_features import Kind, normalised
from tests.tables import rows

NEW = "Releases happen on Friday at noon"
OLD = "Every Friday there is a release at noon"


def near(similarity: float, text: str = OLD, memory_id: int = 1) -> Candidate:
    return Candidate(memory_id, text, similarity)


def decided(existing: str, incoming: str, similarity: float) -> gate.Decision:
    """The decision about a text beside one stored text."""
    return gate.decide(incoming, [near(similarity, existing)])


@pytest.mark.parametrize(
    ("similarity", "expected"), [(0.99, Supersede), (0.55, Supersede), (0.49, Create)]
)
def test_a_contradiction_supersedes_what_is_looked_at(similarity: float, expected: type) -> None:
    decision = decided(OLD, "Releases no longer happen on Friday", similarity)

    assert isinstance(decision, expected)


@pytest.mark.parametrize("similarity", [0.98, 0.6])
def test_a_new_value_in_a_slot_that_holds_one_supersedes(similarity: float) -> None:
    stored = "repo uses_database: MySQL 5.7"
    decision = decided(stored, "repo uses_database: PostgreSQL 15", similarity)

    assert isinstance(decision, Supersede)
    assert decision.contradiction == Contradiction(Kind.CHANGED_VALUE, gate.SLOT_CONFIDENCE)


def test_the_slot_is_looked_for_among_all_near_candidates() -> None:
    other = near(0.9, "repo convention: Use snake_case", 0)
    same = near(0.6, "repo auth_method: Cookie-based session auth", 2)

    decision = gate.decide("repo auth_method: JWT with refresh tokens", [other, same])

    assert isinstance(decision, Supersede)
    assert decision.target == 2


@pytest.mark.parametrize(
    ("incoming", "existing", "expected"),
    [
        ("repo convention: Use 2-space indents", "repo convention: Use snake_case", CreateLinked),
        ("repo uses_framework: React 18", "repo uses_framework: React 17", CreateLinked),
        ("repo uses_framework: Vue Router", "repo uses_framework: Vue Query", CreateLinked),
        ("repo convention: use tab indents", "repo convention: Use TAB indents!", Reinforce),
        (
            "repo convention: indents use a tab",
            "repo convention: use a tab for indents",
            Reinforce,
        ),
        (
            "repo convention: no longer indent by tabs",
            "repo convention: indent by tabs",
            Supersede,
        ),
    ],
)
def test_a_slot_of_many_accumulates(incoming: str, existing: str, expected: type) -> None:
    assert isinstance(gate.decide(incoming, [near(0.97, existing)]), expected)


PROTOCOL = " ".join(f"On day {number} we spoke about topic {number * 7}." for number in range(20))


@pytest.mark.parametrize(
    ("incoming", "existing"),
    [
        (PROTOCOL.replace("topic 21", "topic 22"), PROTOCOL),
        (f"{PROTOCOL} The api does not listen on port 8080.", f"{PROTOCOL} The api listens there."),
        ("The api listens on port 9000, not on 8080.", f"The api listens on 8080. {PROTOCOL}"),
        (f"{PROTOCOL} And then we had lunch.", PROTOCOL),
        (f"The api listens on 9000, not on 8080. {PROTOCOL}", "The api listens on port 8080."),
    ],
)
def test_a_text_that_says_many_things_neither_ends_nor_is_ended_by_one_difference(
    incoming: str, existing: str
) -> None:
    """Of 128 sessions of a conversation 21 had been ended as contradicted."""
    decision = gate.decide(incoming, [near(0.93, existing)])

    assert isinstance(decision, CreateLinked)


def test_a_long_text_is_known_when_it_is_the_same() -> None:
    assert isinstance(gate.decide(PROTOCOL, [near(0.99, PROTOCOL)]), Reinforce)


def test_a_statement_is_judged_beside_a_long_text_that_is_nearer() -> None:
    older = "The api listens on port 8080."
    decision = gate.decide(
        "The api listens on port 9000.",
        [near(0.95, PROTOCOL, 1), near(0.9, older, 2)],
    )

    assert isinstance(decision, Supersede)
    assert decision.target == 2


def test_with_nothing_near_a_memory_is_created_plainly() -> None:
    assert gate.decide(NEW, []) == Create("nothing similar (below 0.50)")
    assert isinstance(gate.decide(NEW, [Candidate(1, OLD)]), Create)


@pytest.mark.parametrize("vectors", [True, False])
@pytest.mark.parametrize("stored", [NEW, "“releases  happen on FRIDAY at noon.”", "- " + NEW])
def test_an_exact_normalised_copy_is_reinforced_with_or_without_vectors(
    stored: str, vectors: bool
) -> None:
    decision = gate.decide(NEW, [Candidate(1, stored)], vectors=vectors)

    assert decision == Reinforce(1, "the same text is stored", 1.0)


def test_the_store_may_have_found_the_copy_itself() -> None:
    decision = gate.decide(NEW, [Candidate(9, "cut off", exact=True)], vectors=False)

    assert isinstance(decision, Reinforce)


def test_without_vectors_everything_else_is_created() -> None:
    assert isinstance(gate.decide(NEW, [near(0.99)], vectors=False), Create)


def test_texts_of_nothing_but_punctuation_are_not_copies() -> None:
    assert isinstance(gate.decide("...", [Candidate(1, "!!!")]), Create)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    rows(__file__, "only_form_is_normalised_away"),
)
def test_only_form_is_normalised_away(one: str, other: str, same: bool) -> None:
    assert (normalised(one) == normalised(other)) is same


@given(st.text(max_size=60))
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = normalised(text)

    assert normalised(once) == once


@given(st.lists(st.floats(0, 1), max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_candidates_does_not_matter(
    similarities: list[float], rng: random.Random
) -> None:
    candidates = [near(s, f"{OLD} {i}", i) for i, s in enumerate(similarities)]
    shuffled = list(candidates)
    rng.shuffle(shuffled)

    assert gate.decide(NEW, shuffled) == gate.decide(NEW, candidates)


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_similarity_never_makes_a_text_newer(one: float, other: float) -> None:
    order: list[type] = [Create, CreateLinked, Update, Reinforce]
    low, high = sorted((one, other))

    less, more = (
        order.index(type(gate.decide(NEW, [near(similarity)]))) for similarity in (low, high)
    )

    assert less <= more


@pytest.mark.parametrize(
    ("existing", "incoming", "similarity"),
    rows(__file__, "what_cannot_hold_beside_the_stored_text_supersedes_it"),
)
def test_what_cannot_hold_beside_the_stored_text_supersedes_it(
    existing: str, incoming: str, similarity: float
) -> None:
    decision = gate.decide(incoming, [near(similarity, existing)])

    assert isinstance(decision, Supersede)
    assert decision.target == 1
    assert decision.contradiction is not None


@pytest.mark.parametrize(
    ("existing", "incoming", "similarity"),
    [
        ("Remove unused imports", "Delete unused imports", 0.95),
        ("Logs are kept for thirty days", "We keep logs for 30 days", 0.90),
        ("Tests run on pytest", "Note that tests run on pytest", 0.95),
        ("Small commits are preferred", "Prefer small commits", 0.93),
    ],
)
def test_the_same_in_other_words_is_reinforced(
    existing: str, incoming: str, similarity: float
) -> None:
    assert isinstance(gate.decide(incoming, [near(similarity, existing)]), Reinforce)


@pytest.mark.parametrize(
    ("existing", "incoming", "similarity"),
    rows(__file__, "a_like_fact_about_another_thing_is_kept_beside_it"),
)
def test_a_like_fact_about_another_thing_is_kept_beside_it(
    existing: str, incoming: str, similarity: float
) -> None:
    assert isinstance(gate.decide(incoming, [near(similarity, existing)]), CreateLinked)


@pytest.mark.parametrize(
    ("existing", "incoming", "similarity", "excluded"),
    [
        pytest.param(
            "The nightly export is copied to the archive bucket",
            "The nightly export is copied to the archive bucket at 3:15",
            0.97, Reinforce, id="a number is lost",
        ),
        pytest.param(
            "Services use gRPC between them", "Use gRPC instead of REST between services",
            0.81, Supersede, id="it already uses what is chosen",
        ),
        pytest.param(
            "Use tabs over spaces in Python files", "Use spaces over tabs in Python files",
            0.98, Reinforce | Update, id="another thing in like words",
        ),
    ],
)  # fmt: skip
def test_what_says_something_else_in_like_words_does_not_take_its_place(
    existing: str, incoming: str, similarity: float, excluded: type
) -> None:
    assert not isinstance(decided(existing, incoming, similarity), excluded)


def test_a_fuller_wording_that_loses_nothing_updates() -> None:
    incoming = "Deploys need an approval by the security captain on duty"
    decision = decided("Deploys need an approval", incoming, 0.99)

    assert isinstance(decision, Update)
    assert "and more" in decision.reason


def test_a_number_that_would_be_lost_from_a_rewording_is_kept_beside_it() -> None:
    decision = decided("Every deploy needs an approval", "A deploy wants 2 signatures", 1.0)

    assert isinstance(decision, CreateLinked)


def test_a_farther_text_decides_when_the_nearest_is_only_related() -> None:
    nearest = near(0.90, "The production database has port 5432", 1)
    farther = near(0.85, "The staging database has port 5432", 2)

    decision = gate.decide("The staging database has port 5433", [nearest, farther])

    assert isinstance(decision, Supersede)
    assert decision.target == 2


@pytest.mark.parametrize(
    ("existing", "incoming", "similarity", "kind"),
    [
        (
            "Feature flags are enabled by default", "Feature flags are disabled by default",
            0.93, Kind.DISAGREEMENT,
        ),
        (
            "The woman in the white sweater is drawing on the wall of the house",
            "Nobody draws on the wall in a white sweater", 0.80, Kind.OPPOSITE,
        ),
    ],
)  # fmt: skip
def test_a_contradiction_that_no_sign_announces_has_a_kind_and_its_chance(
    existing: str, incoming: str, similarity: float, kind: Kind
) -> None:
    decision = decided(existing, incoming, similarity)

    assert isinstance(decision, Supersede)
    assert decision.target == 1
    assert decision.contradiction is not None
    assert decision.contradiction.kind is kind
    assert 0.5 <= decision.contradiction.confidence <= 1


@pytest.mark.parametrize(
    ("value", "stored", "expected"),
    [
        ("PostgreSQL 15", "MySQL 5.7", Supersede),
        ("PostgreSQL for all environments", "SQLite for development", Supersede),
        ("PostgreSQL 15 for orders", "MySQL 5.7 for orders and carts", Supersede),
        ("Redis 7 for caching pages", "PostgreSQL 15 for orders", CreateLinked),
        ("Redis for caching and page storage", "PostgreSQL for primary storage", Supersede),
        ("Redis for caching and page storage", "MySQL for primary order storage", CreateLinked),
        ("PostgreSQL 15 with PostGIS", "PostgreSQL 15, on one host", CreateLinked),
    ],
)
def test_a_slot_that_holds_one_value_holds_one_for_each_purpose(
    value: str, stored: str, expected: type
) -> None:
    decision = gate.decide(f"repo database: {value}", [near(0.7, f"repo database: {stored}")])

    assert isinstance(decision, expected)


@pytest.mark.parametrize("similarity", [0.6, 0.8, 0.9])
def test_what_excludes_nothing_is_kept_beside(similarity: float) -> None:
    """Of 142 turns of conversations that were ended, none had been contradicted."""
    stored, said = "Paul: I eat fish on Fridays", "Ruth: I never eat fish on Fridays"

    assert isinstance(decided(stored, said, similarity), Create | CreateLinked)


def test_how_it_was_at_first_does_not_end_how_it_is() -> None:
    now = "shop database: PostgreSQL 15"
    before = "shop database: MySQL 5.7. The shop originally used MySQL 5.7."

    assert isinstance(decided(now, before, 0.8), CreateLinked)
    assert isinstance(decided(before, now, 0.8), Supersede)


def test_three_new_words_want_a_surer_likeness_unless_nothing_is_lost() -> None:
    """Both chances lie between .55 and .65."""
    other = "Deploys need a quick approval by whoever has the pager"
    fuller = "Deploys need an approval by the security captain on duty"

    assert isinstance(decided("Deploys need an approval of the lead", other, 0.95), CreateLinked)
    assert isinstance(decided("Deploys need an approval", fuller, 0.93), Update)
