"""A day of the memory, asked of a real daemon: what happened, and that each of it can be taken back."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.daemon.process import Daemon, Refusal, prompt, wait_for

PORT = "The staging database listens on port 5433."
NEW_PORT = "The staging database listens on port 6000."
NUMBERS = itertools.count(1)


def undone(daemon: Daemon, entry: Any) -> None:
    """Take back what happened, by the request that the entry names."""
    daemon.ask(entry["undo"]["name"], **entry["undo"]["body"])


def shape(entry: Any) -> tuple[str, str, str]:
    """What happened, what it says, and what was said before."""
    return entry["how"], entry["text"], entry["before"]


def test_what_was_learnt_is_forgotten_by_its_undo_and_comes_back_by_the_next(clean: Daemon) -> None:
    id_ = clean.remember(PORT, project="shop")
    (learnt,) = clean.ask("day")["learnt"]
    undone(clean, learnt)
    (forgotten,) = clean.ask("day")["forgotten"]
    undone(clean, forgotten)

    day = clean.ask("day")

    assert (learnt["id"], learnt["said_by"], learnt["how"]) == (id_, "user", "learnt")
    assert (forgotten["how"], forgotten["text"]) == ("forgotten", PORT)
    assert (day["forgotten"], day["learnt"][0]["ended"]) == ([], None)


def test_an_edit_is_taken_back_while_it_is_the_last(clean: Daemon) -> None:
    id_ = clean.remember(PORT)
    clean.ask("edit", id=id_, text=NEW_PORT)
    (edited,) = clean.ask("day")["corrected"]
    undone(clean, edited)

    newest, first = clean.ask("day")["corrected"]

    assert shape(edited) == ("edited", NEW_PORT, PORT)
    assert (newest["before"], first["undo"]) == (NEW_PORT, None)
    assert clean.recall("staging database") == [PORT]


def test_what_was_replaced_lives_again_and_is_replaced_again(clean: Daemon) -> None:
    old = clean.remember(PORT)
    new = clean.remember(NEW_PORT, supersede=old, valid_from=1_700_000_000.0)
    (corrected,) = clean.ask("day")["corrected"]
    undone(clean, corrected)
    back = [clean.ask("show", id=id_)["memory"] for id_ in (old, new)]

    clean.ask("reinstate", ids=[old], by=[new], again=True)

    again = [clean.ask("show", id=id_)["memory"] for id_ in (old, new)]
    assert shape(corrected) == ("replaced", NEW_PORT, PORT)
    assert (corrected["id"], corrected["before_id"]) == (new, old)
    assert [(one["ended"], one["valid"]) for one in back] == [(None, True), ("forgotten", True)]
    assert [(one["ended"], one["superseded_by"]) for one in again] == [
        ("deprecated", new), (None, None),
    ]  # fmt: skip


def test_what_prompts_of_all_sessions_were_told_is_there_the_newest_first(clean: Daemon) -> None:
    memory = clean.remember(PORT)
    for session in ("day-1", "day-2"):
        event = prompt("which port is the staging database on?", session)
        clean.hook(f"day{next(NUMBERS):013d}".encode(), event)
    clean.hook(f"day{next(NUMBERS):013d}".encode(), prompt("thanks", "day-2"))

    def told() -> list[Any]:
        found = clean.ask("day")["told"]
        return [one for one in found if one["considered"]]

    wait_for(lambda: len(told()) == 2, clean.running)

    assert [one["session"] for one in told()] == ["day-2", "day-1"]
    assert told()[0]["agent"] == "claude"
    assert told()[0]["considered"][0]["id"] == memory
    assert told()[0]["considered"][0]["fate"] == "told"


def test_what_was_replaced_twice_lives_again_alone(clean: Daemon) -> None:
    first = clean.remember(PORT)
    second = clean.remember(NEW_PORT, supersede=first)
    third = clean.remember("The staging database listens on 7777.", supersede=second)

    done = clean.ask("reinstate", ids=[first])

    assert done == {"count": 1, "note": f"{third} left recall"}
    assert clean.recall("staging database") == [PORT]


def test_what_replaced_nothing_takes_no_place(clean: Daemon) -> None:
    one = clean.remember(PORT)

    done = clean.ask("reinstate", ids=[one])

    assert done == {"count": 0, "note": f"{one} was not replaced"}
    with pytest.raises(Refusal, match="one memory for each"):
        clean.ask("reinstate", ids=[one], again=True)
    with pytest.raises(Refusal, match="does not stand in the place"):
        clean.ask("reinstate", ids=[one], by=[one], again=True)
