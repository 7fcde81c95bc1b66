"""Pages: read-only documents of the scheme ``reverie``, and the quiet line of a file that leads to one."""

import json
import os
import subprocess
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Final
from urllib.parse import quote, unquote

import anyio
from lsprotocol import types
from msgspec import Struct

from daemon.api.about import Bearing, SourceView
from daemon.home import Home
from daemon.launch import own_command
from daemon.shapes.memory import MatchView
from daemon.shapes.results import Scored
from lsp.documents import EDITED, Document, Encoding, content, units
from lsp.hints import MARK, age, has_room, linked, literal, name, one_line

# ---- pages: output of a terminal's command, as a read-only document of the scheme ``reverie``
#
# A memory is in no file, and writing one for the editor's sake would put its
# text where *forget* and *erase* do not reach. So each has an address of its own scheme; the
# editor asks for its text with ``workspace/textDocumentContent`` (LSP 3.18).

SCHEME: Final = "reverie"
WITHIN: Final = 10.0  # seconds that a command may take: it is a process of its own
WIDTH: Final = 100  # columns

_COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "memory": ("show", "--", "{}"),
    "recall": ("recall", "--no-track", "--", "{}"),
}
"""Command of the terminal behind each kind of page; {} is what the page is about."""


def address(kind: str, about: str) -> str:
    """Address at which an editor finds this page."""
    return f"{SCHEME}://{kind}/{quote(about, safe='')}.md"


def command_at(uri: str) -> list[str] | None:
    """Arguments of the command behind the page; ``None`` for another address."""
    scheme, _, rest = uri.partition("://")
    kind, _, name = rest.partition("/")
    about = unquote(name.removesuffix(".md"))
    if scheme != SCHEME or kind not in _COMMANDS or not name.endswith(".md") or not about:
        return None
    return [word.replace("{}", about) for word in _COMMANDS[kind]]


def rendered(text: str) -> str:
    """The text for an editor with Markdown: its first line as heading, all of it as code.

    An indented block cannot be ended by its content, as a fenced one can.
    """
    lines = text.splitlines()
    heading = next((line.strip() for line in lines if line.strip()), SCHEME)
    return "\n".join([f"# {literal(heading)}", "", *(f"    {line}" for line in lines), ""])


class Terminal:
    """Commands of the terminal, run for an editor."""

    def __init__(self, home: Home, folder: Callable[[], str | None]) -> None:
        """``folder`` tells where the editor works: a command looks for memories of its project."""
        self._home = home
        self._folder = folder

    async def text(self, command: Sequence[str]) -> str:
        """Output of a command, or the reason of its failure."""
        folder = self._folder()
        with anyio.move_on_after(WITHIN):
            done = await anyio.run_process(
                [*own_command(), *command],
                stdin=subprocess.DEVNULL,
                check=False,
                cwd=folder if folder and await anyio.Path(folder).is_dir() else None,
                env={
                    **os.environ,
                    "REVERIE_HOME": str(self._home.root),
                    "COLUMNS": str(WIDTH),
                    "NO_COLOR": "1",
                },
            )
            return (done.stderr if done.returncode else done.stdout).decode(errors="replace")
        return f"The command did not answer within {WITHIN:g} s.\n"


# ---- about a file: the quiet line that counts its memories, and the page that tells them
#
# Pure. A memory is about a file when it stands in it, or when the daemon is sure of it. The line is a
# hint like others, and shares their bound: a file that has its share of hints has none.

SHARE = 100  # lines of a file for each of its hints, with this one
NAMED = 5  # memories in the tooltip
NAME = 80  # characters of one there and on the page
OPEN = "reverie.aboutFile"  # the extension's command that opens the page
JUMP = "reverie.goToLine"  # the extension's command behind the number of a line
_PREFIX = f"{SCHEME}://file/"
_SUFFIX = ".md"

Told = MatchView | Scored


class Tied(Struct, frozen=True):
    """A memory that is about a file."""

    memory: Told
    line: int | None  # of the buffer, from 0
    over: str  # what speaks against it; empty while nothing does

    @property
    def name(self) -> str:
        """Its name, and whether it is no longer true."""
        return name(self.memory, NAME) + (" (stale)" if self.over else "")


class Quiet(Struct, frozen=True):
    """The quiet line: where it stands, and what it counts."""

    line: int
    tied: tuple[Tied, ...]


def tied(document: Document | None, known: Iterable[Scored], muted: Collection[str]) -> list[Tied]:
    """List the memories about a file, in the order of their lines; the buffer's word counts.

    ``known``: those that the daemon is sure of.
    """
    found: dict[str, Tied] = {}
    for place in document.places if document is not None else ():
        memory = place.memory
        if memory.anchored:
            found.setdefault(memory.id, Tied(memory, place.line, _over(memory)))
    edited = document.edited if document is not None else ()
    for one in known:
        over = EDITED if one.id in edited else _over(one)
        found.setdefault(one.id, Tied(one, None, over))
    those = (one for id_, one in found.items() if id_ not in muted)
    return sorted(those, key=lambda one: (one.line is None, one.line or 0))


def _over(memory: Told) -> str:
    return memory.stale or ("" if memory.valid else "not true any more")


def quiet_line(tied: Sequence[Tied], hinted: Sequence[int], lines: int, most: int) -> Quiet | None:
    """Place the quiet line: on the first line, else at the first definition that has no hint.

    ``hinted``: the lines with a hint, in their order; ``most``: at most so many in a window.
    """
    if not tied or len(hinted) >= max(1, lines // SHARE):
        return None
    places = (0, *(one.line for one in tied if one.line is not None))
    free = (line for line in places if has_room(hinted, line, most))
    return next((Quiet(line, tuple(tied)) for line in free), None)


def summary(tied: Sequence[Tied]) -> str:
    """Count them: ``3 decisions about this file · 1 no longer true``."""
    over = sum(bool(one.over) for one in tied)
    said = f"{len(tied):,} decision{'' if len(tied) == 1 else 's'} about this file"
    return said + (f" · {over:,} no longer true" if over else "")


def quiet_hint(one: Quiet, line: str, encoding: Encoding, *, links: bool) -> types.InlayHint:
    """The quiet line behind the last character of ``line``; its tooltip names the first of them."""
    rest = len(one.tied) - NAMED
    names = [each.name for each in one.tied[:NAMED]] + ([f"and {rest} more"] if rest > 0 else [])
    if links:
        names = [f"- {literal(each)}" for each in names] + [
            "",
            f"[About this file](command:{OPEN})",
        ]
    return types.InlayHint(
        position=types.Position(one.line, units(content(line), encoding)),
        label=MARK + summary(one.tied),
        tooltip="\n".join(names),
        padding_left=True,
        data={"stale": any(each.over for each in one.tied)},
    )


# ---- the page


def file_address(path: str) -> str:
    """Address at which an editor finds what is about this file."""
    return f"{_PREFIX}{quote(path.removeprefix('/'))}{_SUFFIX}"


def file_at(uri: str) -> str | None:
    """The path of the file that this address is about; ``None`` for another address."""
    if not uri.startswith(_PREFIX) or not uri.endswith(_SUFFIX):
        return None
    path = unquote(uri[len(_PREFIX) : -len(_SUFFIX)]).lstrip("/")
    return f"/{path}" if path else None


def file_page(
    path: str, uri: str, tied: Sequence[Tied], bearing: Bearing, now: float, *, links: bool
) -> str:
    """Page of what is known about a file: who said it, when, where it stands and what came of it.

    ``links``: for an editor that carries out ``command:`` links.
    """
    file = PurePath(path).name
    parts = [f"# About {literal(file)}"]
    parts.append(f"{summary(tied)}." if tied else "Nothing that is remembered is about this file.")
    for one in tied:
        memory = one.memory
        parts += [f"## {literal(name(memory, NAME))}"]
        if one_line(memory.text) != name(memory, NAME):
            parts.append(literal(memory.text))
        if one.over:
            parts.append(f"**No longer true?** {literal(one.over)}")
        at = _place(one, file, uri, links=links)
        parts.append(" · ".join([*at, *_facts(memory, bearing.sources.get(memory.id), now)]))
        if links:
            parts.append(linked(memory.id, " "))  # the page makes buttons of them
    return "\n\n".join(parts) + "\n"


def _place(one: Tied, file: str, uri: str, *, links: bool) -> Iterable[str]:
    if one.line is not None:
        at = f"{literal(file)}:{one.line + 1}"
        argument = quote(json.dumps([{"uri": uri, "line": one.line}]), safe="")
        yield f"[{at}](command:{JUMP}?{argument})" if links else at


def _facts(memory: Told, source: SourceView | None, now: float) -> Iterable[str]:
    yield literal(memory.origin)
    yield age(now - memory.created_at)
    if source is not None and source.session and not source.commit:
        yield f"session {literal(source.session)}"
