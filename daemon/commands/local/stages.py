"""``recall --stages``: what of recall can be switched, with its default and what it is."""

from typing import Any

import click

from actors.policy.recall import composite, fusion_methods, switches
from daemon.commands.local.config import loaded
from daemon.commands.terminal.output import error_line, page_width, print_json, table
from daemon.home import current_home
from daemon.settings import Settings


def show(*, as_json: bool) -> None:
    """Print every channel, stage, way of fusing and score, in the order in which they are used."""
    found = loaded(current_home())
    rows = switchable(found.settings)
    if as_json:
        print_json({"switches": rows, "warnings": list(found.warnings)})
        return
    for warning in found.warnings:
        error_line(warning)
    lines = [["kind", "name", "default", "what it is"]]
    lines += [[row["kind"], row["name"], _default(row), row["meaning"]] for row in rows]
    for line in table(lines, page_width()):
        click.echo(line)
    click.echo("recall --with NAME and --without NAME switch one for a question")


def switchable(settings: Settings) -> list[dict[str, Any]]:
    """What one question may switch: kind, name, default, whether it is on, and what it is."""
    usual = Settings()
    rows = [
        _row("channel", name, getattr(usual.channels, name), getattr(settings.channels, name), says)
        for name, says in switches.CHANNELS.items()
    ]
    rows += [
        _row("fusion", one, one is usual.ranking.fusion, one is settings.ranking.fusion, says)
        for one, says in fusion_methods.MEANINGS.items()
    ]
    rows += [
        _row("score", one, one is usual.ranking.score, one is settings.ranking.score, says)
        for one, says in composite.MEANINGS.items()
    ]
    return rows + [
        _row("stage", name, getattr(usual.stages, name), getattr(settings.stages, name), says)
        for name, says in switches.STAGES.items()
    ]


def _row(kind: str, name: str, default: bool, on: bool, meaning: str) -> dict[str, Any]:
    return {"kind": kind, "name": name, "default": default, "on": on, "meaning": meaning}


def _default(row: dict[str, Any]) -> str:
    """The default in words, and what is set where that is another."""
    words = {True: "on", False: "off"}
    default, now = words[row["default"]], words[row["on"]]
    return default if default == now else f"{default} (set: {now})"
