"""A list of memories to look through: pages, words that are being typed, and what one may look for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.daemon.process import Daemon, prompt, wait_for


def browsed(daemon: Daemon, **asked: Any) -> list[str]:
    """The texts of all pages."""
    return [one["text"] for page in pages(daemon, **asked) for one in page["memories"]]


def pages(daemon: Daemon, **asked: Any) -> Iterator[Any]:
    """Every page, by the place behind the one before."""
    page = daemon.ask("list", **asked)
    yield page
    while page["after"] is not None:
        page = daemon.ask("list", after=page["after"], **asked)
        yield page


def test_pages_follow_each_other_without_a_gap_and_the_newest_is_first(clean: Daemon) -> None:
    texts = [
        f"Service {name} listens on its own port." for name in "alpha beta gamma delta".split()
    ]
    for text in texts:
        clean.remember(text)

    found = list(pages(clean, limit=3))

    assert [[one["text"] for one in page["memories"]] for page in found] == [
        texts[:0:-1], texts[:1],
    ]  # fmt: skip
    assert [page["total"] for page in found] == [4, None]


@pytest.mark.parametrize(
    ("typed", "count"),
    [("dep", 1), ("deployme", 1), ("deployment on tu", 1), ("deployment on fri", 0), ("zz", 0)],
)
def test_what_is_typed_is_found_before_it_is_a_word(clean: Daemon, typed: str, count: int) -> None:
    clean.remember("Deployments happen on Tuesdays.")
    clean.remember("The cache lives in Redis.")

    found = browsed(clean, query=typed)

    assert len(found) == count


def test_memories_are_chosen_by_project_kind_speaker_state_and_end(clean: Daemon) -> None:
    clean.remember("Invoices are numbered by year.", project="shop", type="decision")
    gone = clean.remember("Reports are written at night.", project="shop")
    clean.remember("Answers are short.")
    clean.ask("forget", ids=[gone])

    found = {
        "project": browsed(clean, project="shop", alone=True),
        "none": browsed(clean, alone=True),
        "kind": browsed(clean, type="decision"),
        "user": browsed(clean, said_by="user"),
        "agent": browsed(clean, said_by="agent"),
        "hot": browsed(clean, state="HOT", limit=1),
        "cold": browsed(clean, state="COLD"),
        "ended": browsed(clean, ended=True),
        "archived": browsed(clean, ended=True, state="archived"),
        "ended words": browsed(clean, ended=True, query="at NIGHT"),
    }

    assert found == {
        "project": ["Invoices are numbered by year."],
        "none": ["Answers are short."],
        "kind": ["Invoices are numbered by year."],
        "user": ["Answers are short.", "Invoices are numbered by year."],
        "agent": [],
        "hot": ["Answers are short.", "Invoices are numbered by year."],
        "cold": [],
        "ended": ["Reports are written at night."],
        "archived": [],
        "ended words": ["Reports are written at night."],
    }


def test_latencies_and_sizes_are_told_without_a_look_at_each_memory(clean: Daemon) -> None:
    clean.remember("The staging database listens on port 5433.")
    event = prompt("which port is the staging database on?", "health-1")
    clean.hook(b"health0000000001", event)

    def prompts() -> list[Any]:
        return [one for one in clean.ask("health")["latencies"] if one["place"] == "prompt"]

    wait_for(lambda: bool(prompts()), clean.running)

    found = clean.ask("health")
    assert (prompts()[0]["median"], prompts()[0]["longest"] > 0) == (prompts()[0]["high"], True)
    assert found["on_disk"]["database"] > 0
    assert found["read"] == []
