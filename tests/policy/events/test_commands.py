"""Shell commands reduced to what they try to do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events import commands


@pytest.mark.parametrize(
    ("line", "telling"),
    [
        ("cd api && CI=1 npx jest -i 2>&1 | tail -5", "jest -i"),
        ("timeout 60 uv run pytest -q > log.txt", "pytest -q"),
        ("sudo env A=1 make   test", "make test"),
        ("git commit -m 'a; b && c'", "git commit -m 'a; b && c'"),
        ('echo "pytest && x"; python app.py', "python app.py"),
        ("ls -la | grep x", ""),
        ("gh issue edit 5 \\\n  --title x", "gh issue edit 5 --title x"),
        ("(cd api && make test) > log", "make test"),
        ("FILES=a.py && pytest $FILES", "pytest $FILES"),
        ("", ""),
    ],
)
def test_the_telling_part_does_the_work(line: str, telling: str) -> None:
    assert commands.telling(line) == telling


def test_a_heredoc_is_one_argument() -> None:
    line = "git commit -m \"$(cat <<'EOF'\nfix: a; b\n\nwhy && how\nEOF\n)\" && git push"

    assert [part.split()[1] for part in commands.segments(line)] == ["commit", "push"]
    assert commands.segments("python - <<'EOF'\na = 1; b\nEOF\n") == ("python -",)


@pytest.mark.parametrize(
    ("line", "family"),
    [
        ("python3 app.py --port 1", "python app.py"),
        (".venv/bin/python3.11 -u app.py", "python app.py"),
        ("python -m pytest tests -q", "pytest"),
        ("cd x && pytest -q 2>&1 | tail", "pytest"),
        ("npm run test:unit", "npm test:unit"),
        ("npm run build", "npm run build"),
        ("docker compose up -d", "docker compose up"),
        ("git push origin main", "git push"),
        ("cargo test --all", "cargo test"),
        ("./gradlew check", "gradlew check"),
        ("python manage.py test", "manage.py test"),
        ("terraform plan", "terraform plan"),
        ("mycli --help", "mycli"),
        ("make", "make"),
        ("ls nope", ""),
    ],
)
def test_two_lines_of_a_family_try_the_same(line: str, family: str) -> None:
    assert commands.family(line) == family


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pytest -q", True),
        ("cd a && npm test", True),
        ("go test ./...", True),
        ("make lint", False),
        ("echo pytest", False),
    ],
)
def test_runners_of_tests_are_known(line: str, expected: bool) -> None:
    assert commands.is_test(line) is expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("1 failed, 3 passed in 1s", True),
        ("Tests:       2 failed, 5 passed", True),
        ("--- FAIL: TestX (0.00s)", True),
        ("\x1b[31mFAILED\x1b[0m tests/test_a.py::test_b", True),
        ("4 passed, 0 failed", False),
        ("12 passed in 0.41s", False),
    ],
)
def test_failures_are_counted_whatever_the_exit_code(output: str, expected: bool) -> None:
    assert commands.shows_failed_tests(output) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Exit code 1\nError: Cannot find module 'express'", "Error: Cannot find module 'express'"),
        (
            "E       AssertionError: assert 401 == 200\n1 failed",
            "AssertionError: assert 401 == 200",
        ),
        ("Traceback\n  File x\nModuleNotFoundError: No module named 'flask'", None),
        ("error[E0425]: cannot find value `x`\n --> a.rs", "error[E0425]: cannot find value `x`"),
        ("npm ERR! code 1\nnpm ERR! missing script: tst", "missing script: tst"),
        ("Exit code 127\nbash: foo: command not found", "bash: foo: command not found"),
        ("FAIL src/a.test.ts", "src/a.test.ts"),
        (
            "--- FAIL: TestSum (0.00s)\n    sum_test.go:14: got 3, want 4\nFAIL\nFAIL\ta/b\t0.004s",
            "sum_test.go:14: got 3, want 4",
        ),
        ("Build failed with 2 problems", "Build failed with 2 problems"),
        ("something odd\nmore", "something odd"),
        ("Exit code 3", ""),
        ("", ""),
    ],
)
def test_the_most_telling_line_of_an_error_is_found(text: str, expected: str | None) -> None:
    wanted = "ModuleNotFoundError: No module named 'flask'" if expected is None else expected

    assert commands.error_line(text) == wanted


@pytest.mark.parametrize(
    ("passing", "failing", "expected"),
    [
        ("pytest -q", "pytest -q", True),
        ("pytest", "pytest tests/test_a.py", True),
        ("pytest tests/test_a.py", "pytest tests/test_a.py -x", True),
        ("pytest tests/test_b.py", "pytest tests/test_a.py", False),
        ("pytest tests/test_b.py", "pytest", False),
        ("pytest -k fast", "pytest", False),
        ("cd . && pytest -k fast", "pytest -k fast", True),
    ],
)
def test_green_covers_red_only_on_the_same_targets(
    passing: str, failing: str, expected: bool
) -> None:
    assert commands.covers(passing, failing) is expected


@given(st.text(max_size=120))
def test_no_command_line_breaks_it(line: str) -> None:
    assert isinstance(commands.family(line), str)
    assert len(commands.error_line(line)) <= commands.ERROR
    assert commands.covers(line, line)
