"""A graph as one HTML file: drawn as SVG, with nothing outside of it.

Pure. The page has a policy of its own (Content-Security-Policy) that allows exactly its one
style and its one script, by their hashes, and nothing else: no picture, no address, no network.
The script reads what it needs from the drawing, so no text of a memory stands inside a script.
"""

from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from math import sqrt
from typing import Final
from unicodedata import category

import numpy as np

from daemon.drawing.layout import ROOM, Points, placed
from daemon.requests.graph import Edge, GraphTold, Node

LABELS: Final = 40  # titles that are written out: those of the best connected memories
LABEL: Final = 28  # characters of them
HUES: Final = 10  # colours of kinds

STYLE: Final = """
:root{color-scheme:light dark;--page:#fbfaf8;--ink:#222;--soft:#6b6b6b;--box:#fff;--line:#8a8a8a}
@media(prefers-color-scheme:dark){
:root{--page:#17181b;--ink:#e8e6e3;--soft:#9a9a9a;--box:#222429;--line:#8d8d8d}}
html,body{margin:0;height:100%;background:var(--page);color:var(--ink);font:14px/1.4 sans-serif}
body{display:flex;flex-direction:column}
header{display:flex;flex-wrap:wrap;gap:.4em 1.2em;align-items:center;padding:.6em 1em;
background:var(--box);border-bottom:1px solid var(--line)}
h1{font-size:1em;margin:0}
header p{margin:0;color:var(--soft)}
input[type=search]{font:inherit;padding:.2em .5em;min-width:14em}
fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.2em .9em;font-size:.9em}
legend{float:left;padding:0 .6em 0 0;color:var(--soft)}
svg{flex:1;min-height:0;width:100%;cursor:grab}
line{stroke-opacity:.5;stroke-linecap:round}
circle{stroke:var(--page);stroke-width:1.5;cursor:pointer}
text{fill:var(--ink);text-anchor:middle;pointer-events:none;paint-order:stroke;
stroke:var(--page);stroke-width:3px}
.faint{opacity:.12}
.off{display:none}
.chosen circle{stroke:var(--ink);stroke-width:3}
.h0{fill:#4c78a8}.h1{fill:#e07b39}.h2{fill:#3f9e5a}.h3{fill:#c8507a}.h4{fill:#8b6bc7}
.h5{fill:#b58b1a}.h6{fill:#2f9aa0}.h7{fill:#a0694b}.h8{fill:#7d8aa0}.h9{fill:#d0524a}
.s0{stroke:#8a8a8a}.s1{stroke:#4c78a8}.s2{stroke:#e07b39}.s3{stroke:#3f9e5a}.s4{stroke:#c8507a}
.s5{stroke:#8b6bc7}.s6{stroke:#b58b1a}.s7{stroke:#2f9aa0}.s8{stroke:#a0694b}.s9{stroke:#d0524a}
i.s{height:0;width:1.2em;border-radius:0;border-top:3px solid currentColor;vertical-align:.25em}
.c0{color:#8a8a8a}.c1{color:#4c78a8}.c2{color:#e07b39}.c3{color:#3f9e5a}.c4{color:#c8507a}
.c5{color:#8b6bc7}.c6{color:#b58b1a}.c7{color:#2f9aa0}.c8{color:#a0694b}.c9{color:#d0524a}
i{display:inline-block;width:.8em;height:.8em;border-radius:50%;margin-right:.3em}
.b0{background:#4c78a8}.b1{background:#e07b39}.b2{background:#3f9e5a}.b3{background:#c8507a}
.b4{background:#8b6bc7}.b5{background:#b58b1a}.b6{background:#2f9aa0}.b7{background:#a0694b}
.b8{background:#7d8aa0}.b9{background:#d0524a}
"""

SCRIPT: Final = """
"use strict";
const svg = document.querySelector("svg"), box = svg.viewBox.baseVal;
const nodes = [...document.querySelectorAll("g.n")], lines = [...svg.querySelectorAll("line")];
const words = document.querySelector("input[type=search]"), told = document.querySelector("output");
let chosen = null;
function look() {
  const said = words.value.trim().toLowerCase();
  const near = new Set(chosen ? [chosen] : []);
  if (chosen) for (const line of lines)
    if (line.parentNode.checkVisibility?.() !== false) {
      if (line.dataset.a === chosen) near.add(line.dataset.b);
      if (line.dataset.b === chosen) near.add(line.dataset.a);
    }
  let found = 0;
  for (const node of nodes) {
    const is = (!said || node.querySelector("title").textContent.toLowerCase().includes(said))
      && (!chosen || near.has(node.dataset.id));
    found += is;
    node.classList.toggle("faint", !is);
    node.classList.toggle("chosen", node.dataset.id === chosen);
  }
  const some = said || chosen;
  for (const line of lines)
    line.classList.toggle("faint", Boolean(chosen
      ? line.dataset.a !== chosen && line.dataset.b !== chosen : said));
  told.textContent = some ? found + " of " + nodes.length : "";
}
words.addEventListener("input", look);
for (const tick of document.querySelectorAll("input[type=checkbox]"))
  tick.addEventListener("change", () => {
    const group = document.getElementById(tick.value);
    group.classList.toggle("off", !tick.checked);
    look();
  });
let from = null, moved = false;
svg.addEventListener("pointerdown", (event) => {
  from = [event.clientX, event.clientY, box.x, box.y]; moved = false;
});
svg.addEventListener("pointermove", (event) => {
  if (!from || !event.buttons) return;
  const scale = Math.max(box.width / svg.clientWidth, box.height / svg.clientHeight);
  const across = event.clientX - from[0], down = event.clientY - from[1];
  moved = moved || Math.abs(across) + Math.abs(down) > 4;
  if (moved) { box.x = from[2] - across * scale; box.y = from[3] - down * scale; }
});
svg.addEventListener("click", (event) => {
  from = null;
  if (moved) return;
  const node = event.target.closest("g.n");
  chosen = node && node.dataset.id !== chosen ? node.dataset.id : null;
  look();
});
svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const factor = event.deltaY < 0 ? 0.8 : 1.25, view = svg.getBoundingClientRect();
  const x = (event.clientX - view.left) / view.width, y = (event.clientY - view.top) / view.height;
  box.x += x * box.width * (1 - factor); box.y += y * box.height * (1 - factor);
  box.width *= factor; box.height *= factor;
}, { passive: false });
"""


def written(nodes: Sequence[Node], edges: Sequence[Edge], told: GraphTold, heading: str) -> bytes:
    """The page; its size is about 300 bytes a memory and 200 an edge."""
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none';"
        f" style-src '{_hash(STYLE)}'; script-src '{_hash(SCRIPT)}'"
    )
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>reverie: {_said(heading)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            *_header(nodes, edges, told, heading),
            *_drawing(nodes, edges),
            f"<script>{SCRIPT}</script>\n</body>\n</html>\n",
        ]
    ).encode()


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _said(text: str) -> str:
    """A text for the page: on one line, without what cannot be seen, and never as markup."""
    line = " ".join(text.split())
    seen = line if line.isprintable() else "".join(filter(_is_seen, line))
    return escape(seen, quote=True)


def _is_seen(character: str) -> bool:
    return category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def _hues(nodes: Sequence[Node]) -> dict[str, int]:
    """A colour for each kind of memory, the most frequent first."""
    kinds = Counter(node.kind for node in nodes)
    order = sorted(kinds, key=lambda kind: (-kinds[kind], kind))
    return {kind: min(place, HUES - 1) for place, kind in enumerate(order)}


def _edge_kinds(edges: Sequence[Edge]) -> list[tuple[str, int]]:
    kinds = Counter(edge.kind for edge in edges)
    return sorted(kinds.items(), key=lambda one: (-one[1], one[0]))


def _header(
    nodes: Sequence[Node], edges: Sequence[Edge], told: GraphTold, heading: str
) -> Iterator[str]:
    yield f"<header><h1>{_said(heading)}</h1>"
    rest = f" of {told.connected:,}" if told.connected > len(nodes) else ""
    weak = f", {told.edges_left_out:,} weaker ones left out" if told.edges_left_out else ""
    yield f"<p>{len(nodes):,}{rest} memories, {len(edges):,} connections{weak}</p>"
    yield '<label>Search <input type="search" autocomplete="off"></label> <output></output>'
    yield "<fieldset><legend>Connections</legend>"
    for number, (kind, count) in enumerate(_edge_kinds(edges)):
        yield (
            f'<label><input type="checkbox" checked value="k{number}">'
            f'<i class="s c{min(number, HUES - 1)}"></i>'
            f"{_said(kind.replace('_', ' '))} {count:,}</label>"
        )
    yield "</fieldset><fieldset><legend>Memories</legend>"
    counts = Counter(node.kind for node in nodes)
    for kind, hue in _hues(nodes).items():
        yield f'<span><i class="b{hue}"></i>{_said(kind)} {counts[kind]:,}</span>'
    yield "</fieldset></header>"


def _drawing(nodes: Sequence[Node], edges: Sequence[Edge]) -> Iterator[str]:
    place = {node.id: number for number, node in enumerate(nodes)}
    joined = [edge for edge in edges if edge.one in place and edge.other in place]
    points = placed(
        len(nodes), [(place[edge.one], place[edge.other], edge.strength) for edge in joined]
    )
    degrees = Counter(end for edge in joined for end in (edge.one, edge.other))
    low = np.min(points, axis=0, initial=0.0) - 3 * ROOM
    size = np.max(points, axis=0, initial=0.0) + 3 * ROOM - low
    letter = max(9.0, float(size.max()) / 95)
    yield (
        f'<svg viewBox="{low[0]:.0f} {low[1]:.0f} {size[0]:.0f} {size[1]:.0f}"'
        f' font-size="{letter:.1f}">'
    )
    of_kind: dict[str, list[Edge]] = defaultdict(list)
    for edge in joined:
        of_kind[edge.kind].append(edge)
    for number, (kind, _) in enumerate(_edge_kinds(edges)):
        yield f'<g id="k{number}" class="s{min(number, HUES - 1)}">'
        for edge in of_kind[kind]:
            (x1, y1), (x2, y2) = points[place[edge.one]], points[place[edge.other]]
            arrow = " → " if edge.directed else " – "
            says = f"{edge.one}{arrow}{edge.other}: {kind.replace('_', ' ')} {edge.strength:g},"
            yield (
                f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"'
                f' stroke-width="{0.6 + 1.6 * min(1.0, edge.strength):.1f}" data-a="{edge.one}"'
                f' data-b="{edge.other}"><title>{_said(says)} by {_said(edge.found_by)}'
                f"{': ' if edge.evidence else ''}{_said(edge.evidence)}</title></line>"
            )
        yield "</g>"
    hues = _hues(nodes)
    written_out = _labelled(nodes, points, degrees, letter)
    # Those with a title come last, so that no other one is drawn over it.
    for node in sorted(nodes, key=lambda one: one.id in written_out):
        x, y = points[place[node.id]]
        radius = min(ROOM * 0.8, 3.5 + sqrt(degrees[node.id]))
        about = f"{node.kind}, {node.tier}, {node.state}, {node.project or 'everywhere'}"
        yield (
            f'<g class="n" data-id="{_said(node.id)}"><circle class="h{hues[node.kind]}"'
            f' cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
            f"<title>{_said(node.title)}\n{_said(node.id)}: {_said(about)}</title>"
        )
        if node.id in written_out:
            yield f'<text x="{x:.1f}" y="{y - radius - 4:.1f}">{_said(_label(node))}</text>'
        yield "</g>"
    yield "</svg>"


def _label(node: Node) -> str:
    return node.title if len(node.title) <= LABEL else node.title[: LABEL - 1].rstrip() + "…"


def _labelled(
    nodes: Sequence[Node], points: Points, degrees: Counter[str], letter: float
) -> set[str]:
    """Whose titles are written out: the best connected ones, none over another one."""
    order = sorted(range(len(nodes)), key=lambda place: (-degrees[nodes[place].id], place))
    taken: list[tuple[float, float, float]] = []  # the middle of each, and half of its width
    found: set[str] = set()
    for place in order:
        half, (x, y) = 0.3 * letter * len(_label(nodes[place])), points[place]
        if all(
            abs(y - other_y) > 1.5 * letter or abs(x - other_x) > half + other_half
            for other_x, other_y, other_half in taken
        ):
            taken.append((float(x), float(y), half))
            found.add(nodes[place].id)
        if len(found) == LABELS:
            break
    return found
