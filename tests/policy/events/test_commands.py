"""Shell commands reduced to what they try to do; what tells one failure from another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events import commands
from actors.policy.events.commands import named_files, names_file, of_run, signature


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


# ---- signatures of failures, and the files they name


@pytest.mark.parametrize(
    ("first", "second", "sign"),
    [
        (
            "src/shop/tax.go:41:7: cannot use rate (untyped) as int value",
            "pkg\nsrc/shop/tax.go:57:9: cannot use rate (untyped) as int value",
            "tax.go: cannot use rate (untyped) as int value",
        ),
        (
            "Traceback:\nValueError: no rate for 2026 in table 0x7f12",
            "  File 'x'\nValueError: no rate for 2027 in table 0x8a00",
            "ValueError: no rate for # in table #",
        ),
        (
            "error: cannot open /tmp/build-12/cart.lock for writing",
            "error: cannot open /tmp/build-99/cart.lock for writing",
            "error: cannot open # for writing",
        ),
    ],
)
def test_what_differs_from_run_to_run_is_no_part_of_a_signature(
    first: str, second: str, sign: str
) -> None:
    assert signature(first) == signature(second) == sign


@pytest.mark.parametrize(
    "said",
    ["", "[lint] ERROR task failed", "Exit code 1", "make: *** [test] Error 2", "all is well here"],
)
def test_a_line_that_any_failure_may_print_is_none(said: str) -> None:
    assert signature(said) == ""


def test_a_failed_test_is_told_by_its_last_word_and_not_by_its_log() -> None:
    said = (
        "    cart_test.go:12: INFO opening the store kind=test user=none\n"
        "    cart_test.go:20: opening the cart store\n"
        "    cart_test.go:44: total of the cart is wrong\n"
    )

    assert signature(said) == "cart_test.go: total of the cart is wrong"


def test_a_failed_test_that_says_little_is_told_by_its_name_in_the_summary() -> None:
    said = (
        "E       KeyError: 'reduced'\n\napp/rates.py:3: KeyError\n== short test summary info ==\n"
        "FAILED tests/test_rates.py::test_reduced - KeyError: 'reduced'\n1 failed in 0.04s\n"
    )

    assert signature(said) == "tests/test_rates.py::test_reduced - KeyError: 'reduced'"


def test_a_compiler_that_heads_its_lines_with_a_package_is_told_by_the_line_below() -> None:
    said = (
        "Exit code 1\nmain.go:1: : # github.com/shop/cart [github.com/shop/cart.test]\n"
        './main.go:6:2: "sort" imported and not used (typecheck)\npackage main'
    )

    assert signature(said) == 'main.go: "sort" imported and not used (typecheck)'


def test_what_was_refused_stopped_or_timed_out_has_no_signature() -> None:
    said = "\nerror: the cart store is locked"

    assert of_run(f"Exit code 1{said}", "") == "error: the cart store is locked"
    assert of_run("", "error: the cart store is locked") == "error: the cart store is locked"
    assert of_run(f"The user doesn't want to proceed{said}", "") == ""
    assert [of_run(f"Exit code {code}{said}", "") for code in (124, 130, 137, 143)] == [""] * 4


def test_the_files_of_a_failure_are_those_it_places_itself_in() -> None:
    said = (
        "src/cart.py:3: in total\n"
        '  File "/p/src/shop/tax.py", line 9, in rate\n'
        "  at open (/p/web/store.js:3:7)\n"
        "2026 INFO src/log.py:1 opened\n"
        "see docs/cart.md for more\n"
        "Error: Cannot find module './script/env.js'\n"
    )
    names = named_files(said)

    named = ["/p/src/cart.py", "/p/src/shop/tax.py", "/p/web/store.js", "/p/script/env.js"]
    assert [path for path in named if names_file(names, path)] == named
    others = ["/p/src/log.py", "/p/docs/cart.md", "/p/src/other/total.py"]
    assert [path for path in others if names_file(names, path)] == []
