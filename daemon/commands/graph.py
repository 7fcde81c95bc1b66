"""``graph``: what belongs together, as a file for other programs or a page to look at."""

from functools import partial
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from daemon.client import Client
from daemon.commands.terminal.conversation import conversation
from daemon.commands.terminal.output import counted, error_line
from daemon.commands.terminal.progress import progress_line
from daemon.commands.terminal.scope import current_project, named_project
from daemon.home import whole_file
from daemon.requests.graph import MOST, Edge, ExportGraph, GraphTold, Node

WITHIN: Final = 180.0  # seconds


@click.command()
@click.option(
    "--format",
    "format_",
    type=click.Choice(["graphml", "html", "json"]),
    help="By the name of the file; else graphml.",
)
@click.option("--output", type=click.Path(dir_okay=False), help="Into this file.")
@click.option("--project", help="Of this project instead of the current one.")
@click.option("--all", "everywhere", is_flag=True, help="Of every project.")
@click.option(
    "--limit",
    default=2_000,
    show_default=True,
    type=click.IntRange(1, MOST),
    help="At most so many memories: those that are joined most strongly.",
)
def graph(
    format_: str | None, output: str | None, project: str | None, everywhere: bool, limit: int
) -> None:
    """Write the graph of memories to a file or a page.

    What belongs together, how strongly and why: connections that dreaming and consolidation found, associations and causal links. Of a
    memory only its title is written. The page (--format html) needs nothing but a browser.
    """
    meant = named_project(project) if project else current_project()
    chosen = format_ or ("html" if str(output).lower().endswith((".html", ".htm")) else None)
    if chosen is None:
        chosen = "json" if str(output).lower().endswith(".json") else "graphml"
    request = ExportGraph(project=meant, everywhere=everywhere, limit=limit)
    nodes, edges, told = conversation(partial(_fetch, request))
    heading = "all projects" if everywhere else meant.rstrip("/").rpartition("/")[2] or meant
    document = written(chosen, nodes, edges, told, heading)
    if output is None:
        click.echo(document, nl=False)
    else:
        _keep(Path(output), document)
    rest = told.connected - told.nodes
    lines = [
        f"{counted(len(nodes), 'memory', 'memories')}, {counted(len(edges), 'connection')}"
        + (f" in {output}" if output else ""),
        *([f"{counted(rest, 'memory', 'memories')} more: --limit"] if rest > 0 else []),
        *([f"{told.edges_left_out:,} weaker ones left out"] if told.edges_left_out else []),
    ]
    error_line("; ".join(lines))


async def _fetch(request: ExportGraph, client: Client) -> tuple[list[Node], list[Edge], GraphTold]:
    found: dict[str, list[object]] = {"nodes": [], "edges": []}
    with progress_line(beside_results=True) as show:

        def piece(frame: dict[str, Any]) -> None:
            for name, some in found.items():
                some += frame.get(name, [])
            show(f"{counted(len(found['nodes']), 'memory', 'memories')} read")

        told = await client.ask(request, within=WITHIN, progress=piece)
    nodes, edges = found["nodes"], found["edges"]
    return msgspec.convert(nodes, list[Node]), msgspec.convert(edges, list[Edge]), told


def written(
    format_: str, nodes: list[Node], edges: list[Edge], told: GraphTold, heading: str
) -> bytes:
    """The graph in this format."""
    match format_:
        case "html":
            from daemon.drawing import page  # numpy: 0.1 s that the others do not need

            return page.written(nodes, edges, told, heading)
        case "json":
            whole = {
                "nodes": nodes,
                "edges": edges,
                "connected": told.connected,
                "edges_left_out": told.edges_left_out,
            }
            return msgspec.json.encode(whole) + b"\n"
        case _:
            from daemon.drawing import graphml

            return graphml.written(nodes, edges)


def _keep(target: Path, document: bytes) -> None:
    """Write a file that only its owner reads, whole or not at all."""
    try:
        with whole_file(target) as out:
            out.write(document)
    except OSError as error:
        raise click.ClickException(f"{target} cannot be written: {error.strerror}") from error
