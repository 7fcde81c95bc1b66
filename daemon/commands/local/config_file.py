"""Setting keys in ``config.toml`` and leaving every other character as it is."""

import json
import re
import tomllib
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import cast

import click

from daemon.commands.terminal.files import target_file

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
