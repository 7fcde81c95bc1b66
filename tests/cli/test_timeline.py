"""``list --fading``, ``timeline``, ``why``, ``stats`` and ``session``, against the real daemon."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from daemon.commands.terminal import failure
from daemon.commands.terminal.output import now
from daemon.home import Home
from daemon.requests.stats import Figures, Stats
from daemon.requests.timeline import (
    Forecast,
    Foretold,
    Moved,
    Past,
    Remembered,
    Timeline,
    TimelinePage,
)
from tests.cli.conftest import Hooked, Program, Run, document
from tests.cli.fake_daemon import FakeDaemon

DAY = 86_400.0
HOUR = 3_600.0
STATES = ["HOT", "WARM", "COLD", "DORMANT", "archivable"]


def imported(command: Program, *rows: dict[str, Any]) -> dict[str, str]:
    """Keep these rows as they are; the id of each by its key."""
    lines = "".join(json.dumps({"project": "p", **row}) + "\n" for row in rows)
    done = command("import", "-", "--no-gate", "--json", stdin=lines)
    assert done.returncode == 0, done.stderr
    listed = document(command("list", "--json"))["memories"]
    return {memory["key"]: memory["id"] for memory in listed}


def seen(command: Program, session: str, **wanted: Any) -> dict[str, Any]:
    """The session, once what was told of it is durable."""
    for _ in range(100):
        for row in document(command("session", "list", "--json"))["sessions"]:
            if row["session"] == session and wanted.items() <= row.items():
                found: dict[str, Any] = row
                return found
        time.sleep(0.02)
    raise AssertionError(f"session {session} never was {wanted}")


# ---- list --fading and stats


def test_a_forecast_tells_what_fades_and_when_by_the_states_of_list(command: Program) -> None:
    at = now()
    ids = imported(
        command,
        {"key": "fresh", "text": "amber queue", "created_at": at},
        {"key": "old", "text": "blue lamp", "created_at": at - 30 * DAY},
        {"key": "kept", "text": "red door", "created_at": at - 30 * DAY, "tier": "critical"},
        {"key": "far", "text": "green sea", "created_at": at, "project": "another"},
    )

    found = document(command("list", "--fading", "7", "--project", "p", "--json"))
    everywhere = document(command("list", "--fading", "7", "--json"))
    states = {m["id"]: m["state"] for m in document(command("list", "--json"))["memories"]}

    assert list(found["now"]) == list(found["then"]) == STATES
    assert (found["memories"], everywhere["memories"]) == (3, 4)
    assert found["until"] - found["at"] == pytest.approx(7 * DAY)
    assert [change["id"] for change in found["changes"]] == [ids["fresh"]]
    (change,) = found["changes"]
    assert change["now"] == states[ids["fresh"]] == "HOT"
    assert change["then"] == "WARM"
    assert change["at"] == pytest.approx(at + 2 * DAY, abs=1.0)
    assert found["now"]["HOT"] == 2
    assert found["then"]["HOT"] == 1


def test_what_comes_soonest_stands_first_and_the_limit_says_what_it_left_out(
    command: Program,
) -> None:
    at = now()
    ids = imported(
        command,
        *({"key": f"k{n}", "text": f"fact {n}", "created_at": at - n * HOUR} for n in range(4)),
    )

    found = document(command("list", "--fading", "10", "--project", "p", "--limit", "2", "--json"))

    assert [change["id"] for change in found["changes"]] == [ids["k3"], ids["k2"]]
    assert found["changing"] == 4


def test_stats_count_what_there_is(command: Program, home: Home) -> None:
    ids = imported(
        command,
        {"key": "a", "text": "amber queue", "type": "decision"},
        {"key": "b", "text": "blue lamp", "tier": "important"},
        {"key": "c", "text": "red door"},
    )
    command("remember", "the port is 4711")
    command("useful", ids["a"])
    command("forget", ids["c"])
    command("recall", "amber queue", "--project", "p")

    found = document(command("stats", "--json"))
    while found["exposures"] == 0:  # what was shown is written after the answer
        found = document(command("stats", "--json"))

    assert found["memories"] == 3
    assert found["kinds"] == {"fact": 2, "decision": 1}
    assert found["tiers"] == {"normal": 2, "important": 1}
    assert found["states"] == {"HOT": 3, "WARM": 0, "COLD": 0, "DORMANT": 0, "archivable": 0}
    assert found["projects"] == {"p": 2, "": 1}
    # made just now: .40 + .30 of the tiers' average + .20 * n / 5 + .05
    assert found["folders"] == {"p": 0.725, "": 0.64}
    assert found["ended"] == {"forgotten": 1}
    assert found["actions"] == {"CREATE": 1}  # rows without the gate are not its decisions
    assert found["journal"] == {"events": 0, "undone": 0}
    assert found["vectors"] == {"memories": 0, "chunks": 0, "with_tokens": 0, "token_bytes": 0}
    assert found["bytes"] >= home.database.stat().st_size > 0
    assert found["in_memory"].keys() == {
        "memories", "words", "mapped", "vectors", "vectors_mapped", "phrases", "passages",
    }  # fmt: skip
    assert found["on_disk"]["database"] >= found["bytes"] > found["on_disk"]["journal"] > 0
    assert found["on_disk"].keys() == {
        "database", "journal", "index", "models", "spool", "backups", "logs"
    }  # fmt: skip
    assert (found["days"], found["uses"]) == (30, 0)  # an opinion is no use


# ---- timeline and why


def test_the_neighbours_of_a_memory_are_what_was_kept_around_it_the_nearest_first(
    command: Program,
) -> None:
    at = now() - 10 * DAY
    ids = imported(
        command,
        {"key": "it", "text": "blue lamp", "created_at": at},
        {"key": "before", "text": "amber queue", "created_at": at - 0.5 * HOUR},
        {"key": "after", "text": "red door", "created_at": at + 0.25 * HOUR},
        {"key": "late", "text": "white wall", "created_at": at + 2 * HOUR},
        {"key": "far", "text": "green sea", "created_at": at, "project": "another"},
    )

    page = document(command("timeline", ids["it"], "--json"))
    wider = document(command("timeline", ids["it"], "--minutes", "180", "--all", "--json"))

    assert page["about"]["id"] == ids["it"]
    assert [memory["id"] for memory in page["memories"]] == [ids["after"], ids["before"]]
    assert [memory["apart"] for memory in page["memories"]] == pytest.approx([900, -1800])
    assert [memory["id"] for memory in wider["memories"]] == [
        ids["far"],
        ids["after"],
        ids["before"],
        ids["late"],
    ]


def test_why_names_the_decision_the_successor_the_use_and_the_phrases(command: Program) -> None:
    old = document(command("remember", "the port is 4711", "--trigger", "harbour door", "--json"))[
        "id"
    ]
    command("recall", "which port")
    command("useful", old)
    before = document(command("why", old, "--json"))
    new = document(command("remember", "the port is 4712", "--supersede", old, "--json"))["id"]
    after = document(command("why", old, "--json"))
    successor = document(command("why", new, "--json"))
    told = " ".join(before["sentences"])

    assert before["decision"]["action"] == "CREATE"
    assert before["decision"]["reason"].rstrip(".") in told
    assert "remembered by hand, today" in told
    assert "shown once, last by a search, today" in told
    assert "It was never used" in told  # an opinion is no use
    assert "after 1 verdict" in told
    assert "“harbour door” (set by a person)" in told
    assert (before["shown_where"], len(before["reviews"])) == ("recall", 0)
    assert after["memory"]["superseded_by"] == new
    assert f"{new} took its place, today: it is deprecated." in after["sentences"]
    assert successor["supersedes"] == [old]
    assert successor["decision"]["action"] == "SUPERSEDE"
    assert f"It took the place of {old}." in successor["sentences"]
    assert "It was never used." in successor["sentences"]


# ---- sessions


def test_a_session_shows_what_it_attends_to_and_is_emptied(
    command: Program, hooked: Hooked
) -> None:
    command("remember", "blue whale database port is 5432", "--trigger", "blue whale")
    note = hooked("UserPromptSubmit", "s-one", prompt="which port has the blue whale?")
    seen(command, "s-one", delivered=1)

    shown = document(command("session", "show", "s-o", "--json"))
    again = hooked("UserPromptSubmit", "s-one", prompt="which port has the blue whale?")
    cleared = document(command("session", "clear", "s-one", "--json"))
    empty = document(command("session", "show", "s-one", "--json"))
    after = hooked("UserPromptSubmit", "s-one", prompt="which port has the blue whale?")

    assert "5432" in note
    assert again == ""
    assert 0 < shown["working_memory"][0]["attention"] <= 1
    assert [one["title"] for one in shown["delivered"]] == [
        held["title"] for held in shown["working_memory"]
    ]
    assert [one["faded"] for one in shown["delivered"]] == [False]
    assert shown["session"]["task"] == "which port has the blue whale?"
    assert cleared["count"] == 1
    assert (empty["working_memory"], empty["delivered"]) == ([], [])
    assert "5432" in after


def test_memory_off_is_kept_over_a_restart_and_shown(command: Program, hooked: Hooked) -> None:
    command("remember", "blue whale database port is 5432", "--trigger", "blue whale")
    asked = "which port has the blue whale?"
    off = hooked("UserPromptSubmit", "s1", prompt="/memory off")
    seen(command, "s1", silent=True)
    quiet = hooked("UserPromptSubmit", "s1", prompt=asked)
    command("down")
    command("up")
    still = hooked("UserPromptSubmit", "s1", prompt=asked)
    other = hooked("UserPromptSubmit", "s2", prompt=asked)
    hooked("UserPromptSubmit", "s1", prompt="/memory on")
    seen(command, "s1", silent=False)
    back = hooked("UserPromptSubmit", "s1", prompt=asked)

    assert json.loads(off).keys() == {"systemMessage"}  # the person is told, the agent is not
    assert (quiet, still) == ("", "")
    assert "5432" in other
    assert "5432" in back


def test_a_session_that_is_not_known_or_not_the_only_one_is_explained(
    command: Program, hooked: Hooked
) -> None:
    for name in ("s-one", "s-two"):
        hooked("UserPromptSubmit", name, prompt="hello there")
        seen(command, name)

    unknown, unclear = command("session", "show", "x"), command("session", "clear", "s-")

    assert (unknown.returncode, unclear.returncode) == (1, 1)
    assert "no session of this name" in unknown.stderr
    assert "more than one session's name" in unclear.stderr


# ---- what people read


FORETOLD = Foretold(
    at=0.0,
    until=7 * DAY,
    memories=3,
    now={"HOT": 3, "WARM": 0},
    then={"HOT": 1, "WARM": 2},
    changing=2,
    changes=[
        Moved(
            id="m1", title="amber\x1b[2J", kind="fact", tier="normal", project=None, now="HOT",
            then="WARM", at=2 * DAY,
        )
    ],
)  # fmt: skip


def test_a_forecast_for_people_is_a_table(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Forecast, FORETOLD)

    text = run("list", "--fading", "7").output

    assert "HOT   3  ->  1" in text
    assert "  HOT -> WARM  amber" in text
    assert "1 of 2 that change" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("days", ["0", "-1", "36501", "soon"])
def test_days_are_some_and_not_too_many(home: Home, run: Run, days: str) -> None:
    assert run("list", "--fading", days).exit_code == failure.WRONG_USAGE


def test_a_timeline_is_asked_of_the_current_project_and_of_a_memory_of_its_own(
    daemon: FakeDaemon, run: Run
) -> None:
    daemon.reply(Timeline, TimelinePage(memories=[], total=0, about=None))
    run("timeline")
    run("timeline", "m1", "--minutes", "5")
    run("timeline", "--all")

    first, second, third = (one for one in daemon.asked if isinstance(one, Timeline))
    assert (first.id, first.everywhere, first.project is None) == (None, False, False)
    assert (second.id, second.window, second.project) == ("m1", 300.0, None)
    assert third.everywhere


def test_figures_for_people_leave_out_what_is_not_there(daemon: FakeDaemon, run: Run) -> None:
    empty: dict[str, int] = {}
    figures = Figures(
        memories=1, kinds={"fact": 1}, tiers={"normal": 1}, states={"HOT": 1, "WARM": 0},
        projects={"": 1}, ended=empty, actions=empty, journal={"events": 0, "undone": 0},
        vectors={"memories": 0, "chunks": 0}, bytes=12_345, days=30, exposures=2, uses=1,
        folders={"/p": 0.73, "": 0.64},
    )  # fmt: skip
    daemon.reply(Stats, figures)

    text = run("stats").output

    assert text.startswith("1 memory\n")
    assert "projects       everywhere 1" in text
    assert "relevance      /p 0.73, everywhere 0.64\n" in text
    assert "lifecycle      HOT 1 (100 %)\n" in text
    assert "12.3 kB" in text
    assert "shown 2, used 1" in text


def test_the_neighbours_of_a_memory_are_told_in_words(daemon: FakeDaemon, run: Run) -> None:
    def one(name: str, apart: float | None) -> Remembered:
        return Remembered(
            id=name, title=name.upper(), kind="fact", project=None, created_at=0.0, state="HOT",
            apart=apart, past=[Past(at=0.0, what="reviewed", detail="useful")],
        )  # fmt: skip

    near = [one("m2", -120.0), one("m3", 7_200.0)]
    daemon.reply(Timeline, TimelinePage(memories=near, total=5, about=one("m1", None)))

    text = run("timeline", "m1", "--minutes", "180").output

    assert "within 180 minutes of it" in text
    assert "  2 minutes before it\n" in text
    assert "  2 hours after it\n" in text
    assert "reviewed  useful" in text
    assert text.endswith("2 of 5; --limit shows more\n")
