"""What ended a failure, and what did not."""

import pytest

from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.events.trail import Fix, SessionTrail, failed_with, fixes, followed

LINT = "Exit code 1\nsrc/cart.go:12:3: Error return value of `Close` is not checked (errcheck)"
RED = "Exit code 1\n    cart_test.go:44: total of the cart is wrong\n--- FAIL: TestTotal"


def failed(command: str, error: str, *, interrupted: bool = False) -> Event:
    tool = Tool("Bash", {"command": command}, error=error, interrupted=interrupted)
    return Event("claude", EventKind.TOOL_ERROR, "s1", "/p", tool=tool)


def ran(command: str, output: str = "", **more: object) -> Event:
    tool = Tool("Bash", {"command": command, **more}, output=output)
    return Event("claude", EventKind.TOOL, "s1", "/p", tool=tool)


def edited(path: str) -> Event:
    tool = Tool("Edit", {"file_path": path, "new_string": "x"})
    return Event("claude", EventKind.TOOL, "s1", "/p", tool=tool)


def ended(*events: Event) -> tuple[Fix, ...]:
    """What the last of these shows to be over."""
    trail = SessionTrail()
    for event in events[:-1]:
        trail = followed(trail, event)
    return fixes(trail, events[-1])


def test_the_files_that_the_failure_names_and_that_were_edited_ended_it() -> None:
    (fix,) = ended(
        failed("make lint", LINT), edited("/p/src/cart.go"), edited("/p/notes.go"), ran("make lint")
    )

    assert (fix.family, fix.paths) == ("make lint", ("/p/src/cart.go",))
    assert fix.signature == "cart.go: Error return value of `Close` is not checked (errcheck)"


def test_the_first_failure_counts_though_its_lines_moved() -> None:
    again = LINT.replace(":12:", ":15:")
    found = ended(
        failed("make lint", LINT), edited("/p/src/cart.go"), failed("make lint", again),
        ran("make lint"),
    )  # fmt: skip

    assert [fix.paths for fix in found] == [("/p/src/cart.go",)]


def test_a_test_that_was_edited_ended_its_failure_only_when_nothing_else_was() -> None:
    test, code = edited("/p/cart_test.go"), edited("/p/cart.go")
    red, green = failed("go test ./...", RED), ran("go test ./...", "ok  shop 0.1s")

    assert [fix.paths for fix in ended(red, test, green)] == [("/p/cart_test.go",)]
    assert ended(red, test, code, green) == ()


def test_the_only_thing_that_came_in_between_ended_a_failure_that_does_not_name_it() -> None:
    red, green = failed("go test ./...", RED), ran("go test ./...", "ok  shop 0.1s")
    code = edited("/p/cart.go")

    assert [fix.paths for fix in ended(red, code, code, green)] == [("/p/cart.go",)]
    assert ended(red, code, edited("/p/till.go"), green) == ()
    assert ended(red, green) == ()


@pytest.mark.parametrize(
    "red",
    [
        failed("make lint", "The user doesn't want to proceed.\nsrc/cart.go:12:3: it was rejected"),
        failed("make lint", LINT, interrupted=True),
        failed("make lint", LINT.replace("code 1", "code 124")),
        failed("make lint", "Exit code 1\nsrc/cart.go: [lint] ERROR task failed"),
        failed("cat src/cart.go", LINT),
    ],
)
def test_what_was_refused_interrupted_or_says_nothing_is_no_failure(red: Event) -> None:
    assert ended(red, edited("/p/src/cart.go"), ran("make lint")) == ()


@pytest.mark.parametrize(
    "green",
    [
        ran("make build"),
        ran("make lint", run_in_background=True),
        ran("make lint 2>&1 | tail -3", LINT),
        ran("cat Makefile"),
    ],
)
def test_what_works_must_be_the_same_and_have_worked(green: Event) -> None:
    assert ended(failed("make lint", LINT), edited("/p/src/cart.go"), green) == ()


def test_a_line_of_several_commands_is_over_when_all_of_them_worked() -> None:
    red, edit = failed("make fmt && make lint", LINT), edited("/p/src/cart.go")

    assert ended(red, edit, ran("make fmt")) == ()
    assert len(ended(red, edit, ran("make fmt && make lint && make build"))) == 1


def test_tests_behind_a_pipe_passed_when_they_say_so() -> None:
    red, edit = failed("go test ./...", RED), edited("/p/cart_test.go")

    assert ended(red, edit, ran("go test ./... 2>&1 | head -3", "=== RUN   TestTotal")) == ()
    assert len(ended(red, edit, ran("go test ./... 2>&1 | tail -3", "ok  \tshop\t0.1s"))) == 1


def test_only_a_command_that_failed_has_a_signature() -> None:
    assert failed_with(failed("make lint", LINT)).startswith("cart.go: Error return value")
    assert failed_with(ran("make lint", LINT)) == ""
    assert failed_with(edited("/p/a.go")) == ""
    assert failed_with(Event("claude", EventKind.PROMPT, prompt=LINT)) == ""


SUITE = "Exit code 1\nFAILED tests/test_pay.py::test_total - AssertionError: assert total == 3"


def test_what_a_program_prints_into_a_file_is_no_fix_and_hides_none() -> None:
    green = ran("pytest -q", "5 passed in 0.1s")
    red, edit = failed("pytest -q", SUITE), edited("/p/src/pay.py")

    assert ended(red, ran("git diff > changes.diff"), green) == ()
    (fix,) = ended(red, edit, ran("npm run lint > lint.txt"), green)
    assert fix.paths == ("/p/src/pay.py",)
