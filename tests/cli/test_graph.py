"""``graph``: the graph of memories as GraphML, as a page and as JSON."""

from __future__ import annotations

import json
import re
import stat
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.commands.terminal.output import now
from daemon.drawing import graphml, page
from daemon.drawing.layout import CLUSTER, clusters, placed
from daemon.requests.graph import Edge, ExportGraph, GraphTold, Node
from daemon.requests.shapes import Problem
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

HOSTILE = (
    "</script><script>alert(1)</script> \"quoted\" 'single' & <b onclick=x> \x00\x1b[31m\u202e"
)
IN_XML = f"{{{graphml.NAMESPACE}}}"


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


def told(nodes: int = 2, edges: int = 1) -> GraphTold:
    return GraphTold(connected=nodes, nodes=nodes, edges=edges, edges_left_out=0)


def drawn(nodes: list[Node], edges: list[Edge]) -> str:
    return page.written(nodes, edges, told(len(nodes), len(edges)), "shop").decode()


class Tags(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def named(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]


# ---- GraphML


def test_graphml_declares_its_keys_and_uses_no_other() -> None:
    document = graphml.written(
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
    document = graphml.written([node(1, title=title)], [])

    (data, *_) = ET.fromstring(document).iter(f"{IN_XML}data")
    possible = "".join(
        c for c in title if c in "\t\n\r" or "\x20" <= c <= "\ud7ff" or c >= "\ue000"
    )
    expected = re.sub("[\ufffe\uffff]", "", possible).replace("\r\n", "\n").replace("\r", "\n")
    assert (data.text or "") == expected


# ---- the page


def test_what_a_title_says_stays_a_title() -> None:
    text = drawn([node(1, title=HOSTILE, kind=HOSTILE), node(2)], [edge(1, 2, evidence=HOSTILE)])

    tags = Tags(text)
    assert len(tags.named("script")) == 1
    assert not tags.named("b")
    assert text.count("</script>") == 1
    assert not [name for _, attributes in tags.tags for name in attributes if name.startswith("on")]
    said = "".join(tags.texts)
    assert "</script><script>alert(1)</script> \"quoted\" 'single' & <b onclick=x>" in said
    assert not set("\x00\x1b\u202e") & set(text)


@given(st.text(alphabet=st.characters(), min_size=1))
@settings(max_examples=25, deadline=None)
def test_no_title_changes_what_the_page_is_made_of(title: str) -> None:
    plain = [tag for tag, _ in Tags(drawn([node(1, title="a"), node(2)], [edge(1, 2)])).tags]

    hostile = Tags(drawn([node(1, title=title), node(2)], [edge(1, 2)]))

    assert [tag for tag, _ in hostile.tags] == plain


def test_the_page_needs_and_reaches_nothing_outside() -> None:
    text = drawn([node(1), node(2)], [edge(1, 2)])

    tags = Tags(text)
    assert "http" not in text.replace("http-equiv", "")
    assert not {"link", "img", "iframe", "object", "base", "form"} & {tag for tag, _ in tags.tags}
    assert not [a for _, a in tags.tags if {"src", "href", "style"} & a.keys()]


def test_the_pages_policy_allows_its_own_script_and_style_and_nothing_else() -> None:
    text = drawn([node(1), node(2)], [edge(1, 2)])

    (policy,) = [one["content"] for one in Tags(text).named("meta") if "http-equiv" in one]
    assert policy is not None
    assert policy.startswith("default-src 'none'; base-uri 'none'; form-action 'none';")
    for tag in ("style", "script"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = b64encode(sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_the_page_has_a_group_for_each_kind_and_a_tick_that_names_it() -> None:
    text = drawn([node(1), node(2)], [edge(1, 2), edge(2, 1, kind="caused", directed=True)])

    tags = Tags(text)
    ticks = [one["value"] for one in tags.named("input") if one.get("type") == "checkbox"]
    groups = [one["id"] for one in tags.named("g") if "id" in one]
    assert ticks == groups == ["k0", "k1"]
    assert "m2 → m1: caused 0.8, by dreaming: 0.5 h apart" in "".join(tags.texts)


def test_two_thousand_memories_are_drawn_in_a_few_seconds_of_cpu_and_alike_each_time() -> None:
    nodes = [node(number) for number in range(2_000)]
    edges = [edge(n, (n * 7 + step) % 2_000) for n in range(2_000) for step in (1, 2, 3)]

    document = page.written(nodes, edges, told(2_000, len(edges)), "shop")

    assert document == page.written(nodes, edges, told(2_000, len(edges)), "shop")
    assert document.count(b'<g class="n"') == 2_000
    assert len(document) < 3_000_000


def test_an_empty_graph_is_a_page_and_a_document_too() -> None:
    assert "0 memories, 0 connections" in drawn([], [])
    assert ET.fromstring(graphml.written([], [])).find(f"{IN_XML}graph") is not None


# ---- where memories are drawn


def test_what_is_joined_most_strongly_is_one_cluster() -> None:
    found = clusters(5, [(0, 1, 0.9), (1, 2, 0.5), (3, 4, 0.7)])

    assert found == [0, 0, 0, 3, 3]


def test_a_cluster_has_at_most_forty() -> None:
    chain = [(n, n + 1, 1.0) for n in range(199)]

    sizes = np.bincount(clusters(200, chain))

    assert sizes.max() == CLUSTER


graphs = st.integers(1, 60).flatmap(
    lambda count: st.tuples(
        st.just(count),
        st.lists(
            st.tuples(
                st.integers(0, count - 1), st.integers(0, count - 1), st.floats(0.0, 2.0)
            ).filter(lambda edge: edge[0] != edge[1]),
            max_size=120,
        ),
    )
)


@given(graphs)
@settings(max_examples=25, deadline=None)
def test_every_memory_has_a_place_of_its_own(
    graph: tuple[int, list[tuple[int, int, float]]],
) -> None:
    count, edges = graph

    points = placed(count, edges)

    assert points.shape == (count, 2)
    assert np.isfinite(points).all()
    assert np.array_equal(points, placed(count, edges))
    away = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)) + np.eye(count)
    assert away.min() > 1e-3


def test_what_is_joined_is_drawn_nearer_than_what_is_not() -> None:
    ring = [(n, (n + 1) % 8, 1.0) for n in range(8)] + [
        (8 + n, 8 + (n + 1) % 8, 1.0) for n in range(8)
    ]

    points = placed(16, ring)

    inside = np.hypot(*(points[0] - points[1]))
    across = np.hypot(*(points[0] - points[8]))
    assert inside < across


# ---- the command


@pytest.fixture
def answering(daemon: FakeDaemon) -> FakeDaemon:
    """A daemon with three memories, of which two are joined."""
    nodes, edges = [node(1, created=now()), node(2)], [edge(1, 2)]

    def answer(_request: Any, say: Any) -> GraphTold:
        say({"nodes": msgspec.to_builtins(nodes)})
        say({"edges": msgspec.to_builtins(edges)})
        return GraphTold(connected=3, nodes=2, edges=1, edges_left_out=4)

    daemon.answers[ExportGraph] = answer
    return daemon


def test_graphml_goes_to_standard_output_and_what_is_missing_is_said(
    answering: FakeDaemon, run: Run
) -> None:
    done = run("graph", "--all")

    assert len(list(ET.fromstring(done.stdout).iter(f"{IN_XML}node"))) == 2
    assert done.stderr == (
        "2 memories, 1 connection; 1 memory more: --limit; 4 weaker ones left out\n"
    )
    assert isinstance(answering.asked[-1], ExportGraph)
    assert (answering.asked[-1].everywhere, answering.asked[-1].limit) == (True, 2_000)


def test_a_file_is_private_and_its_name_says_the_format(
    answering: FakeDaemon, run: Run, tmp_path: Path
) -> None:
    target = tmp_path / "shop.html"
    done = run("graph", "--project", "shop", "--output", str(target))

    assert done.exit_code == 0, done.output
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["shop.html"]
    assert isinstance(answering.asked[-1], ExportGraph)
    assert answering.asked[-1].project == "shop"


def test_json_is_one_document(answering: FakeDaemon, run: Run) -> None:
    document = json.loads(run("graph", "--format", "json").stdout)

    assert [one["id"] for one in document["nodes"]] == ["m1", "m2"]
    assert document["edges"][0]["found_by"] == "dreaming"
    assert (document["connected"], document["edges_left_out"]) == (3, 4)


def test_a_file_that_cannot_be_written_is_one_line(
    answering: FakeDaemon, run: Run, tmp_path: Path
) -> None:
    done = run("graph", "--output", str(tmp_path / "nowhere" / "g.html"))

    assert done.exit_code == 1
    assert done.stderr.endswith("/nowhere/g.html: No such file or directory\n")


def test_what_the_daemon_refuses_is_said(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ExportGraph, Problem(code="too_slow", message="the daemon was too busy"))

    done = run("graph")

    assert done.exit_code == 1
    assert "the daemon was too busy" in done.stderr
