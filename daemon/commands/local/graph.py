"""``explore``: the operation, and its part at the terminal: the whole graph in a file, for other programs."""

from pathlib import Path
from typing import Any, Final

import click

from daemon.api import link as subject
from daemon.api.link import ExportGraph
from daemon.commands.terminal.files import target_file
from daemon.commands.terminal.output import error_line
from daemon.commands.terminal.verbs import carry_out, command, request_of
from daemon.commands.terminal.words import counted, current_project

WITHIN: Final = 180.0  # seconds, for the whole graph


def _explore(*, graphml: Path | None, as_json: bool, **given: Any) -> None:
    if graphml is None:
        if given["start"] is None:
            raise click.UsageError(
                "Say which memory, by its ID: 'reverie recall TEXT' finds the memory."
            )
        carry_out(request_of(subject, "explore", given), as_json=as_json)
        return
    if given["start"] is not None:
        raise click.UsageError("With --graphml the whole graph is written: leave ID out.")
    _write(ExportGraph(project=current_project(), everywhere=given["everywhere"]), graphml)


def _write(request: ExportGraph, target: Path) -> None:
    from daemon.commands.terminal.files import document
    from daemon.commands.terminal.question import asked

    graph = asked(request, within=WITHIN)
    written = document(graph.nodes, graph.edges)
    if str(target) == "-":
        click.echo(written, nl=False)
    else:
        with target_file(target) as out:
            out.write(written)
    nodes = counted(len(graph.nodes), "memory", "memories")
    error_line(f"{nodes}, {counted(len(graph.edges), 'connection')}")


def _whole() -> click.Command:
    """The command of the operation, which may be asked for no memory."""
    made = command(subject, "explore")
    (start,) = (one for one in made.params if one.name == "start")
    start.required = False
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
