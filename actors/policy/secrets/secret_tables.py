"""Tables of facts about secrets: texts beside these modules, each read once when its module is loaded.

A table has sections: a heading in brackets, and the lines below it. A line with a leading `# ` gives
the reason of the next lines. A line with four leading blanks continues the one before.

Imports nothing and runs on Python 3.8: the hook loads it by file path, where no TOML is read.
"""

from __future__ import annotations

_FOLDER = __file__.rpartition("/")[0] + "/"


def sections(name: str) -> dict[str, list[str]]:
    """Return the lines of each section of the table of this name, by the heading."""
    with open(_FOLDER + name + ".txt", encoding="utf-8") as file:
        lines = file.read().split("\n")
    table: dict[str, list[str]] = {}
    section: list[str] = []
    for line in lines:
        if line.startswith("[") and line.endswith("]"):
            section = table.setdefault(line[1:-1], [])
        elif line.startswith("    "):
            section[-1] += line[4:]
        elif line and not line.startswith("# "):
            section.append(line)
    return table


def words(lines: list[str]) -> frozenset[str]:
    """Return the words of a section's lines."""
    return frozenset(" ".join(lines).split())


def phrases(lines: list[str]) -> tuple[str, ...]:
    """Return the texts between the commas of a section's lines."""
    return tuple(", ".join(lines).split(", "))
