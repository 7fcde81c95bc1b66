"""``learn --transcripts`` where a reader is in use: what it costs is said before anything is read."""

from __future__ import annotations

import msgspec
import pytest

from daemon.api.learn import Learnt, ReadTranscripts
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon, Say

PLAN = Learnt(
    engine="claude", run="", sessions=3, prompts=40, tokens=12_000, dollars=0.0123, notes=0, heard=2,
    before=1, unread=0, off=0, failures=[],
)  # fmt: skip
MADE = msgspec.structs.replace(
    PLAN, run="learn-1a2b3c4d", sessions=2, tokens=9_000, notes=7,
    failures=["learn-1a2b3c4d.s3: its limit is reached"],
)  # fmt: skip
COST = (
    "claude would read 3 sessions with 40 prompts, the oldest first: about 12,000 tokens,"
    " cost about $0.01\n"
)


@pytest.fixture
def asked(daemon: FakeDaemon) -> list[ReadTranscripts]:
    """Tell what the daemon is asked; it has three sessions to read."""
    seen: list[ReadTranscripts] = []

    def answer(request: ReadTranscripts, say: Say) -> Learnt:
        seen.append(request)
        say({"done": 1, "documents": 3})
        return MADE if request.yes else PLAN

    daemon.answers[ReadTranscripts] = answer
    return seen


def taken(asked: list[ReadTranscripts]) -> list[bool]:
    return [one.yes for one in asked]


def test_it_is_asked_first_with_count_tokens_and_price(
    run: Run, asked: list[ReadTranscripts]
) -> None:
    refused = run("learn", "--transcripts", input="n\n")

    assert COST in refused.output
    assert "1 session left out: they were read before" in refused.output
    assert "2 sessions left out: their events were reported as they happened" in refused.output
    assert "What is shown of them goes to that engine." in refused.output
    assert (refused.exit_code, taken(asked)) == (1, [False])


def test_what_was_read_is_said_with_how_to_take_it_back(
    run: Run, asked: list[ReadTranscripts]
) -> None:
    done = run("learn", "--transcripts", "--yes")

    assert COST not in done.output
    assert "claude read 2 sessions: 7 notes, 9,000 tokens, $0.01\n" in done.output
    assert "reverie inbox; take them back: reverie learn --undo learn-1a2b3c4d" in done.output
    assert "not read: learn-1a2b3c4d.s3: its limit is reached" in done.output
    assert (done.exit_code, taken(asked)) == (0, [True])


def test_what_may_not_be_read_is_said_first(daemon: FakeDaemon, run: Run) -> None:
    barred = ["2 of them: /shop holds .noreader"]
    daemon.reply(ReadTranscripts, msgspec.structs.replace(PLAN, failures=barred))

    done = run("learn", "--transcripts", input="n\n")

    assert "not read: 2 of them: /shop holds .noreader" in done.output
