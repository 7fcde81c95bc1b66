"""How much a project matters among others."""

import pytest

from actors.policy.recall.ranking import Members, project_weights


def test_the_heaviest_project_comes_first_and_each_weight_has_three_digits() -> None:
    """.45 / 1.7 + .35 * .5 + .20 * .6 of three normal ones; a critical one of today has .84."""
    members = [
        Members("old", "temporary", 90),
        Members("busy", "normal", 7, 2),
        Members("busy", "normal", 30),
        Members("new", "critical", 0),
    ]

    found = project_weights(members)

    assert list(found.items()) == [("new", 0.84), ("busy", 0.56), ("old", 0.155)]
    assert project_weights([]) == {}


@pytest.mark.parametrize("days", [0.0, -3.0])
def test_a_project_of_many_constitutional_memories_of_today_weighs_all_there_is(
    days: float,
) -> None:
    assert project_weights([Members("x", "constitutional", days, 9)]) == {"x": 1.0}
