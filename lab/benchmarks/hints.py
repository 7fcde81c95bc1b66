"""Hints of labelled memories in an editor opening every source file of a project.

    python -m lab.benchmarks.hints --data DIR [--under FOLDER] [--show]

`DIR/checkout` is the project, `DIR/memories.jsonl` has one memory a line: its `text`, and `about`,
its definition (`src/pay.py:Service.charge`, null for none). A real daemon remembers them, a real
language server gives the hints. Printed are figures without a judge: hints per 100 lines, labelled
definitions with a hint of theirs, hints repeating a memory in a file, and hints at another place than
the label's; `--show` lists the last, and the definitions without one.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import anyio
from msgspec import Struct, field

from actors.policy.references.naming import is_source
from actors.policy.references.symbols import definition
from daemon.api.remember import Remember
from daemon.api.show import Show
from daemon.client import open_client
from daemon.home import Home
from daemon.launch import ensure_daemon, stop_daemon
from lab.benchmarks import instruments
from tests.lsp.editing import EditorClient

WITHIN = 30.0  # seconds for one answer
SETTLED = 0.5  # seconds without news, after which nothing more is expected
MARK = "· "


class Labelled(Struct, frozen=True):
    """A memory, and its definition: a file, and its line there from 0."""

    text: str
    about: str | None
    path: str
    line: int


class Figures(Struct):
    """Counts of one run."""

    lines: int = 0  # of the files that were opened
    hints: int = 0
    repeats: int = 0  # of a memory in a file
    elsewhere: list[str] = field(default_factory=list[str])
    unnamed: int = 0  # hints whose memory the label does not tell
    carried: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])


def labelled(data: Path, under: str) -> list[Labelled]:
    """Read the memories, and the places of their definitions in the checkout."""
    found: list[Labelled] = []
    for row in (data / "memories.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(row)
        path, _, symbol = (one["about"] or ":").partition(":")
        line = -1
        if path.startswith(under):
            text = (data / "checkout" / path).read_text(encoding="utf-8") if path else ""
            place = definition(text, symbol) if symbol else None
            assert place is not None or not symbol, f"{one['about']} is not defined"
            line = place.line if place is not None else -1
        found.append(Labelled(one["text"], one["about"], path, line))
    return found


async def remember(home: Home, project: Path, memories: list[Labelled]) -> None:
    """Have them remembered, and wait until the daemon has looked at their references."""
    async with open_client(home) as client:
        ids = [
            (await client.ask(Remember(text=one.text, project=str(project)), within=WITHIN)).id
            for one in memories
        ]
        before: list[object] | None = None
        while True:
            shown = [await client.ask(Show(id=id_), within=WITHIN) for id_ in ids if id_]
            now: list[object] = [one.about for one in shown]
            if now == before:
                return
            before = now
            await anyio.sleep(SETTLED)


def count(
    editor: EditorClient, checkout: Path, path: str, memories: list[Labelled], sums: Figures
) -> None:
    """Open a file, and count its hints."""
    text = (checkout / path).read_text(encoding="utf-8")
    uri = (checkout / path).as_uri()
    editor.open(uri, text)
    editor.hints(uri, 100_000)
    time.sleep(SETTLED)
    seen: set[str] = set()
    sums.lines += text.count("\n")
    for line, label in editor.hints(uri, 100_000):
        sums.hints += 1
        words = label.removeprefix(MARK).removesuffix(" (stale)").removesuffix("…").rstrip()
        own = [one for one in memories if words in " ".join(one.text.split())]
        if len(own) != 1:
            sums.unnamed += 1
            continue
        (one,) = own
        sums.repeats += one.text in seen
        seen.add(one.text)
        if (one.path, one.line) == (path, line):
            sums.carried.add((path, line))
        else:
            sums.elsewhere.append(f"{path}:{line + 1} {label}  (label: {one.about})")


def run(data: Path, under: str) -> tuple[Figures, list[Labelled]]:
    """Open every source file of the project below a folder."""
    checkout = (data / "checkout").resolve()
    memories, sums = labelled(data, under), Figures()
    asked = ["git", "-C", str(checkout), "ls-files", "--", under or "."]
    listed = subprocess.run(asked, capture_output=True, check=True, text=True).stdout.split("\n")
    with tempfile.TemporaryDirectory(prefix="rv") as folder, ExitStack() as stack:
        home = Home(Path(folder))
        ensure_daemon(home, within=WITHIN)
        stack.callback(stop_daemon, home)
        anyio.run(remember, home, checkout, memories)
        environ = {**os.environ, "REVERIE_HOME": folder}
        editor, server = stack.enter_context(instruments.editor(environ))
        editor.initialize()
        editor.wait("reverie/status", lambda status: status["state"] != "away")
        for path in filter(is_source, listed):
            count(editor, checkout, path, memories, sums)
        editor.leave()
        server.wait()
    return sums, memories


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--under", default="", help="a folder: the others are not opened")
    parser.add_argument("--show", action="store_true", help="list what is not as the labels say")
    chosen = parser.parse_args()
    sums, memories = run(chosen.data, chosen.under)
    wanted = {(one.path, one.line): one for one in memories if one.line >= 0}
    print(f"{len(memories)} memories, {len(wanted)} definitions, {sums.lines} lines")
    print(f"hints                          {sums.hints:6}")
    print(f"hints per 100 lines            {100 * sums.hints / max(1, sums.lines):6.2f}  (goal: 1)")
    for what, part, whole, goal in (
        ("definitions that carry theirs", len(sums.carried), len(wanted), "  (goal: 92 %)"),
        ("repeats in a file", sums.repeats, sums.hints, "  (goal: 5 %)"),
        ("at another place than labelled", len(sums.elsewhere), sums.hints, ""),
        ("of a memory not told by label", sums.unnamed, sums.hints, ""),
    ):
        print(f"{what:30} {part:6} {100 * part / max(1, whole):5.1f} %{goal}")
    if chosen.show:
        without = [one for place, one in wanted.items() if place not in sums.carried]
        print(*sums.elsewhere, *(f"no hint: {one.about}" for one in without), sep="\n")


if __name__ == "__main__":
    main()
