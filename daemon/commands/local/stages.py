"""``recall --stages``: what of recall can be switched, with its default and what it is."""

from collections.abc import Callable, Mapping
from typing import Any

import click

from actors.policy.recall import composite, fusion_methods, switches
from daemon.commands.local.config import loaded
from daemon.commands.terminal.output import error_line, print_json, print_table
from daemon.home import current_home
from daemon.settings import Settings

# A kind of switch, what each of them is, and whether it is on in these settings.
_SWITCHES: tuple[tuple[str, Mapping[Any, str], Callable[[Settings, Any], bool]], ...] = (
    ("channel", switches.CHANNELS, lambda of, name: getattr(of.channels, name)),
    ("fusion", fusion_methods.MEANINGS, lambda of, name: name is of.ranking.fusion),
    ("score", composite.MEANINGS, lambda of, name: name is of.ranking.score),
    ("stage", switches.STAGES, lambda of, name: getattr(of.stages, name)),
)


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
    print_table(lines)
    click.echo("recall --with NAME and --without NAME switch one for a question")


def switchable(settings: Settings) -> list[dict[str, Any]]:
    """Switches of one question: kind, name, default, whether it is on, and what it is."""
    usual = Settings()
    return [
        {
            "kind": kind,
            "name": name,
            "default": is_on(usual, name),
            "on": is_on(settings, name),
            "meaning": meaning,
        }
        for kind, meanings, is_on in _SWITCHES
        for name, meaning in meanings.items()
    ]


def _default(row: dict[str, Any]) -> str:
    """The default in words, and what is set where that is another."""
    words = {True: "on", False: "off"}
    default, now = words[row["default"]], words[row["on"]]
    return default if default == now else f"{default} (set: {now})"
