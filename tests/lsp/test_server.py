"""The language server, driven as an editor drives it, against a daemon on a real socket."""

from __future__ import annotations

import time
from typing import Any

import pytest

from daemon.api.about import Match, MuteHint
from daemon.api.forget import Unforget
from daemon.api.opinions import Feedback, Pin
from daemon.api.remember import Remember
from daemon.shapes.rows import FileLine
from tests.lsp.conftest import BUDGET
from tests.lsp.editing import EditorClient
from tests.lsp.fake_daemon import FakeDaemon, Kept
from tests.patience import PATIENCE

URI = "file:///src/shop/pay.py"
CODE = "import pay\n# the retry budget is small\npay.now()\n"
HINT = (1, "· Retries: at most 3")


def shown(editor: EditorClient, daemon: FakeDaemon, text: str = CODE, options: Any = None) -> None:
    daemon.start()
    editor.initialize(options)
    editor.ready()
    editor.open(URI, text)


def test_the_server_says_what_it_can_do(editor: EditorClient) -> None:
    result = editor.initialize()

    capabilities = result["capabilities"]
    assert capabilities["textDocumentSync"]["change"] == 2
    assert capabilities["positionEncoding"] == "utf-16"
    assert "hoverProvider" in capabilities
    assert "inlayHintProvider" in capabilities
    assert "reverie.remember" in capabilities["executeCommandProvider"]["commands"]


RENAMED = Kept("m2", "charge", title="Charge twice at most", score=0.5, symbol="charge")
CHARGING = "import pay\ncharge(1)\n\ndef charge(times):\n    return times\n"


def test_a_memory_about_a_symbol_is_hinted_at_its_definition_and_told_where_it_is_used(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.memories = [RENAMED]
    shown(editor, daemon, CHARGING)

    assert editor.hints(URI) == [(3, "· Charge twice at most")]
    assert editor.hover(URI, 1, 2) is not None
    assert editor.hover(URI, 3, 0) is not None  # anywhere on the line of the hint
    assert editor.hover(URI, 1, 9) is None


def test_a_definition_is_found_again_after_an_edit_of_its_line(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.memories = [RENAMED]
    shown(editor, daemon, CHARGING)
    editor.see(URI, [(3, "· Charge twice at most")])

    editor.type(URI, 2, 1, 0, 0, "# twice\n")
    assert editor.hints(URI) == [(4, "· Charge twice at most")]
    editor.type(URI, 3, 4, 4, 10, "refund")

    editor.see(URI, [])
    editor.type(URI, 4, 4, 4, 10, "charge")
    editor.see(URI, [(4, "· Charge twice at most")])


def test_only_the_changed_lines_are_matched_again(editor: EditorClient, daemon: FakeDaemon) -> None:
    shown(editor, daemon, "".join(f"line {n}\n" for n in range(1000)))
    editor.hints(URI)
    editor.type(URI, 2, 500, 0, 8, "the retry budget")
    editor.wait("workspace/inlayHint/refresh")

    *_, last = [request for request in daemon.asked if isinstance(request, Match)]
    assert last.text == "line 499\nthe retry budget\nline 501\n"


def test_the_answer_about_an_older_version_is_dropped(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.may_answer.clear()
    shown(editor, daemon)
    assert daemon.match_arrived.acquire(timeout=PATIENCE)
    editor.type(URI, 2, 0, 0, 0, "\n\n")  # the lines of the answer under way are others now
    editor.request("workspace/executeCommand", {"command": "reverie.toggleHints"})
    editor.command("reverie.toggleHints")
    daemon.may_answer.set()

    assert daemon.match_arrived.acquire(timeout=PATIENCE)  # asked again
    editor.see(URI, [(3, HINT[1])])


def test_a_flood_of_edits_is_matched_once_it_is_over(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    editor.settings = {"typingQuietMs": 1000}  # longer than a busy machine holds the server up
    shown(editor, daemon)
    editor.hints(URI)
    for version in range(2, 502):
        editor.type(URI, version, 0, 0, 0, "x")
    editor.type(URI, 502, 0, 0, 500, "retry budget; ")

    editor.see(URI, [(0, HINT[1])])
    assert daemon.count(Match) <= 4


def test_without_a_daemon_everything_is_answered_empty(editor: EditorClient) -> None:
    editor.initialize()
    editor.open(URI, CODE)

    spent: list[float] = []
    for _ in range(3):  # the heap of all tests may be collected within one of them
        before = time.process_time()
        answers = [editor.hints(URI), editor.hover(URI, 1, 8), editor.actions(URI, 1)]
        spent.append((time.process_time() - before) / len(answers))  # the whole process's CPU

        assert answers == [[], None, []]
    assert min(spent) < 0.02


def test_a_lost_daemon_empties_the_hints_and_a_new_one_brings_them_back(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    shown(editor, daemon)
    first = editor.hints(URI)
    daemon.stop()
    editor.wait("reverie/status", lambda status: status["state"] == "away")
    lost = editor.hints(URI)
    daemon.start()
    editor.wait("reverie/status", lambda status: status["state"] == "ready", nth=2)

    editor.see(URI, [HINT])
    assert (first, lost) == ([HINT], [])
    assert editor.heard("window/showMessage") == 0


def test_changed_memories_change_the_hints(editor: EditorClient, daemon: FakeDaemon) -> None:
    shown(editor, daemon)
    editor.hints(URI)
    daemon.change(BUDGET, Kept("m2", "pay.now", title="Never on Fridays"))

    editor.see(URI, [HINT, (2, "· Never on Fridays")])


def test_a_memory_that_comes_while_a_file_is_matched_is_shown(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.memories = []
    daemon.may_answer.clear()
    shown(editor, daemon, CHARGING, {})
    assert daemon.match_arrived.acquire(timeout=PATIENCE)

    daemon.change(CHARGE)  # told before the match is answered, and after it was asked
    daemon.may_answer.set()

    editor.see(URI, [(3, "· Charge twice at most")])


def test_a_hint_offers_one_action_that_lets_choose(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    shown(editor, daemon, f"{CODE}# the retry budget again\n")
    editor.hints(URI)

    (action,) = editor.actions(URI, 1)
    editor.act(action)
    asked = editor.wait("window/showMessageRequest")

    assert (action["title"], action["kind"]) == ("Memory: “Retries: at most 3”…", "quickfix")
    assert asked["message"] == "Memory: “Retries: at most 3”"
    assert [button["title"] for button in asked["actions"]] == [
        "Useful",
        "Not useful here",
        "Mute here",
        "Pin",
        "Forget",
        "Why?",
    ]
    assert editor.actions(URI, 3) == []  # mentioned, and no hint is there


def test_not_useful_here_hides_the_memory_for_this_session(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    shown(editor, daemon)
    editor.hints(URI)
    editor.presses = "Not useful here"
    (action,) = editor.actions(URI, 1)
    editor.act(action)
    editor.see(URI, [])
    editor.wait("window/showMessage", lambda said: said["message"].startswith("Noted"))
    editor.open("file:///src/shop/other.py", CODE)

    assert editor.hints("file:///src/shop/other.py") == []
    assert Feedback(id="m1", useful=False) in daemon.asked


def test_mute_here_hides_the_hint_in_this_file_alone_and_the_daemon_keeps_it(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    other = "file:///src/shop/other.py"
    shown(editor, daemon)
    editor.hints(URI)
    editor.presses = "Mute here"
    (action,) = editor.actions(URI, 1)
    editor.act(action)
    editor.see(URI, [])
    editor.wait("window/showMessage", lambda said: said["message"].startswith("Noted"))
    editor.open(other, CODE)

    assert editor.hints(other) == [HINT]
    assert editor.hover(URI, 1, 9) is not None
    assert MuteHint(id="m1", path="/src/shop/pay.py") in daemon.asked


def test_a_pin_is_set_by_the_action_and_then_offered_to_be_taken_back(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    shown(editor, daemon)
    editor.hints(URI)
    (action,) = editor.actions(URI, 1)
    pinned = editor.command("reverie.pin", {"uri": URI, "line": 1})
    editor.act(action)
    asked = editor.wait("window/showMessageRequest")
    released = editor.command("reverie.pin", {"id": "m1"})

    buttons = [button["title"] for button in asked["actions"]]
    assert (pinned, released) == (True, True)
    assert ("Pin" in buttons, "Unpin" in buttons) == (False, True)
    assert [one for one in daemon.asked if isinstance(one, Pin)] == [
        Pin(ids=["m1"]),
        Pin(ids=["m1"], pinned=False),
    ]


def test_an_edit_of_what_a_memory_is_about_makes_its_hint_stale_at_once(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    editor.settings = {"typingQuietMs": 60000}
    daemon.memories = [RENAMED]
    shown(editor, daemon, CHARGING)
    before = editor.hints(URI)
    editor.type(URI, 2, 4, 0, 4, "\t")  # its indentation says nothing
    indented = editor.hints(URI)
    editor.type(URI, 3, 4, 8, 8, "2 * ")
    after = editor.hints(URI)

    assert before == indented == [(3, "· Charge twice at most")]
    assert after == [(3, "· Charge twice at most (stale)")]


CHARGE = Kept("m2", "charge", title="Charge twice at most", score=0.5, symbol="charge", sure=True)
LEFT = Kept("m3", "vat", title="VAT is left out", sure=True, stale="vat.py is gone")
LONG = CHARGING + "\n" * 300  # three hints at most


def test_a_files_first_line_says_how_many_decisions_are_about_it_and_an_edit_counts_at_once(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    editor.settings = {"typingQuietMs": 60000}
    daemon.memories = [CHARGE, LEFT]
    shown(editor, daemon, LONG)
    label = "· Charge twice at most"
    editor.see(URI, [(0, "· 2 decisions about this file · 1 no longer true"), (3, label)])

    editor.type(URI, 2, 4, 11, 16, "1")
    below = editor.hints(URI)
    editor.type(URI, 3, 3, 11, 16, "n")
    within = editor.hints(URI)
    editor.type(URI, 4, 0, 0, 0, "# ")

    assert below == [
        (0, "· 2 decisions about this file · 2 no longer true"),
        (3, f"{label} (stale)"),
    ]
    assert within == below[:1]  # the line that is typed has no hint, and counts
    assert editor.hints(URI) == []  # nor has the first one


def test_what_is_about_a_file_is_a_page_and_an_action_on_its_quiet_line(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    daemon.memories = [CHARGE, LEFT]
    shown(editor, daemon, LONG, {"documents": True})
    editor.see(
        URI,
        [(0, "· 2 decisions about this file · 1 no longer true"), (3, "· Charge twice at most")],
    )

    (action,) = editor.actions(URI, 0)
    text = editor.act(action)

    page = "reverie://file/src/shop/pay.py.md"
    assert action["title"] == "Show 2 decisions about this file · 1 no longer true"
    assert "pay.py:4 · remembered by hand" in text
    assert "vat.py is gone" in text
    assert "session s1" in text
    assert "command:" not in text
    editor.wait("window/showDocument", lambda asked: asked["uri"] == page)
    editor.command("reverie.forget", {"id": "m3"})  # stands at no line of the file
    told = editor.wait("window/showMessage", lambda said: "Forgotten" in said["message"])
    assert told["message"] == (
        "Forgotten. The command reverie.unforget, or `reverie unforget m3`, brings it back."
    )
    assert editor.command("reverie.unforget")
    assert Unforget(ids=["m3"]) in daemon.asked
    assert editor.request("workspace/textDocumentContent", {"uri": page})["text"].startswith(
        "# About"
    )


def test_the_undo_prompt_brings_a_memory_back(editor: EditorClient, daemon: FakeDaemon) -> None:
    editor.settings = {"undoPrompt": True}
    editor.presses = "Undo"
    shown(editor, daemon)

    editor.command("reverie.forget", {"id": "m1"})
    editor.wait("window/showMessage", lambda message: "again" in message["message"])

    assert Unforget(ids=["m1"]) in daemon.asked


def test_what_is_said_about_a_selection_is_remembered_with_its_line(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    editor.settings = {"asks": True}
    editor.writes = " Never in cents. "
    shown(editor, daemon, "import pay\n\nx = pay.now()\n")
    (remember,) = editor.actions(URI, 0, 10, 0)
    selection = {**remember["command"]["arguments"][0], "start": [1, 0], "end": [2, 7]}
    editor.command("reverie.remember", selection)
    editor.writes = ""
    editor.command("reverie.remember", selection)
    editor.writes = None
    nothing = editor.command("reverie.remember", selection)

    line = FileLine(path="/src/shop/pay.py", number=3, text="x = pay.now()")
    asked = [one for one in daemon.asked if isinstance(one, Remember)]
    assert [one.text for one in asked] == ["Never in cents.", "x = pay"]
    assert {one.line for one in asked} == {line}
    assert nothing is None


def test_hints_are_toggled_by_a_command(editor: EditorClient, daemon: FakeDaemon) -> None:
    shown(editor, daemon)
    off = editor.command("reverie.toggleHints")
    hidden = editor.hints(URI)
    on = editor.command("reverie.toggleHints")

    assert (off, hidden, on) == (False, [], True)
    assert editor.hints(URI) == [HINT]


def test_new_settings_hold_at_once(editor: EditorClient, daemon: FakeDaemon) -> None:
    shown(editor, daemon)
    before = editor.hints(URI)
    editor.settings = {"minScore": 0.95}
    editor.notify("workspace/didChangeConfiguration", {"settings": None})
    editor.wait("workspace/configuration", nth=2)

    assert before == [HINT]
    editor.see(URI, [])


def test_an_extension_of_another_version_is_told_to_be_updated(
    editor: EditorClient, daemon: FakeDaemon
) -> None:
    shown(editor, daemon)
    params = {"command": "reverie.view", "arguments": [{"view": "working"}]}

    reply = editor.answer(editor.ask("workspace/executeCommand", params))

    assert reply["error"]["message"].endswith(
        "there is no command 'reverie.view': update the editor's extension, or reverie"
    )


def test_a_closed_file_is_matched_no_more(editor: EditorClient, daemon: FakeDaemon) -> None:
    shown(editor, daemon)
    editor.hints(URI)
    editor.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert editor.hints(URI) == []  # it is closed before the memories change
    daemon.change(Kept("m2", "pay"))
    editor.wait("reverie/status", lambda status: status["memories"] == 1, nth=2)

    assert editor.hints(URI) == []
    assert daemon.count(Match) == 1


@pytest.mark.parametrize("before", ["x" * 2_000_000, "quiet\n" * 30_000])
def test_a_file_of_endless_or_too_many_lines_is_not_matched(
    editor: EditorClient, daemon: FakeDaemon, before: str
) -> None:
    shown(editor, daemon, f"{before} retry budget\n")

    assert editor.hints(URI) == []
    assert daemon.count(Match) == 0
