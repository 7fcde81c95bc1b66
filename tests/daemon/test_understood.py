"""What a query means beyond its words, through a real daemon.

Switches of recall, and ways through the graph. By words alone: no test needs a model.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from daemon.views import short_id
from tests.daemon.process import Daemon, Refusal

DAY = 86_400.0
BEGAN = 1.75e9  # 15 June 2025
NOTES = (
    ("The scheduler retries webhooks when the parcel carrier is silent.", 0),
    ("Kubernetes manifests are rendered by kustomize.", 3),
    ("We released version 3 of the plugin host on 20 June 2025.", 5),
    ("The plugin cache was sized to 64 entries.", 2),
    ("The plugin cache was emptied when the host starts.", 40),
    ("Redis holds the sessions; its timeouts are two seconds.", 41),
    ("Redis runs in one zone.", 42),
    ("Timeouts of the carrier are ten seconds.", 43),
)


@pytest.fixture(scope="module")
def read(shared: Daemon) -> Daemon:
    """A daemon with these notes in one project, for the tests that change nothing."""
    return noted(shared)


@pytest.fixture
def kept(daemon: Daemon) -> Daemon:
    """The same notes in a daemon of the test's own."""
    return noted(daemon)


def noted(daemon: Daemon) -> Daemon:
    """The daemon, with these notes in one project."""
    rows = [
        {"key": f"n{place}", "text": text, "project": "shop", "created_at": BEGAN + day * DAY}
        for place, (text, day) in enumerate(NOTES)
    ]
    daemon.ask("import", rows=rows, gate=False)
    return daemon


def ask(daemon: Daemon, query: str, **more: Any) -> Any:
    return daemon.ask("recall", query=query, project="shop", track=False, **more)


def keys(found: Any) -> list[str]:
    return [one["key"] for one in found["results"]]


@pytest.mark.parametrize("which", ["without", "also"])
def test_a_channel_or_stage_that_does_not_exist_is_refused(read: Daemon, which: str) -> None:
    told = "'rerannk' is no channel, stage, way of fusing or score: did you mean rerank?"
    with pytest.raises(Refusal, match=re.escape(told)) as refused:
        ask(read, "redis", **{which: ["rerannk"]})

    assert "\n" not in str(refused.value)
    with pytest.raises(Refusal, match="score: reverie recall --stages lists them"):
        ask(read, "redis", **{which: ["zzz"]})


@pytest.fixture
def linked(kept: Daemon) -> Daemon:
    """n0 caused n1, n1 enabled n5."""
    kept.ask("link", source="m1", relation="caused", target="m2", strength=0.5)
    kept.ask("link", source="m2", relation="enabled", target="m6", strength=0.8)
    return kept


def test_what_is_around_a_memory_comes_surest_first(linked: Daemon) -> None:
    found = linked.ask("explore", start="m2", project="shop")

    assert [(way["memories"], way["sure"]) for way in found["ways"]] == [
        (["m2", "m6"], 0.8),
        (["m2", "m1"], 0.5),
    ]
    assert [way["steps"][0]["forward"] for way in found["ways"]] == [True, False]
    assert found["titles"].keys() == {"m1", "m2", "m6"}


def test_from_a_memory_of_all_projects_no_way_leads_into_another_project(kept: Daemon) -> None:
    rows = [{"key": "u", "text": "Queues are drained first."}]
    rows += [{"key": "o", "text": "The bakery drains its ovens.", "project": "bakery"}]
    kept.ask("import", rows=rows, gate=False)
    mine, theirs = short_id(len(NOTES) + 1), short_id(len(NOTES) + 2)
    kept.ask("link", source=mine, relation="caused", target="m1", strength=0.9)
    kept.ask("link", source=mine, relation="caused", target=theirs, strength=0.9)
    here = kept.ask("explore", start=mine, project="shop")
    everywhere = kept.ask("explore", start=mine, project="shop", everywhere=True)

    assert here["titles"].keys() == {mine, "m1"}
    assert everywhere["titles"].keys() == {mine, "m1", theirs}


def test_a_way_over_a_forgotten_memory_is_none(linked: Daemon) -> None:
    linked.ask("forget", ids=["m2"])

    assert linked.ask("explore", start="m1")["ways"] == []


@pytest.mark.parametrize("start", ["m99", "the port of the shop"])
def test_what_is_no_memory_cannot_be_explored(read: Daemon, start: str) -> None:
    with pytest.raises(Refusal, match="'reverie recall TEXT' finds the memory"):
        read.ask("explore", start=start, project="shop")
