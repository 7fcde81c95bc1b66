"""Globs for paths."""

import pytest

from actors.policy.text import path_patterns
from actors.policy.text.path_patterns import BadPattern
from tests.costs import ratio


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.py", "/home/ann/project/a.py"),
        ("*.py", "a.py"),
        ("src/*.py", "/p/src/a.py"),
        ("src/**/*.py", "src/a.py"),
        ("src/**/*.py", "src/b/c/a.py"),
        ("src/**", "src/b/a.py"),
        ("**/test_?.py", "tests/test_1.py"),
        ("/p/*/a.py", "/p/src/a.py"),
        ("*.{ts,tsx}", "src/app.tsx"),
        ("{src,lib}/{a,b}.py", "lib/b.py"),
        ("[a-c]*.py", "bar.py"),
        ("[!a]*.py", "bar.py"),
        ("[^a]*.py", "bar.py"),
        ("[]]x", "]x"),
        ("[]", "[]"),
        ("a[b", "a[b"),
        ("a.b", "a.b"),
        ("*a*b*c", "xaxbxc"),
        ("release/*", "release/1.2"),
        ("src/*.py", "C:\\p\\src\\a.py"),
        ("*", ".hidden"),
        ("[[a&&b]", "&"),
        ("**/a/**/b/*.py", "a/x/a/b/c/b/a.py"),
    ],
)
def test_a_glob_that_fits(pattern: str, path: str) -> None:
    assert path_patterns.glob_matches(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.py", "a.pyc"),
        ("*.py", "A.PY"),
        ("src/*.py", "src/b/a.py"),
        ("src/*.py", "mysrc/a.py"),
        ("/src/*.py", "p/src/a.py"),
        ("src/**", "src"),
        ("[!a]*.py", "a.py"),
        ("a.b", "axb"),
        ("*a*b", "ba"),
        ("a?", "a/"),
        ("", "a"),
    ],
)
def test_a_glob_that_does_not_fit(pattern: str, path: str) -> None:
    if pattern:
        assert not path_patterns.glob_matches(pattern, path)
    else:
        with pytest.raises(BadPattern, match="empty"):
            path_patterns.glob_matches(pattern, path)


def test_a_glob_takes_time_in_step_with_the_path() -> None:
    pattern, path = "*a" * 40 + "b", "a" * 4000
    path_patterns.glob_matches(pattern, "a")

    cost = ratio(
        lambda: path_patterns.glob_matches(pattern, path),
        lambda: path_patterns.glob_matches("*a*b", path),
        400,
        least=1e-4,
    )

    assert cost < 400
    assert not path_patterns.glob_matches(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("{a,b}" * 6, "more than 32"),
        ("a" * 201, "longer than 200"),
    ],
)
def test_a_glob_that_is_none_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(BadPattern, match=message):
        path_patterns.glob_matches(pattern, "a")
