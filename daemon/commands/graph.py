"""``graph``: what belongs together, as a file for other programs or a page to look at.

And ``explore``: what a memory is connected with, and how one leads to another.
"""

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
    json_text,
    one_line,
    page_width,
    present,
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
    WayView,
)

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
            return json_text(whole) + b"\n"
        case _:
            from daemon.drawing import graphml

            return graphml.written(nodes, edges)


def _keep(target: Path, document: bytes) -> None:
    """Write a file that only its owner reads, whole or not at all."""
    with target_file(target) as out:
        out.write(document)


# Likeness is shown by a wave, a direction by an arrow.
LIKE = frozenset({"similar", "semantic"})


@click.command()
@click.argument("start", metavar="ID|TEXT")
@click.option("--to", metavar="ID|TEXT", help="Show by which ways it leads to this one.")
@click.option("--bridges", is_flag=True, help="With --to: only the memories that stand between.")
@click.option(
    "--depth",
    type=click.IntRange(1, 10),
    help="Links of a way at most; 3, and with --to 10.",
)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 100))
@click.option("--project", help="Look for a TEXT in this project; else in the current one.")
@click.option(
    "--all", "everywhere", is_flag=True, help="Look for a TEXT, and lead ways, in every project."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def explore(
    start: str,
    to: str | None,
    bridges: bool,
    depth: int | None,
    limit: int,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Show what a memory is connected with.

    Over causal links, what dreaming connected, and what is alike. A memory is given by its id,
    or by what it is about. The surest come first: a way is as sure as its links together.
    """
    if bridges and to is None:
        raise click.UsageError("Bridges stand between two memories: give --to as well.")
    action: Action = "bridges" if bridges else "associations" if to is None else "chains"
    found = asked(
        Explore(
            start=start,
            to=to,
            action=action,
            depth=depth or (3 if to is None else 10),
            limit=limit,
            project=named_project(project) if project else current_project(),
            everywhere=everywhere,
        )
    )
    present(found, as_json, _print_bridges if action == "bridges" else _print_ways)


def _print_ways(found: Explored) -> None:
    width = page_width()
    click.echo(styled(shortened(_named(found, found.start), width), bold=True))
    if not found.ways:
        click.echo(f"  nothing leads {_where(found)}")
    for way in found.ways:
        _print_way(found, way, whole=found.end is not None)
    _print_rest(found, len(found.ways), "way" if found.end is not None else "memory")


def _print_way(found: Explored, way: WayView, *, whole: bool) -> None:
    """One line a link; of what is around a memory, one line for all of it."""
    width = page_width()
    if not whole:
        steps = " ".join(_step(one) for one in way.steps)
        line = f"  {way.sure:.2f}  {_named(found, way.memories[-1])}"
        click.echo(shortened(line, width))
        click.echo(styled(shortened(f"        {way.memories[0]} {steps}", width), dim=True))
        return
    click.echo(f"  {counted(len(way.steps), 'link')}, {way.sure:.0%} sure")
    for step in way.steps:
        click.echo(shortened(f"    {_step(step)}  {one_line(found.titles[step.target])}", width))


def _print_bridges(found: Explored) -> None:
    width = page_width()
    heading = f"{_named(found, found.start)}  …  {_named(found, found.end or '')}"
    click.echo(styled(shortened(heading, width), bold=True))
    if not found.bridges:
        click.echo("  nothing stands between them")
    for bridge in found.bridges:
        click.echo(shortened(f"  {bridge.best.sure:.2f}  {_named(found, bridge.memory)}", width))
        steps = " ".join(_step(one) for one in bridge.best.steps)
        on = f"        {bridge.best.memories[0]} {steps}"
        click.echo(styled(shortened(on, width), dim=True))
    _print_rest(found, len(found.bridges), "memory")


def _print_rest(found: Explored, shown: int, what: str) -> None:
    if found.total > shown:
        several = "memories" if what == "memory" else f"{what}s"
        click.echo(f"{shown} of {counted(found.total, what, several)}; --limit shows more")
    if found.cut:
        click.echo("there are more links around than were looked at")


def _where(found: Explored) -> str:
    if found.end is None:
        return "anywhere from it: it has no links and resembles nothing"
    return f"from it to {_named(found, found.end)}"


def _named(found: Explored, memory: str) -> str:
    return f"{memory}  {one_line(found.titles.get(memory, ''))}".rstrip()


def _step(step: StepView) -> str:
    if step.kind in LIKE:
        return f"~ {step.target}"
    kind = one_line(step.kind).replace("_", " ")
    if not step.directed:
        return f"-{kind}- {step.target}"
    return f"-{kind}-> {step.target}" if step.forward else f"<-{kind}- {step.target}"
