"""Commands: the line of help of each, the subject of an operation, and what took the place of one that went.

The lines of ``declared.txt`` are made by scripts/pages.py, those of ``retired.txt`` by who takes a command or an
option out; each of these is said for one release.
"""

_FOLDER = __file__[: -len("declared.py")]


def _lines(name: str, parts: int) -> list[list[str]]:
    """Read a file of this folder: lines of so many parts with a colon between. No pathlib: ``--help`` is quick."""
    with open(f"{_FOLDER}{name}.txt", encoding="utf-8") as file:
        return [line.split(": ", parts - 1) for line in file.read().splitlines()]


def retired() -> dict[str, str]:
    """Tell by a command, or a command with its option, what to use instead."""
    return {line[0]: line[1] for line in _lines("retired", 2)}


_DECLARED = _lines("declared", 3)
HELP = {name: line for name, _, line in _DECLARED}
SUBJECTS = {name: subject for name, subject, _ in _DECLARED if subject != "-"}
