"""Cost of the language server: CPU and wall time of each request, beside its targets.

    python -m lab.benchmarks.language_server [--lines 1000 5000 19000] [--repeats N]

Targets (for 1,000 lines, ms of CPU): an edit at most 2, a hint or a hover from the cache at most 5,
code actions at most 10; from an edit to its hint the quiet time and 150 ms by the clock. A real server
process is driven over its streams; the daemon is the one of ``tests/lsp``, which answers at once, so
only the server is measured. CPU is of all the server's threads; wall time is the editor's wait.
(Linux: it reads /proc.)
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from daemon.home import Home
from lab.benchmarks import instruments
from lab.benchmarks.instruments import Process, Times, table
from tests.lsp.editing import EditorClient
from tests.lsp.fake_daemon import FakeDaemon, Kept

QUIET: Final = 0.8  # seconds: the default
MEMORIES: Final = 760  # of which each gets one
EVERY: Final = 25  # lines: each of these mentions a memory, and all of them get a hint


def measured(process: Process, repeats: int, act: Callable[[], object]) -> Times:
    """Times of an act, repeated so often; CPU is the server's."""
    times = Times()
    for _ in range(repeats):
        began, worked = time.perf_counter(), process.precise()
        act()
        times.add(process.precise() - worked, time.perf_counter() - began)
    return times


def text(lines: int) -> str:
    """A source file in which every 25th line mentions one of the memories."""
    return "".join(
        f"    value_{n} = compute(value_{n - 1})"
        + (f"  # see phrase number {n // EVERY % MEMORIES:03d}" if n % EVERY == 0 else "")
        + "\n"
        for n in range(lines)
    )


def requests(editor: EditorClient, process: Process, lines: int, repeats: int) -> dict[str, Times]:
    """Every request on a file of so many lines."""
    uri = f"file:///bench/{lines}.py"
    editor.open(uri, text(lines))
    while not editor.hints(uri, lines):
        time.sleep(0.01)
    middle = lines // 2 // EVERY * EVERY
    version = 1

    def type_(line: int) -> None:
        nonlocal version
        version += 1
        editor.type(uri, version, line, 0, 0, "x")

    def edit_and_hover() -> None:
        type_(middle + 1)
        editor.hover(uri, 0, 0)  # answered after the edit was applied

    def newly_hinted() -> None:
        before = editor.heard("workspace/inlayHint/refresh")
        type_(middle)
        editor.hints(uri, lines)  # without the line that is typed
        editor.wait("workspace/inlayHint/refresh", nth=before + 1)
        editor.hints(uri, lines)

    return {
        "hover": measured(process, repeats, lambda: editor.hover(uri, middle, 60)),
        "edit and hover": measured(process, repeats, edit_and_hover),
        "hints of a window": measured(process, repeats, lambda: editor.hints(uri, 60)),
        "hints of the file": measured(process, repeats, lambda: editor.hints(uri, lines)),
        "code actions": measured(process, repeats, lambda: editor.actions(uri, middle)),
        "edit to new hint": measured(process, 5, newly_hinted),
    }


def main() -> None:
    """Print a table for each size, the cost of a start, and memory."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--lines", type=int, nargs="+", default=[1000, 5000, 19000])
    parser.add_argument("--repeats", type=int, default=200)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rv") as folder:
        home = Home(Path(folder))
        kept = [Kept(f"m{n}", f"phrase number {n:03d}", score=0.9) for n in range(MEMORIES)]
        daemon = FakeDaemon(home, kept)
        environ = {**os.environ, "REVERIE_HOME": folder, "XDG_DATA_HOME": folder}
        with instruments.editor(environ) as (editor, server):
            process = Process(server.pid, home.root)
            print(
                table({"start": measured(process, 1, editor.initialize)}, {"start": "<= 1200 ms"})
            )
            daemon.start()
            editor.ready()
            for lines in chosen.lines:
                print(f"\n{lines:,} lines; an edit is what the two have more than a hover")
                print(table(requests(editor, process, lines, chosen.repeats)))
            print(f"\nresident: {sum(process.memory().values()):.0f} MiB (target 60)")
            editor.leave()
            server.wait()
        daemon.stop()


if __name__ == "__main__":
    main()
