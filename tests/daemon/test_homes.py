"""Two homes of one person, each with its daemon: what one says reaches the other, and both end alike."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.daemon.conftest import Make
from tests.daemon.process import Daemon

SHOP = "/shop"
STEPS = 24


def lines(daemon: Daemon, kind: str, **more: Any) -> list[dict[str, Any]]:
    page = daemon.ask(kind, **more)
    assert page["after"] is None
    return list(page["rows"])


def exported(daemon: Daemon) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What a home would write with ``export --whole``: what is gone, and what lives."""
    return lines(daemon, "export-gone"), lines(daemon, "export", whole=True)


def merged(source: Daemon, target: Daemon) -> tuple[dict[str, int], list[str]]:
    """Bring what the source says to the target; how much left there, and what became of each row."""
    gone, rows = exported(source)
    outcomes = target.ask("import", rows=rows, merge=True)["outcomes"]
    left = target.ask("leave", rows=gone)
    return left, [str(one["action"]) for one in outcomes]


def living(daemon: Daemon) -> set[tuple[str | None, str]]:
    return {(row["project"], row["text"]) for row in lines(daemon, "export")}


def keep(daemon: Daemon, text: str, project: str | None = SHOP, **more: Any) -> str:
    rows = [{"text": text, "project": project, **more}]
    return str(daemon.ask("import", rows=rows, gate=False)["outcomes"][0]["id"])


@pytest.fixture
def laptop(make: Make) -> Daemon:
    return make().start()


@pytest.fixture
def desktop(make: Make) -> Daemon:
    return make().start()


def test_what_is_erased_in_one_home_is_erased_in_the_other_and_comes_back_from_neither(
    laptop: Daemon, desktop: Daemon
) -> None:
    kept = keep(laptop, "the vault opens with marzipan")
    keep(laptop, "the port is 5432")
    merged(laptop, desktop)
    laptop.ask("erase", ids=[kept], yes=True)
    told = str(exported(laptop))
    left, actions = merged(laptop, desktop)
    back = merged(desktop, laptop)

    assert left == {"ended": 0, "erased": 1}
    assert (actions, back) == (["HERE"], ({"ended": 0, "erased": 0}, ["HERE"]))
    assert living(laptop) == living(desktop) == {(SHOP, "the port is 5432")}
    assert "marzipan" not in told
    assert [path for path in desktop.home.root.rglob("*") if holds(path, b"marzipan")] == []


def holds(path: Any, word: bytes) -> bool:
    return path.is_file() and word in path.read_bytes()


def test_an_old_export_and_a_third_home_do_not_bring_back_what_was_erased(make: Make) -> None:
    laptop, desktop, third = (make().start() for _ in range(3))
    kept = keep(laptop, "the vault opens with marzipan")
    old = exported(laptop)
    merged(laptop, third)
    laptop.ask("erase", ids=[kept], yes=True)
    merged(laptop, desktop)
    from_old = desktop.ask("import", rows=old[1], merge=True)["outcomes"]
    merged(third, desktop)
    left, _ = merged(desktop, third)

    assert [one["action"] for one in from_old] == ["ERASED"]
    assert living(desktop) == living(third) == set()
    assert left == {"ended": 0, "erased": 1}


def test_what_a_person_says_again_after_it_was_erased_lives_in_both_homes(
    laptop: Daemon, desktop: Daemon
) -> None:
    kept = keep(laptop, "the vault opens with marzipan")
    merged(laptop, desktop)
    laptop.ask("erase", ids=[kept], yes=True)
    keep(laptop, "the vault opens with marzipan")
    left, _ = merged(laptop, desktop)
    merged(desktop, laptop)

    assert left == {"ended": 0, "erased": 0}
    assert living(laptop) == living(desktop) == {(SHOP, "the vault opens with marzipan")}


def test_what_was_only_noticed_does_not_outlive_an_erasure(laptop: Daemon, desktop: Daemon) -> None:
    laptop.ask("erase", ids=[keep(laptop, "the vault opens with marzipan")], yes=True)
    keep(desktop, "the vault opens with marzipan", status="noticed")
    left, _ = merged(laptop, desktop)

    assert left == {"ended": 0, "erased": 1}
    assert living(desktop) == set()


def test_a_former_wording_that_was_erased_leaves_and_what_is_said_now_stays(
    laptop: Daemon, desktop: Daemon
) -> None:
    kept = keep(laptop, "the vault opens with marzipan")
    merged(laptop, desktop)
    desktop.ask("edit", id="m1", text="the vault is gone")
    laptop.ask("erase", ids=[kept], yes=True)
    merged(laptop, desktop)
    merged(desktop, laptop)

    assert living(laptop) == living(desktop) == {(SHOP, "the vault is gone")}
    assert [path for path in desktop.home.root.rglob("*") if holds(path, b"marzipan")] == []


def test_the_later_of_forgetting_and_bringing_back_holds_in_both_homes(
    laptop: Daemon, desktop: Daemon
) -> None:
    kept = keep(laptop, "the port is 5432")
    merged(laptop, desktop)
    laptop.ask("forget", ids=[kept])
    forgotten, _ = merged(laptop, desktop)
    gone = living(desktop)
    laptop.ask("unforget", ids=[kept])
    _, actions = merged(laptop, desktop)

    assert (forgotten, gone) == ({"ended": 1, "erased": 0}, set())
    assert actions == ["BACK"]
    assert living(laptop) == living(desktop) == {(SHOP, "the port is 5432")}


def test_a_rewritten_memory_is_rewritten_in_both_homes(laptop: Daemon, desktop: Daemon) -> None:
    kept = keep(laptop, "the host is db1")
    merged(laptop, desktop)
    laptop.ask("edit", id=kept, text="the host is db2")
    merged(desktop, laptop)
    merged(laptop, desktop)

    assert living(laptop) == living(desktop) == {(SHOP, "the host is db2")}


def test_a_clock_that_runs_ahead_erases_nothing_that_is_said_later(
    laptop: Daemon, desktop: Daemon
) -> None:
    laptop.ask("erase", ids=[keep(laptop, "the vault opens with marzipan")], yes=True)
    gone = [{**row, "at": row["at"] + 86_400} for row in lines(laptop, "export-gone")]
    desktop.ask("leave", rows=gone)
    keep(desktop, "the vault opens with marzipan")
    left, _ = merged(laptop, desktop)

    assert left == {"ended": 0, "erased": 0}
    assert living(desktop) == {(SHOP, "the vault opens with marzipan")}


@pytest.mark.parametrize("seed", range(3))
def test_homes_that_lived_apart_end_alike_and_a_second_merge_changes_nothing(
    laptop: Daemon, desktop: Daemon, seed: int
) -> None:
    chance, homes = random.Random(seed), (laptop, desktop)
    for _ in range(STEPS):
        step(chance, homes)
    merged(laptop, desktop)
    merged(desktop, laptop)
    both = [living(one) for one in homes]
    again = [merged(laptop, desktop), merged(desktop, laptop)]

    assert both[0] == both[1]
    assert [living(one) for one in homes] == both
    assert {(left["ended"], left["erased"]) for left, _ in again} == {(0, 0)}
    assert {action for _, actions in again for action in actions} <= {"HERE"}


def step(chance: random.Random, homes: tuple[Daemon, Daemon]) -> None:
    """Do one thing at random in one of the homes, or merge one into the other."""
    one, other = chance.sample(homes, 2)
    text = f"the host is db{chance.randrange(4)}"
    rows = lines(one, "export", whole=True)
    ids = [row["id"] for row in rows]
    match chance.choice(("keep", "keep", "keep", "notice", "forget", "erase", "edit", "merge")):
        case "keep":
            keep(one, text, chance.choice((SHOP, None)))
        case "notice":
            keep(one, text, status="noticed")
        case "forget" if ids:
            one.ask("forget", ids=[chance.choice(ids)])
        case "erase" if ids:
            one.ask("erase", ids=[chance.choice(ids)], yes=True)
        case "edit" if others := [row["id"] for row in rows if row["text"] != text]:
            one.ask("edit", id=chance.choice(others), text=text)
        case _:
            merged(one, other)
