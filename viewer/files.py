"""Files of the pages: read once, sent with a tag, compressed where a browser takes it."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from viewer.exchange import UNCHANGED, Answer, Request, problem

FOLDER: Final = Path(__file__).parent / "static"
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
PACKED: Final = frozenset({".png", ".woff2"})  # compressed already
WORTH: Final = 1_000  # bytes from which compressing is worth it
HASHED: Final = re.compile(
    r"[.-](?=[\w-]*\d)[\w-]{8,}\.\w+$"
)  # a name that changes with its content
FOR_EVER: Final = "private, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Page:
    """A file as it is sent."""

    body: bytes
    packed: bytes  # with gzip; empty: it is not worth it
    kind: str
    tag: str
    keeping: str


def pages(folder: Path = FOLDER) -> dict[str, Page]:
    """Files below a folder by their paths as a browser asks for them; ``/`` is ``index.html``."""
    found: dict[str, Page] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.suffix in TYPES and path.is_file():
            found[f"/{path.relative_to(folder).as_posix()}"] = _page(path)
    if "/index.html" in found:
        found["/"] = found["/index.html"]
    return found


def _page(path: Path) -> Page:
    body = path.read_bytes()
    worth = len(body) >= WORTH and path.suffix not in PACKED
    return Page(
        body,
        gzip.compress(body, mtime=0) if worth else b"",
        TYPES[path.suffix],
        f'W/"{blake2b(body, digest_size=12).hexdigest()}"',  # weak: compressed it is the same file
        FOR_EVER if HASHED.search(path.name) else "private, no-cache",
    )


def file_answer(request: Request, found: dict[str, Page]) -> Answer:
    """The file asked for by a browser, or word of its having it already."""
    page = found.get(request.path)
    if page is None:
        return problem(404, "there is no such page")
    headers = {"etag": page.tag, "cache-control": page.keeping, "vary": "accept-encoding"}
    if page.tag in request.headers.get("if-none-match", ""):
        return Answer(UNCHANGED, headers=headers)
    headers["content-type"] = page.kind
    if page.packed and "gzip" in request.headers.get("accept-encoding", ""):
        return Answer(200, page.packed, {**headers, "content-encoding": "gzip"})
    return Answer(200, page.body, headers)
