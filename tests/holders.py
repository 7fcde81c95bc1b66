"""What lies below a home, while its daemon writes there.

A daemon puts a whole file into the place of another. So a path that was listed may be gone before it
is looked at, and its content stands under another name: then everything is looked at once more.
"""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def looked_over(root: Path, look: Callable[[Path], T]) -> list[tuple[Path, T]]:
    """Each path below, and what ``look`` says of it; no path went away meanwhile."""
    while True:
        try:
            return [(path, look(path)) for path in root.rglob("*")]
        except FileNotFoundError:
            continue


def holders(root: Path, *texts: str | bytes) -> list[str]:
    """The files below, as relative paths, in which any of these texts stands."""
    needles = [text.encode() if isinstance(text, str) else text for text in texts]
    return [
        str(path.relative_to(root))
        for path, content in looked_over(root, _content)
        if any(needle in content for needle in needles)
    ]


def _content(path: Path) -> bytes:
    """The bytes of a file; none of a folder, a socket or a link. ``FileNotFoundError`` if gone."""
    return path.read_bytes() if stat.S_ISREG(path.lstat().st_mode) else b""
