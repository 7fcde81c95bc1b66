"""What brings an intention back to mind."""

import pytest

from actors.policy.intentions import intention_triggers
from actors.policy.intentions.intention_triggers import (
    After,
    AllOf,
    AnyOf,
    At,
    BadTrigger,
    Event,
    Happened,
    OnBranch,
    Recurs,
    Surroundings,
    Times,
    Touched,
    Trigger,
    Within,
)
from actors.policy.text.path_patterns import BadPattern
from actors.policy.times.recurrence import Every

NOW = 1_800_000_000.0
MADE = Times(NOW)
NOWHERE = Surroundings()
ON_MAIN = Surroundings(branch="main")


def holds(trigger: Trigger, here: Surroundings = NOWHERE, seconds: float = 0) -> bool:
    return intention_triggers.holds(trigger, MADE, NOW + seconds, here)


def test_a_time_holds_from_its_moment_on() -> None:
    assert not holds(At(NOW + 60), seconds=59)
    assert holds(At(NOW + 60), seconds=60)
    assert holds(At(NOW + 60), seconds=9999)


def test_a_duration_counts_from_when_it_was_made() -> None:
    assert not holds(After(60), seconds=59)
    assert holds(After(60), seconds=60)


def test_an_event_holds_when_its_kind_and_words_are_there() -> None:
    failed = Surroundings(events=(Event("prompt", "hi"), Event("test", "Login test FAILED.")))

    assert holds(Happened("test"), failed)
    assert holds(Happened("test", "failed login"), failed)
    assert not holds(Happened("test", "passed"), failed)
    assert not holds(Happened("commit"), failed)
    assert not holds(Happened("test"))


def test_a_file_is_meant_by_a_glob_or_a_regular_expression() -> None:
    here = Surroundings(files=("/p/README.md", "/p/src/auth/login.py"))

    assert holds(Touched("src/auth/*.py"), here)
    assert not holds(Touched("src/*.py"), here)
    assert holds(Touched(r"auth/\w+\.py$", regex=True), here)
    assert not holds(Touched(r"auth/\d+\.py$", regex=True), here)
    assert not holds(Touched("*"))


def test_a_branch_is_meant_by_a_glob() -> None:
    assert holds(OnBranch("main"), ON_MAIN)
    assert holds(OnBranch("release/*"), Surroundings(branch="release/1.2"))
    assert not holds(OnBranch("release/*"), ON_MAIN)
    assert not holds(OnBranch("*"))


def test_a_context_holds_when_all_it_names_is_so() -> None:
    here = Surroundings("/p", None, "plan", "debugging", frozenset({"Auth"}))

    assert holds(Within(project="/p", topic="auth", mode="plan", activity="debugging"), here)
    assert holds(Within(topic="AUTH"), here)
    assert not holds(Within(project="/q"), here)
    assert not holds(Within(topic="ui"), here)
    assert not holds(Within(project="/p", mode="auto"), here)
    assert not holds(Within(activity="reviewing"), here)
    assert not holds(Within(project="/p"))


def test_a_recurrence_holds_once_for_each_occurrence() -> None:
    hourly = Recurs(Every(3600))

    assert not holds(hourly, seconds=3599)
    assert holds(hourly, seconds=3600)
    after_one = Times(NOW, reminded_at=NOW + 3700)
    assert not intention_triggers.holds(hourly, after_one, NOW + 7199, NOWHERE)
    assert intention_triggers.holds(hourly, after_one, NOW + 7200, NOWHERE)


def test_compounds_hold_when_all_or_one_of_their_triggers_do() -> None:
    soon, branch = After(60), OnBranch("main")

    assert holds(AllOf((soon, branch)), ON_MAIN, 60)
    assert not holds(AllOf((soon, branch)), ON_MAIN, 59)
    assert holds(AnyOf((soon, branch)), ON_MAIN, 59)
    assert not holds(AnyOf((soon, branch)), NOWHERE, 59)


@pytest.mark.parametrize(
    ("trigger", "expected"),
    [
        (Recurs(Every(60)), True),
        (At(0), False),
        (AllOf((At(0), Recurs(Every(60)))), True),
        (AllOf((At(0), After(1))), False),
        (AnyOf((At(0), Recurs(Every(60)))), False),
        (AnyOf((Recurs(Every(60)), Recurs(Every(90)))), True),
    ],
)
def test_what_recurs_rests_between_its_occurrences(trigger: Trigger, expected: bool) -> None:
    assert intention_triggers.recurs(trigger) is expected


def test_a_trigger_that_could_never_hold_cannot_be_made() -> None:
    with pytest.raises(BadTrigger, match="must name"):
        Within()
    with pytest.raises(BadTrigger, match="needs triggers"):
        AllOf(())
    with pytest.raises(BadTrigger, match="needs triggers"):
        AnyOf(())
    with pytest.raises(BadPattern):
        Touched("(a+)+", regex=True)
    with pytest.raises(BadPattern):
        Touched("")
    with pytest.raises(BadPattern):
        OnBranch("")


def test_compounds_are_nested_four_deep_at_most() -> None:
    nested: Trigger = At(0)
    for _ in range(4):
        nested = AllOf((nested,))

    with pytest.raises(BadTrigger, match="deeper"):
        AnyOf((nested,))
