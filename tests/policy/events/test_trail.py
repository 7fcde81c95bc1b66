"""A session's acts so far, as rules need them, and the ends of its failures."""

import pytest

from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.events.trail import (
    EDITS,
    FAILURES,
    Fix,
    SessionTrail,
    failed_with,
    fixes,
    followed,
    has_failed,
    resolved,
)


def ran(command: str, output: str = "", *, cwd: str = "", **more: object) -> Event:
    call = Tool("Bash", {"command": command, **more}, output=output)
    return Event("claude", EventKind.TOOL, cwd=cwd, tool=call)


def failed(command: str, error: str = "Error: no", *, interrupted: bool = False) -> Event:
    tool = Tool("Bash", {"command": command}, error=error, interrupted=interrupted)
    return Event("claude", EventKind.TOOL_ERROR, tool=tool)


def edited(path: str, *, kind: EventKind = EventKind.TOOL) -> Event:
    return Event("claude", kind, tool=Tool("Edit", {"file_path": path, "new_string": ""}))


def after(*events: Event) -> SessionTrail:
    trail = SessionTrail()
    for event in events:
        trail = followed(trail, event)
    return trail


def test_a_failed_command_stays_open_until_its_family_works() -> None:
    trail = after(failed("python3 app.py", "ValueError: x"))

    (failure,) = trail.failures
    assert (failure.family, failure.error) == ("python app.py", "ValueError: x")
    assert followed(trail, ran("npm run build")).failures == (failure,)
    assert followed(trail, ran(".venv/bin/python app.py")).failures == ()


def test_what_came_between_failure_and_success_is_the_fix() -> None:
    trail = after(
        edited("/p/before.py"),
        failed("pytest -q", "E   AssertionError: 1"),
        edited("/p/app.py"),
    )

    (over,) = resolved(trail, ran("pytest -q", "4 passed"))

    assert over.edits == ("/p/app.py",)


def test_green_on_other_targets_resolves_nothing() -> None:
    trail = after(failed("pytest tests/test_a.py"))

    assert resolved(trail, ran("pytest tests/test_b.py", "1 passed")) == ()
    assert followed(trail, ran("pytest tests/test_b.py")).failures == trail.failures


def test_tests_that_count_failures_failed_whatever_the_code() -> None:
    red = ran("pytest -q | tail", "1 failed, 2 passed")

    assert has_failed(red)
    assert after(red).failures[0].error == "1 failed, 2 passed"
    assert resolved(after(failed("pytest -q")), red) == ()


def test_an_event_that_is_no_command_resolves_nothing() -> None:
    trail = after(failed("pytest"))

    assert resolved(trail, Event("claude", EventKind.TURN_END)) == ()
    assert resolved(trail, edited("/p/a.py")) == ()
    assert resolved(trail, failed("pytest")) == ()
    assert not has_failed(Event("claude", EventKind.PROMPT))


@pytest.mark.parametrize(
    "event", [failed("ls nope"), failed("pytest", interrupted=True), failed("")]
)
def test_a_failure_that_teaches_nothing_is_not_kept(event: Event) -> None:
    assert after(event).failures == ()


def test_failing_again_the_same_way_keeps_the_first() -> None:
    trail = after(failed("pytest"), edited("/p/a.py"), failed("pytest"))

    assert [failure.at for failure in trail.failures] == [1]


def test_a_file_that_is_edited_again_is_one_edit_and_what_failed_is_none() -> None:
    trail = after(
        edited("/p/a.py"),
        ran("sed -i 's/one/uno/' a.py && cat > b.py <<'EOF'\nx = 1\nEOF", cwd="/p"),
        edited(""),
        edited("/p/broken.py", kind=EventKind.TOOL_ERROR),
    )

    assert trail.edits == {"/p/a.py": 2, "/p/b.py": 2}


def test_of_too_many_files_the_one_that_was_not_edited_again_is_forgotten() -> None:
    others = [edited(f"/p/{number}.py") for number in range(EDITS - 2)]
    trail = after(
        edited("/p/a.py"), edited("/p/b.py"), *others, edited("/p/a.py"), edited("/p/c.py")
    )

    assert [*trail.edits][-2:] == ["/p/a.py", "/p/c.py"]
    assert "/p/b.py" not in trail.edits


def test_a_red_test_run_keeps_the_edit_before_it_and_another_failure_does_not() -> None:
    line = "sed -i s/a/b/ x.py"
    red = after(failed("pytest", "E   AssertionError: 1"), failed(f"{line} && pytest"))
    lost = after(failed("pytest", "E   AssertionError: 1"), failed(line))

    assert [*red.edits] == ["x.py"]
    assert not lost.edits


@pytest.mark.parametrize(
    ("edit", "files"),
    [
        ("sed -i 's/401/200/' api/login.py", ["/p/api/login.py"]),
        ("cat > api/login.py <<'EOF'\ndef login(user):\nEOF", ["/p/api/login.py"]),
        ("date > /tmp/report", []),
    ],
)
def test_a_file_that_a_shell_command_edits_is_part_of_the_fix(edit: str, files: list[str]) -> None:
    red = failed("pytest -q", "E   AssertionError: assert 401 == 200")
    (apart,) = resolved(after(red, ran(edit, cwd="/p")), ran("pytest -q", "4 passed"))
    (at_once,) = resolved(after(red), ran(f"{edit}\npytest -q", "4 passed", cwd="/p"))

    assert [*apart.edits] == [*at_once.edits] == files


def test_what_the_green_line_edits_before_its_run_is_part_of_the_fix() -> None:
    trail = after(failed("pytest -q", "E   AssertionError: 1"))
    line = "perl -pi -e s/a/b/ x.py && pytest -q && sed -i s/c/d/ y.py"

    (over,) = resolved(trail, ran(line, "4 passed"))

    assert over.edits == ("x.py",)
    assert [*after(ran(line)).edits] == ["x.py", "y.py"]


def test_a_compaction_takes_nothing_from_the_trail_and_the_end_of_a_session_all() -> None:
    trail = after(failed("pytest"), edited("/p/a.py"))

    compacted = followed(trail, Event("claude", EventKind.PRE_COMPACT))
    over = followed(trail, Event("claude", EventKind.SESSION_END))

    assert (compacted.edits, compacted.failures) == (trail.edits, trail.failures)
    assert over == SessionTrail()


def test_the_trail_is_bounded() -> None:
    events = [failed(f"mycli task{i}") for i in range(2 * FAILURES)]
    events += [edited(f"/p/{i}.py") for i in range(2 * EDITS)]

    trail = after(*events)

    assert len(trail.failures) == FAILURES
    assert len(trail.edits) == EDITS
    assert trail.events == len(events)


# ---- fixes of failures


LINT = "Exit code 1\nsrc/cart.go:12:3: Error return value of `Close` is not checked (errcheck)"
RED = "Exit code 1\n    cart_test.go:44: total of the cart is wrong\n--- FAIL: TestTotal"


def ended(*events: Event) -> tuple[Fix, ...]:
    """Failures shown to be over by the last of these."""
    return fixes(after(*events[:-1]), events[-1])


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
