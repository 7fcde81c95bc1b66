"""``recall --stages``: switches of recall, with their defaults and meanings."""

from typing import TYPE_CHECKING, Any

import click

from daemon.commands.terminal.output import error_line, print_json, print_table
from daemon.home import current_home

if TYPE_CHECKING:
    from daemon.settings import Settings


def show_stages(*, as_json: bool) -> None:
    """Print every channel, stage, way of fusing and score, in the order in which they are used."""
    from daemon.commands.local.config import loaded

    found = loaded(current_home())
    rows = switchable(found.settings)
    if as_json:
        print_json({"switches": rows, "warnings": list(found.warnings)})
        return
    for warning in found.warnings:
        error_line(warning)
    lines = [["kind", "name", "default", "what it is"]]
    lines += [[row["kind"], row["name"], _default(row), row["meaning"]] for row in rows]
    print_table(lines)
    click.echo("recall --with NAME and --without NAME switch one for a question")


def switchable(settings: "Settings") -> list[dict[str, Any]]:
    """Switches of one question: kind, name, default, whether it is on, and its meaning."""
    from actors.policy.recall import ways

    chosen = ways.turned(ways.DEFAULT, settings.recall.with_, settings.recall.without)
    return [
        {
            "kind": way.kind,
            "name": way.name,
            "default": way.on,
            "on": way.name in chosen,
            "meaning": way.says,
        }
        for way in ways.TABLE
    ]


def _default(row: dict[str, Any]) -> str:
    """The default in words, and the setting where it differs."""
    words = {True: "on", False: "off"}
    default, now = words[row["default"]], words[row["on"]]
    return default if default == now else f"{default} (set: {now})"
