"""Place of a client: on the daemon's path, or where its installer usually puts it."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

# Where installers of agents put them. A daemon that a hook started has the hook's path, one that
# the system started has nearly none.
USUAL: Final = (
    ".local/bin", ".claude/local", ".npm-global/bin", ".bun/bin", ".volta/bin", "bin",
)  # fmt: skip
SYSTEM: Final = ("/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "/bin")


def located(program: str, environ: Mapping[str, str]) -> Path | None:
    """The program's absolute path, ``None`` when it is nowhere or cannot be run."""
    user = Path(environ.get("HOME") or Path.home())
    if os.sep in program:
        path = Path(program).expanduser()
        return path if path.is_absolute() and os.access(path, os.X_OK) and path.is_file() else None
    folders = [environ.get("PATH", ""), *(str(user / name) for name in USUAL), *SYSTEM]
    at = shutil.which(program, path=os.pathsep.join(filter(None, folders)))
    return Path(at).absolute() if at else None


def beside(program: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment with the program's own folder on the path.

    A client written for Node finds there the Node of its installation.
    """
    path = os.pathsep.join(filter(None, (environ.get("PATH", ""), str(program.parent), *SYSTEM)))
    return {**environ, "PATH": path}
