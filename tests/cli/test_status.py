"""``status``, ``log``, ``journal``, ``logs``, ``up`` and ``down``."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from daemon.api.journal import Journal, JournalPage, Log, LogPage
from daemon.api.status import Status, StatusReply
from daemon.commands.terminal import failure
from daemon.home import Home
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

STATUS = StatusReply(
    ready=True,
    pid=42,
    version="0.1.0",
    home="/home/x",
    uptime=7_300.0,
    memories=1_234,
    vectors="ready",
    vectors_detail="all-MiniLM-L6-v2",
    spooled=2,
    undone=0,
    degraded=["dreaming is switched off"],
    actors={"recall": {"state": "running", "queued": 0}},
    schedule={
        name: {"job": name, "last_ran": ran, "due": 0.0, "waits_for": waits, "running": False}
        for name, ran, waits in (("tidy", None, None), ("decay", 0.0, "on battery"))
    },
)
EVENT = {
    "event_id": "ab" * 16,
    "received_at": 1_700_000_000.0,
    "kind": "UserPromptSubmit",
    "session": "s1",
    "done": True,
}


def test_status_is_the_daemons_reply(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Status, STATUS)

    done = run("status", "--json")

    assert done.exit_code == 0
    assert json.loads(done.stdout) == msgspec.to_builtins(STATUS)


def test_status_reads_well(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Status, STATUS)

    text = run("status").output

    assert text.startswith("reverie 0.1.0 is ready (process 42, running for 2 hours)\n")
    assert "1,234" in text
    assert "degraded: dreaming is switched off" in text
    assert "2 events waiting" in text
    said = [" ".join(line.split()) for line in text.splitlines()]
    assert "tidy due now has not run yet" in said
    assert any(line.startswith("decay due, waits: on battery ran ") for line in said)


def test_status_does_not_start_the_daemon(home: Home, run: Run) -> None:
    done = run("status", "--json")

    document = json.loads(done.stdout)
    assert done.exit_code == failure.FAILED
    assert document["ready"] is False
    assert set(document) == set(msgspec.to_builtins(STATUS))
    assert not home.starting.exists()
    assert not home.command.exists()


def test_up_says_who_is_ready(daemon: FakeDaemon, run: Run) -> None:
    done = run("up", "--json")

    assert json.loads(done.stdout) == {"ready": True, "pid": daemon.pid, "version": daemon.version}


def test_the_journal_is_a_line_for_each_event(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(
        Journal,
        JournalPage(events=[EVENT, EVENT], after=2),
        JournalPage(events=[EVENT], after=None),
    )

    done = run("journal", "--json")

    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 3
    assert set(rows[0]) == {"event_id", "received_at", "kind", "session", "done"}
    assert [request.after for request in daemon.asked if isinstance(request, Journal)] == [0, 2]


def test_the_log_is_one_document(daemon: FakeDaemon, run: Run) -> None:
    entries = [{"at": 1_700_000_000.0, "what": "create", "memory": "m1"}]
    daemon.reply(Log, LogPage(entries=entries))

    done = run("log", "--json", "--limit", "5")

    assert json.loads(done.stdout) == {"entries": entries}
    request: Any = daemon.asked[-1]
    assert (request.limit, request.since) == (5, 0.0)


def test_since_is_an_age_or_a_date(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Log, LogPage(entries=[]))

    run("log", "--since", "2h")
    run("log", "--since", "1h")
    run("log", "--since", "2026-01-02T03:04:05+00:00")

    since = [request.since for request in daemon.asked if isinstance(request, Log)]
    assert since[1] - since[0] == pytest.approx(3_600.0, abs=60.0)
    assert since[2] == 1_767_323_045.0


@pytest.mark.parametrize("wrong", ["soon", "2", "h", "2026-13-01", "99999999999999d"])
def test_a_wrong_time_is_wrong_usage(home: Home, run: Run, wrong: str) -> None:
    assert run("log", "--since", wrong).exit_code == failure.WRONG_USAGE


def test_logs_shows_the_last_lines(home: Home, run: Run) -> None:
    home.prepare()
    home.log.write_text("".join(f"event=n{n}\x1b[2J\n" for n in range(100)))

    done = run("log", "--daemon", "--limit", "2")

    assert done.output == "event=n98\ufffd[2J\nevent=n99\ufffd[2J\n"


def test_a_start_that_failed_is_told_by_status_which_starts_nothing(home: Home, run: Run) -> None:
    home.prepare()
    home.failed_start.write_text("60\n1\nreverie.db is not a sound database: put back a copy\n")

    said = run("status")
    as_json = json.loads(run("status", "--json").stdout)

    assert said.exit_code == 1
    assert "not running: the last start failed, just now: reverie.db is not a sound" in said.output
    assert "'reverie up' tries at once, agents' hooks again in" in said.output
    assert as_json["degraded"][0] == "not running"
    assert "not a sound database" in as_json["degraded"][1]
    assert not home.starting.exists()
