"""``episodes``: which moments captured what was learnt around them."""

from __future__ import annotations

from daemon.api.episodes import Episode, EpisodesPage, ListEpisodes, Member
from daemon.commands.terminal.words import now
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon


def member(number: int, hours: float) -> Member:
    return Member(
        said=f"set port {number}",
        session="s1",
        at=now() - 7_300,
        score=0.77,
        hours=hours,
        memories=[f"m{number}"],
    )


def episode(members: int = 2) -> Episode:
    return Episode(
        id="7-test_fixed",
        kind="test_fixed",
        reason="pytest passes\x1b[31m again",
        strength=0.9,
        at=now() - 7_300,
        session="s1",
        project="/p",
        span=4.0,
        members=[member(number, 3.0 - 3.5 * number) for number in range(members)],
    )


def test_episodes_are_listed_with_their_turns(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ListEpisodes, EpisodesPage(episodes=[episode()], total=3))

    text = run("episodes", "--all").output

    assert "7-test_fixed" in text
    assert "2 hours ago, in session s1; 2 turns kept, over 4.0 h" in text
    assert "3.0 h before  score 0.77  set port 0  m0" in text
    assert "0.5 h after   score 0.77  set port 1  m1" in text
    assert "\x1b" not in text
    assert text.endswith("1 of 3 episodes\n")
    asked = daemon.asked[-1]
    assert isinstance(asked, ListEpisodes)
    assert (asked.everywhere, asked.limit) == (True, 20)
