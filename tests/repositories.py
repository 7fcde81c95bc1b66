"""Repositories for tests."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git(folder: Path, *arguments: str) -> None:
    """Git in this folder, as somebody who has a name."""
    identity = ("-c", "user.name=ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def laid(folder: Path) -> Path:
    """This folder with a repository as git lays it out, made without git."""
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder
