"""The reader and its inbox as a person reads them; sittings before a real daemon are in ``transcripts``."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from daemon.api.inbox import KEYS, Inbox, InboxPage, Judged, JudgeNotes, NoteView
from daemon.api.operation import Terminal
from daemon.api.reader import HowReads, Past, ReaderChosen, ReaderView, UseReader
from daemon.home import Home
from daemon.launch import own_command
from tests.cli.conftest import Hooked, Program, document
from tests.cli.fake_daemon import FakeDaemon, Say
from tests.e2e.terminal import terminal
from tests.patience import PATIENCE

DAY = 86_400.0

STATE = ReaderView(
    engine="claude", since=0.0, stopped="", reading="", next="s4",
    why="read because you corrected the agent at 14:02", waiting=2, sessions=12, notes=40,
    tokens=71_000, tokens_today=8_000, tokens_per_day=200_000, dollars=None, unread=(), past=[],
    at=3 * DAY,
)  # fmt: skip
NOTE = NoteView(
    id="m7", title="Retries", text="Retries begin at three.", kind="decision", said_by="user",
    scope="always", project="/src/shop", session="s1", at=0.0, read_at=DAY, engine="claude",
    why="read because it is of today", quotation="option 2", agreed_to="Shall I start with five or with three?", relation="none",
    named=None, named_text="", ended=False, refusal="", verdict="",
)  # fmt: skip


def lines(operation: Any, reply: Any) -> list[Any]:
    return list(operation.lines(reply))


# ---- reverie reader


def test_what_was_not_read_is_told_with_the_reason_and_never_all_of_it() -> None:
    failed = Past(
        session="s2", project=None, engine="claude", why="read because it is of today",
        ended_at=3 * DAY - 60, tokens=900, dollars=None, failure="it is not logged in", written=0,
    )  # fmt: skip
    state = msgspec.structs.replace(
        STATE, next="", why="nothing is over", dollars=0.05, past=[failed],
        stopped="it failed twice in a row: it is not logged in",
        unread=tuple(f"s{n}: it goes on" for n in range(7)),
    )  # fmt: skip

    told = lines(HowReads(), state)

    assert "read     12 sessions, 40 notes, 71,000 tokens, $0.050" in told
    assert "next     nothing: nothing is over" in told
    assert (
        "stopped  it failed twice in a row: it is not logged in; it is asked again, as you looked"
        in told
    )
    assert told[told.index("not read (2 more)") + 1 :] == [
        *[f"  s{n}: it goes on" for n in range(5)],
        ["1 minute ago", "s2", "900 tokens", "it is not logged in"],
    ]


# ---- reverie reader use


@pytest.mark.parametrize(
    ("wanted", "wrong"),
    [
        (UseReader(engine="llama"), "give one FILE after llama"),
        (UseReader(engine="http"), "give one URL after http"),
        (UseReader(engine="command"), "give a program after 'command --'"),
        (UseReader(engine="codex", words=["a", "b"]), "give at most the program of codex"),
        (UseReader(engine="off", words=["now"]), "give nothing after off"),
        (UseReader(engine="http", words=["x"], agents=["codex"]), "--agents goes with claude"),
        (UseReader(engine="llama", words=["m.gguf"], model="m"), "llama takes no --model"),
    ],
)
def test_words_that_an_engine_does_not_take_are_wrong_usage(wanted: UseReader, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        wanted.prepared(Terminal())


@pytest.mark.parametrize(
    ("engine", "words", "meant"),
    [
        ("llama", ["model.gguf"], ["HERE/model.gguf"]),
        ("command", ["./read.sh", "./a"], ["HERE/read.sh", "./a"]),
        ("command", ["ollama", "run"], ["ollama", "run"]),
        ("http", ["http://localhost:11434/api/chat"], ["http://localhost:11434/api/chat"]),
    ],
)
def test_a_file_is_meant_from_where_it_is_typed(
    engine: Any, words: list[str], meant: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    asked = UseReader(engine=engine, words=words).prepared(Terminal())

    assert asked.words == [word.replace("HERE", str(tmp_path)) for word in meant]


def test_a_person_is_told_before_what_is_sent_where() -> None:
    found = ReaderChosen(
        engine="http://localhost:8080", endpoint="localhost:8080", sends="a digest goes there",
        warning="a small model",
    )  # fmt: skip
    wanted = UseReader(engine="http", words=["http://localhost:8080"])

    assert lines(wanted, found) == [
        "endpoint localhost:8080",
        "a digest goes there",
        "'reverie reader show SESSION' prints what would be sent of a session",
        "warning: a small model",
    ]
    assert wanted.question(found).startswith("Let http://localhost:8080 read sessions")
    assert wanted.question(msgspec.structs.replace(found, done=True)) == ""


# ---- reverie inbox


def test_a_note_is_told_with_the_words_that_prove_it_and_what_it_ended() -> None:
    sharper = msgspec.structs.replace(
        NOTE, id="m8", said_by="agent", scope="when", quotation="", agreed_to="",
        relation="refines", named="m3", named_text="Retries begin at five.", ended=True,
    )  # fmt: skip
    beside = msgspec.structs.replace(
        NOTE, id="m9", relation="contradicts", named="m1", named_text="Never retry.",
        refusal="m1 is pinned", verdict="kept",
    )  # fmt: skip
    page = InboxPage(notes=[NOTE, sharper, beside], total=3, at=2 * DAY)

    told = lines(Inbox(), page)

    assert told[:5] == [
        "session s1 in shop, read because it is of today",
        "m7  decision, always, 2 days ago",
        "    Retries begin at three.",
        "    you: “option 2”, to “Shall I start with five or with three?”",
        "",
    ]
    assert told[5:10] == [
        "m8  decision, 2 days ago",
        "    Retries begin at three.",
        "    the agent: its words were erased",
        "    ended m3: Retries begin at five.",
        "",
    ]
    assert "    beside m1, which stays (m1 is pinned): Never retry." in told


@pytest.mark.parametrize(
    ("typed", "as_json", "at_terminal", "listed_and_seen"),
    [
        (Inbox(), False, True, (False, False)),
        (Inbox(listed=True), False, True, (True, True)),
        (Inbox(), False, False, (True, False)),
        (Inbox(listed=True), False, False, (True, False)),
        (Inbox(listed=True), True, True, (True, False)),
    ],
)
def test_only_what_a_person_read_counts_as_seen(
    typed: Inbox, as_json: bool, at_terminal: bool, listed_and_seen: tuple[bool, bool]
) -> None:
    asked = typed.prepared(Terminal(as_json, at_terminal))

    assert (asked.listed, asked.seen) == listed_and_seen


def test_at_a_terminal_one_key_decides_and_a_session_leaves_whole(
    daemon: FakeDaemon, home: Home, tmp_path: Path
) -> None:
    def judged(request: JudgeNotes, _say: Say) -> Judged:
        return Judged(ids=request.ids)

    notes = [
        msgspec.structs.replace(NOTE, id=f"m{number}", session=session)
        for number, session in ((7, "s1"), (8, "s2"), (9, "s2"), (10, "s3"), (11, "s3"))
    ]
    daemon.reply(Inbox, InboxPage(notes=notes, total=5, at=DAY))
    daemon.answers[JudgeNotes] = judged

    with terminal([*own_command(), "inbox"], tmp_path, {**os.environ, "TERM": "dumb"}) as screen:
        screen.until("1 of 5", KEYS)
        screen.press("d")
        screen.until("dropped m7", "2 of 5", KEYS)
        screen.press("u")
        screen.until("took back what was done to m7", KEYS)
        screen.press("s")
        screen.until("dropped m8, m9", "4 of 5", KEYS)
        screen.press("k")
        screen.until("kept m10", "5 of 5", KEYS)
        screen.press("q")
        screen.until("judged 3 notes")

    asked = [one for one in daemon.asked if isinstance(one, JudgeNotes)]
    assert [(one.verdict, one.ids) for one in asked] == [
        ("dropped", ["m7"]),
        ("", ["m7"]),
        ("dropped", ["m8", "m9"]),
        ("kept", ["m10"]),
    ]
    assert [one.seen for one in daemon.asked if isinstance(one, Inbox)] == [False]


def test_whoever_leaves_stops_what_is_read_for_them(
    command: Program, hooked: Hooked, tmp_path: Path
) -> None:
    engine = tmp_path / "read.sh"
    engine.write_text("#!/bin/sh\nsleep 600\n")
    engine.chmod(0o755)
    command("reader", "use", "--yes", "command", "--", str(engine))
    hooked("UserPromptSubmit", "s1", prompt="We deploy on Tuesdays, the bank is closed on Mondays.")
    hooked("SessionEnd", "s1", reason="exit")
    reading = subprocess.Popen([*own_command(), "reader", "now", "--session", "s1", "--yes"])
    while not document(command("reader", "--json"))["reading"]:
        time.sleep(0.05)

    reading.send_signal(signal.SIGINT)
    reading.wait(PATIENCE)

    deadline = time.monotonic() + PATIENCE
    while (state := document(command("reader", "--json")))["reading"]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert (state["notes"], state["sessions"], state["waiting"]) == (0, 0, 1)
