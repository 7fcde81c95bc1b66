"""What holds in several projects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.dreams import replay, themes
from actors.policy.dreams.themes import Theme, Uses


def theme(*projects: str | None, text: str = "Cursor pagination is quick") -> Theme:
    members = tuple(
        replay.replayed(number, float(number), text, "", "", project)
        for number, project in enumerate(projects)
    )
    return Theme(members, replay.shared(members), 1.0)


@pytest.mark.parametrize(
    ("projects", "rate", "expected"),
    [(2, 0.6, True), (1, 1.0, False), (2, 0.59, False), (2, None, False)],
)
def test_two_projects_and_six_of_ten_successes_make_it_universal(
    projects: int, rate: float | None, expected: bool
) -> None:
    assert themes.is_universal(projects, rate) is expected


def test_what_did_well_in_two_projects_is_proposed_for_everywhere() -> None:
    uses = {0: Uses(2, 1), 1: Uses(1, 1)}
    (found,) = themes.lifts([theme("/a", "/b", "/b", None)], uses)

    assert (found.act, found.memory_ids) == ("lift", (0, 1, 2))
    assert found.share == pytest.approx(0.6)
    assert found.reason == (
        "the same holds in 2 projects and went well 60% of the times it was followed"
    )


def test_nothing_is_lifted_that_fails_was_never_used_or_belongs_to_the_user() -> None:
    uses = {0: Uses(9), 1: Uses(9)}
    failing = theme("/a", "/b", text="Pagination crashed")

    assert themes.lifts([failing], uses) == []
    assert themes.lifts([theme("/a", "/b")], {}) == []
    assert themes.lifts([theme("/a", None)], uses) == []


@given(st.lists(st.builds(Uses, st.integers(0, 99), st.integers(0, 99)), max_size=9))
def test_success_is_a_share(uses: list[Uses]) -> None:
    rate = themes.success(uses)

    assert rate is None or 0 <= rate <= 1
