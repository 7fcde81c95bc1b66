"""What tells one failure from another, and which files it names."""

import pytest

from actors.policy.events.commands import named_files, names_file, of_run, signature


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
