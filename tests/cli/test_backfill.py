"""``backfill``: what may explain a failure; and the tags of ``episodes``."""

from __future__ import annotations

import json

import msgspec
import pytest

from daemon.commands.terminal.output import now
from daemon.requests.episodes import (
    EpisodesOf,
    EpisodesPage,
    ListTags,
    LookBack,
    LookedBack,
    PossibleCause,
    Tagged,
    TagsPage,
)
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon


def looked(*, applied: bool = False) -> LookedBack:
    cause = PossibleCause(
        id="m3", title="renamed \x1b[31mPAYMENT_URL", created_at=now() - 90_000,
        shared=["PAYMENT_URL"], stability=2.0, proposed=5.0,
    )  # fmt: skip
    return LookedBack(causes=[cause], names=["PAYMENT_URL"], applied=applied)


def test_causes_are_shown_and_nothing_is_changed_unasked(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(LookBack, looked())

    text = run("backfill", "--failure", "PAYMENT_URL is not set").output

    assert "m3  1 day ago  stability 2.0 → 5.0 days  names PAYMENT_URL" in text
    assert "nothing was changed" in text
    assert "\x1b" not in text
    asked = daemon.asked[-1]
    assert isinstance(asked, LookBack)
    assert (asked.failure, asked.id, asked.apply) == ("PAYMENT_URL is not set", None, False)


def test_what_is_applied_is_said(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(LookBack, looked(applied=True))

    assert "strengthened" in run("backfill", "m9", "--apply").output
    assert daemon.asked[-1] == LookBack(id="m9", apply=True)


def test_json_is_the_daemons_reply(daemon: FakeDaemon, run: Run) -> None:
    found = looked()
    daemon.reply(LookBack, found)

    assert json.loads(run("backfill", "m9", "--json").stdout) == msgspec.to_builtins(found)


@pytest.mark.parametrize(
    ("names", "said"),
    [(["A_B"], "nothing new of the last 30 days names A_B"), ([], "the failure names no variable")],
)
def test_no_cause_is_said(daemon: FakeDaemon, run: Run, names: list[str], said: str) -> None:
    daemon.reply(LookBack, LookedBack(causes=[], names=names, applied=False))

    assert said in run("backfill", "m9").output


@pytest.mark.parametrize("arguments", [[], ["m9", "--failure", "x"]])
def test_a_failure_is_named_in_one_way(daemon: FakeDaemon, run: Run, arguments: list[str]) -> None:
    assert run("backfill", *arguments).exit_code == 2


def tags(*tagged: Tagged) -> TagsPage:
    return TagsPage(tags=list(tagged), active=1, captured=2)


TAG = Tagged(said="set the port", session="s1", at=0.0, strength=0.5, episode=None, project=None)


def test_tags_are_listed_with_their_strength(daemon: FakeDaemon, run: Run) -> None:
    taken = msgspec.structs.replace(TAG, said="", episode="7-revert")
    daemon.reply(ListTags, tags(TAG, taken))

    text = run("episodes", "--tags").output

    assert "strength 0.50" in text
    assert "set the port" in text
    assert "captured: 7-revert" in text
    assert "1 may still be captured, 2 were" in text


def test_candidates_are_those_of_a_time(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ListTags, tags())

    text = run("episodes", "--candidates", "9h", "0h").output

    asked = daemon.asked[-1]
    assert isinstance(asked, ListTags)
    assert asked.begin is not None
    assert asked.end is not None
    assert asked.end - asked.begin == pytest.approx(9 * 3600, abs=5)
    assert "nothing of that time may still be captured" in text
    assert run("episodes", "--candidates", "0h", "9h").exit_code == 2
    assert run("episodes", "--tags", "--of", "m1").exit_code == 2


def test_the_episodes_of_a_memory(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(EpisodesOf, EpisodesPage(episodes=[], total=0))

    assert run("episodes", "--of", "m1").output == "no moment has captured m1 yet\n"
    assert daemon.asked[-1] == EpisodesOf(id="m1")
