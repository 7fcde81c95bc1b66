"""``config``: every setting with its value, its default and where the value comes from."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from daemon.commands.terminal.files import target_file
from daemon.commands.terminal.output import error_line, print_json, styled
from daemon.commands.terminal.words import page_width, shortened, table
from daemon.home import Home, current_home

if TYPE_CHECKING:
    from daemon.settings import Entry, Loaded


VALUE_WIDTH = 24  # columns: the 21 weights of FSRS do not fit; --json has them


def loaded(home: Home) -> Loaded:
    """The settings of this home and this environment, for commands without a daemon.

    Raises ``SettingsError`` when one is wrong.
    """
    # Not before: to import it is to import every actor, ten times what help and --version cost.
    from daemon.settings import load

    return load(home, os.environ)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def config(as_json: bool) -> None:
    """Show every setting with its origin.

    Settings are in config.toml in the data home; every key can also be given as
    REVERIE_<SECTION>_<KEY>.
    """
    home = current_home()
    found = loaded(home)
    if as_json:
        print_json(
            {
                "file": str(home.config),
                "settings": [entry._asdict() for entry in found.entries],
                "warnings": list(found.warnings),
            }
        )
        return
    click.echo(f"{home.config}{'' if home.config.is_file() else ' (not there: all defaults)'}")
    for line in table([_row(entry) for entry in found.entries], page_width()):
        click.echo(styled(line, bold=True) if line.startswith("*") else line)
    for warning in found.warnings:
        error_line(f"warning: {warning}")


def _row(entry: Entry) -> list[str]:
    changed = entry.value != entry.default
    value = f"{_said(entry.value)} ({entry.origin})" if changed else _said(entry.value)
    return ["*" if changed else " ", entry.key, shortened(value, VALUE_WIDTH), entry.description]


def _said(value: object) -> str:
    if isinstance(value, Enum):
        value = value.value
    return str(value) if value != "" else '""'


# ---- setting keys in ``config.toml`` and leaving every other character as it is

Value = str | list[float] | list[str]

_SECTION = re.compile(r"\A\s*+\[([^\[\]]+)\]\s*(?:#.*)?$")


def with_value(text: str, section: str, key: str, value: Value | None) -> str:
    """The TOML text with ``section.key`` set to ``value``, or without it.

    Raises ``click.ClickException`` when the file has it in an unchangeable form, such as an inline
    table; nothing is written then.
    """
    # Both are written alike in JSON and in TOML, but for one character that TOML forbids.
    quoted = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    new = [] if value is None else [f"{key} = {quoted}"]
    lines = text.removesuffix("\n").split("\n") if text else []
    begin, end = _section(lines, section)
    if begin == end:
        lines += [*([""] if lines else []), f"[{section}]", *new]
    else:
        setting = re.compile(rf"\s*{re.escape(key)}\s*=")
        old = next((at for at in range(begin, end) if setting.match(lines[at])), None)
        # In its old place, or first in its section.
        lines[slice(begin + 1, begin + 1) if old is None else slice(old, old + 1)] = new
    result = "\n".join(lines) + "\n"
    if not _says(result, section, key, value):
        by_hand = f"set {section}.{key} in" if new else f"take {section}.{key} out of"
        raise click.ClickException(": ".join([f"{by_hand} config.toml by hand", *new]))
    return result


def set_value(path: Path, section: str, key: str, value: Value | None) -> bool:
    """Set ``section.key`` in the file at ``path``, or take it out; returns whether anything changed."""
    return set_values(path, section, {key: value})


def set_values(path: Path, section: str, values: Mapping[str, Value | None]) -> bool:
    """Set keys of a section in the file at ``path``, or take them out; returns whether anything changed.

    The file is replaced as a whole, once; a link to it stays one.
    """
    text = changed = path.read_text(encoding="utf-8") if path.is_file() else ""
    for key, value in values.items():
        if not _says(changed, section, key, value):
            changed = with_value(changed, section, key, value)
    if changed == text:
        return False
    with target_file(path) as file:
        file.write(changed.encode())
    return True


def _section(lines: list[str], section: str) -> tuple[int, int]:
    """The line of a section's heading, and the line behind its last; twice the end without one."""
    headings = [at for at, line in enumerate(lines) if _SECTION.match(line)] + [len(lines)]
    for begin, end in pairwise(headings):
        found = _SECTION.match(lines[begin])
        if found and found[1].strip() == section:
            return begin, end
    return len(lines), len(lines)


def _says(text: str, section: str, key: str, value: Value | None) -> bool:
    try:
        found: object = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    for name in (section, key):
        found = cast("dict[str, object]", found).get(name) if isinstance(found, dict) else None
    return found == value
