"""Pages: what commands of the terminal say, shown in an editor."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.api.recall import Recall
from lsp.pages import address, command_at
from tests.lsp.editing import CAPABILITIES, EditorClient
from tests.lsp.fake_daemon import FakeDaemon

MESSAGE = "window/showMessage"
SHOWING: dict[str, Any] = {**CAPABILITIES, "window": {"showDocument": {"support": True}}}


def begun(editor: EditorClient, daemon: FakeDaemon, **options: Any) -> None:
    daemon.start()
    editor.initialize(options or None, SHOWING)
    editor.ready()


def read(editor: EditorClient, uri: str) -> str:
    text: str = editor.request("workspace/textDocumentContent", {"uri": uri})["text"]
    return text


def said(editor: EditorClient, nth: int = 1) -> str:
    message: str = editor.wait(MESSAGE, nth=nth)["message"]
    return message


@given(st.text(min_size=1))
def test_an_address_leads_back_to_what_it_is_about(about: str) -> None:
    assert command_at(address("memory", about)) == ["show", "--", about]


@pytest.mark.parametrize(
    "uri",
    [
        "file:///src/pay.py",
        "reverie://memory/.md",
        "reverie://memory/m1",
        "reverie://purge/m1.md",
        "reverie://plan/7.md",
    ],
)
def test_other_addresses_run_nothing(uri: str) -> None:
    assert command_at(uri) is None


def test_why_opens_the_page_of_the_memory(editor: EditorClient, daemon: FakeDaemon) -> None:
    begun(editor, daemon, documents=True)
    opened = editor.command("reverie.why", {"id": "m1"})
    page = read(editor, opened)

    assert editor.wait("window/showDocument")["uri"] == opened == "reverie://memory/m1.md"
    assert page.startswith("m1  Retries: at most 3\nRetry three times, then fail.\n")


def test_what_is_found_about_words_is_a_page_and_counts_as_no_use(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    begun(editor, daemon, documents=True, links=True)
    opened = editor.command("reverie.find", {"query": "three times"})
    page = read(editor, opened)

    assert opened == "reverie://recall/three%20times.md"
    assert page.startswith("# 0.90 m1 Retries: at most 3\n")
    (recall,) = (one for one in daemon.asked if isinstance(one, Recall))
    assert (recall.query, recall.track) == ("three times", False)


def test_without_a_daemon_a_line_says_so(editor: EditorClient) -> None:
    editor.initialize(None, SHOWING)

    assert editor.command("reverie.find", {"query": "three times"}) is None
    assert said(editor) == "The daemon is away: start it with `reverie up`."
