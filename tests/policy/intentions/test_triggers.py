"""Triggers that bring an intention back to mind."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.night.intentions import (
    BadTrigger,
    Happening,
    Intention,
    Surroundings,
    Trigger,
    checked,
    due,
    worded,
)

NOW = 1_800_000_000.0
NOWHERE = Surroundings()


def holds(trigger: Trigger, here: Surroundings = NOWHERE, seconds: float = 0) -> bool:
    return due(Intention("1", "x", checked(trigger), NOW), NOW + seconds, here)


WORDED: list[tuple[Trigger, str]] = [
    ({"at": 1_795_424_400.0}, "from 2026-11-23 09:00 on"),
    ({"words": "deploy"}, "when a prompt or a command says “deploy”"),
    ({"file": "src/*.py"}, "when a file like src/*.py is touched"),
]


@pytest.mark.parametrize(("trigger", "words"), WORDED)
def test_a_trigger_is_plain_values_and_is_worded(trigger: Trigger, words: str) -> None:
    assert checked(json.loads(json.dumps(trigger))) == trigger
    assert worded(trigger) == words


@pytest.mark.parametrize(
    "value",
    [
        None, 3, {}, {"at": 1, "file": "a"}, {"at": "soon"}, {"at": True}, {"at": 1e12},
        {"at": float("nan")}, {"no": 1}, {"file": 3}, {"file": ""}, {"branch": "main"}, {"words": ""},
        {"words": "x" * 301}, {"words": 3}, {"every": "daily"}, {"all": [{"at": 1}]},
    ],
)  # fmt: skip
def test_what_is_no_trigger_or_could_never_hold_is_refused(value: object) -> None:
    with pytest.raises(BadTrigger):
        checked(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["at", "file", "branch", "words"]), inner)
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


def test_a_time_holds_from_its_moment_on() -> None:
    assert not holds({"at": NOW + 60}, seconds=59)
    assert holds({"at": NOW + 60}, seconds=60)
    assert holds({"at": NOW + 60}, seconds=9999)


def test_words_are_all_there_in_any_inflection() -> None:
    failed = Surroundings(said=(Happening("hi"), Happening("Login test FAILED.")))

    assert holds({"words": "failed login"}, failed)
    assert not holds({"words": "passed login"}, failed)
    assert not holds({"words": "login"})


def test_words_that_an_earlier_version_kept_and_nobody_can_say_are_never_said() -> None:
    wordless = Intention("1", "x", {"words": "--"}, NOW)

    assert not due(wordless, NOW, Surroundings(said=(Happening("any -- thing"),)))


def test_what_happened_counts_once_for_half_an_hour_and_since_it_was_meant() -> None:
    heard = Surroundings(said=(Happening("deploy", NOW + 10),))

    def at(seconds: float, made_at: float = 0.0, reminded_at: float | None = None) -> bool:
        meant = Intention("1", "x", {"words": "deploy"}, made_at, reminded_at=reminded_at)
        return due(meant, NOW + seconds, heard)

    assert at(20)
    assert at(1_809)
    assert not at(1_810)
    assert not at(20, made_at=NOW + 10)
    assert at(1_800, reminded_at=NOW)
    assert not at(1_815, reminded_at=NOW + 15)


def test_a_file_is_meant_by_a_glob() -> None:
    here = Surroundings(files=(Happening("/p/README.md"), Happening("/p/src/auth/login.py")))

    assert holds({"file": "src/auth/*.py"}, here)
    assert not holds({"file": "src/*.py"}, here)
    assert not holds({"file": "*"})


def test_a_branch_that_an_earlier_version_waited_for_is_due_at_once() -> None:
    of_a_branch = Intention("1", "x", {"branch": "main"}, NOW)

    assert due(of_a_branch, NOW, NOWHERE)
    assert worded(of_a_branch.trigger) == "on the branch main"
