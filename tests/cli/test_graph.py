"""``explore --graphml``: the whole graph, for other programs."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.api.link import Edge, ExportGraph, Graph, Node
from daemon.commands.terminal import files
from daemon.commands.terminal.words import now
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

IN_XML = f"{{{files.NAMESPACE}}}"


def node(number: int, **other: Any) -> Node:
    made: dict[str, Any] = {
        "id": f"m{number}", "title": f"port {number}", "kind": "fact", "tier": "normal",
        "state": "HOT", "project": "/p", "created": 1.5, **other,
    }  # fmt: skip
    return Node(**made)


def edge(one: int, other: int, **more: Any) -> Edge:
    made: dict[str, Any] = {
        "one": f"m{one}", "other": f"m{other}", "kind": "temporal", "strength": 0.8,
        "evidence": "0.5 h apart", "found_by": "dreaming", "directed": False, **more,
    }  # fmt: skip
    return Edge(**made)


# ---- GraphML


def test_graphml_declares_its_keys_and_uses_no_other() -> None:
    document = files.document(
        [node(1), node(2, project=None)], [edge(1, 2, kind="supersedes", directed=True)]
    )

    root = ET.fromstring(document)
    keys = {key.get("id"): key for key in root.findall(f"{IN_XML}key")}
    assert root.tag == f"{IN_XML}graphml"
    assert [child.tag.removeprefix(IN_XML) for child in root] == ["key"] * len(keys) + ["graph"]
    (graph,) = root.findall(f"{IN_XML}graph")
    assert graph.get("edgedefault") == "undirected"
    assert [child.get("id") for child in graph] == ["m1", "m2", "e0"]
    for child in graph:
        for data in child:
            key = keys[data.get("key")]
            assert key.get("for") == child.tag.removeprefix(IN_XML)
            assert data.text
            if key.get("attr.type") == "double":
                float(data.text)
    drawn_edge = graph[2]
    assert (drawn_edge.get("source"), drawn_edge.get("target")) == ("m1", "m2")
    assert drawn_edge.get("directed") == "true"
    assert {data.get("key"): data.text for data in drawn_edge} == {
        "edge_kind": "supersedes",
        "edge_strength": "0.8",
        "edge_evidence": "0.5 h apart",
        "edge_found_by": "dreaming",
    }
    assert "node_project" not in {data.get("key") for data in graph[1]}


@given(st.text())
@settings(max_examples=200)
def test_any_title_gives_graphml_that_can_be_read(title: str) -> None:
    document = files.document([node(1, title=title)], [])

    (data, *_) = ET.fromstring(document).iter(f"{IN_XML}data")
    possible = "".join(
        c for c in title if c in "\t\n\r" or "\x20" <= c <= "\ud7ff" or c >= "\ue000"
    )
    expected = re.sub("[\ufffe\uffff]", "", possible).replace("\r\n", "\n").replace("\r", "\n")
    assert (data.text or "") == expected


# ---- the command


@pytest.fixture
def answering(daemon: FakeDaemon) -> FakeDaemon:
    """A daemon with two memories that are joined."""
    nodes = [node(1, created=now()), node(2)]
    daemon.reply(ExportGraph, Graph(nodes=nodes, edges=[edge(1, 2)]))
    return daemon


def test_graphml_goes_to_standard_output_and_its_size_is_said(
    answering: FakeDaemon, run: Run
) -> None:
    done = run("explore", "--all", "--graphml", "-")

    assert len(list(ET.fromstring(done.stdout).iter(f"{IN_XML}node"))) == 2
    assert done.stderr == "2 memories, 1 connection\n"
    assert isinstance(answering.asked[-1], ExportGraph)
    assert answering.asked[-1].everywhere
