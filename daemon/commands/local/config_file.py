"""Setting one key in ``config.toml`` and leaving every other character as it is."""

import json
import re
import tomllib
from pathlib import Path
from typing import cast

import click

from daemon.home import whole_file

Value = str | list[float]

_SECTION = re.compile(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?$")


def with_value(text: str, section: str, key: str, value: Value) -> str:
    """The TOML text with ``section.key`` set to ``value``.

    Raises ``click.ClickException`` when the file says it in a way that this cannot
    change, such as an inline table; nothing is written then.
    """
    # Both are written alike in JSON and in TOML, but for one character that TOML forbids.
    quoted = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    line = f"{key} = {quoted}"
    lines = text.removesuffix("\n").split("\n") if text else []
    begin = _section_start(lines, section)
    if begin is None:
        changed = [*lines, *([""] if lines else []), f"[{section}]", line]
    else:
        changed = _replaced(lines, begin, key, line)
    result = "\n".join(changed) + "\n"
    if not _says(result, section, key, value):
        raise click.ClickException(f"set {section}.{key} in config.toml by hand: {line}")
    return result


def without_value(text: str, section: str, key: str) -> str:
    """The TOML text without ``section.key``; as it was when it does not set it.

    Raises ``click.ClickException`` when the file says it in a way that this cannot change.
    """
    lines = text.split("\n")
    begin = _section_start(lines, section)
    setting = re.compile(rf"\s*{re.escape(key)}\s*=")
    inside = False
    kept: list[str] = []
    for index, line in enumerate(lines):
        if _SECTION.match(line):
            inside = index == begin
        if not (inside and setting.match(line)):
            kept.append(line)
    result = "\n".join(kept)
    if not _says(result, section, key, None):
        raise click.ClickException(f"take {section}.{key} out of config.toml by hand")
    return result


def set_value(path: Path, section: str, key: str, value: Value) -> None:
    """Set ``section.key`` in the file at ``path``, which is replaced as a whole."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    changed = with_value(text, section, key, value)
    with whole_file(path) as file:
        file.write(changed.encode())


def unset_value(path: Path, section: str, key: str) -> bool:
    """Take ``section.key`` out of the file at ``path``; whether it was in it."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    changed = without_value(text, section, key)
    if changed == text:
        return False
    with whole_file(path) as file:
        file.write(changed.encode())
    return True


def _section_start(lines: list[str], section: str) -> int | None:
    for index, line in enumerate(lines):
        found = _SECTION.match(line)
        if found and found[1].strip() == section:
            return index
    return None


def _replaced(lines: list[str], begin: int, key: str, line: str) -> list[str]:
    """The lines with the key's line replaced, or put first in its section."""
    setting = re.compile(rf"\s*{re.escape(key)}\s*=")
    for index in range(begin + 1, len(lines)):
        if _SECTION.match(lines[index]):
            break
        if setting.match(lines[index]):
            return [*lines[:index], line, *lines[index + 1 :]]
    return [*lines[: begin + 1], line, *lines[begin + 1 :]]


def _says(text: str, section: str, key: str, value: Value | None) -> bool:
    try:
        found: object = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    for name in (section, key):
        found = cast("dict[str, object]", found).get(name) if isinstance(found, dict) else None
    return found == value
