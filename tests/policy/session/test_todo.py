"""Tasks that an agent wrote down for itself and did not finish."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events.events import Tool
from actors.policy.session.tasks import NAMED, TITLE, TOOLS, named, unfinished


def todos(**states: str) -> Tool:
    listed = [{"content": content, "status": state} for content, state in states.items()]
    return Tool("TodoWrite", {"todos": listed})


def created(number: str, subject: str) -> Tool:
    return Tool("TaskCreate", {"subject": subject}, {"task": {"id": number, "subject": subject}})


def updated(number: str, **changes: str) -> Tool:
    return Tool("TaskUpdate", {"taskId": number, **changes})


def test_the_last_list_counts() -> None:
    first = todos(parse="completed", print="in_progress", test="pending")

    assert unfinished([first]) == ("print", "test")
    assert unfinished([first, todos()]) == ()
    assert unfinished([first, Tool("TodoWrite", {"operation": "read"})]) == ("print", "test")


def test_a_task_is_open_until_it_is_completed_cancelled_or_deleted() -> None:
    made = [created("1", "parse"), created("2", "print"), created("3", "test")]

    assert unfinished(made) == ("parse", "print", "test")
    assert unfinished([*made, updated("2", status="completed")]) == ("parse", "test")
    assert unfinished([*made, updated("3", status="deleted")]) == ("parse", "print")
    assert unfinished([*made, updated("1", status="in_progress")])[0] == "parse"


def test_a_task_can_be_renamed_and_what_it_is_called_stands() -> None:
    calls = [created("1", "parse"), updated("1", subject="parse dates"), updated("1", status="x")]

    assert unfinished(calls) == ("parse dates",)


def test_a_change_of_a_task_whose_making_is_gone_says_nothing() -> None:
    assert unfinished([updated("7", status="in_progress")]) == ()


def test_the_first_are_named_and_the_others_counted() -> None:
    assert named(()) == ""
    assert named(("parse",)) == "Open in its task list: “parse”."
    assert named(("a", "b", "c", "d", "e")) == "Open in its task list: “a”, “b”, “c” and 2 more."


keys = st.sampled_from(["todos", "task", "id", "taskId", "content", "subject", "status"])
foreign = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)
calls = st.builds(
    Tool,
    st.sampled_from([*TOOLS, "Bash"]),
    st.dictionaries(keys, foreign, max_size=4),
    foreign,
)


@given(st.lists(calls, max_size=8))
def test_foreign_calls_never_raise_and_what_is_said_is_short(given_calls: list[Tool]) -> None:
    titles = unfinished(given_calls)

    assert all(0 < len(one) <= TITLE for one in titles)
    assert len(named(titles)) <= NAMED * (TITLE + 4) + 60
