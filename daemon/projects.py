"""Projects: the one of a directory.

A project is the root of git's *common* directory: every worktree of a repository, the
main checkout included, is one project. A submodule is a project of its own. A
directory outside git is its own project. Git's files are read directly, because a
hook's event cannot wait for a process (gitrepository-layout(5) documents them).
"""

from collections.abc import Iterator
from pathlib import Path

LINE_LIMIT = 4096  # bytes read of a ``.git`` or ``commondir`` file: each holds one path
REMOTE = '[remote "'  # how the section of one begins
CONFIG_LIMIT = 65536  # bytes read of a git ``config``


def project_root(cwd: Path) -> Path:
    """The project of this directory. Never raises: an unreadable one is its own project."""
    try:
        folder = cwd.resolve()
    except (OSError, RuntimeError, ValueError):  # a loop of links, a NUL in the name
        return cwd
    try:
        commons = map(common_directory, (folder, *folder.parents))
        common = next((one for one in commons if one is not None), None)
        return folder if common is None else _main_checkout(common)
    except (OSError, RuntimeError, ValueError):
        return folder


def place_in(project: str, path: str) -> str | None:
    """Return the path of a file in its checkout of a project; ``None`` when it is of another one.

    A worktree has the same files as the main checkout, so the place is the same in both.
    """
    try:
        file = Path(path).parent.resolve() / Path(path).name
        folder = next((one for one in file.parents if (one / ".git").exists()), None)
        if folder is not None and project_root(folder) != Path(project):
            return None
        return str(file.relative_to(folder or project))
    except (OSError, RuntimeError, ValueError):  # it lies elsewhere, or cannot be looked at
        return None


def checkout_of(project: str, directory: str) -> str:
    """Return the root of the project's checkout around a directory: of a worktree, or its own."""
    try:
        folder = Path(directory).resolve()
        folders = (folder, *folder.parents)
        root = next((one for one in folders if (one / ".git").exists()), None)
        return str(root) if root and project_root(root) == Path(project) else project
    except (OSError, RuntimeError, ValueError):  # it cannot be looked at
        return project


def remote_of(root: Path) -> str:
    """Return the address of a repository's origin, without a name or password in it; empty for none.

    The one of ``origin``, else of the first remote by name.
    """
    common = common_directory(root)
    remotes = {
        section[len(REMOTE) :].partition('"')[0]: value
        for section, key, value in _configured((common or root) / "config")
        if section.startswith(REMOTE) and key == "url"
    }
    address = remotes.get("origin") or next((remotes[one] for one in sorted(remotes)), "")
    scheme, named, place = address.partition("://")
    if not named:
        return address
    host, slash, path = place.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


def common_directory(folder: Path) -> Path | None:
    """The git directory shared by all worktrees of the repository at ``folder``."""
    dot_git = folder / ".git"
    if _is_git_directory(dot_git):
        return dot_git
    if dot_git.is_file():
        return _linked_directory(dot_git)
    if _is_git_directory(folder):  # inside a bare repository, or inside ``.git``
        return folder
    return None


def _linked_directory(dot_git: Path) -> Path | None:
    """Where a ``.git`` *file* leads: to a worktree's, a submodule's or a moved git directory."""
    line = _one_line(dot_git)
    if not line.startswith("gitdir:"):
        return None
    git_directory = (dot_git.parent / line.removeprefix("gitdir:").strip()).resolve()
    pointer = git_directory / "commondir"  # only a linked worktree has one
    if pointer.is_file():
        git_directory = (git_directory / _one_line(pointer)).resolve()
    return git_directory if _is_git_directory(git_directory) else None


def _is_git_directory(folder: Path) -> bool:
    return (
        (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
    )


def _main_checkout(common: Path) -> Path:
    """The main checkout of a common directory; the directory itself when there is none."""
    if common.name == ".git":
        return common.parent
    worktrees = (  # of a submodule, where git sets it
        value
        for section, key, value in _configured(common / "config")
        if (section.lower(), key) == ("[core]", "worktree")
    )
    worktree = next(worktrees, "")
    return (common / worktree).resolve() if worktree else common


def _configured(config: Path) -> Iterator[tuple[str, str, str]]:
    """Give sections, keys and values of a file of git's settings, in their order."""
    section = ""
    for line in map(str.strip, _beginning(config, CONFIG_LIMIT).splitlines()):
        if line.startswith("["):
            section = line
        key, equals, value = line.partition("=")
        if equals:
            yield section, key.strip().lower(), value.strip().strip('"')


def _one_line(path: Path) -> str:
    return _beginning(path, LINE_LIMIT).strip()


def _beginning(path: Path, limit: int) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file.read(limit).decode("utf-8", "surrogateescape")
