"""Pages: output of a terminal's command, as a read-only document of the scheme ``reverie``.

A memory, a dream or a plan is in no file, and writing one for the editor's sake would put its
text where *forget* and *erase* do not reach. So each has an address of its own scheme; the
editor asks for its text with ``workspace/textDocumentContent`` (LSP 3.18).
"""

import math
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from typing import Final
from urllib.parse import quote, unquote

import anyio

from daemon.home import Home
from daemon.launch import own_command
from lsp.hovers import literal

SCHEME: Final = "reverie"
WITHIN: Final = 10.0  # seconds that a command may take: it is a process of its own
WIDTH: Final = 100  # columns

_COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "memory": ("show", "--", "{}"),
    "dream": ("dream", "--past={}"),
    "plan": ("plan", "show", "--", "{}"),
    "recall": ("recall", "--no-track", "--", "{}"),
}
"""Command of the terminal behind each kind of page; {} is what the page is about."""

LAST_DREAM: Final = f"{SCHEME}://dreams/last.md"
OPEN_PLANS: Final = f"{SCHEME}://plans/open.md"
_WHOLE: Final = {LAST_DREAM: ["dream", "--past=last"], OPEN_PLANS: ["plans"]}


def address(kind: str, about: str) -> str:
    """Address at which an editor finds this page."""
    return f"{SCHEME}://{kind}/{quote(about, safe='')}.md"


def command_at(uri: str) -> list[str] | None:
    """Arguments of the command behind the page; ``None`` for another address."""
    scheme, _, rest = uri.partition("://")
    kind, _, name = rest.partition("/")
    about = unquote(name.removesuffix(".md"))
    if scheme != SCHEME or kind not in _COMMANDS or not name.endswith(".md") or not about:
        return _WHOLE.get(uri)
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

    async def text(self, command: Sequence[str], *, bounded: bool = True) -> str:
        """Output of a command, or the reason of its failure; unbounded for as long as it takes."""
        folder = self._folder()
        with anyio.move_on_after(WITHIN if bounded else math.inf):
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
