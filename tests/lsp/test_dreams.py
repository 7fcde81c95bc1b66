"""Dreams and plans as an editor orders and sees them."""

from __future__ import annotations

from typing import Any

import pytest

from daemon.requests.dreams import DreamNow
from daemon.requests.plans import ApplyPlan, DismissPlan, Plans, UndoPlan
from lsp.hovers import unescaped
from tests.lsp.editing import CAPABILITIES, EditorClient
from tests.lsp.fake_daemon import FakeDaemon, plan
from tests.patience import PATIENCE

URI = "file:///src/shop/pay.py"
CODE = "import pay\n# the retry budget is small\npay.now()\n"
CREATE = "window/workDoneProgress/create"
MESSAGE = "window/showMessage"
SHOWING: dict[str, Any] = {
    **CAPABILITIES,
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
}
STEP = {"stage": "cross_reference", "done": 1, "total": 5, "memories": 412}


def begun(editor: EditorClient, capabilities: dict[str, Any] = SHOWING, **options: Any) -> None:
    editor.initialize(options or None, capabilities)
    editor.ready()


def ordered(editor: EditorClient, command: str, *arguments: Any) -> int:
    """Have a command carried out, without waiting."""
    return editor.ask(
        "workspace/executeCommand", {"command": command, "arguments": list(arguments)}
    )


def shown(editor: EditorClient, kind: str, nth: int = 1) -> dict[str, Any]:
    """The ``nth`` progress of this kind."""
    found: dict[str, Any] = editor.wait(
        "$/progress", lambda params: params["value"]["kind"] == kind, nth
    )
    return found


def said(editor: EditorClient) -> str:
    message: str = editor.wait(MESSAGE)["message"]
    return message


# ---- a dream


def test_a_dream_is_shown_with_its_stage_and_ends_with_one_line(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.start()
    begun(editor)
    dream = ordered(editor, "reverie.dream")
    assert daemon.dreams_begun.acquire(timeout=PATIENCE)
    daemon.dream_on(**STEP)
    step = shown(editor, "report")
    daemon.wake_up()
    result = editor.answer(dream)["result"]

    token = editor.wait(CREATE)["token"]
    assert shown(editor, "begin") == {
        "token": token,
        "value": {"kind": "begin", "title": "Dreaming", "cancellable": True, "percentage": 0},
    }
    assert step["value"] == {
        "kind": "report",
        "message": "connecting (2 of 5), 412 memories",
        "percentage": 20,
    }
    assert shown(editor, "end")["token"] == token
    line = "Dream 3 (finished): 412 memories, 35 pairs connected, 2 noticed, 1 plan proposed"
    assert result == {"outcome": "finished", "dream": 3, "line": line}
    assert said(editor) == f"{line}."


def test_cancelling_the_progress_closes_the_dreams_connection(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.start()
    begun(editor)
    dream = ordered(editor, "reverie.dream")
    assert daemon.dreams_begun.acquire(timeout=PATIENCE)
    token = shown(editor, "begin")["token"]
    editor.notify("window/workDoneProgress/cancel", {"token": token})

    assert daemon.dreams_left.acquire(timeout=PATIENCE)
    assert editor.answer(dream)["result"]["outcome"] == "cancelled"
    assert said(editor).startswith("The dream stops at its next checkpoint")
    assert shown(editor, "end")["token"] == token


def test_cancelling_the_request_stops_the_dream_too(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.start()
    begun(editor)
    dream = ordered(editor, "reverie.dream")
    assert daemon.dreams_begun.acquire(timeout=PATIENCE)
    shown(editor, "begin")
    editor.notify("$/cancelRequest", {"id": dream})

    assert daemon.dreams_left.acquire(timeout=PATIENCE)
    assert "error" in editor.answer(dream)
    assert shown(editor, "end")


def test_an_editor_that_shows_no_progress_still_dreams(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.start()
    begun(editor, CAPABILITIES)
    dream = ordered(editor, "reverie.dream")
    assert daemon.dreams_begun.acquire(timeout=PATIENCE)
    daemon.dream_on(**STEP)
    daemon.wake_up()

    assert editor.answer(dream)["result"]["dream"] == 3
    assert (editor.heard(CREATE), editor.heard("$/progress")) == (0, 0)


def test_without_a_daemon_it_says_so_in_a_line(editor: EditorClient) -> None:
    editor.initialize(None, SHOWING)
    result = editor.command("reverie.dream")

    assert result is None
    assert said(editor) == "The daemon is away: start it with `reverie up`."


def test_a_daemon_that_goes_away_while_it_dreams_is_said(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.start()
    begun(editor)
    dream = ordered(editor, "reverie.dream")
    assert daemon.dreams_begun.acquire(timeout=PATIENCE)
    daemon.stop()

    assert editor.answer(dream)["result"] is None
    assert "away" in said(editor)
    assert shown(editor, "end")


def test_a_second_dream_is_refused_while_one_is_under_way(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.start()
    begun(editor)
    dream = ordered(editor, "reverie.dream")
    assert daemon.dreams_begun.acquire(timeout=PATIENCE)
    second = editor.command("reverie.dream")
    daemon.wake_up()

    assert second is None
    assert said(editor) == "A dream is under way already."
    assert editor.answer(dream)["result"]["dream"] == 3
    assert daemon.count(DreamNow) == 1


def test_what_the_daemon_refuses_is_said(editor: EditorClient, daemon: FakeDaemon) -> None:
    daemon.refuses["dream"] = "a dream is under way: reverie dream --cancel stops it"
    daemon.start()
    begun(editor)
    result = editor.command("reverie.dream")

    assert result is None
    assert said(editor) == "a dream is under way: reverie dream --cancel stops it"


def test_the_last_dream_is_shown_as_a_page(editor: EditorClient, daemon: FakeDaemon) -> None:
    daemon.start()
    begun(editor, documents=True)
    editor.command("reverie.showDream")
    address = editor.wait("window/showDocument")["uri"]
    page = editor.request("workspace/textDocumentContent", {"uri": address})

    assert address == "reverie://dream/3.md"
    assert page["text"].startswith("# Dream 3\n")


def test_an_editor_without_pages_gets_the_report_as_a_message(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.start()
    begun(editor)
    text = editor.command("reverie.showDream")

    assert said(editor) == unescaped(text) != text
    assert text.startswith("# Dream 3\n")


# ---- a dream that begins by itself


@pytest.fixture
def looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at once whether dreams are to be shown, and not every five seconds."""
    monkeypatch.setattr("lsp.dreams.LOOK_AGAIN", 0.05)


@pytest.mark.usefixtures("looking")
def test_a_dream_that_begins_by_itself_is_shown_only_where_that_is_wanted(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    editor.settings = {"progress": True}
    daemon.start()
    begun(editor)
    assert daemon.followed.acquire(timeout=PATIENCE)
    daemon.happen("MemoryCreated", id="m1")
    daemon.happen("DreamStarted", dream=4, why="idle", memories=412)
    daemon.happen("DreamProgress", dream=4, stage="replay")
    step = shown(editor, "report", 2)
    daemon.happen("DreamCompleted", dream=4, outcome="finished")

    assert shown(editor, "begin")["value"]["title"] == "Dreaming by itself"
    assert step["value"]["message"] == "connecting (2 of 5)"
    assert shown(editor, "end")
    assert editor.heard(MESSAGE) == 0


@pytest.mark.usefixtures("looking")
def test_cancelling_it_stops_the_daemons_own_dream(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    editor.settings = {"progress": True}
    daemon.start()
    begun(editor)
    assert daemon.followed.acquire(timeout=PATIENCE)
    daemon.happen("DreamStarted", dream=4, why="idle", memories=412)
    token = shown(editor, "begin")["token"]
    editor.notify("window/workDoneProgress/cancel", {"token": token})

    assert daemon.dreams_cancelled.acquire(timeout=PATIENCE)
    daemon.happen("DreamCompleted", dream=4, outcome="cancelled")
    assert shown(editor, "end")


@pytest.mark.usefixtures("looking")
def test_a_dream_that_a_person_ordered_elsewhere_is_not_shown_as_one_of_its_own(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    """Else its cancel button would stop somebody's order."""
    editor.settings = {"progress": True}
    daemon.start()
    begun(editor)
    assert daemon.followed.acquire(timeout=PATIENCE)
    daemon.happen("DreamStarted", dream=4, why="a person", memories=412)
    daemon.happen("DreamProgress", dream=4, stage="prune")
    daemon.happen("DreamCompleted", dream=4, outcome="finished")
    daemon.happen("DreamStarted", dream=5, why="the schedule", memories=7)
    daemon.happen("DreamProgress", dream=5, stage="replay")
    steps = [shown(editor, "report", n)["value"]["message"] for n in (1, 2)]
    daemon.happen("DreamCompleted", dream=5, outcome="finished")

    assert shown(editor, "end")
    assert steps == ["replaying (1 of 5)", "connecting (2 of 5)"]


# ---- plans


def opened(editor: EditorClient, daemon: FakeDaemon) -> None:
    """A file whose second line mentions a memory that plan 7 is about."""
    daemon.plans = [plan(7, "m1", "m2"), plan(8, "m99")]
    daemon.start()
    begun(editor)
    editor.open(URI, CODE)
    editor.hints(URI)


def titles(editor: EditorClient, line: int) -> list[str]:
    return [action["title"] for action in editor.actions(URI, line)]


def test_a_line_offers_what_can_be_decided_about_the_plan_for_its_memory(
    editor: EditorClient, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lsp.plans.FRESH", PATIENCE)
    opened(editor, daemon)

    assert titles(editor, 1)[-3:] == [
        "Apply plan 7: archive 2 memories",
        "Show plan 7",
        "Dismiss plan 7",
    ]
    assert titles(editor, 0) == []
    assert not editor.actions(URI, 1, only=["source.fixAll"])
    assert daemon.count(Plans) == 1  # not at every move of the cursor


def test_a_plan_is_applied_and_taken_back(editor: EditorClient, daemon: FakeDaemon) -> None:
    opened(editor, daemon)
    (apply,) = [one for one in editor.actions(URI, 1) if one["title"].startswith("Apply")]
    applied = editor.act(apply)
    after = titles(editor, 1)
    elsewhere = titles(editor, 0)
    (undo,) = [one for one in editor.actions(URI, 1) if one["title"].startswith("Undo")]
    undone = editor.act(undo)

    assert (applied["state"], applied["count"]) == ("applied", 1)
    assert said(editor) == (
        "Plan 7 is done: archive 2 memories."
        " The code action “Undo plan 7” at a hint, or `reverie plan undo 7`, takes it back."
    )
    assert elsewhere == []  # no lightbulb where no hint is
    assert not any(title.startswith("Apply") for title in after)
    assert undo["title"] == "Undo plan 7: archive 2 memories"
    assert undone["state"] == "undone"
    assert editor.wait(MESSAGE, nth=2)["message"] == "Taken back: 2 memories as before."
    assert not any(title.startswith("Undo") for title in titles(editor, 1))
    assert [daemon.count(ApplyPlan), daemon.count(UndoPlan)] == [1, 1]


def test_where_a_message_can_undo_it_a_plan_leaves_no_action(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    editor.settings = {"undoPrompt": True}
    opened(editor, daemon)
    editor.command("reverie.applyPlan", {"id": 7})
    kept = editor.wait("window/showMessageRequest")["message"]
    left = titles(editor, 1)
    editor.presses = "Undo"
    editor.command("reverie.applyPlan", {"id": 7})

    assert editor.wait(MESSAGE)["message"] == "Taken back: 2 memories as before."
    assert kept == "Plan 7 is done: archive 2 memories"
    assert not any(title.startswith("Undo") for title in left)
    assert daemon.count(UndoPlan) == 1


def test_a_plan_is_dismissed(editor: EditorClient, daemon: FakeDaemon) -> None:
    opened(editor, daemon)
    (dismiss,) = [one for one in editor.actions(URI, 1) if one["title"].startswith("Dismiss")]
    dismissed = editor.act(dismiss)

    assert dismissed["state"] == "dismissed"
    assert daemon.count(DismissPlan) == 1
    assert not any("plan" in title for title in titles(editor, 1))


def test_the_plans_that_wait_are_a_page(editor: EditorClient, daemon: FakeDaemon) -> None:
    daemon.plans = [plan(7, "m1")]
    daemon.start()
    begun(editor, documents=True)
    found = editor.command("reverie.showPlans")
    address = editor.wait("window/showDocument")["uri"]
    page = editor.request("workspace/textDocumentContent", {"uri": address})
    one = editor.request("workspace/textDocumentContent", {"uri": "reverie://plan/7.md"})

    assert [(plan["id"], plan["title"]) for plan in found] == [(7, "archive 1 memory")]
    assert "## Plan 7: archive 1 memory (waits for you)" in page["text"]
    assert one["text"].startswith("# Plan 7: ")


def test_plans_can_be_listed_without_showing_them(editor: EditorClient, daemon: FakeDaemon) -> None:
    daemon.plans = [plan(7, "m1")]
    daemon.start()
    begun(editor, documents=True)
    found = editor.command("reverie.showPlans", {"state": "open", "show": False})
    none = editor.command("reverie.showPlans", {"state": "applied", "show": False})

    assert [[plan["id"] for plan in found], none] == [[7], []]
    assert (editor.heard("window/showDocument"), editor.heard(MESSAGE)) == (0, 0)


def test_no_plan_and_no_daemon_are_said_in_a_line(editor: EditorClient, daemon: FakeDaemon) -> None:
    daemon.start()
    begun(editor)
    editor.command("reverie.showPlans")
    editor.command("reverie.undoPlan")
    daemon.stop()
    editor.wait("reverie/status", lambda status: status["state"] == "away")
    away = [editor.command("reverie.applyPlan", {"id": 7}), editor.command("reverie.showDream")]

    messages = [editor.wait(MESSAGE, nth=nth)["message"] for nth in range(1, 5)]
    assert away == [None, None]
    assert messages == [
        "No plan waits.",
        "No plan was done from here: say which one.",
        *["The daemon is away: start it with `reverie up`."] * 2,
    ]


def test_a_plan_without_a_number_is_the_clients_mistake(editor: EditorClient) -> None:
    editor.initialize(None, SHOWING)
    reply = editor.answer(ordered(editor, "reverie.applyPlan", {}))

    assert reply["error"]["code"] == -32602
