"""Tasks of a session: where it stopped, what is open in it, what it delegates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events.events import Tool
from actors.policy.session import tasks
from actors.policy.session.tasks import (
    ASKED,
    ENDING,
    MOST,
    NAMED,
    TITLE,
    TOOLS,
    WAITS,
    Task,
    goes_on,
    handed_over,
    named,
    started,
    task_of,
    unfinished,
    where_it_stopped,
)

DONE = "The cache is keyed by URL.\n\nOpen: the test of expiry still fails."

SAID = (
    "The user asked “Add a cache”; the last answer ended: The cache is keyed by URL."
    " Open: the test of expiry still fails."
)


@pytest.mark.parametrize(
    ("asked", "answer", "said"),
    [
        ("Add a cache", DONE, SAID),
        ("", "## Next steps\n\nOpen: retries", "The last answer ended: Next steps Open: retries"),
        ("", "- **`--size` (none):** refused", "The last answer ended: `--size` (none): refused"),
        ("Add a cache", " \n\n```\n\n", ""),
        ("", "Done:\n\n★ Retries work.", "The last answer ended: Done: ★ Retries work."),
        (
            "Add a cache",
            f"{DONE}\n\n`★ Insight ─────`\nKeys are hashed.\n\nOnce.\n`─────────`\n",
            SAID,
        ),
        (
            "",
            "★ Insight ─────\nKeys are hashed.\n─────────\nAll tests pass.",
            "The last answer ended: All tests pass.",
        ),
    ],
)
def test_the_prompt_and_the_end_of_the_answer_are_told(asked: str, answer: str, said: str) -> None:
    assert where_it_stopped(asked, answer) == said


def test_of_a_long_answer_the_last_paragraphs_are_told_whole() -> None:
    last = "It stops at the migration. " * 9
    said = where_it_stopped("go on", f"{'Much was read. ' * 40}\n\n{last}")

    assert said.endswith(f"answer ended: {last.strip()}")


def test_a_paragraph_that_is_too_long_is_told_from_its_beginning() -> None:
    said = where_it_stopped("x" * 900, "It was a long day. " * 90)

    assert len(said) <= ASKED + ENDING + 60
    assert "It was a long day." in said


def test_rules_and_marks_between_paragraphs_are_left_out() -> None:
    assert where_it_stopped("", "---\n\n- All is done.").endswith("ended: All is done.")


@pytest.mark.parametrize(
    ("asked", "said"),
    [("Add a cache", "The user asked “Add a cache”; the last answer was not finished."), ("", "")],
)
def test_an_answer_that_announces_its_next_step_was_not_finished(asked: str, said: str) -> None:
    assert where_it_stopped(asked, "Good point. Now let me look at the whole wiring:") == said
    assert where_it_stopped(asked, "Done! ✅ Let me verify the fix:") == said


@pytest.mark.parametrize(
    "answer", ["Pushed. I'll hold off merging until the checks pass.", "Let me know how it goes!"]
)
def test_an_answer_that_leaves_the_next_step_to_the_user_was_finished(answer: str) -> None:
    assert where_it_stopped("", answer) == f"The last answer ended: {answer}"


@pytest.mark.parametrize(
    ("prompt", "task"),
    [
        ("Add a cache for the login", "Add a cache for the login"),
        ("push and create a PR", "push and create a PR"),
        ("/compact we are debugging the parser", "we are debugging the parser"),
        ("/review cache.py", "/review cache.py"),
        ("次のテストを追加してください", "次のテストを追加してください"),
        ("/compact", None),
        ("/pr", None),
        ("1", None),
        ("yes, let's do it", None),
        ("go on", None),
        ("", None),
    ],
)
def test_the_task_is_what_a_prompt_tells_of_it(prompt: str, task: str | None) -> None:
    assert task_of(prompt) == task


@pytest.mark.parametrize(
    "prompt",
    [
        "continue",
        "Go on, please.",
        "ok, continue where we left off",
        "let's pick up where we stopped",
        "Read your handoff and continue",
        "please read the handoff document",
        "Where did we stop?",
        "hi, what were we working on?",
    ],
)
def test_a_prompt_that_asks_only_to_go_on_is_known(prompt: str) -> None:
    assert goes_on(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "continue the migration to postgres",
        "can we continue the debug?",
        "go on holiday",
        "what did we decide about caching?",
        "read the design and go on",
        "continue. " * 40,
        "",
    ],
)
def test_a_prompt_that_asks_for_more_is_not(prompt: str) -> None:
    assert not goes_on(prompt)


def test_a_handoff_is_told_by_what_it_says_is_next() -> None:
    pieces = [("Handoff", "We built a cache."), ("Handoff > Next steps", "Mend the expiry.")]

    assert handed_over("HANDOFF.md", pieces) == "The handoff HANDOFF.md says: Mend the expiry."
    assert handed_over("HANDOFF.md", pieces[:1]).endswith("says: We built a cache.")
    assert handed_over("HANDOFF.md", []) == ""


# ---- what an agent wrote down for itself and did not finish


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
    Tool, st.sampled_from([*TOOLS, "Bash"]), st.dictionaries(keys, foreign, max_size=4), foreign
)


@given(st.lists(calls, max_size=8))
def test_foreign_calls_never_raise_and_what_is_said_is_short(given_calls: list[Tool]) -> None:
    titles = unfinished(given_calls)

    assert all(0 < len(one) <= TITLE for one in titles)
    assert len(named(titles)) <= NAMED * (TITLE + 4) + 60


# ---- a subagent that starts has the first task that waits for its type


USUAL = "general-purpose"
ONE, TWO, OTHER = Task("one", USUAL, 1.0), Task("two", USUAL, 2.0), Task("three", "Explore", 3.0)


def test_the_first_given_is_the_first_started_of_its_type() -> None:
    first, left = started((ONE, TWO, OTHER), USUAL, 4.0)
    other, rest = started(left, "Explore", 4.0)

    assert (first, other, rest) == (ONE, OTHER, (TWO,))


@pytest.mark.parametrize("named", ["", "default"])
def test_a_subagent_without_a_type_is_of_the_usual_one(named: str) -> None:
    assert started((OTHER, ONE), named, 4.0)[0] == ONE
    assert started((OTHER, Task("any", "", 1.0)), USUAL, 4.0)[0] == Task("any", "", 1.0)


def test_a_subagent_of_a_type_for_which_no_task_waits_has_none() -> None:
    assert started((ONE, TWO), "Explore", 4.0) == (None, (ONE, TWO))


def test_a_task_that_started_nothing_for_a_minute_is_forgotten() -> None:
    assert started((ONE, TWO), USUAL, 1.5 + WAITS) == (TWO, ())


def test_so_many_wait_at_most_and_the_oldest_goes() -> None:
    waiting: tuple[Task, ...] = ()
    for number in range(MOST + 1):
        waiting = tasks.given(waiting, Task(str(number), USUAL, number))

    assert [task.text for task in waiting] == [str(number) for number in range(1, MOST + 1)]
