"""``explore``: what a memory is connected with; without one, the whole graph for other programs."""

from functools import partial
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from daemon.client import Client
from daemon.commands.terminal.conversation import asked, conversation
from daemon.commands.terminal.output import (
    counted,
    error_line,
    one_line,
    page_width,
    present,
    print_json,
    shortened,
    styled,
)
from daemon.commands.terminal.progress import progress_line
from daemon.commands.terminal.scope import current_project, named_project
from daemon.commands.terminal.target import target_file
from daemon.requests.graph import (
    MOST,
    Action,
    Edge,
    Explore,
    Explored,
    ExportGraph,
    GraphTold,
    Node,
    StepView,
)

WITHIN: Final = 180.0  # seconds, for the whole graph
SHOWN: Final = 10  # ways around a memory
MOST_WAYS: Final = 100  # the daemon's bound
WRITTEN: Final = 2_000  # memories of the whole graph

# Likeness is shown by a wave, a direction by an arrow.
LIKE = frozenset({"similar", "semantic"})


@click.command()
@click.argument("start", metavar="[ID|TEXT]", required=False)
@click.option("--to", metavar="ID|TEXT", help="Show by which ways it leads to this one.")
@click.option("--bridges", is_flag=True, help="With --to: only the memories that stand between.")
@click.option(
    "--depth",
    type=click.IntRange(1, 10),
    help="Links of a way at most; 3, and with --to 10.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, MOST),
    help=f"Ways at most; {SHOWN}, and {MOST_WAYS} are the most."
    f" Memories of the whole graph; {WRITTEN:,}.",
)
@click.option("--project", help="Look for a TEXT in this project; else in the current one.")
@click.option(
    "--all", "everywhere", is_flag=True, help="Look for a TEXT, and lead ways, in every project."
)
@click.option(
    "--graphml",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="Write the whole graph to this file, for Gephi, yEd or Cytoscape.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def explore(
    start: str | None,
    to: str | None,
    bridges: bool,
    depth: int | None,
    limit: int | None,
    project: str | None,
    everywhere: bool,
    graphml: Path | None,
    as_json: bool,
) -> None:
    """Show what a memory is connected with.

    Over causal links, what dreaming connected, and what is alike. A memory is given by its id,
    or by what it is about. The surest come first: a way is as sure as its links together.
    Without a memory --graphml and --json write the whole graph, of a memory only its title.
    """
    meant = named_project(project) if project else current_project()
    if start is None:
        if to is not None or bridges or depth is not None or not (graphml or as_json):
            raise click.UsageError("Say which memory: its ID, or a TEXT that it is about.")
        _write_graph(
            ExportGraph(project=meant, everywhere=everywhere, limit=limit or WRITTEN), graphml
        )
        return
    if graphml is not None:
        raise click.UsageError("With --graphml the whole graph is written: leave ID|TEXT out.")
    if bridges and to is None:
        raise click.UsageError("Bridges stand between two memories: give --to as well.")
    if limit is not None and limit > MOST_WAYS:
        raise click.UsageError(f"At most {MOST_WAYS} ways: give --limit a smaller number.")
    action: Action = "bridges" if bridges else "associations" if to is None else "chains"
    found = asked(
        Explore(
            start=start,
            to=to,
            action=action,
            depth=depth or (3 if to is None else 10),
            limit=limit or SHOWN,
            project=meant,
            everywhere=everywhere,
        )
    )
    present(found, as_json, partial(_print, action))


def _write_graph(request: ExportGraph, target: Path | None) -> None:
    """Write the graph as GraphML to this file, else as one JSON document to standard output."""
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
        from daemon.commands.terminal import graphml  # the XML library: only for this

        document = graphml.document(nodes, edges)
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


async def _fetch(request: ExportGraph, client: Client) -> tuple[list[Node], list[Edge], GraphTold]:
    pieces: dict[str, list[object]] = {"nodes": [], "edges": []}
    with progress_line(beside_results=True) as show:

        def piece(frame: dict[str, Any]) -> None:
            for name, rows in pieces.items():
                rows += frame.get(name, [])
            show(f"{counted(len(pieces['nodes']), 'memory', 'memories')} read")

        told = await client.ask(request, within=WITHIN, progress=piece)
    nodes, edges = pieces["nodes"], pieces["edges"]
    return msgspec.convert(nodes, list[Node]), msgspec.convert(edges, list[Edge]), told


def _print(action: Action, found: Explored) -> None:
    width = page_width()
    end = _named(found, found.end or "")
    heading = _named(found, found.start) + (f"  …  {end}" if action == "bridges" else "")
    click.echo(styled(shortened(heading, width), bold=True))
    reached = [(way.memories[-1], way) for way in found.ways]
    reached += [(bridge.memory, bridge.best) for bridge in found.bridges]
    nothing = {
        "associations": "nothing leads anywhere from it: it has no links and resembles nothing",
        "chains": f"nothing leads from it to {end}",
        "bridges": "nothing stands between them",
    }
    if not reached:
        click.echo(f"  {nothing[action]}")
    for memory, way in reached:
        if action == "chains":
            click.echo(f"  {counted(len(way.steps), 'link')}, {way.sure:.0%} sure")
            for step in way.steps:
                title = one_line(found.titles[step.target])
                click.echo(shortened(f"    {_step(step)}  {title}", width))
        else:
            steps = " ".join(_step(one) for one in way.steps)
            click.echo(shortened(f"  {way.sure:.2f}  {_named(found, memory)}", width))
            click.echo(styled(shortened(f"        {way.memories[0]} {steps}", width), dim=True))
    if found.total > len(reached):
        much = ("way",) if action == "chains" else ("memory", "memories")
        click.echo(f"{len(reached)} of {counted(found.total, *much)}; --limit shows more")
    if found.cut:
        click.echo("there are more links around than were looked at")


def _named(found: Explored, memory: str) -> str:
    return f"{memory}  {one_line(found.titles.get(memory, ''))}".rstrip()


def _step(step: StepView) -> str:
    if step.kind in LIKE:
        return f"~ {step.target}"
    kind = one_line(step.kind).replace("_", " ")
    if not step.directed:
        return f"-{kind}- {step.target}"
    return f"-{kind}-> {step.target}" if step.forward else f"<-{kind}- {step.target}"
