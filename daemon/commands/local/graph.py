"""``explore``: the operation, and its part at the terminal: the whole graph, for other programs."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec

from daemon.api import explore as subject
from daemon.api.explore import SHOWN
from daemon.api.link import WRITTEN, Edge, ExportGraph, GraphTold, Node
from daemon.commands.terminal.files import target_file
from daemon.commands.terminal.output import error_line, print_json, progress_line
from daemon.commands.terminal.verbs import carry_out, command, request_of
from daemon.commands.terminal.words import counted, current_project, named_project

if TYPE_CHECKING:
    from daemon.client import Client

WITHIN: Final = 180.0  # seconds, for the whole graph


def _explore(*, graphml: Path | None, as_json: bool, limit: int | None, **given: Any) -> None:
    if given["start"] is not None:
        if graphml is not None:
            raise click.UsageError("With --graphml the whole graph is written: leave ID|TEXT out.")
        request = request_of(subject, "explore", {**given, "limit": limit or SHOWN})
        carry_out(request, as_json=as_json)
        return
    project, everywhere = given.pop("project"), given.pop("everywhere")
    if any(given.values()) or not (graphml or as_json):
        raise click.UsageError("Say which memory: its ID, or a TEXT that it is about.")
    _write(
        ExportGraph(
            project=named_project(project) if project else current_project(),
            everywhere=everywhere,
            limit=limit or WRITTEN,
        ),
        graphml,
    )


def _write(request: ExportGraph, target: Path | None) -> None:
    """Write the graph as GraphML to this file, else as one JSON document to standard output."""
    from daemon.commands.terminal.question import conversation

    nodes, edges, told = conversation(partial(_fetch, request))
    if target is None:
        print_json(
            {
                "nodes": nodes,
                "edges": edges,
                "connected": told.connected,
                "edges_left_out": told.edges_left_out,
            }
        )
    else:
        from daemon.commands.terminal import files  # the XML library: only for this

        document = files.document(nodes, edges)
        if str(target) == "-":
            click.echo(document, nl=False)
        else:
            with target_file(target) as out:
                out.write(document)
    rest = told.connected - told.nodes
    lines = [
        f"{counted(len(nodes), 'memory', 'memories')}, {counted(len(edges), 'connection')}",
        *([f"{counted(rest, 'memory', 'memories')} more: --limit"] if rest > 0 else []),
        *([f"{told.edges_left_out:,} weaker ones left out"] if told.edges_left_out else []),
    ]
    error_line("; ".join(lines))


async def _fetch(
    request: ExportGraph, client: "Client"
) -> tuple[list[Node], list[Edge], GraphTold]:
    pieces: dict[str, list[object]] = {"nodes": [], "edges": []}
    with progress_line(beside_results=True) as show:

        def piece(frame: dict[str, Any]) -> None:
            for name, rows in pieces.items():
                rows += frame.get(name, [])
            show(f"{counted(len(pieces['nodes']), 'memory', 'memories')} read")

        told = await client.ask(request, within=WITHIN, progress=piece)
    nodes, edges = pieces["nodes"], pieces["edges"]
    return msgspec.convert(nodes, list[Node]), msgspec.convert(edges, list[Edge]), told


def _whole() -> click.Command:
    """The command of the operation, which may be asked for no memory."""
    made = command(subject, "explore")
    for one in made.params:
        if one.name == "start":
            one.required = False
        elif one.name == "limit":
            one.default = None
    made.params.insert(
        -1,
        click.Option(
            ["--graphml"],
            type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
            help="Write the whole graph to this file, for Gephi, yEd or Cytoscape.",
        ),
    )
    made.callback = _explore
    return made


explore = _whole()
