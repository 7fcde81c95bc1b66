"""Files of the pages: their types, tags, and what a browser keeps."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.viewer.browser import Browser
from viewer.exchange import Answer, Request, file_answer, pages

SCRIPT = b"export const answer = 42;\n" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files as they are built."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_bytes(b"<!doctype html>")
    (tmp_path / "assets" / "app-B3x9_fQ2.js").write_bytes(SCRIPT)
    (tmp_path / "notes.py").write_bytes(b"secret")
    return tmp_path


def got(folder: Path, path: str, **headers: str) -> Answer:
    """What a browser gets."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return file_answer(Request("GET", path, {}, named), pages(folder))


def test_the_first_page_is_looked_for_each_time_and_sent_when_it_changed(folder: Path) -> None:
    first = got(folder, "/")

    again = got(folder, "/", if_none_match=first.headers["etag"])

    assert (first.body, again.status, again.body) == (b"<!doctype html>", 304, b"")
    assert first.headers["cache-control"] == "private, no-cache"


def test_a_file_named_by_its_content_is_kept_for_ever(folder: Path) -> None:
    found = got(folder, "/assets/app-B3x9_fQ2.js")

    assert "immutable" in found.headers["cache-control"]
    assert found.headers["content-type"].startswith("text/javascript")


def test_it_is_compressed_for_a_browser_that_takes_it(folder: Path) -> None:
    plain = got(folder, "/assets/app-B3x9_fQ2.js")

    packed = got(folder, "/assets/app-B3x9_fQ2.js", accept_encoding="gzip, br")

    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body == SCRIPT
    assert len(packed.body) < len(plain.body)


@pytest.mark.parametrize("path", ["/notes.py", "/../pyproject.toml", "/assets", "/assets/", "//"])
def test_nothing_else_is_served(folder: Path, path: str) -> None:
    assert got(folder, path).status == 404


def test_without_built_pages_nothing_is_served(tmp_path: Path) -> None:
    assert pages(tmp_path / "none") == {}


def test_the_built_pages_are_served_and_a_second_look_costs_no_bytes(browser: Browser) -> None:
    first = browser.get("/", {"accept-encoding": "gzip"})
    again = browser.get("/", {"if-none-match": first.headers["etag"]})

    assert (first.status, first.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert (again.status, again.body) == (304, b"")
    assert "content-length" not in again.headers
