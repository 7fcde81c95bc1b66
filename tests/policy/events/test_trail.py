"""What a session did so far, as far as rules need it."""

from collections.abc import Mapping

import pytest

from actors.policy.events import trail as trails
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.events.trail import EDITS, FAILURES, SessionTrail


def ran(command: str, output: str = "", *, tool: str = "Bash", cwd: str = "") -> Event:
    call = Tool(tool, {"command": command}, output=output)
    return Event("claude", EventKind.TOOL, cwd=cwd, tool=call)


def failed(command: str, error: str = "Error: no", *, interrupted: bool = False) -> Event:
    tool = Tool("Bash", {"command": command}, error=error, interrupted=interrupted)
    return Event("claude", EventKind.TOOL_ERROR, tool=tool)


def edited(path: str, new: str = "", *, kind: EventKind = EventKind.TOOL, **more: object) -> Event:
    fields: Mapping[str, object] = {"file_path": path, "new_string": new} | more
    return Event("claude", kind, tool=Tool("Edit", fields, response={"type": "create"}))


def after(*events: Event) -> SessionTrail:
    trail = SessionTrail()
    for event in events:
        trail = trails.followed(trail, event)
    return trail


def test_a_failed_command_stays_open_until_its_family_works() -> None:
    trail = after(failed("python3 app.py", "ValueError: x"))

    (failure,) = trail.failures
    assert (failure.family, failure.error) == ("python app.py", "ValueError: x")
    assert trails.followed(trail, ran("npm run build")).failures == (failure,)
    assert trails.followed(trail, ran(".venv/bin/python app.py")).failures == ()


def test_what_came_between_failure_and_success_is_the_fix() -> None:
    trail = after(
        edited("/p/before.py"),
        failed("pytest -q", "E   AssertionError: 1"),
        edited("/p/app.py", "def parse():"),
    )

    (over,) = trails.resolved(trail, ran("pytest -q", "4 passed"))

    assert over.edits == ("/p/app.py",)


def test_green_on_other_targets_resolves_nothing() -> None:
    trail = after(failed("pytest tests/test_a.py"))

    assert trails.resolved(trail, ran("pytest tests/test_b.py", "1 passed")) == ()
    assert trails.followed(trail, ran("pytest tests/test_b.py")).failures == trail.failures


def test_tests_that_count_failures_failed_whatever_the_code() -> None:
    red = ran("pytest -q | tail", "1 failed, 2 passed")

    assert trails.has_failed(red)
    assert after(red).failures[0].error == "1 failed, 2 passed"
    assert trails.resolved(after(failed("pytest -q")), red) == ()


def test_an_event_that_is_no_command_resolves_nothing() -> None:
    trail = after(failed("pytest"))

    assert trails.resolved(trail, Event("claude", EventKind.TURN_END)) == ()
    assert trails.resolved(trail, edited("/p/a.py")) == ()
    assert trails.resolved(trail, failed("pytest")) == ()
    assert not trails.has_failed(Event("claude", EventKind.PROMPT))


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
    (apart,) = trails.resolved(after(red, ran(edit, cwd="/p")), ran("pytest -q", "4 passed"))
    (at_once,) = trails.resolved(after(red), ran(f"{edit}\npytest -q", "4 passed", cwd="/p"))

    assert [*apart.edits] == [*at_once.edits] == files


def test_what_the_green_line_edits_before_its_run_is_part_of_the_fix() -> None:
    trail = after(failed("pytest -q", "E   AssertionError: 1"))
    line = "perl -pi -e s/a/b/ x.py && pytest -q && sed -i s/c/d/ y.py"

    (over,) = trails.resolved(trail, ran(line, "4 passed"))

    assert over.edits == ("x.py",)
    assert [*after(ran(line)).edits] == ["x.py", "y.py"]


def test_a_compaction_takes_nothing_from_the_trail_and_the_end_of_a_session_all() -> None:
    trail = after(failed("pytest"), edited("/p/a.py"))

    compacted = trails.followed(trail, Event("claude", EventKind.PRE_COMPACT))
    over = trails.followed(trail, Event("claude", EventKind.SESSION_END))

    assert (compacted.edits, compacted.failures) == (trail.edits, trail.failures)
    assert over == SessionTrail()


def test_the_trail_is_bounded() -> None:
    events = [failed(f"mycli task{i}") for i in range(2 * FAILURES)]
    events += [edited(f"/p/{i}.py") for i in range(2 * EDITS)]

    trail = after(*events)

    assert len(trail.failures) == FAILURES
    assert len(trail.edits) == EDITS
    assert trail.events == len(events)
