"""Pages: what commands of the terminal say, shown in an editor."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.api.plans import DecidePlan
from daemon.api.recall import Recall
from lsp.pages import LAST_DREAM, OPEN_PLANS, address, command_at, rendered
from tests.lsp.editing import CAPABILITIES, EditorClient
from tests.lsp.fake_daemon import FakeDaemon, plan

MESSAGE = "window/showMessage"
SHOWING: dict[str, Any] = {
    **CAPABILITIES,
    "window": {"showDocument": {"support": True}},
}


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


def test_each_kind_of_page_is_a_command_of_the_terminal() -> None:
    assert command_at("reverie://plan/7.md") == ["plan", "show", "--", "7"]
    assert command_at("reverie://recall/why%20WAL.md") == ["recall", "--no-track", "--", "why WAL"]
    assert command_at("reverie://dream/3.md") == ["dream", "--past=3"]
    assert command_at(OPEN_PLANS) == ["plans"]
    assert command_at(LAST_DREAM) == ["dream", "--past=last"]


@pytest.mark.parametrize(
    "uri",
    ["file:///src/pay.py", "reverie://memory/.md", "reverie://memory/m1", "reverie://purge/m1.md"],
)
def test_other_addresses_run_nothing(uri: str) -> None:
    assert command_at(uri) is None


def test_rendered_text_is_a_heading_and_code() -> None:
    text = "m1  ![x](http://example.org/x.png)\n```\n# no heading\n"

    assert rendered(text).splitlines() == [
        "# m1 \\!\\[x\\](http://example.org/x.png)",
        "",
        "    m1  ![x](http://example.org/x.png)",
        "    ```",
        "    # no heading",
    ]


def test_why_opens_the_page_of_the_memory(editor: EditorClient, daemon: FakeDaemon) -> None:
    begun(editor, daemon, documents=True)
    opened = editor.command("reverie.why", {"id": "m1"})
    page = read(editor, opened)

    assert editor.wait("window/showDocument")["uri"] == opened == "reverie://memory/m1.md"
    assert page.startswith("m1  Retries: at most 3\nRetry three times, then fail.\n")


def test_why_is_said_where_pages_cannot_be_opened(editor: EditorClient, daemon: FakeDaemon) -> None:
    begun(editor, daemon)
    editor.command("reverie.why", {"id": "m1"})

    assert "Retry three times, then fail." in said(editor)


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


def test_a_plan_is_read_done_and_taken_back(editor: EditorClient, daemon: FakeDaemon) -> None:
    daemon.plans = [plan(7, "m1", "m2")]
    begun(editor, daemon, documents=True)
    waiting = read(editor, editor.command("reverie.showPlans"))
    one = read(editor, editor.command("reverie.showPlans", {"id": 7}))
    editor.command("reverie.applyPlan", {"id": 7})
    editor.command("reverie.undoPlan", {"id": 7})

    assert "archive 2 memories" in waiting
    assert "91 days old, never used" in one
    assert [one.decision for one in daemon.asked if isinstance(one, DecidePlan)] == [
        "apply",
        "undo",
    ]
    assert said(editor) != said(editor, 2)


def test_what_a_command_refuses_is_said(editor: EditorClient, daemon: FakeDaemon) -> None:
    daemon.refuses["decide-plan"] = "plan 7 was undone before"
    begun(editor, daemon)
    editor.command("reverie.applyPlan", {"id": 7})

    assert "plan 7 was undone before" in said(editor)


def test_without_a_daemon_a_line_says_so(editor: EditorClient) -> None:
    editor.initialize(None, SHOWING)

    assert editor.command("reverie.showPlans") is None
    assert editor.command("reverie.find", {"query": "three times"}) is None
    assert said(editor, 2) == "The daemon is away: start it with `reverie up`."
