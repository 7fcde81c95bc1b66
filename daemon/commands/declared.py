"""Commands: the line of help of each, the subject of an operation, and the replacement of a retired one.

The lines of ``declared.txt`` are made by scripts/pages.py, the lines of ``retired.txt`` by whoever takes a
command or an option out; each of these is said for one release.
"""

_FOLDER = __file__[: -len("declared.py")]


def _lines(name: str, parts: int) -> list[list[str]]:
    """Read a file of this folder: lines of so many parts with a colon between. No pathlib: ``--help`` is quick."""
    with open(f"{_FOLDER}{name}.txt", encoding="utf-8") as file:
        return [line.split(": ", parts - 1) for line in file.read().splitlines()]


def retired() -> dict[str, str]:
    """Replacements of retired commands, or of commands with an option."""
    return {line[0]: line[1] for line in _lines("retired", 2)}


_DECLARED = _lines("declared", 3)
HELP = {name: line for name, _, line in _DECLARED}
SUBJECTS = {name: subject for name, subject, _ in _DECLARED if subject != "-"}
