"""Scope of a command: the project that it means."""

from functools import cache
from pathlib import Path

from daemon.projects import project_root


@cache
def named_project(name: str) -> str:
    """The project that ``--project NAME`` means.

    A path (it begins with ``.``, ``/`` or ``~``) of a folder that exists means the project
    of that folder; any other name is taken as it is.
    """
    if name.startswith((".", "/", "~")):
        folder = Path(name).expanduser()
        if folder.is_dir():
            return str(project_root(folder.absolute()))
    return name


def current_project() -> str:
    """The project of the directory that the command was called in."""
    return str(project_root(Path.cwd()))
