"""Triggers that bring an intention back to mind."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.night import intention_triggers
from actors.policy.night.intention_triggers import (
    BadTrigger,
    Event,
    Moment,
    Surroundings,
    Trigger,
    checked,
    worded,
)

NOW = 1_800_000_000.0
NOWHERE = Surroundings()
ON_MAIN = Surroundings(branch="main")
HOURLY: Trigger = {"every": ["seconds", 3_600]}


def holds(trigger: Trigger, here: Surroundings = NOWHERE, seconds: float = 0) -> bool:
    return intention_triggers.holds(checked(trigger), Moment(NOW + seconds, here, NOW))


WORDED: list[tuple[Trigger, str]] = [
    ({"at": 1_795_424_400.0}, "from 2026-11-23 09:00 on"),
    ({"after": 7_200}, "after 2 hours"),
    ({"after": 86_400}, "after 1 day"),
    ({"after": 90}, "after 90 seconds"),
    ({"after": 1}, "after 1 second"),
    ({"event": ["", "deploy"]}, "when a prompt or a command says “deploy”"),
    ({"event": ["command", "git push"]}, "when a command says “git push”"),
    ({"event": ["prompt", ""]}, "at a prompt"),
    ({"file": "src/*.py"}, "when a file like src/*.py is touched"),
    ({"branch": "release/*"}, "on the branch release/*"),
    ({"every": ["seconds", 1_800]}, "every 30 minutes"),
    ({"every": ["daily", 9, 0]}, "daily at 9:00"),
    ({"every": ["weekly", [0, 3], 14, 5]}, "every Monday, Thursday at 14:05"),
    ({"every": ["monthly", 15, 9, 0]}, "monthly on the 15. at 9:00"),
    ({"all": [{"branch": "main"}, {"after": 60}]}, "on the branch main, and after 1 minute"),
    ({"any": [{"branch": "main"}, {"after": 60}]}, "on the branch main, or after 1 minute"),
]


@pytest.mark.parametrize(("trigger", "words"), WORDED)
def test_a_trigger_is_plain_values_and_is_worded(trigger: Trigger, words: str) -> None:
    assert checked(json.loads(json.dumps(trigger))) == trigger
    assert worded(trigger) == words


@pytest.mark.parametrize(
    "value",
    [
        None, 3, {}, {"at": 1, "after": 2}, {"at": "soon"}, {"at": True}, {"at": 1e12},
        {"at": float("nan")}, {"no": 1}, {"file": 3}, {"file": ""}, {"branch": ""}, {"file_regex": "a"},
        {"event": ["", ""]}, {"event": ["x" * 301, ""]}, {"event": ["", "x" * 301]}, {"event": "x"},
        {"within": ["/p", None, None, None]}, {"all": []}, {"any": []},
        {"all": [{"at": 1}] * 17}, {"any": [3]}, {"every": ["daily", 25, 0]},
        {"every": ["weekly", ["mon"], 9, 0]}, {"every": "daily"}, {"every": ["seconds", 5]},
        {"every": ["monthly", 40, 9, 0]},
    ],
)  # fmt: skip
def test_what_is_no_trigger_or_could_never_hold_is_refused(value: object) -> None:
    with pytest.raises(BadTrigger):
        checked(value)


@pytest.mark.parametrize(("deep", "wrong"), [(4, False), (5, True), (100, True)])
def test_compounds_are_nested_four_deep_at_most(deep: int, wrong: bool) -> None:
    value: Trigger = {"at": 1}
    for _ in range(deep):
        value = {"all": [value]}

    if wrong:
        with pytest.raises(BadTrigger, match="deeper"):
            checked(value)
    else:
        assert checked(value) == value


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["at", "after", "every", "file", "all", "event"]), inner)
    ),
    max_leaves=9,
)


@given(JSON)
def test_any_value_is_a_trigger_that_is_evaluated_or_refused(value: object) -> None:
    try:
        trigger = checked(value)
    except BadTrigger:
        return

    assert isinstance(holds(trigger), bool)
    assert isinstance(intention_triggers.recurs(trigger), bool)


def test_a_time_holds_from_its_moment_on() -> None:
    assert not holds({"at": NOW + 60}, seconds=59)
    assert holds({"at": NOW + 60}, seconds=60)
    assert holds({"at": NOW + 60}, seconds=9999)


def test_a_duration_counts_from_when_it_was_made() -> None:
    assert not holds({"after": 60}, seconds=59)
    assert holds({"after": 60}, seconds=60)


def test_an_event_holds_when_its_kind_and_words_are_there() -> None:
    failed = Surroundings(events=(Event("prompt", "hi"), Event("test", "Login test FAILED.")))

    assert holds({"event": ["test", ""]}, failed)
    assert holds({"event": ["test", "failed login"]}, failed)
    assert not holds({"event": ["test", "passed"]}, failed)
    assert not holds({"event": ["commit", ""]}, failed)
    assert not holds({"event": ["test", ""]})


def test_what_happened_counts_once_for_half_an_hour_and_since_it_was_meant() -> None:
    trigger: Trigger = {"event": ["prompt", ""]}
    heard = Surroundings(events=(Event("prompt", "deploy", NOW + 10),))

    def at(seconds: float, made_at: float = 0.0, reminded_at: float | None = None) -> bool:
        return intention_triggers.holds(trigger, Moment(NOW + seconds, heard, made_at, reminded_at))

    assert at(20)
    assert at(1_809)
    assert not at(1_810)
    assert not at(20, made_at=NOW + 10)
    assert not at(20, reminded_at=NOW + 15)


def test_a_file_is_meant_by_a_glob() -> None:
    here = Surroundings(
        files=(Event("file", "/p/README.md"), Event("file", "/p/src/auth/login.py"))
    )

    assert holds({"file": "src/auth/*.py"}, here)
    assert not holds({"file": "src/*.py"}, here)
    assert not holds({"file": "*"})


def test_a_branch_is_meant_by_a_glob() -> None:
    assert holds({"branch": "main"}, ON_MAIN)
    assert holds({"branch": "release/*"}, Surroundings(branch="release/1.2"))
    assert not holds({"branch": "release/*"}, ON_MAIN)
    assert not holds({"branch": "*"})


def test_a_recurrence_holds_once_for_each_occurrence() -> None:
    assert not holds(HOURLY, seconds=3599)
    assert holds(HOURLY, seconds=3600)
    for seconds, due in ((7199, False), (7200, True)):
        moment = Moment(NOW + seconds, NOWHERE, NOW, NOW + 3700)
        assert intention_triggers.holds(HOURLY, moment) is due


def test_compounds_hold_when_all_or_one_of_their_triggers_do() -> None:
    both: list[Trigger] = [{"after": 60}, {"branch": "main"}]

    assert holds({"all": both}, ON_MAIN, 60)
    assert not holds({"all": both}, ON_MAIN, 59)
    assert holds({"any": both}, ON_MAIN, 59)
    assert not holds({"any": both}, NOWHERE, 59)


@pytest.mark.parametrize(
    ("trigger", "expected"),
    [
        (HOURLY, True),
        ({"at": 0}, False),
        ({"all": [{"at": 0}, HOURLY]}, True),
        ({"all": [{"at": 0}, {"after": 1}]}, False),
        ({"any": [{"at": 0}, HOURLY]}, False),
        ({"any": [HOURLY, HOURLY]}, True),
    ],
)
def test_what_recurs_rests_between_its_occurrences(trigger: Trigger, expected: bool) -> None:
    assert intention_triggers.recurs(trigger) is expected


def test_it_is_known_what_a_compound_waits_for() -> None:
    trigger: Trigger = {"all": [{"at": 0}, {"any": [{"branch": "main"}, HOURLY]}]}

    assert intention_triggers.waits_for(trigger, "branch")
    assert intention_triggers.waits_for(trigger, "at")
    assert not intention_triggers.waits_for(trigger, "file")
