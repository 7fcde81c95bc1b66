"""``injections``: what each prompt of a session was told, and why."""

from __future__ import annotations

from typing import Any

import msgspec

from daemon.api.injections import Injections, InjectionsShown
from daemon.commands.terminal.words import current_project
from daemon.shapes.journal import InjectionView
from daemon.shapes.results import ConsideredView
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

AT = 1_800_000_000.0
TOLD = ConsideredView(
    id="m1", title="The staging database listens on port 5433, and nowhere else at all.",
    confidence=0.98, reason="close in meaning and words", fate="told", used="cited",
)  # fmt: skip
FAR = ConsideredView(
    id="m2", title="The host is rebuilt.", confidence=0.31, reason="not close enough",
    fate="not close enough",
)  # fmt: skip


def prompt(text: str, place: str = "prompt", **other: Any) -> InjectionView:
    known: dict[str, Any] = {"answered": True, "milliseconds": 12.4, "mode": "both", **other}
    return InjectionView(at=AT, place=place, text=text, **known)


LINE = ConsideredView(
    id="m3", title="The pool hangs.", confidence=0.12, reason="no room for its text",
    fate="a line", characters=18, became="opened",
)  # fmt: skip
LEFT = ConsideredView(
    id="m4", title="The key is blue.", confidence=0.1, reason="it has faded",
    fate="left out of the page",
)  # fmt: skip
SHOWN = InjectionsShown(
    session="5f0c2a77", agent="claude", project="/shop", needed=0.65,
    prompts=[
        prompt("", "session_start", answered=False),
        prompt("why can the tests not reach the staging database on the usual port?",
               characters=231, considered=[TOLD, FAR]),
        prompt("thanks", mode="words"),
    ],
)  # fmt: skip


def test_each_prompt_is_a_line_with_its_cost_above_what_was_weighed(
    daemon: FakeDaemon, run: Run
) -> None:
    daemon.reply(Injections, SHOWN)

    lines = run("injections").stdout.splitlines()

    said = " ".join(" ".join(lines).split())
    assert lines[0] == "session 5f0c2a77 of claude in /shop"
    assert "start of the session nothing" in said  # a line ends at the edge of the page
    assert "“why can the tests not" in said
    assert "1 note, 231 characters, 12 ms told m1 0.98 close" in said
    assert "not told m2 0.31 not close" in said
    assert "“thanks” silent, 12 ms, by words alone" in said


def test_the_last_session_of_the_project_is_meant_unless_one_is_named(
    daemon: FakeDaemon, run: Run
) -> None:
    daemon.reply(Injections, SHOWN, SHOWN)
    run("injections")
    run("injections", "5f0", "--limit", "3")

    asked = [one for one in daemon.asked if isinstance(one, Injections)]
    assert asked == [Injections(project=current_project()), Injections(session="5f0", limit=3)]


def test_of_a_page_each_line_has_its_reason_its_size_and_what_became_of_it(
    daemon: FakeDaemon, run: Run
) -> None:
    page = prompt("", "session_start", characters=900, considered=[LINE, LEFT])
    daemon.reply(Injections, msgspec.structs.replace(SHOWN, prompts=[page]))

    said = " ".join(run("injections").stdout.split())
    assert "a line m3 0.12 opened, 18 characters: no room for its text The pool hangs." in said
    assert "not told m4 0.10 left out of the page: it has faded The key is blue." in said
