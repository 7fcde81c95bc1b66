"""How well a memory fits a query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.composite import Subject, pattern


def said(title: str = "", kind: str = "fact", anchors: tuple[str, ...] = ()) -> Subject:
    """A memory of this title, kind and phrases."""
    return Subject(1.0, 0, None, 0.0, "normal", kind, title, anchors, "")


@pytest.mark.parametrize(
    ("similarity", "expected"),
    [(0.6, 0.3), (60, 0.3), (0.8, 0.4), (0.9, 0.5), (1.0, 0.6), (100, 0.6), (-1, 0)],
)
def test_similarity_counts_half_and_half_again_above_eight_tenths(
    similarity: float, expected: float
) -> None:
    assert pattern("", similarity, said()) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("query", "title", "expected"),
    [
        ("retry policy", "Retry policy", 0.3),
        ("what was our retry policy?", "Retry policy", 0.3),
        ("retry", "The retry policy", 0.3),
        ("retry of the uploads", "Retry policy", 0.05),  # one of retry, the, uploads
        ("cat", "Concatenation", 0),
        ("an of", "Retry policy", 0),
        ("", "Retry policy", 0),
        ("retry", "", 0),
    ],
)
def test_a_title_counts_whole_or_by_its_share(query: str, title: str, expected: float) -> None:
    assert pattern(query, 0, said(title)) == pytest.approx(expected)


def test_anchors_count_by_the_share_that_is_there() -> None:
    subject = said(anchors=("Summary", "decisions"))

    assert pattern("", 0, subject, ("summary",)) == pytest.approx(0.25)
    assert pattern("", 0, subject, ("summary", "todo")) == pytest.approx(0.125)
    assert pattern("", 0, subject) == 0


def test_a_fitting_kind_or_type_of_document_adds_a_fifth() -> None:
    assert pattern("why sqlite", 0, said(kind="decision")) == pytest.approx(0.2)
    assert pattern("why", 0, said(kind="decision_record")) == pytest.approx(0.2)
    assert pattern("sqlite", 0, said(kind="decision")) == 0
    assert pattern("sqlite", 0, said(kind="spec")) == 0


def test_everything_together_is_kept_within_one() -> None:
    subject = said("why sqlite", "decision", ("a",))

    assert pattern("why sqlite", 1.0, subject, ("a",)) == 1


@given(st.text(max_size=40), st.text(max_size=40), st.floats(0, 1))
def test_the_factor_is_a_share(query: str, title: str, similarity: float) -> None:
    assert 0 <= pattern(query, similarity, said(title)) <= 1
