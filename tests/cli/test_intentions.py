"""``intend``: what a person means to do later, made, listed and ended on the command line."""

from __future__ import annotations

import json

import pytest

from daemon.requests.intentions import (
    ChangeIntention,
    EraseIntention,
    Intend,
    Intended,
    IntentionPast,
    IntentionShown,
    IntentionsListed,
    IntentionView,
    ListIntentions,
    ShowIntention,
)
from daemon.requests.shapes import Done
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

ONE = IntentionView(
    id="i1", text="call Bob", when="after 1 hour", trigger={"after": 3600.0}, priority="normal",
    status="active", due=True, made_at=1.8e9, deadline=None, reminders=0, reminded_at=None,
    snoozed_until=None, ended_at=None, project=None, session=None,
)  # fmt: skip


@pytest.fixture
def asked(daemon: FakeDaemon) -> FakeDaemon:
    daemon.reply(Intend, Intended(intention=ONE))
    daemon.reply(ListIntentions, IntentionsListed(intentions=[ONE], total=1))
    daemon.reply(
        ShowIntention,
        IntentionShown(
            intention=ONE, past=[IntentionPast(at=1.8e9, what="intended", session=None)]
        ),
    )
    daemon.reply(ChangeIntention, Intended(intention=ONE))
    daemon.reply(EraseIntention, Done(count=1, note="the text is gone from every file"))
    return daemon


def test_what_is_said_of_when_is_a_trigger(asked: FakeDaemon, run: Run) -> None:
    done = run("intend", "call", "Bob", "--in", "1h")
    run("intend", "tag it", "--on-branch", "main", "--every", "daily 9:00", "--all-of")
    first, second = (one for one in asked.asked if isinstance(one, Intend))

    assert done.output == "i1  you will be reminded after 1 hour\n"
    assert (first.text, first.trigger) == ("call Bob", {"after": 3600.0})
    assert second.trigger == {"all": [{"every": ["daily", 9, 0]}, {"branch": "main"}]}


def test_the_list_says_what_is_due_and_when(asked: FakeDaemon, run: Run) -> None:
    shown = run("intend", "--list")
    document = json.loads(run("intend", "--list", "--all", "--json").stdout)

    assert shown.output.split() == ["i1", "due", "normal", "call", "Bob", "after", "1", "hour"]
    assert (document["total"], document["intentions"][0]["id"]) == (1, "i1")
    assert [(one.everywhere, one.ended) for one in asked.asked if isinstance(one, ListIntentions)] == [
        (False, False), (True, True),
    ]  # fmt: skip


def test_one_is_shown_done_given_up_put_off_and_erased(asked: FakeDaemon, run: Run) -> None:
    shown = run("intend", "--show", "i1")
    for words in (["--done", "i1"], ["--cancel", "i1"], ["--snooze", "i1", "--in", "2h"]):
        run("intend", *words)
    erased = run("intend", "--erase", "i1")
    changes = [one for one in asked.asked if isinstance(one, ChangeIntention)]

    assert "call Bob" in shown.output
    assert "past" in shown.output
    assert [(one.change, one.seconds) for one in changes] == [
        ("done", None), ("cancelled", None), ("snoozed", 7_200.0),
    ]  # fmt: skip
    assert erased.output == "erased i1 (the text is gone from every file)\n"


@pytest.mark.parametrize(
    "words", [[], ["call Bob"], ["call Bob", "--list"], ["--done", "i1", "--cancel", "i1"]]
)
def test_neither_nothing_nor_two_things_are_done(
    asked: FakeDaemon, run: Run, words: list[str]
) -> None:
    assert run("intend", *words).exit_code == 2
    assert asked.asked == []
