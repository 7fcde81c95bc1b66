"""Scope of a command: the project that it means."""

from functools import cache
from pathlib import Path

from daemon.projects import project_root


def named_project(name: str) -> str:
    """The project that ``--project NAME`` means.

    A path (it begins with ``.``, ``/`` or ``~``) of a folder that exists means the project
    of that folder; any other name is taken as it is.
    """
    if name.startswith((".", "/", "~")):
        folder = Path(name).expanduser()
        if folder.is_dir():
            return _project_of(folder.absolute())
    return name


@cache
def _project_of(folder: Path) -> str:
    return str(project_root(folder))  # a file of rows names one folder over and over


def current_project() -> str:
    """The project of the directory that the command was called in."""
    return str(project_root(Path.cwd()))
