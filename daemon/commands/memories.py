"""``list`` and ``show``: the memories there are."""

from __future__ import annotations

from datetime import datetime
from typing import Any, get_args

import click

from daemon.commands.conversation import asked
from daemon.commands.output import (
    age,
    counted,
    now,
    one_line,
    page_width,
    print_json,
    printable,
    shortened,
    styled,
    table,
)
from daemon.commands.scope import named_project
from daemon.requests.memories import List, Listed, MemoryView, Show, Shown
from daemon.requests.shapes import Tier

SAID_ALREADY = frozenset({"at", "memory"})  # of a past entry: in its own column, or above


@click.command("list")
@click.option("--project", help="Of this project ('.': the current one) and what holds everywhere.")
@click.option("--type", "kind", help="Only of this type: decision, preference, …")
@click.option("--tier", type=click.Choice(get_args(Tier)), help="Only of this tier.")
@click.option("--state", help="Only in this state: HOT, WARM, COLD, DORMANT, …")
@click.option("--ended", is_flag=True, help="Those that ended, instead of those that live.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--offset", default=0, show_default=True, type=click.IntRange(0))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def list_memories(
    project: str | None,
    kind: str | None,
    tier: str | None,
    state: str | None,
    ended: bool,
    limit: int,
    offset: int,
    as_json: bool,
) -> None:
    """Show which memories there are.

    The newest first, of every project unless one is named.
    """
    listed = asked(
        List(
            project=named_project(project) if project else None,
            everywhere=project is None,
            type=kind,
            tier=tier,
            state=state,
            ended=ended,
            limit=limit,
            offset=offset,
        )
    )
    if as_json:
        print_json(listed)
    else:
        _print_list(listed, offset)


def _print_list(listed: Listed, offset: int) -> None:
    moment = now()
    for line in table([_row(memory, moment) for memory in listed.memories], page_width()):
        click.echo(line)
    shown = len(listed.memories)
    if not listed.total:
        click.echo("there are no such memories")
    elif shown < listed.total:
        click.echo(
            f"{offset + 1}-{offset + shown} of {counted(listed.total, 'memory', 'memories')}"
        )


def _row(memory: MemoryView, moment: float) -> list[str]:
    marks = [memory.kind]
    if memory.tier != "normal":
        marks.append(memory.tier)
    if memory.pinned:
        marks.append("pinned")
    state = memory.ended or memory.state
    text = memory.title or memory.text
    return [memory.id, age(moment - memory.created_at), " ".join(marks), state, text]


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(id_: str, as_json: bool) -> None:
    """Show one memory with its past.

    Its text, how strong it is, why it was kept, and every change since.
    """
    shown = asked(Show(id=id_))
    if as_json:
        print_json(shown)
    else:
        _print_memory(shown)


def _print_memory(shown: Shown) -> None:
    memory, width, moment = shown.memory, page_width(), now()
    own_title = "" if memory.text.startswith(memory.title) else memory.title
    heading = f"{memory.id}  {one_line(own_title)}".rstrip()
    click.echo(styled(shortened(heading, width), bold=True))
    click.echo(printable(memory.text))
    click.echo()
    for line in table(_facts(memory, moment), width):
        click.echo(line)
    for title, entries in (("decisions", shown.decisions), ("history", shown.history)):
        if entries:
            click.echo(f"\n{title}")
            for line in table([_past(entry, moment) for entry in entries], width - 2):
                click.echo(f"  {line}")


def _facts(memory: MemoryView, moment: float) -> list[list[str]]:
    strength = f"{memory.retrievability:.0%} recallable, stability {memory.stability:.1f} days"
    facts = {
        "what": f"{memory.kind}, {memory.tier}" + (", pinned" if memory.pinned else ""),
        "state": f"{memory.ended or memory.state} ({strength})",
        "kept for": memory.project or "every project",
        "origin": memory.origin + (f", session {memory.session}" if memory.session else ""),
        "made": _when(memory.created_at, moment),
        "changed": _when(memory.updated_at, moment) if memory.versions > 1 else "",
        "used": f"{counted(memory.uses, 'time')}, shown {counted(memory.exposures, 'time')}",
        "triggers": ", ".join(memory.triggers),
        "key": memory.key or "",
        "replaced by": memory.superseded_by or "",
    }
    return [[name, value] for name, value in facts.items() if value]


def _past(entry: dict[str, Any], moment: float) -> list[str]:
    at = entry.get("at")
    when = _when(float(at), moment) if isinstance(at, int | float) else ""
    said = [
        f"{name} {value}"
        for name, value in entry.items()
        if name not in SAID_ALREADY and value not in (None, "")
    ]
    return [when, ", ".join(said)]


def _when(at: float, moment: float) -> str:
    local = datetime.fromtimestamp(at).astimezone()
    return f"{local:%Y-%m-%d %H:%M} ({age(moment - at)})"
