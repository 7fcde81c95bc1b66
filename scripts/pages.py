"""Texts of documents and of the list of commands about operations, made from their declarations.

    python scripts/pages.py [--check]

Writes the beginning of each section of ``docs/reference/cli.md`` whose command is an operation, from its heading to
its table of options (what follows is written by hand), the table of ``docs/reference/tools.md`` with what an agent is
offered of older systems, the rows of ``docs/reference/settings.md``, and ``daemon/commands/declared.txt``, which
``reverie --help`` reads without importing any of them. With ``--check`` nothing is written, and exit code 1 says that
something would be.
"""

import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Final, Union, cast, get_args, get_origin

import msgspec

from daemon.api.operation import (
    Argument,
    Option,
    Way,
    commands,
    open_fields,
    reply_of,
    subjects,
)
from daemon.commands.group import OWN, own, topics
from daemon.home import Home
from daemon.settings import load
from toolserver.catalogue import ROWS, Row
from toolserver.tool import schema_of

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "reference" / "cli.md"
TOOLS: Final = ROOT / "docs" / "reference" / "tools.md"
SETTINGS: Final = ROOT / "docs" / "reference" / "settings.md"
DECLARED: Final = ROOT / "daemon" / "commands" / "declared.txt"
OFFERED: Final = "| tool | takes (`!`: needed) | asks for |"


# ---- docs/reference/cli.md


def section(name: str, ways: list[Way], subject: str) -> str:
    """The beginning of a command's section; the last row of its table is that of ``--json``."""
    typed = open_fields(ways)
    metavars = [one.typed.metavar for one in typed if isinstance(one.typed, Argument)]
    title = " ".join(["### reverie", name, *metavars]).replace("...", "…")
    paragraphs = [ways[0].help.partition("\n")[0], *_paragraphs(ways[0].help.partition("\n")[2])]
    rows = [
        _row(one.typed, one.default)
        for one in typed
        if isinstance(one.typed, Option) and one.typed.name
    ]
    rows += [_row(way.verb.flag) for way in ways if way.verb.flag is not None]
    shapes = {shape_of(reply_of(way.operation)) for way in ways}
    rows.append(f"| `--json` | {' or '.join(f'`{one}`' for one in sorted(shapes))} |")
    return "\n\n".join([
        title,
        f"<!-- made by scripts/pages.py from daemon/api/{subject}.py -->",
        " ".join(paragraphs[:2]),
        *paragraphs[2:],
        "\n".join(["| option | meaning |", "|---|---|", *rows]),
    ])  # fmt: skip


def _row(option: Option, default: object = None) -> str:
    shown = f" ({default:g})" if option.shows_default and type(default) in (int, float) else ""
    return f"| `{option.name}` | {_clause(option.help)}{shown} |"


def _paragraphs(text: str) -> list[str]:
    return [_marked(" ".join(one.split())) for one in text.strip().split("\n\n") if one.strip()]


def _clause(sentence: str) -> str:
    return _marked(sentence[:1].lower() + sentence[1:].removesuffix("."))


def _marked(text: str) -> str:
    """The text with its options as code."""
    return re.sub(r"(?<![`\w-])--[a-z-]+", r"`\g<0>`", text)


def shape_of(kind: Any) -> str:
    """A type as it stands in JSON: ``{"count", "note"}``."""
    if get_origin(kind) in (UnionType, Union):
        kind = next(one for one in get_args(kind) if one is not type(None))
    if get_origin(kind) in (list, tuple):
        inner = shape_of(get_args(kind)[0])
        return f"[{inner}]" if inner else "[…]"
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        fields = [(one.encode_name, shape_of(one.type)) for one in msgspec.structs.fields(kind)]
        written = ", ".join(f'"{name}"{inner and f": {inner}"}' for name, inner in fields)
        return f"{{{written}}}"
    return ""


def page(text: str, made: dict[str, str]) -> str:
    """The page with the sections of these commands begun as they are made, each where its heading stands.

    One without a heading comes last of its topic.
    """
    for name, whole in made.items():
        heading = rf"^### reverie {name}(?: [A-Z\[][^\n]*)?\n"
        made_before = r"(?:\n<!-- made by .*?^\| `--json` [^\n]*\n)?"
        if not re.search(heading, text, re.MULTILINE):
            topic = _topic(name)
            text = text if f"\n## {topic}\n" in text else f"{text.rstrip()}\n\n## {topic}\n\n"
            text = re.sub(
                rf"(^## {topic}\n.*?)(?=^## |\Z)", rf"\1### reverie {name}\n\n",
                text, count=1, flags=re.MULTILINE | re.DOTALL,
            )  # fmt: skip
        parts = re.split(heading + made_before, text, flags=re.MULTILINE | re.DOTALL)
        text = f"{whole}\n".join(parts)
    return text


def _topic(name: str) -> str:
    word = name.partition(" ")[0]
    return next(topic for topic, names in topics([word]).items() if word in names)


# ---- the table of docs/reference/tools.md


def with_table(text: str, head: str, rows: Iterable[str]) -> str:
    """The page with other rows below this head of a table. Raises ``KeyError`` where the page has no such table."""
    before, found, after = text.partition(f"{head}\n|---|---|---|\n")
    if not found:
        raise KeyError(f"no page has the table {head}")
    return "".join([before, found, *(f"{row}\n" for row in rows), "\n", after.partition("\n\n")[2]])


def tool(row: Row) -> str:
    """The row of what is offered under some names."""
    takes = schema_of(next(row.tools()))
    arguments = [
        f"`{name}`{'!' if name in takes['required'] else ''}"
        for name in takes["properties"]
        if name != "max_tokens"
    ]
    names = ", ".join(f"`{name}`" for name in row.names.split())
    return f"| {names} | {', '.join(arguments) or '–'} | `{row.request}` |"


# ---- docs/reference/settings.md


def setting_rows() -> dict[str, str]:
    """The row of each setting: its name, its default, what it is."""
    with tempfile.TemporaryDirectory() as folder:
        entries = load(Home(Path(folder)), {}).entries
    return {
        one.key: f"| `{one.key}` | `{default_of(one.default)}` | {one.description} |"
        for one in entries
    }


def default_of(value: object) -> str:
    """A default as the page shows it."""
    if isinstance(value, tuple):
        return ", ".join(map(str, cast("tuple[object, ...]", value)))
    plain = getattr(value, "value", value)
    return str(plain).lower() if isinstance(plain, bool) else str(plain) or '""'


def with_settings(text: str, rows: Mapping[str, str]) -> str:
    """The page with these rows, each where its setting stands; a new one comes last of its section.

    Exits with a line for a setting of a section that the page does not have.
    """
    lines: list[str] = []
    for line in text.splitlines():
        found = re.match(r"\| `([a-z]\w*\.\w+)` \|", line)
        if found is None:
            lines.append(line)
        elif found[1] in rows:
            lines.append(rows[found[1]])
    for key, row in rows.items():
        if row not in lines:
            section = f"| `{key.partition('.')[0]}."
            places = [at for at, line in enumerate(lines) if line.startswith(section)]
            if not places:
                sys.exit(f"{SETTINGS.relative_to(ROOT)} has no table for {key}: begin one")
            lines.insert(places[-1] + 1, row)
    return "\n".join([*lines, ""])


# ---- the table of commands


def lines(helps: dict[str, str], places: dict[str, str]) -> str:
    """The lines of the table of commands: name, subject, help."""
    return "".join(f"{name}: {places.get(name, '-')}: {helps[name]}\n" for name in sorted(helps))


def _first(text: str | None) -> str:
    return (text or "").partition("\n")[0]


def main() -> None:
    """Write all of it, or tell whether that would change anything."""
    sections: dict[str, str] = {}
    helps = {name: _first(own(name).help) for name in OWN}
    places: dict[str, str] = {}
    beside = [one for subject in subjects() for one in getattr(subject, "BESIDE", ())]
    for subject in subjects():
        short = subject.__name__.rpartition(".")[2]
        for name, ways in commands(subject).items():
            if ways[0].is_further and subject in beside:  # it stands with those of another one
                continue
            sections[name] = section(name, ways, short)
            word = name.partition(" ")[0]
            is_command = word in commands(subject)
            if word not in helps and (is_command or word in getattr(subject, "GROUPS", ())):
                whole = commands(subject)[word][0].help if is_command else subject.GROUPS[word]
                helps[word], places[word] = _first(whole), short
    new = {
        PAGE: page(PAGE.read_text("utf-8"), sections),
        TOOLS: with_table(TOOLS.read_text("utf-8"), OFFERED, map(tool, ROWS)),
        SETTINGS: with_settings(SETTINGS.read_text("utf-8"), setting_rows()),
        DECLARED: lines(helps, places),
    }
    old = [
        path for path, text in new.items() if not path.exists() or path.read_text("utf-8") != text
    ]
    if "--check" not in sys.argv[1:]:
        for path in old:
            path.write_text(new[path], "utf-8")
    elif old:
        sys.exit(
            f"run python scripts/pages.py: {', '.join(str(one.relative_to(ROOT)) for one in old)}"
        )


if __name__ == "__main__":
    main()
