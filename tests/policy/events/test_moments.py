"""Moments of coding in the words of hook events."""

import pytest

from actors.policy.decay.capture import STRENGTHS, EventKind
from actors.policy.events.events import Event, parsed
from actors.policy.events.trail import SessionTrail, asks_to_remember, followed, is_revert, moment
from actors.policy.text.turn import Turn


def event(name: str, **fields: object) -> Event:
    found = parsed("claude", {"hook_event_name": name, **fields})
    assert isinstance(found, Event)
    return found


def prompt(text: str) -> Event:
    return event("UserPromptSubmit", prompt=text)


def ran(command: str, output: str = "", *, failed: bool = False, tool: str = "Bash") -> Event:
    return event(
        "PostToolUseFailure" if failed else "PostToolUse",
        tool_name=tool,
        tool_input={"command": command},
        tool_response={"stdout": output},
        **({"error": f"Exit code 1\n{output}"} if failed else {}),
    )


def kinds(*events: Event) -> list[EventKind | None]:
    """The moments of a session, event by event."""
    trail, found = SessionTrail(), list[EventKind | None]()
    for one in events:
        now = moment(trail, one)
        found.append(now.kind if now else None)
        trail = followed(trail, one)
    return found


def test_a_test_that_was_red_turns_green() -> None:
    red = ran("pytest tests/test_orders.py", "1 failed, 3 passed", failed=True)
    green = ran("pytest tests/test_orders.py", "4 passed")

    found = [None, None, None, EventKind.TEST_FIXED, None]
    assert kinds(green, red, red, green, green) == found


def test_another_test_or_another_command_is_not_the_one_that_failed() -> None:
    red = ran("pytest tests/test_orders.py", "1 failed", failed=True)
    build = ran("make build", "error: no rule", failed=True)

    assert kinds(red, ran("pytest tests/test_users.py", "2 passed")) == [None, None]
    assert kinds(build, ran("make lint", "done")) == [None, None]


@pytest.mark.parametrize(
    "command",
    [
        "git revert HEAD",
        "git reset --hard HEAD~1",
        "git -C api reset --hard origin/main",
        "git checkout -- src/app.py",
        "git checkout .",
        "git restore --staged --worktree src/app.py",
        "cd api && git restore .",
        "hg revert -a",
        "svn revert file",
        "jj undo",
    ],
)
def test_work_is_taken_back(command: str) -> None:
    assert is_revert(command)
    assert kinds(ran(command)) == [EventKind.REVERT]


@pytest.mark.parametrize(
    "command",
    [
        "git revert --abort",
        "git reset --soft HEAD~1",
        "git checkout main",
        "git checkout -b feature/x",
        "git restore --staged file",
        "git commit -m 'revert the change'",
        "echo git revert HEAD",
        "ls",
        "",
    ],
)
def test_looking_moving_and_unstaging_take_nothing_back(command: str) -> None:
    assert not is_revert(command)


def test_a_revert_that_failed_or_that_a_file_only_names_is_none() -> None:
    assert kinds(ran("git revert HEAD", "conflict", failed=True)) == [None]
    assert kinds(ran("git revert HEAD", tool="Write")) == [None]


def test_the_user_corrects() -> None:
    assert kinds(prompt("no, actually the queue is Kafka")) == [EventKind.CORRECTION]


@pytest.mark.parametrize(
    "text",
    [
        "remember this",
        "Remember: staging deploys on Fridays only",
        "no, actually it's 5433. Remember that.",
    ],
)
def test_the_user_asks_to_remember(text: str) -> None:
    assert asks_to_remember(Turn(text))
    assert kinds(prompt(text)) == [EventKind.USER_FLAG]


@pytest.mark.parametrize(
    "text",
    [
        "do you remember what we decided?",
        "I can't remember the port",
        "add a remember-me checkbox",
        "fix the login",
    ],
)
def test_other_prompts_are_no_moments(text: str) -> None:
    assert not asks_to_remember(Turn(text))
    assert kinds(prompt(text)) == [None]


def test_a_moment_has_the_strength_of_its_kind_and_says_what_was_seen() -> None:
    found = moment(SessionTrail(), ran("git revert HEAD"))

    assert found is not None
    assert STRENGTHS[found.kind] == 0.85
    assert found.reason == "git revert HEAD took work back"


def test_the_end_of_a_session_is_no_moment() -> None:
    assert moment(SessionTrail(), event("SessionEnd")) is None


# ---- the end of a turn: a failure is said to be solved


def ended(message: str, name: str = "Stop") -> Event:
    return event(name, last_assistant_message=message)


def edited(path: str = "src/orders.py") -> Event:
    given = {"file_path": path, "new_string": "def total(): ..."}
    return event("PostToolUse", tool_name="Edit", tool_input=given)


BROKEN = ran("make build", "error: no rule", failed=True)
RED = ran("pytest tests/test_orders.py", "1 failed", failed=True)


def test_a_command_that_failed_and_works_again_is_a_moment_named_by_it() -> None:
    again = ran("make build", "done")
    found = moment(followed(SessionTrail(), BROKEN), again)

    assert kinds(BROKEN, edited("Makefile"), again, again)[-2:] == [EventKind.RESOLUTION, None]
    assert found is not None
    assert (STRENGTHS[found.kind], found.reason) == (0.8, "make build works again")


def test_what_an_agent_says_of_a_failure_is_no_moment() -> None:
    for message in ("Fixed: the rule was missing.", "It works now.", "All 42 tests pass now."):
        assert kinds(BROKEN, edited("Makefile"), ended(message))[-1] is None
        assert kinds(RED, edited(), ended(message, "SessionEnd"))[-1] is None


def test_a_step_that_is_refused_in_words_is_a_correction() -> None:
    silent, said = (
        event("ToolRefused", tool_use_id="t1", user_feedback=words)
        for words in ("", "not in this file")
    )

    assert kinds(silent, said) == [None, EventKind.CORRECTION]


def test_what_a_person_decides_is_a_moment_unless_it_is_a_greater_one() -> None:
    plain, flag = prompt("We use uv."), prompt("Remember this: we use uv.")
    found = [moment(SessionTrail(), one, decides=True) for one in (plain, flag)]

    assert [one.kind for one in found if one] == [EventKind.DECISION, EventKind.USER_FLAG]
