"""Secrets of earlier rules are taken out of a store while its daemon works."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import apsw

from daemon.home import Home
from daemon.storage import secrets
from daemon.storage.database.sql import Sql
from daemon.storage.database.writes import carry_out
from daemon.wire import PROGRESS, Decoder, Frame, encoded
from tests.daemon.conftest import Make
from tests.daemon.process import Daemon, prompt
from tests.holders import holders

SECRET = "acme_kiwifruit"
RULE = "[redaction]\npatterns = ['acme_[a-z]+']\n"


def grown(make: Make, memories: int) -> Daemon:
    """A daemon with today's rules over memories that were kept under earlier ones."""
    daemon = make().start()
    rows = [{"text": f"gate {number} opens with {SECRET}"} for number in range(memories)]
    for at in range(0, memories, 500):
        daemon.ask("import", rows=rows[at : at + 500], gate=False)
    daemon.hook(b"a" * 16, prompt(f"the word is {SECRET}, remember that"))
    daemon.settled()
    return with_rule(daemon)


def with_rule(daemon: Daemon) -> Daemon:
    """Start it again with today's rules."""
    daemon.end()
    daemon.home.config.write_text(RULE)
    return daemon.start()


def frames_of(daemon: Daemon, *, until: int, **body: Any) -> list[Frame]:
    """The frames that one request is answered with, at most so many; then the client goes away."""
    found: list[Frame] = []
    decoder = Decoder()
    with daemon.line() as line:
        line.send(encoded(Frame(1, "secrets", body)))
        while len(found) < until:
            decoder.feed(line.stream.recv(65536))
            found += decoder.frames()
            if found and found[-1].kind != PROGRESS:
                break
    return found


def test_progress_is_told_and_the_counts_say_what_was_found(make: Make) -> None:
    daemon = grown(make, 600)

    *progress, last = frames_of(daemon, until=10_000, yes=True)

    assert {frame.kind for frame in progress} == {PROGRESS}
    assert [frame.body["done"] for frame in progress] == sorted(f.body["done"] for f in progress)
    counts = {at["place"]: at["secrets"] for at in last.body["places"]}
    assert counts["memory.text"] >= 600
    assert counts["journal.body"] == 1
    assert holders(daemon.home.root, SECRET) == []
    assert len(daemon.recall("gate 17 opens")) > 0


def test_who_goes_away_stops_it_and_a_second_time_does_the_rest(make: Make) -> None:
    daemon = grown(make, 1_500)

    frames_of(daemon, until=2, yes=True)
    remembered = daemon.remember("the daemon works on")
    places = daemon.ask("show", id=remembered)["memory"]["text"]
    *_, last = frames_of(daemon, until=10_000, yes=True)

    assert places == "the daemon works on"
    assert last.body["rows"] > 1_500
    assert holders(daemon.home.root, SECRET) == []


def test_one_that_was_stopped_before_the_files_were_rewritten_is_finished_by_the_next(
    make: Make,
) -> None:
    daemon = grown(make, 3)
    daemon.ask("backup-now", name="kept")
    daemon.end()
    take_out(daemon.home)
    daemon.start()
    held = holders(daemon.home.root, SECRET)

    *_, looked = frames_of(daemon, until=10_000)
    *_, finished = frames_of(daemon, until=10_000, yes=True)
    *_, again = frames_of(daemon, until=10_000)

    assert (looked.body["places"], finished.body["places"]) == ([], [])
    assert held != []
    assert holders(daemon.home.root, SECRET) == []
    assert (looked.body["unfinished"], again.body["unfinished"]) == (True, False)


def take_out(home: Home) -> None:
    """Redact every row as the daemon does, and go no further."""
    with closing(apsw.Connection(str(home.database))) as raw:
        sql = Sql(raw)
        for place in secrets.places(sql):
            found = secrets.page(sql, place, None, redact)
            assert found.last is None
            carry_out(sql, [tuple(found.writes)])


def redact(text: str) -> tuple[str, list[str]]:
    """The rule of the settings."""
    return text.replace(SECRET, "[REDACTED]"), ["new"] * text.count(SECRET)


def test_a_memory_that_was_nothing_but_a_secret_is_forgotten(daemon: Daemon) -> None:
    daemon.remember(SECRET)
    with_rule(daemon)

    *_, last = frames_of(daemon, until=10_000, yes=True)

    assert last.body["forgotten"] == 1
    assert daemon.ask("list")["memories"] == []
    assert holders(daemon.home.root, SECRET) == []


def test_an_intention_that_waits_says_it_without_its_secret(daemon: Daemon) -> None:
    daemon.ask("intend", text=f"close the gate {SECRET}", trigger={"words": "harbour"})
    with_rule(daemon)

    frames_of(daemon, until=10_000, yes=True)
    (listed,) = daemon.ask("list-intentions")["intentions"]

    assert listed["text"] == "close the gate [REDACTED]"
    assert holders(daemon.home.root, SECRET) == []
