"""What a programmer seems to be about: Q11."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import intent
from actors.policy.recall.intent import Act, Action, Intent, Settings

NOW = 1_800_000_000.0


def just_now(*acts: Act, subject: str = "") -> list[Action]:
    return [Action(act, NOW - len(acts) + place, subject) for place, act in enumerate(acts)]


@pytest.mark.parametrize(
    ("acts", "expected"),
    [
        ([Act.TEST_FAILED, Act.READ, Act.EDITED, Act.TEST_FAILED], Intent.DEBUGGING),
        ([Act.RENAMED, Act.EDITED, Act.TEST_PASSED], Intent.REFACTORING),
        ([Act.CREATED, Act.EDITED, Act.TEST_PASSED], Intent.BUILDING),
        ([Act.DOCS_READ, Act.SEARCHED, Act.READ], Intent.LEARNING),
        ([Act.CONFIG_CHANGED, Act.COMMITTED], Intent.MAINTENANCE),
        ([Act.DIFF_READ, Act.READ], Intent.REVIEWING),
        ([Act.DOCS_EDITED], Intent.DOCUMENTING),
        ([Act.PROFILED, Act.EDITED], Intent.OPTIMISING),
        ([Act.DEPENDENCY_CHANGED, Act.DOCS_READ], Intent.INTEGRATING),
    ],
)
def test_q11_each_of_the_nine_intents_can_be_found(acts: list[Act], expected: Intent) -> None:
    found = intent.detected(just_now(*acts), NOW)

    assert found is not None
    assert found.intent is expected
    assert found.actions == len(acts)


def test_q11_confidence_is_the_mean_of_the_evidence() -> None:
    found = intent.detected(just_now(Act.TEST_FAILED, Act.EDITED), NOW)

    assert found is not None
    assert found.confidence == pytest.approx((0.9 + 0.4) / 2)


def test_q11_under_four_tenths_nothing_is_said() -> None:
    actions = just_now(Act.CREATED, Act.DIFF_READ, Act.DOCS_EDITED)

    assert intent.detected(actions, NOW) is None
    assert intent.detected([], NOW) is None
    assert intent.detected(actions, NOW, Settings(confidence=0.3)) is not None


def test_q11_half_an_hour_and_a_hundred_actions_count() -> None:
    old = Action(Act.ERROR, NOW - 1800.1)
    edge = Action(Act.ERROR, NOW - 1800)
    future = Action(Act.ERROR, NOW + 1)

    assert intent.recent([old, edge, future], NOW) == [edge]
    many = [Action(Act.READ, NOW - 200 + place) for place in range(150)]
    assert intent.recent(reversed(many), NOW) == many[-100:]


def test_q11_the_most_frequent_subjects_are_named() -> None:
    actions = [
        *just_now(Act.ERROR, Act.ERROR, subject="a.py"),
        *just_now(Act.ERROR, subject="b.py"),
        *just_now(Act.ERROR),
    ]

    found = intent.detected(actions, NOW)
    assert found is not None
    assert found.subjects == ("a.py", "b.py")


@given(st.lists(st.sampled_from(Act), max_size=30))
def test_q11_every_score_is_a_share(acts: list[Act]) -> None:
    assert all(0 <= score <= 1 for score in intent.scores(just_now(*acts)).values())
    assert set(intent.EVIDENCE) == set(Act)
