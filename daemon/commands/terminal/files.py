"""Files that commands read and write: JSON Lines, GraphML, and the target that a person names."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TypeVar

import click
import msgspec

from daemon.home import whole_file
from daemon.shapes.replies import BadRequest

if TYPE_CHECKING:
    from daemon.api.link import Edge, Node


# ---- JSON Lines, read strictly: a wrong line is named by its number, never shown


T = TypeVar("T")

STDIN = "-"
BATCH_BYTES = 4 * 1024 * 1024  # encoded; a frame of the wire takes 16 MiB


def read_lines(name: str, type_: type[T]) -> Iterator[T]:
    """Every line of the file as a ``type_``, otherwise as ``decoded_lines``."""
    return decoded_lines(name, msgspec.json.Decoder(type_).decode)


def decoded_lines(name: str, decode: Callable[[bytes], T]) -> Iterator[T]:
    """Every line of the file, decoded; ``-`` is standard input, empty lines are skipped.

    ``decode`` may raise ``BadRequest``. Raises ``click.ClickException`` at the first wrong line.
    """
    for number, line in enumerate(_lines(name), 1):
        if line.isspace():
            continue
        try:
            row = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, BadRequest) as error:
            raise click.ClickException(f"{name}, line {number}: {error}") from error
        yield row


def _lines(name: str) -> Iterator[bytes]:
    if name == STDIN:
        yield from sys.stdin.buffer
        return
    with Path(name).open("rb") as file:
        yield from file


def batches(rows: Iterable[T], limit: int) -> Iterator[list[T]]:
    """The rows in lists of at most ``limit`` rows and about ``BATCH_BYTES``."""
    batch: list[T] = []
    weight = 0
    for row in rows:
        size = len(msgspec.msgpack.encode(row))
        if batch and (len(batch) == limit or weight + size > BATCH_BYTES):
            yield batch
            batch, weight = [], 0
        batch.append(row)
        weight += size
    if batch:
        yield batch


# ---- the target of an export, written without breaking its kind


OPENED: Final = ("/dev/", "/proc/")  # where a link is no link, but another name of an opened file


def target_file(target: Path) -> AbstractContextManager[BinaryIO]:
    """A file to write; a plain file is replaced at the end, whole, and only its owner reads it.

    A link stays one: its target is replaced. A device or a named pipe is written in place. Raises
    ``OSError``, for a folder at once.
    """
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG  # a plain file is made
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if stat.S_ISREG(mode) and not (target.is_symlink() and str(target).startswith(OPENED)):
        return whole_file(Path(os.path.realpath(target)))
    return target.open("wb")


# ---- GraphML (http://graphml.graphdrawing.org/primer/graphml-primer.html), for Gephi, yEd, Cytoscape
#
# Characters impossible in XML 1.0 are left out, whatever a title has.


NAMESPACE: Final = "http://graphml.graphdrawing.org/xmlns"
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
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<graphml xmlns="{NAMESPACE}">']
    lines += [
        f'  <key id="{domain}_{name}" for="{domain}" attr.name="{name}" attr.type="{type_}"/>'
        for domain, attributes in (("node", _NODE), ("edge", _EDGE))
        for name, type_ in attributes.items()
    ]
    lines.append('  <graph id="memories" edgedefault="undirected">')
    for node in nodes:
        lines += [f'    <node id="{node.id}">', *_data("node", node, _NODE), "    </node>"]
    for number, edge in enumerate(edges):
        ends = f'source="{edge.one}" target="{edge.other}"'
        ends += ' directed="true"' if edge.directed else ""
        lines += [f'    <edge id="e{number}" {ends}>', *_data("edge", edge, _EDGE), "    </edge>"]
    return "\n".join([*lines, "  </graph>", "</graphml>", ""]).encode()


def _data(domain: str, one: Node | Edge, attributes: dict[str, str]) -> Iterator[str]:
    from xml.sax.saxutils import escape

    for name in attributes:
        value = getattr(one, name)
        if value is not None:
            said = _IMPOSSIBLE.sub("", value) if isinstance(value, str) else repr(float(value))
            yield f'      <data key="{domain}_{name}">{escape(said)}</data>'
