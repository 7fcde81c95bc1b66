"""Triggers as plain values and in words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.intentions.intention_triggers import (
    After,
    AllOf,
    AnyOf,
    At,
    BadTrigger,
    Happened,
    OnBranch,
    Recurs,
    Touched,
    Trigger,
    Within,
)
from actors.policy.intentions.trigger_forms import form, formed, worded
from actors.policy.times.recurrence import Daily, Every, Monthly, Weekly

WORDED: list[tuple[Trigger, str]] = [
    (At(1_795_424_400.0), "from 2026-11-23 09:00 on"),
    (After(7_200), "after 2 hours"),
    (After(86_400), "after 1 day"),
    (After(90), "after 90 seconds"),
    (After(1), "after 1 second"),
    (Happened("", "deploy"), "when a prompt or a command says “deploy”"),
    (Happened("command", "git push"), "when a command says “git push”"),
    (Happened("prompt"), "at a prompt"),
    (Touched("src/*.py"), "when a file like src/*.py is touched"),
    (Touched(r"\.py$", regex=True), r"when a file with \.py$ is touched"),
    (OnBranch("release/*"), "on the branch release/*"),
    (Within(project="/p", topic="auth"), "in /p about auth"),
    (Recurs(Every(1_800)), "every 30 minutes"),
    (Recurs(Daily(9)), "daily at 9:00"),
    (Recurs(Weekly(frozenset({3, 0}), 14, 5)), "every Monday, Thursday at 14:05"),
    (Recurs(Monthly(15, 9)), "monthly on the 15. at 9:00"),
    (AllOf((OnBranch("main"), After(60))), "on the branch main, and after 1 minute"),
    (AnyOf((OnBranch("main"), After(60))), "on the branch main, or after 1 minute"),
]


@pytest.mark.parametrize(("trigger", "words"), WORDED)
def test_a_trigger_survives_its_form_and_is_worded(trigger: Trigger, words: str) -> None:
    stored = json.dumps(form(trigger))

    assert formed(json.loads(stored)) == trigger
    assert worded(trigger) == words


@pytest.mark.parametrize(
    "value",
    [
        None, 3, {}, {"at": 1, "after": 2}, {"at": "soon"}, {"at": True}, {"at": 1e12},
        {"at": float("nan")}, {"no": 1}, {"file": 3}, {"file": ""}, {"file_regex": "(a+)+"},
        {"event": ["", ""]}, {"event": ["x" * 301, ""]}, {"event": "x"},
        {"within": [None, None, None, None]}, {"within": [1, None, None, None]}, {"all": []},
        {"all": [{"at": 1}] * 17}, {"any": [3]}, {"every": ["daily", 25, 0]},
        {"every": ["weekly", ["mon"], 9, 0]}, {"every": "daily"}, {"every": ["seconds", 5]},
        {"every": ["monthly", 40, 9, 0]},
    ],
)  # fmt: skip
def test_what_is_no_trigger_is_refused(value: object) -> None:
    with pytest.raises(BadTrigger):
        formed(value)


def test_a_form_nested_without_end_is_refused() -> None:
    value: dict[str, object] = {"at": 1}
    for _ in range(100):
        value = {"all": [value]}

    with pytest.raises(BadTrigger):
        formed(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["at", "after", "every", "file", "all", "event"]), inner)
    ),
    max_leaves=9,
)


@given(JSON)
def test_any_value_is_a_trigger_or_refused(value: object) -> None:
    try:
        trigger = formed(value)
    except BadTrigger:
        return

    assert formed(form(trigger)) == trigger
