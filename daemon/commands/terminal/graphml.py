"""GraphML (http://graphml.graphdrawing.org/primer/graphml-primer.html): for Gephi, yEd, Cytoscape.

Pure. Characters impossible in XML 1.0 are left out, whatever a title has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from daemon.api.graph import Edge, Node

NAMESPACE: Final = "http://graphml.graphdrawing.org/xmlns"
_SCHEMA: Final = f"{NAMESPACE} http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd"
_IMPOSSIBLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_NODE: Final = {
    "title": "string", "kind": "string", "tier": "string", "state": "string",
    "project": "string", "created": "double",
}  # fmt: skip
_EDGE: Final = {
    "kind": "string", "strength": "double", "evidence": "string", "found_by": "string",
}  # fmt: skip


def document(nodes: Sequence[Node], edges: Sequence[Edge]) -> bytes:
    """Write the graph as one document; connections without a direction are undirected."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    root = Element(
        "graphml",
        {
            "xmlns": NAMESPACE,
            "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
            "xsi:schemaLocation": _SCHEMA,
        },
    )
    for domain, attributes in (("node", _NODE), ("edge", _EDGE)):
        for name, type_ in attributes.items():
            SubElement(
                root,
                "key",
                {"id": f"{domain}_{name}", "for": domain, "attr.name": name, "attr.type": type_},
            )
    graph = SubElement(root, "graph", {"id": "memories", "edgedefault": "undirected"})
    for node in nodes:
        _describe(SubElement(graph, "node", {"id": node.id}), "node", node, _NODE)
    for number, edge in enumerate(edges):
        made = {"id": f"e{number}", "source": edge.one, "target": edge.other}
        if edge.directed:
            made["directed"] = "true"
        _describe(SubElement(graph, "edge", made), "edge", edge, _EDGE)
    indent(root)
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _describe(of: Element, domain: str, one: Node | Edge, attributes: dict[str, str]) -> None:
    from xml.etree.ElementTree import SubElement

    for name in attributes:
        value = getattr(one, name)
        if value is not None:
            said = _IMPOSSIBLE.sub("", value) if isinstance(value, str) else repr(float(value))
            SubElement(of, "data", {"key": f"{domain}_{name}"}).text = said
