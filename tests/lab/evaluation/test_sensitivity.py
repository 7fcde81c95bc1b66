"""What the constant of rank fusion does."""

import pytest

from lab.evaluation.measures import GRID, kendall_tau, sensitivities


@pytest.mark.parametrize(
    ("one", "other", "tau"),
    [
        ("abcd", "abcd", 1.0),
        ("abcd", "dcba", -1.0),
        ("abcd", "bacd", 4 / 6),
        ("abc", "cab", -1 / 3),
        ("abc", "axc", 1.0),
        ("a", "b", 1.0),
        ("", "", 1.0),
    ],
)
def test_agreement_of_two_orders_by_hand(one: str, other: str, tau: float) -> None:
    assert kendall_tau(one, other) == pytest.approx(tau)


def test_sixty_agrees_with_itself_and_a_small_constant_favours_the_first() -> None:
    """K in 20, 40, 60, 80, 100."""
    channels = {"words": [1, 2, 3, 4], "vectors": [9, 8, 7, 2]}
    found = {one.k: one for one in sensitivities([(channels, {2})])}

    assert tuple(found) == GRID == (20, 40, 60, 80, 100)
    assert (found[60].tau, found[60].mrr) == (1.0, 1.0)
    assert all(-1 <= one.tau <= 1 for one in found.values())
