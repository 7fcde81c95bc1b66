"""Where a session stopped, in few words."""

from __future__ import annotations

import pytest

from actors.policy.session.tasks import (
    ASKED,
    ENDING,
    goes_on,
    handed_over,
    task_of,
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
    "answer",
    ["Pushed. I'll hold off merging until the checks pass.", "Let me know how it goes!"],
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
