"""Questions of the pages: as operations of the daemon, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
from hypothesis import given
from hypothesis import strategies as st

from daemon.home import Home
from tests.viewer.browser import JSON, Browser, View
from viewer import desk
from viewer.desk import OFFERED, OWN
from viewer.exchange import Request


def test_a_question_is_answered_as_the_command_prints_it(view: View, browser: Browser) -> None:
    id_ = view.daemon.remember("The queue is drained before a deploy.")

    shown = browser.ask("show", id=id_)

    assert shown["memory"]["text"] == "The queue is drained before a deploy."


def test_what_was_forgotten_comes_back(view: View, browser: Browser) -> None:
    id_ = view.daemon.remember("Invoices are numbered by year.")
    browser.ask("forget", ids=[id_])
    ended = browser.ask("show", id=id_)["memory"]["ended"]

    browser.ask("unforget", ids=[id_])

    assert (ended, browser.ask("show", id=id_)["memory"]["ended"]) == ("forgotten", None)


def test_what_is_wrong_in_a_question_is_said_in_a_line(browser: Browser) -> None:
    asked: dict[str, dict[str, object]] = {
        "inbox": {"nonsense": 1},
        "show": {"id": "m999999"},
        "recall": {"query": "x", "k": 0},
        "list": {"limit": "many"},
    }

    got = {name: browser.post(name, **fields) for name, fields in asked.items()}

    assert {name: one.status for name, one in got.items()} == {
        "inbox": 400, "show": 404, "recall": 400, "list": 400,
    }  # fmt: skip
    assert all("\n" not in one.said["error"] for one in got.values())


def test_a_body_is_a_json_object_by_its_type_and_by_its_content(browser: Browser) -> None:
    as_form = browser.send("status", b"{}", {"content-type": "text/plain"})
    as_list = browser.send("status", b"[]", JSON)
    as_bytes = browser.send("status", b"\xff", JSON)
    huge = browser.post("remember", text="x" * 1_000_001)

    assert [one.status for one in (as_form, as_list, as_bytes, huge)] == [415, 400, 400, 413]


def test_a_question_is_posted_and_nothing_else(browser: Browser) -> None:
    got = [browser.get("/api/status"), browser.get("/", method="DELETE")]

    assert [one.status for one in got] == [405, 405]


def test_what_cannot_be_taken_back_asks_first(browser: Browser) -> None:
    got = browser.post("reader-now")

    assert (got.status, got.said["confirm"]) == (409, True)


def test_erasing_stopping_and_settings_are_not_offered(browser: Browser) -> None:
    names = ["purge", "erase", "stop", "delete-backup", "reader-use", "import", "../show", ""]

    got = [browser.post(name) for name in names]

    assert {one.status for one in got} == {404}


def test_recording_is_paused_and_resumed(browser: Browser) -> None:
    before = browser.ask("recording")
    paused = browser.ask("pause", seconds=60)
    after = browser.ask("resume")

    assert (before["lines"], after["lines"]) == ([], [])
    assert paused["lines"][0].startswith("off since ")


@given(
    name=st.sampled_from(sorted({*OFFERED, *OWN} - {"up", "shortfalls", "pause", "resume"}))
    | st.text(),
    body=st.binary(max_size=200)
    | st.dictionaries(st.text(), st.none() | st.booleans() | st.floats() | st.text()).map(
        lambda fields: json.dumps(fields).encode()
    ),
)
def test_whatever_is_asked_is_answered_in_json(name: str, body: bytes) -> None:
    request = Request("POST", f"/api/{name}", {}, JSON)

    answer = anyio.run(desk.answer, Home(Path("/nowhere")), request, name, body)

    assert answer.status in (200, 400, 404, 409, 503)
    assert json.loads(answer.body) is not None


def test_what_falls_short_names_the_command_that_helps(browser: Browser) -> None:
    found = {one["subject"]: one for one in browser.ask("shortfalls")}

    assert found["hook"]["command"] == "reverie install AGENT"
    assert all(one["state"] in ("warn", "fail") for one in found.values())
