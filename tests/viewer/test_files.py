"""Files of the pages, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.viewer.browser import Browser
from viewer.exchange import pages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files as they are built."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_bytes(b"<!doctype html>")
    (tmp_path / "assets" / "app.js").write_bytes(b"export const answer = 42;")
    (tmp_path / "notes.py").write_bytes(b"secret")
    return tmp_path


def test_the_files_of_the_pages_are_served_and_nothing_beside_them(folder: Path) -> None:
    assert {path: one.body for path, one in pages(folder).items()} == {
        "/": b"<!doctype html>",
        "/index.html": b"<!doctype html>",
        "/assets/app.js": b"export const answer = 42;",
    }


def test_without_built_pages_nothing_is_served(tmp_path: Path) -> None:
    assert pages(tmp_path / "none") == {}


@pytest.mark.parametrize("path", ["/notes.py", "/../pyproject.toml", "/assets", "/assets/", "//"])
def test_any_other_path_is_not_there(browser: Browser, path: str) -> None:
    assert browser.get(path).status == 404


def test_the_built_pages_are_served_and_looked_for_each_time(browser: Browser) -> None:
    first = browser.get("/")

    assert (first.status, first.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert first.headers["cache-control"] == "private, no-cache"
