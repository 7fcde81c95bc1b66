"""The graph of memories, told whole by a real daemon."""

from __future__ import annotations

from typing import Any

import pytest

from tests.daemon.process import Daemon


def exported(daemon: Daemon, **body: Any) -> tuple[list[Any], list[Any]]:
    """Nodes and edges."""
    told = daemon.ask("export-graph", **body)
    return told["nodes"], told["edges"]


@pytest.fixture
def linked(daemon: Daemon) -> tuple[Daemon, list[str]]:
    """Five memories: a chain of three, one in another project, one that is alone."""
    ids = [
        daemon.remember("The pool leaked connections.", title="the leak", project="shop"),
        daemon.remember("The staging database went down.", title="the outage", project="shop"),
        daemon.remember("A limit of forty was set.", title="the limit"),
        daemon.remember("The bakery opens at six.", title="the bakery", project="bakery"),
        daemon.remember("The linter is ruff.", title="the linter", project="shop"),
    ]
    daemon.ask("link", source=ids[0], relation="caused", target=ids[1], evidence="same minute")
    daemon.ask("link", source=ids[2], relation="derived_from", target=ids[1], strength=0.5)
    daemon.ask("link", source=ids[3], relation="supports", target=ids[2], strength=0.25)
    return daemon, ids


def test_a_project_is_told_with_what_is_for_everywhere(linked: tuple[Daemon, list[str]]) -> None:
    daemon, (leak, outage, limit, *_) = linked

    nodes, edges = exported(daemon, project="shop")

    assert {node["id"]: node["title"] for node in nodes} == {
        leak: "the leak",
        outage: "the outage",
        limit: "the limit",
    }
    assert nodes[0]["id"] == outage  # joined most strongly
    assert {key for node in nodes for key in node} == {
        "id", "title", "kind", "tier", "state", "project", "created",
    }  # fmt: skip
    assert edges == [
        {
            "one": leak, "other": outage, "kind": "caused", "strength": 1.0,
            "evidence": "same minute", "found_by": "person", "directed": True,
        },
        {
            "one": limit, "other": outage, "kind": "derived_from", "strength": 0.5,
            "evidence": "", "found_by": "person", "directed": True,
        },
    ]  # fmt: skip


def test_every_project_is_told(linked: tuple[Daemon, list[str]]) -> None:
    daemon, _ = linked

    everything = exported(daemon, everywhere=True)

    assert [len(everything[0]), len(everything[1])] == [4, 3]


def test_what_was_forgotten_is_not_in_it(linked: tuple[Daemon, list[str]]) -> None:
    daemon, (leak, outage, limit, *_) = linked
    daemon.ask("forget", ids=[outage])

    nodes, edges = exported(daemon, project="shop")

    assert (nodes, edges) == ([], [])
    assert {leak, limit} <= {one["id"] for one in daemon.ask("list")["memories"]}
