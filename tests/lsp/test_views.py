"""Lists for a side bar: working memory, dreams and plans, intentions."""

from __future__ import annotations

from typing import Any

import pytest

from daemon.requests.intentions import ListIntentions
from daemon.requests.sessions import ResumeSession
from tests.lsp.editing import EditorClient
from tests.lsp.fake_daemon import FakeDaemon, intention, plan
from tests.lsp.test_server import URI


@pytest.fixture
def shown(editor: EditorClient, daemon: FakeDaemon) -> EditorClient:
    """An editor with a file of a project."""
    daemon.start()
    editor.initialize()
    editor.ready()
    editor.open(URI, "pass\n")
    return editor


def view(editor: EditorClient, name: str) -> list[tuple[str, str, str, str]]:
    found: list[dict[str, Any]] = editor.command("reverie.view", {"view": name})
    return [(one["icon"], one["title"], one["about"], one["uri"]) for one in found]


def test_working_memory_is_what_the_last_session_of_the_project_attends_to_and_what_failed(
    shown: EditorClient, daemon: FakeDaemon
) -> None:
    assert view(shown, "working") == [
        ("note", "Retry three times, then fail.", "0.80", "reverie://memory/m1.md"),
        ("error", "make lint", "unused import", ""),
    ]
    (asked,) = [one for one in daemon.asked if isinstance(one, ResumeSession)]
    assert asked.project == "/src/shop"


def test_plans_that_wait_come_before_the_last_dreams(
    shown: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.plans = [plan(7, "m1")]

    waiting, dreamt = view(shown, "dreams")

    assert waiting == (
        "plan",
        "Plan 7: archive 1 memory",
        "older than 90 days",
        "reverie://plan/7.md",
    )
    assert (dreamt[0], dreamt[3]) == ("dream", "reverie://dream/3.md")
    assert dreamt[1].startswith("Dream 3 (finished): 412 memories")


def test_an_intention_says_when_it_comes_to_mind_and_is_gone_when_it_was_done(
    shown: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.intentions = [intention("i1", due=True), intention("i2", due=False)]
    both = view(shown, "intentions")

    done = shown.command("reverie.intentionDone", {"id": "i1"})

    later = ("waits", "Do i2", "when pay.py is opened", "")
    assert both == [("due", "Do i1", "due · when pay.py is opened", ""), later]
    assert done is True
    assert view(shown, "intentions") == [later]


def test_without_a_folder_intentions_are_those_of_everywhere_and_no_session_is_meant(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.start()
    editor.initialize()
    editor.ready()

    assert view(editor, "working") == []
    assert view(editor, "intentions") == []
    (asked,) = [one for one in daemon.asked if isinstance(one, ListIntentions)]
    assert asked.project is None


def test_without_a_daemon_a_view_is_empty(editor: EditorClient) -> None:
    editor.initialize()

    assert [view(editor, name) for name in ("working", "dreams", "intentions")] == [[], [], []]
