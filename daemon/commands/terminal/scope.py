"""Scope of a command: its project."""

from functools import cache
from pathlib import Path

from daemon.projects import project_root


def named_project(name: str) -> str:
    """The project of ``--project NAME``.

    A path (it begins with ``.``, ``/`` or ``~``) of an existing folder means the folder's project;
    any other name is taken as it is.
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
    """The project of the current directory."""
    return str(project_root(Path.cwd()))
